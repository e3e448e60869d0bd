"""Markup that makes tree construction, or a walk over the tree, expensive (HTML, Parsing HTML documents)."""

from __future__ import annotations

from security.hostile.shapes import (
    Builder,
    HostilePage,
    byte_count,
    document,
    filled,
    fixed,
    halves,
    nested,
    repeat,
    words,
)


def _raw(piece: str, *, before: str = "", after: str = "") -> Builder:
    """Return a builder of pages without a frame: `piece` from the first byte on."""
    around = byte_count(before) + byte_count(after)
    return lambda size_bytes: before + repeat(size_bytes - around, piece) + after


def _beyond_conversion(before: str, after: str) -> Builder:
    """Return a builder of a small page with an integer of 4,400 digits, which Python refuses to convert."""
    return lambda _size_bytes: f"<p>{words(2, 40)}</p>{before}{'9' * 4400}{after}"


def _in_frames(core: str) -> str:
    """Return `core` within seven frames, each of which escapes the document within it."""
    for _ in range(7):
        core = '<iframe srcdoc="' + core.replace("&", "&amp;").replace('"', "&quot;") + '"></iframe>'
    return core


def _escaped_frames(size_bytes: int) -> str:
    space = size_bytes - len(document(_in_frames("")))
    return document(_in_frames(repeat(space, lambda i: f"<p>{words(i, 12)}</p>")))


PAGES = (
    HostilePage(
        "formatting_reconstruction",
        "HTML, Reconstruct the active formatting elements",
        "n unclosed formatting elements, no two alike, are made anew in each of n paragraphs.",
        halves(lambda i: f"<b id={i}>", "<p>a", share=0.5),
    ),
    HostilePage(
        "formatting_reconstruction_in_cells",
        "HTML, Reconstruct the active formatting elements",
        "Unclosed fonts with different colours are made anew in each block after a closed parent.",
        filled(lambda i: f"<p><font color=c{i}><i class=a{i}>tide</p>"),
    ),
    HostilePage(
        "adoption_agency_many_ends",
        "HTML, Adoption agency algorithm",
        "Each end tag of a formatting element runs the outer loop eight times over n open elements.",
        halves("<b><i><u>", "<div>a</b></i></u>", share=0.3),
    ),
    HostilePage(
        "adoption_agency_anchors",
        "HTML, Adoption agency algorithm",
        "Each nested link runs the algorithm against n open blocks.",
        filled(lambda i: f"<a href=/{i}><div>tide"),
    ),
    HostilePage(
        "adoption_agency_inner_loop",
        "HTML, Adoption agency algorithm, inner loop",
        "Every end tag moves a furthest block past n formatting elements.",
        filled("<a href=x><em><strong><p>tide</a></em>"),
    ),
    HostilePage(
        "nobr_nested",
        "HTML, A start tag whose tag name is nobr",
        "Each start tag closes the one before it through n open elements.",
        filled("<nobr><div><nobr><span>sea"),
    ),
    HostilePage(
        "foster_parenting",
        "HTML, Foster parenting",
        "n elements and texts in a table are moved before it one by one.",
        filled("<i>sea</i> tide <tr>low", before="<table>", after="</table>"),
    ),
    HostilePage(
        "foster_parenting_nested",
        "HTML, Foster parenting",
        "Tables in tables without cells: each is moved before its own parent.",
        filled("<table>sea<a href=x><tr><b>"),
    ),
    HostilePage(
        "foster_parenting_anchors",
        "HTML, Foster parenting with the adoption agency",
        "Links open outside and inside tables, so that both algorithms move the same nodes.",
        filled("<a href=x><table><a href=y><tr><td>tide</a></table>"),
    ),
    HostilePage(
        "tables_nested",
        "HTML, The rules for parsing in cell",
        "Tables nest n deep.",
        nested("<table><tr><td>sea", "</table>"),
    ),
    HostilePage(
        "deep_divs",
        "HTML, The stack of open elements",
        "The tree is n deep.",
        nested("<div>", "</div>", core="<p>core"),
    ),
    HostilePage("deep_divs_unclosed", "HTML, The stack of open elements", "The tree is n deep.", filled("<div>sea ")),
    HostilePage(
        "deep_inline",
        "HTML, Phrasing content",
        "n inline elements nest, each with a text.",
        nested("<span>sea ", " low</span>"),
    ),
    HostilePage(
        "deep_sections",
        "HTML, Sections",
        "Sections with headings nest n deep.",
        nested("<section><h2>Sea</h2>", "</section>"),
    ),
    HostilePage(
        "onion_of_paragraphs",
        "HTML, Flow content",
        "Each of n levels has a paragraph: summing the text of each subtree takes the square.",
        nested(lambda i: f"<div><p>{words(i, 9)}, {words(i + 7, 5)}.</p>", "</div>"),
    ),
    HostilePage(
        "onion_of_links",
        "HTML, The a element",
        "Each of n levels has a link and a text, so that the density of links is asked at each level.",
        nested(lambda i: f"<div class=content><a href=/{i}>{words(i, 2)}</a> {words(i, 3)}", "</div>"),
    ),
    HostilePage(
        "stray_end_tags",
        "HTML, Any other end tag",
        "Each of n end tags without a start looks through n open inline elements.",
        halves("<span>", "</x-y>a"),
    ),
    HostilePage(
        "scope_scans",
        "HTML, Has an element in button scope",
        "Each block start tag looks for a p through n open inline elements.",
        halves("<span>", "<div></div>"),
    ),
    HostilePage(
        "list_item_scans",
        "HTML, A start tag whose tag name is li",
        "Each item looks for an open item past n open divs.",
        filled("<li><div><span>sea"),
    ),
    HostilePage(
        "heading_end_scans",
        "HTML, An end tag whose tag name is one of h1 to h6",
        "Each end tag of a heading looks for any open heading.",
        halves("<h1><span>", "</h2>a<dd></dt>"),
    ),
    HostilePage(
        "selects",
        "HTML, The select element",
        "Options and groups, nested selects.",
        filled("<select><optgroup><option>sea<option>tide<select>"),
    ),
    HostilePage(
        "plaintext", "HTML, PLAINTEXT state", "All after one tag is text.", filled("<p>sea</p>", before="<plaintext>")
    ),
    HostilePage(
        "raw_text_elements",
        "HTML, Raw text states",
        "Raw text elements without ends hold near ends.",
        filled("<xmp></xm</noembed><textarea></textare<title></titl"),
    ),
    HostilePage(
        "script_escaped",
        "HTML, Script data double escaped state",
        "Scripts with comment openings and near ends.",
        filled("<!--<script></scrip <script ", before="<script>"),
    ),
    HostilePage(
        "frames_in_frames", "HTML, The srcdoc attribute", "Documents within attributes, seven deep.", _escaped_frames
    ),
    HostilePage(
        "many_small_frames",
        "HTML, The srcdoc attribute",
        "n documents within one page.",
        filled(lambda i: f"<iframe srcdoc='<style>p{{color:red}}</style><p>{words(i, 8)}'></iframe>"),
    ),
    HostilePage(
        "templates_nested",
        "HTML, The stack of template insertion modes",
        "Templates nest n deep.",
        nested("<template><p>sea", "</template>"),
    ),
    HostilePage(
        "templates_in_tables",
        "HTML, The rules for parsing in template",
        "Templates change the insertion mode n times.",
        filled("<table><template><tr><td><template><col>"),
    ),
    HostilePage(
        "foreign_islands",
        "HTML, The rules for parsing tokens in foreign content",
        "SVG, MathML and HTML alternate n deep.",
        nested("<svg><foreignObject><math><mtext><p>a", "</p></mtext></math></foreignObject></svg>"),
    ),
    HostilePage(
        "foreign_breakouts",
        "HTML, The rules for parsing tokens in foreign content",
        "Each HTML tag in SVG pops n foreign elements.",
        filled("<svg><g><g><g><desc><svg><g><p>a</svg>"),
    ),
    HostilePage(
        "one_tag_many_attributes",
        "HTML, Attribute name state",
        "Each attribute is compared with all before it.",
        filled(lambda i: f" a{i}=b", before="<p", after=">sea</p>"),
    ),
    HostilePage(
        "one_attribute_many_times",
        "HTML, Duplicate-attribute",
        "The same attribute is given n times.",
        filled(" class=b", before="<p", after=">sea</p>"),
    ),
    HostilePage(
        "body_tags_merged",
        "HTML, A start tag whose tag name is body",
        "Each further html and body tag adds attributes, after a look at all that are there.",
        filled(lambda i: f"<html a{i}=b><body c{i}=d>"),
    ),
    HostilePage(
        "comments",
        "HTML, Comment states",
        "n empty comments in all their spellings.",
        filled("<!--><!---><!----!><!--a--!>b<!----->"),
    ),
    HostilePage(
        "comments_unclosed",
        "HTML, Comment less-than sign states",
        "Each comment opening looks for an end.",
        filled("<!--<!-<!--!", before="<!--"),
    ),
    HostilePage(
        "conditional_comments",
        "HTML, Bogus comment state",
        "Conditional comments that nothing ends.",
        filled("<![if !IE]><!--[if IE]>sea<![endif]><?php echo '?"),
    ),
    HostilePage(
        "doctypes",
        "HTML, DOCTYPE states",
        "n doctypes with identifiers.",
        _raw("<!DOCTYPE html PUBLIC \"-//W3C//DTD\" 'x'>", after="<p>" + words(1, 90)),
    ),
    HostilePage("unclosed_tags", "HTML, Tag open state", "Tags begin in tags.", filled("<a <b <p class=<")),
    HostilePage("less_than_signs", "HTML, Tag open state", "Signs that open no tag.", filled("< <3 </ <=")),
    HostilePage(
        "unclosed_quotes",
        "HTML, Attribute value (double-quoted) state",
        "Quotes that open attributes and end others.",
        filled('<p title="><a href=\'><i class="'),
    ),
    HostilePage(
        "cdata",
        "HTML, CDATA section state",
        "Sections with near ends.",
        filled("<![CDATA[]] >]]]]>>", before="<svg>", after="</svg>"),
    ),
    HostilePage(
        "entities_named",
        "HTML, Named character reference state",
        "The longest name, with and without its semicolon.",
        filled("&CounterClockwiseContourIntegral;&CounterClockwiseContourIntegra;&notit;"),
    ),
    HostilePage(
        "entities_near",
        "HTML, Ambiguous ampersand state",
        "Ampersands and names that end in nothing.",
        filled("&amp;amp;&a&am&&;&#&#x&#;"),
    ),
    HostilePage(
        "entities_numeric",
        "HTML, Numeric character reference end state",
        "References to each kind of code point.",
        filled("&#0;&#x80;&#xD800;&#x10FFFF;&#00000000000065;&#x110000;"),
    ),
    HostilePage(
        "entity_of_many_digits",
        "HTML, Decimal character reference state",
        "One reference has n digits.",
        filled("0", before="<p>&#", after="65;sea</p>"),
    ),
    HostilePage(
        "ruby",
        "HTML, The ruby element",
        "Ruby with bases and texts nests n deep.",
        nested("<ruby>sea<rp>(<rt>tide<rtc>", "</ruby>"),
    ),
    HostilePage(
        "ruby_flat",
        "HTML, The ruby element",
        "One ruby has n bases and texts.",
        filled("<rb>sea<rt>tide", before="<p><ruby>", after="</ruby>"),
    ),
    HostilePage(
        "control_characters",
        "HTML, Preprocessing the input stream",
        "NUL, form feeds, carriage returns and C1 controls.",
        filled("a\0b\fc\r\r\nd\x0b\x85\x9f\ufffe\uffff"),
    ),
    HostilePage(
        "details_nested",
        "HTML, The details element",
        "Closed details nest n deep.",
        nested("<details><summary>sea</summary>low", "</details>"),
    ),
    HostilePage(
        "details_flat",
        "HTML, The details element",
        "n details, some open, share a name.",
        filled(
            lambda i: f"<details name=a{' open' * (i % 2)}><summary>{words(i, 2)}</summary><p>{words(i, 5)}</details>"
        ),
    ),
    HostilePage(
        "hidden_levels",
        "HTML, The hidden attribute; dialog; popover",
        "Hidden elements of each kind nest n deep.",
        nested("<div hidden=until-found><dialog><p>a</p><div popover inert aria-hidden=true>", "</div></dialog></div>"),
    ),
    HostilePage(
        "hidden_flat",
        "HTML, The hidden attribute",
        "n hidden texts, no two alike, between shown ones.",
        filled(lambda i: f"<p hidden>{words(i, 7)}</p><p>{words(i + 1, 3)}</p>"),
    ),
    HostilePage(
        "mathml_deep",
        "MathML Core, Fractions and radicals",
        "Formulas nest n deep.",
        nested("<mfrac><msqrt><mi>x</mi>", "</msqrt><mn>2</mn></mfrac>", before="<math>"),
    ),
    HostilePage(
        "mathml_flat",
        "MathML Core, mrow and tables",
        "One formula has n rows.",
        filled(
            "<mtr><mtd><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>&#x2062;</mo></mtd></mtr>",
            before="<math><mtable>",
            after="</mtable></math>",
        ),
    ),
    HostilePage(
        "mathml_annotation",
        "MathML, Semantics and annotation",
        "A source in TeX has n brackets.",
        filled(
            r"{\frac{1}\sqrt[",
            before="<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>",
            after="</annotation></semantics></math>",
        ),
    ),
    HostilePage(
        "svg_texts",
        "SVG 2, Text",
        "Titles, descriptions and spans in n groups.",
        filled(
            "<g><title>sea</title><text x=1 y='1 2 3'>low<tspan dx=1>tide<a><tspan>b</text>",
            before="<svg>",
            after="</svg>",
        ),
    ),
    HostilePage(
        "svg_paths",
        "SVG 2, Path data",
        "One path has n segments.",
        filled("M0 0L1,1-2.5.5e-9zc1 1", before="<svg><path d='", after="'/></svg>"),
    ),
    HostilePage(
        "labels_and_inputs",
        "HTML, The label element, for",
        "n labels look for n inputs by id.",
        filled(lambda i: f"<label for=i{i}>{words(i, 2)}</label><input id=i{i} list=d{i} form=f{i}>"),
    ),
    HostilePage(
        "labels_unresolved",
        "HTML, The label element, for",
        "n labels look for absent ids.",
        filled(lambda i: f"<label for=n{i}>{words(i, 2)}</label><output for='a b c d{i}'>1</output>"),
    ),
    HostilePage(
        "fieldsets_nested",
        "HTML, The fieldset element",
        "Fieldsets, buttons and labels nest n deep.",
        nested("<fieldset disabled><legend>sea</legend><label>a", "</label></fieldset>"),
    ),
    HostilePage(
        "aria_labelled_by_all",
        "WAI-ARIA 1.2, aria-labelledby",
        "n images are named by one element with a text of n/2 bytes.",
        halves(lambda i: words(i, 4) + " ", "<img aria-labelledby=i src=a>", before="<p id=i>", between="</p>"),
    ),
    HostilePage(
        "aria_owns_ring",
        "WAI-ARIA 1.2, aria-owns",
        "n elements own and describe each other in a ring.",
        filled(
            lambda i: (
                f"<div role=list id=i{i} aria-owns='i{i + 1} i{i // 2}' aria-labelledby='i{i + 1}' aria-describedby=i{i + 2}>a</div>"
            )
        ),
    ),
    HostilePage(
        "breaks", "HTML, The br element", "n line breaks of each kind.", filled("<br><wbr><hr><br/></br>&shy;")
    ),
    HostilePage(
        "breaks_in_paragraph",
        "HTML, The br element",
        "One paragraph has n lines.",
        filled(lambda i: f"{words(i, 4)}<br>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "double_breaks",
        "HTML, The br element",
        "n pairs of breaks, which a reader may turn into paragraphs.",
        filled(lambda i: f"{words(i, 3)}<br> <br>", before="<div>", after="</div>"),
    ),
    HostilePage(
        "media_fallbacks",
        "HTML, Embedded content",
        "Objects, videos and pictures nest their fallbacks n deep.",
        nested("<object data=a><video src=b><source src=c><picture>", "</picture></video></object>", core="<p>core"),
    ),
    HostilePage(
        "images_and_noscript",
        "HTML, The noscript element",
        "n lazy images with a copy in noscript.",
        filled(lambda i: f"<img data-src=/{i}.png alt='{words(i, 2)}'><noscript><img src=/{i}.png></noscript>"),
    ),
    HostilePage(
        "image_maps",
        "HTML, Image maps",
        "n images look for one of n maps by name.",
        filled(lambda i: f"<img usemap=#m{i} src=a alt=b><map name=m{i}><area href=/{i} coords='1,2,3' alt=c></map>"),
    ),
    HostilePage(
        "markers",
        "HTML, Active formatting markers",
        "Objects and marquees put n markers into the list of formatting elements.",
        filled(lambda i: f"<marquee><b id={i}><applet>sea<p>"),
    ),
    HostilePage(
        "after_body",
        "HTML, The after after body insertion mode",
        "Text and comments after the end return n times to the body.",
        _raw("</body></html><!--a--><p>sea low tide ", before=document("")),
    ),
    HostilePage(
        "frameset",
        "HTML, The in frameset insertion mode",
        "Framesets nest n deep.",
        _raw("<frameset><frame src=a><noframes><p>sea</noframes>"),
    ),
    HostilePage(
        "custom_names",
        "HTML, Custom element names",
        "Each element has a name of its own.",
        filled(lambda i: f"<x-{words(i, 1)}-{i}><y-{i} z{i}=1>sea</y-{i}></x-{words(i, 1)}-{i}>"),
    ),
    HostilePage(
        "long_class_names",
        "HTML, The class attribute",
        "Classes are long, and nearly match the usual names for content and rubbish.",
        filled(
            lambda i: (
                f"<div class='{'article-comment-content-share-sidebar_' * 12}{i}' id='{'post-body-footer-' * 12}{i}'>{words(i, 5)}</div>"
            )
        ),
    ),
    HostilePage(
        "one_class_of_n_bytes",
        "HTML, The class attribute",
        "One class has n bytes.",
        filled("comment-content-", before="<div class='", after="'><p>sea</p></div>"),
    ),
    HostilePage(
        "one_id_of_n_dashes",
        "HTML, The id attribute",
        "One id has n dashes and underscores.",
        filled("a-_", before="<div id='", after="!'><p>sea</p></div>"),
    ),
    HostilePage(
        "one_long_attribute",
        "HTML, Attribute value states",
        "One attribute has n bytes of nearly an address.",
        filled("javascript&colon;//", before="<a href='", after="'>sea</a>"),
    ),
    HostilePage(
        "data_attributes",
        "HTML, Embedding custom data",
        "Attributes hold JSON, escaped.",
        filled("<p data-props='{&quot;a&quot;:[1,{&quot;html&quot;:&quot;<b>&quot;' data-b='{{{{[['>sea</p>"),
    ),
    HostilePage(
        "head_elements_in_body",
        "HTML, The in body insertion mode",
        "Titles, bases, metas and links stand in the body.",
        filled("<title>sea</title><base href=a><meta name=b content=c><link rel=d href=e><style>p{}</style>"),
    ),
    HostilePage(
        "isindex_and_obsolete",
        "HTML, Obsolete features",
        "Obsolete elements nest.",
        nested("<center><font size=1><dir><li><tt><big>sea", "</big></tt></dir></font></center>"),
    ),
    HostilePage(
        "paragraphs_in_buttons",
        "HTML, A start tag whose tag name is button",
        "Buttons close the button before them, past n open spans.",
        filled("<button><span><p>sea"),
    ),
    HostilePage("siblings_flat", "HTML, Flow content", "n empty siblings.", filled("<i></i>")),
    HostilePage(
        "texts_and_elements",
        "HTML, Text nodes",
        "n texts of one letter between n elements of one letter.",
        filled("a<b>c</b>", before="<p>", after="</p>"),
    ),
)


FIXED = (
    HostilePage(
        "svg_use_doubled",
        "SVG 2, The use element",
        "Each of fifty groups uses the one before it twice.",
        fixed(
            "<svg><defs><text id=g0>sea</text>"
            + "".join(f"<g id=g{i + 1}><use href=#g{i} /><use href=#g{i} /></g>" for i in range(50))
            + "</defs><use href=#g50 /></svg>"
        ),
        fixed=True,
    ),
    HostilePage(
        "aria_names_doubled",
        "Accessible Name and Description Computation 1.2",
        "Each of forty elements is named by the one before it twice.",
        fixed(
            "<b id=n0>sea</b>"
            + "".join(f"<b id=n{i + 1} aria-labelledby='n{i} n{i}'><i aria-labelledby=n{i}></i></b>" for i in range(40))
            + "<img src=a aria-labelledby='n40 n40'><a href=b aria-labelledby=n40></a>"
        ),
        fixed=True,
    ),
    HostilePage(
        "formatting_reconstruction_small",
        "HTML, Reconstruct the active formatting elements",
        "170 formatting elements are made anew in 350 paragraphs: sixty thousand nodes from 4 KB.",
        fixed("".join(f"<b id={i}>" for i in range(170)) + "<p>a" * 350),
        fixed=True,
    ),
    HostilePage(
        "formatting_reconstruction_in_tables",
        "HTML, Reconstruct the active formatting elements",
        "Formatting elements are made anew before each nested table, by foster parenting.",
        fixed("".join(f"<i id={i}>" for i in range(120)) + "<table>a<tr>b" * 160),
        fixed=True,
    ),
    HostilePage(
        "adoption_small",
        "HTML, Adoption agency algorithm",
        "Formatting elements and blocks nest; each end tag copies the formatting elements of all levels.",
        fixed("".join(f"<a id={i}><b id={i}><div>" for i in range(90)) + "</b></a>" * 120),
        fixed=True,
    ),
    HostilePage(
        "attribute_integers",
        "HTML, Rules for parsing integers",
        "Attributes hold digits that are not ASCII, signs, and numbers beyond each range.",
        fixed(
            "<ol start='²'><li value='٣'>sea<li value='-9e9'>low</ol><ol start='99999999999999999999999'><li>a<li>b</ol>"
            "<ol start='-' reversed><li value='+'>c</ol><table><tr><td colspan='²' rowspan='①'>d<td colspan='-1' rowspan='0x9'>"
            "<tr><td colspan='99999999999999999999' rowspan='99999999999999999999'>e<td colspan='1e9'>f</table>"
            "<table><col span='²'><colgroup span=999999999999><tr><td>a</table><h1 aria-level='²'>g</h1>"
            "<div role=heading aria-level='99999999999999999999999'>h</div><div role=heading aria-level='-5'>i</div>"
            "<img width='²' height='99999999999999999999999999px' src=a alt=b><p tabindex='²'>j</p><pre width='٣'>k</pre>"
            "<meter value='²' max='nan' min='inf'>l</meter><progress value='1e999' max='-0'>m</progress>"
            "<input type=number value='²' min='inf' max='nan'><textarea rows='²' cols='99999999999999'>n</textarea>"
            "<td aria-colspan='²' aria-rowindex='①'>o</td><time datetime='²²²²-²²-²²'>p</time><time datetime='P²D'>q</time>"
        ),
        fixed=True,
    ),
    *(
        HostilePage(
            f"attribute_integer_of_4400_digits_{name}",
            "HTML, Rules for parsing non-negative integers",
            "An integer of 4,400 digits, which Python refuses to convert.",
            _beyond_conversion(before, after),
            fixed=True,
        )
        for name, before, after in (
            ("colspan", "<table><tr><td colspan=", ">sea<td>low<tr><td>a<td>b</table>"),
            ("rowspan", "<table><tr><td rowspan=", ">sea<td>low<tr><td>a<td>b</table>"),
            ("start", "<ol start=", "><li>sea<li>low</ol>"),
            ("value", "<ol><li value=", ">sea<li>low</ol>"),
            ("image_width", "<img alt=a src=b width=", ">"),
            ("level", "<div role=heading aria-level=", ">sea</div>"),
            ("srcset", "<img alt=a srcset='b ", "w'>"),
            ("entity", "<p>&#", ";</p>"),
            ("ordered_text", "<p>", ". the list of the sea</p>"),
            ("time", "<time datetime=", "-01-01>sea</time>"),
            ("price", "<p itemprop=price content=", ">$9</p>"),
        )
    ),
)
