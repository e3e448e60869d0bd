"""Tables, lists, quotes and code whose grid, indentation or padding outgrows the page (HTML, Tabular data; Grouping content)."""

from __future__ import annotations

from security.hostile.shapes import HostilePage, deep, document, filled, fixed, halves, nested, repeat, words


def _wide_and_tall(size_bytes: int) -> str:
    """Return a table with one row of n cells and n rows of one cell."""
    space = size_bytes - len(document(""))
    return document("<table><tr>" + repeat(space // 2, "<td>a") + repeat(space // 2, "<tr><td>b") + "</table>")


def _line_numbers(size_bytes: int) -> str:
    """Return a listing as a table of two cells: one of line numbers, one of code."""
    count = max(1, (size_bytes - len(document("")) - 120) // 34)
    numbers = "\n".join(str(i + 1) for i in range(count))
    code = "\n".join(f"value_{i} = sea[{i}] * tide" for i in range(count))
    return document(
        f"<table class=highlighttable><tr><td class=linenos><pre>{numbers}</pre><td class=code><pre>{code}</pre></table>"
    )


def _long_cell(attribute: str) -> str:
    return f"<table><tr><td {attribute}=65000>"


PAGES = (
    HostilePage(
        "spans_large",
        "HTML, Forming a table: colspan and rowspan",
        "Each cell claims 1,000 columns and 65,534 rows.",
        filled("<tr><td colspan=1000 rowspan=65534>sea<td>low", before="<table>", after="</table>"),
    ),
    HostilePage(
        "spans_of_rows",
        "HTML, Forming a table: rowspan",
        "Each row adds a cell that reaches down to the last row, so that the grid is a triangle.",
        filled("<tr><td rowspan=9999>a", before="<table>", after="</table>"),
    ),
    HostilePage(
        "spans_of_zero",
        "HTML, Forming a table: rowspan=0",
        "Each cell reaches to the end of its row group.",
        filled("<tr><td rowspan=0>a<td rowspan=0>b", before="<table>", after="</table>"),
    ),
    HostilePage(
        "spans_of_columns",
        "HTML, Forming a table: colspan",
        "Each row has one cell over 1,000 columns.",
        filled("<tr><td colspan=1000>a", before="<table>", after="</table>"),
    ),
    HostilePage(
        "spans_in_one_row",
        "HTML, Forming a table: colspan",
        "One row has n cells over 1,000 columns each.",
        filled("<td colspan=1000>a", before="<table><tr><td>b<tr>", after="</table>"),
    ),
    HostilePage(
        "spans_overlapping",
        "HTML, Forming a table: overlapping cells",
        "Cells reach down and across into each other.",
        filled(
            lambda i: f"<tr><td rowspan={i % 50 + 2}>a<td colspan={i % 30 + 2} rowspan={i % 40 + 2}>b<td>c",
            before="<table>",
            after="</table>",
        ),
    ),
    HostilePage(
        "long_cell_over_rows",
        "HTML, Forming a table: rowspan",
        "A text of n/2 bytes is repeated in each of the n rows that it spans.",
        halves(
            lambda i: words(i, 5) + " ", "<tr><td>b", before=_long_cell("rowspan"), between="<td>a", after="</table>"
        ),
    ),
    HostilePage(
        "long_cell_over_columns",
        "HTML, Forming a table: colspan",
        "A text of n/2 bytes is repeated in each of 1,000 columns.",
        halves(
            lambda i: words(i, 5) + " ",
            "<tr><td>b<td>c",
            before="<table><tr><td colspan=1000>",
            between="<tr><td>d",
            after="</table>",
        ),
    ),
    HostilePage(
        "long_cell_beside_short_ones",
        "HTML, Tabular data",
        "One cell has n/2 bytes; n rows are padded to its width.",
        halves(
            lambda i: words(i, 5) + " ", "<tr><td>b<td>c", before="<table><tr><th>a<th>", between="", after="</table>"
        ),
    ),
    HostilePage(
        "wide_and_tall",
        "HTML, Tabular data",
        "n rows of one cell are padded to the n columns of one row.",
        _wide_and_tall,
    ),
    HostilePage(
        "triangle",
        "HTML, Tabular data",
        "Each row has one cell more than the row before.",
        filled(lambda i: "<tr>" + "<td>a" * (i + 1), before="<table>", after="</table>"),
    ),
    HostilePage(
        "one_row", "HTML, Tabular data", "One row has n cells.", filled("<td>a", before="<table><tr>", after="</table>")
    ),
    HostilePage(
        "one_column",
        "HTML, Tabular data",
        "One column has n cells.",
        filled("<tr><td>a", before="<table>", after="</table>"),
    ),
    HostilePage("many_tables", "HTML, The table element", "n tables of one cell.", filled("<table><tr><td>a</table>")),
    HostilePage(
        "headers_by_id",
        "HTML, The headers attribute",
        "Each cell looks n headers up.",
        filled(
            lambda i: f"<tr><th id=h{i} scope=row>a<td headers='h{i} h{i // 2} h0 h{i + 1}'>{i}",
            before="<table>",
            after="</table>",
        ),
    ),
    HostilePage(
        "columns",
        "HTML, The col element",
        "n columns of span 1,000.",
        filled("<col span=1000><colgroup span=1000>", before="<table>", after="<tr><td>sea</table>"),
    ),
    HostilePage(
        "table_sections",
        "HTML, The thead, tbody and tfoot elements",
        "n sections of each kind, out of order.",
        filled("<tfoot><tr><td>c<thead><tr><th>a<tbody><tr><td>b", before="<table>", after="</table>"),
    ),
    HostilePage(
        "captions",
        "HTML, The caption element",
        "n captions.",
        filled(lambda i: f"<caption>{words(i, 3)}</caption>", before="<table>", after="<tr><td>a<td>b</table>"),
    ),
    HostilePage(
        "blocks_in_cells",
        "HTML, Tabular data",
        "Cells hold lists, code and further tables.",
        filled(
            "<tr><td><ul><li>a<li>b</ul><td><pre>c\nd</pre><td><table><tr><td>e|f</table>",
            before="<table>",
            after="</table>",
        ),
    ),
    HostilePage(
        "tables_in_lists_in_tables",
        "HTML, Flow content",
        "Tables and lists nest by turns.",
        nested("<table><tr><td><ul><li>sea", "</ul></table>"),
    ),
    HostilePage(
        "cells_of_pipes",
        "GitHub Flavored Markdown, Tables",
        "Cells are full of what must be escaped in them.",
        filled("<tr><td>|||\\|`|`|<td>\\\\||<br>", before="<table>", after="</table>"),
    ),
    HostilePage(
        "layout_tables",
        "HTML, Tabular data",
        "Tables with one cell each nest a paragraph each.",
        nested(lambda i: f"<table width=100%><tr><td><p>{words(i, 8)}", "</table>"),
    ),
    HostilePage(
        "lists_nested",
        "HTML, The ul element",
        "Lists nest n deep, and each level is indented more.",
        nested("<ul><li>sea", "</ul>"),
    ),
    HostilePage(
        "ordered_lists_nested",
        "HTML, The ol element",
        "Ordered lists with large numbers nest n deep.",
        nested("<ol start=99999999><li>sea", "</ol>"),
    ),
    HostilePage(
        "lists_nested_unclosed", "HTML, The li element", "Lists nest n deep without end tags.", filled("<ul><li>sea")
    ),
    HostilePage(
        "lists_and_quotes_nested",
        "HTML, The blockquote element",
        "Quotes in items nest n deep.",
        nested("<blockquote><ul><li>sea", "</ul></blockquote>"),
    ),
    HostilePage(
        "quotes_nested",
        "HTML, The blockquote element",
        "Quotes nest n deep, each with a line.",
        nested("<blockquote><p>sea", "</blockquote>"),
    ),
    HostilePage(
        "quote_marks_times_lines",
        "HTML, The blockquote element",
        "n lines stand within n quotes, and each line has n marks.",
        deep("", "<blockquote>", "</blockquote>", "a<br>"),
    ),
    HostilePage(
        "indent_times_lines",
        "HTML, The pre element",
        "n lines of code stand within n lists, and each line is indented n times.",
        deep("", "<ul><li>", "</ul>", "<pre>a\nb\nc\nd\ne\nf\n</pre>"),
    ),
    HostilePage(
        "indent_times_items",
        "HTML, The ul element",
        "n items stand within n lists.",
        deep("", "<ol><li>", "</ol>", "<li>a"),
    ),
    HostilePage(
        "code_within_lists",
        "HTML, The pre element",
        "One block of n/2 lines stands within n/2 lists.",
        halves("<ul><li>", "a\n", share=0.5, between="<pre>", after="</pre>"),
    ),
    HostilePage(
        "items_without_lists", "HTML, The li element", "n items have no list.", filled("<li>sea<dd>low<dt>tide")
    ),
    HostilePage(
        "list_flat",
        "HTML, The ul element",
        "One list has n items.",
        filled(lambda i: f"<li>{words(i, 2)}", before="<ul>", after="</ul>"),
    ),
    HostilePage(
        "lists_flat",
        "HTML, The ul element",
        "n lists of one item follow each other.",
        filled("<ul><li>sea</ul><ol><li>low</ol>"),
    ),
    HostilePage(
        "items_with_values",
        "HTML, The li element, value",
        "Values jump up and down.",
        filled(lambda i: f"<li value={(i * 7919) % 2**31}>sea", before="<ol reversed>", after="</ol>"),
    ),
    HostilePage(
        "items_with_checkboxes",
        "GitHub Flavored Markdown, Task list items",
        "n items begin with a checkbox.",
        filled("<li><label><input type=checkbox checked>sea</label><p>low", before="<ul>", after="</ul>"),
    ),
    HostilePage(
        "empty_items",
        "HTML, The ul element",
        "n empty items and lists.",
        filled("<li><ul></ul><li><p></p>", before="<ul>", after="</ul>"),
    ),
    HostilePage(
        "terms_before_description",
        "HTML, The dl element",
        "n terms share n descriptions.",
        halves("<dt>sea", "<dd>low", before="<dl>", after="</dl>"),
    ),
    HostilePage(
        "descriptions_nested",
        "HTML, The dl element",
        "Descriptions nest n deep.",
        nested("<dl><div><dt>sea<dd>", "</div></dl>", core="core"),
    ),
    HostilePage(
        "terms_flat",
        "HTML, The dl element",
        "n pairs.",
        filled(lambda i: f"<dt>{words(i, 1)}<dd>{words(i, 3)}", before="<dl>", after="</dl>"),
    ),
    HostilePage(
        "line_number_table", "HTML, The pre element", "A listing of n lines with its numbers in a table.", _line_numbers
    ),
    HostilePage(
        "line_number_rows",
        "HTML, The pre element",
        "Each line of a listing is a row with its number.",
        filled(
            lambda i: f"<tr><td class=blob-num data-line-number={i + 1}>{i + 1}<td class=blob-code>if sea({i}): low()",
            before="<pre><code><table class=highlight>",
            after="</table></code></pre>",
        ),
    ),
    HostilePage(
        "line_number_spans",
        "HTML, The pre element",
        "Numbers and words are spans in one listing.",
        filled(
            lambda i: f"<span class=ln>{i + 1}</span><span class=k>if</span> <span class=n>sea</span>\n",
            before="<pre class=chroma><code>",
            after="</code></pre>",
        ),
    ),
    HostilePage(
        "code_spans_nested",
        "HTML, The code element",
        "Spans nest n deep in one listing.",
        nested("<span class=k>a\n", "</span>", before="<pre><code class=language-python>"),
    ),
    HostilePage(
        "code_of_backticks",
        "CommonMark, Fenced code blocks",
        "Code holds runs of backticks of each length up to n.",
        filled(lambda i: "`" * (i % 400 + 1) + "\n", before="<pre><code>", after="</code></pre>"),
    ),
    HostilePage(
        "codes_of_backticks",
        "CommonMark, Code spans",
        "n spans of code hold n backticks.",
        filled(lambda i: f"<code>{'`' * (i % 90)} a{'`' * (i % 70)}</code> ", before="<p>", after="</p>"),
    ),
    HostilePage(
        "preformatted_flat", "HTML, The pre element", "n listings of one line.", filled("<pre>if sea: low()</pre>")
    ),
    HostilePage(
        "preformatted_spaces",
        "HTML, The pre element",
        "Lines of spaces and tabs.",
        filled(" \t \n", before="<pre>x", after="y</pre>"),
    ),
)

FIXED = (
    HostilePage(
        "span_bomb",
        "HTML, Forming a table",
        "Sixty cells over 1,000 columns and 65,534 rows, in sixty tables.",
        fixed("<table><tr><td colspan=1000 rowspan=65534>a<tr><td>b</table>" * 60),
        fixed=True,
    ),
    HostilePage(
        "span_bomb_in_sections",
        "HTML, Forming a table",
        "Long texts over 1,000 columns, in each of fifty rows.",
        fixed("<table>" + f"<tr><td colspan=1000>{'tide ' * 10}" * 50 + "</table>"),
        fixed=True,
    ),
)
