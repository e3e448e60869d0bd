"""Code comes out whole, line by line, whatever elements a site writes it in."""

# ruff: noqa: E501 - markup as generators write it

from __future__ import annotations

import pytest

import wellread

PROSE = "<p>The old pump house stands at the end of a lane that nobody has paved since the war, and people meet there."
MORE = "<p>In the first year they replaced the roof, in the second the windows, and only in the third the valve below."
LAST = "<p>The pump now runs for an hour on open days, and children are allowed to pull the cord of the whistle there."


def read(body: str) -> str:
    """Return the text of an article that holds `body` between two of its paragraphs."""
    article = f"<main><article><h1>Pump</h1>{PROSE}</p>{MORE}</p>{body}{LAST}</p>{PROSE}</p></article></main>"
    return wellread.extract(f"<nav><a href=/>Home</a></nav>{article}<footer>2026</footer>").text


def code(body: str) -> str:
    """Return the content of the only fenced block in the text of an article."""
    parts = read(body).split("\n```")
    assert len(parts) == 3, read(body)
    return parts[1].partition("\n")[2]


WRAPPED = {
    "label_and_button": "<div class=box><div class=bar><span>bash</span><button>Copy</button></div><pre>{}</pre></div>",
    "docusaurus": "<div class=theme-code-block><div class=title>run.sh</div><div class=content><pre tabindex=0>{}</pre>"
    "<div class=buttons><button><span>Copy</span></button></div></div></div>",
    "deep": "<div><div><div><div><div><figure><pre><code>{}</code></pre></figure></div></div></div></div></div>",
    "component": "<code-sample><div><div><button>Copier</button></div><div><pre>{}</pre></div></div></code-sample>",
    "tailwind": "<div class='not-prose my-6 rounded'><div class='flex gap-2'><div></div><div></div></div><div class=p-4>"
    "<pre class=overflow-x-auto><code>{}</code></pre></div></div>",
}


@pytest.mark.parametrize("wrapper", WRAPPED.values(), ids=WRAPPED)
def test_wrapped_code_between_paragraphs(wrapper: str) -> None:
    assert code(wrapper.format("kit run --once")) == "kit run --once"


def test_two_code_samples_in_a_row() -> None:
    wrapper = "<div class=a><div class=b><span>yaml</span><pre>{}</pre></div></div>"
    text = read(wrapper.format("port: 80") + wrapper.format("port: 81"))
    assert "port: 80" in text
    assert "port: 81" in text


LINES = {
    "gatsby": "<pre><code><span class=ln-x><span>go() {</span></span><span class=ln-x>  <i>return</i> 1;</span>"
    "<span class=ln-x>}</span></code></pre>",
    "code_each": "<pre><code>go() {</code><code>  return 1;</code><code>}</code></pre>",
    "code_in_spans": "<pre class=snip><code><span class=out>go() {</span></code><code><span>  return 1;</span></code>"
    "<code><span>}</span></code></pre>",
    "block_spans": "<pre><span style='display:block'>go() {</span><span style='display: block'>  return 1;</span>"
    "<span style=display:block>}</span></pre>",
    "list": "<pre class=prettyprint><ol class=linenums><li class=L0><span>go() {</span></li><li class=L1>  return 1;</li>"
    "<li class=L2>}</li></ol></pre>",
    "breaks": "<pre><code>go() {<br>  return 1;<br>}</code></pre>",
}


@pytest.mark.parametrize("body", LINES.values(), ids=LINES)
def test_lines_that_are_elements(body: str) -> None:
    assert code(body) == "go() {\n  return 1;\n}"


TOKENS = {
    "prism": "<pre><code><span class='token function'>go</span><span class='token punctuation'>(</span>"
    "<span class='token punctuation'>)</span></code></pre>",
    "pygments": "<pre><span></span><span class=n>go</span><span class=p>(</span><span class=p>)</span></pre>",
    "shiki": "<pre><code><span class=line><span>go</span><span>()</span></span></code></pre>",
    "plain": "<pre><code><span>go</span><span>()</span></code></pre>",
}


@pytest.mark.parametrize("body", TOKENS.values(), ids=TOKENS)
def test_tokens_are_no_lines(body: str) -> None:
    assert code(body) == "go()"


PLAIN = {
    "code_white_space": "<div><code style='white-space: pre'>go() {\n  return 1;\n}</code></div>",
    "div_white_space": "<div style='font: 12px Consolas; white-space:pre;'>go() {\n  return 1;\n}</div>",
    "vs_code": "<div style='color:#d4d4d4;font-family:Menlo, monospace;white-space:pre'><div><span>go() {</span></div>"
    "<div>  <span>return</span> 1;</div><div>}</div></div>",
    "span_white_space": "<p><span style='white-space: pre; font-family: monospace'>go() {\n  return 1;\n}</span></p>",
    "syntaxhighlighter": "<div class='syntaxhighlighter js'><div class=toolbar><a href=#>?</a></div><table><tr>"
    "<td class=gutter><div class='line'>1</div><div class='line'>2</div><div class='line'>3</div></td><td class=code>"
    "<div class=container><div class='line'><code>go() {</code></div>\n<div class='line'><code>&nbsp;&nbsp;</code>"
    "<code>return 1;</code></div><div class='line'><code>}</code></div></div></td></tr></table></div>",
    "crayon": "<div class='crayon-syntax'><div class='crayon-toolbar'><span class='crayon-language'>JS</span></div><table "
    "class=crayon-table><tr class=crayon-row><td class='crayon-nums'><div class='crayon-nums-content'><div "
    "class='crayon-num'>1</div><div class='crayon-num'>2</div><div class='crayon-num'>3</div></div></td><td "
    "class='crayon-code'><div class='crayon-pre'><div class='crayon-line'><span>go</span><span>() {</span></div><div "
    "class='crayon-line'><span class='crayon-h'>  </span><span>return</span><span> </span>1;</div><div "
    "class='crayon-line'><span>}</span></div></div></td></tr></table></div>",
    "codemirror_6": "<div class='cm-editor'><div class='cm-gutters'><div class='cm-gutterElement'>1</div><div "
    "class='cm-gutterElement'>2</div><div class='cm-gutterElement'>3</div></div><div class='cm-content'><div "
    "class='cm-line'>go() {</div><div class='cm-line'>  <span>return</span> 1;</div><div class='cm-line'>}</div></div></div>",
    "codemirror_5": "<div class='CodeMirror'><div class='CodeMirror-code'><div><div class='CodeMirror-gutter-wrapper'><div "
    "class='CodeMirror-linenumber'>1</div></div><pre class='CodeMirror-line'>go() {</pre></div><div><div class="
    "'CodeMirror-gutter-wrapper'><div class='CodeMirror-linenumber'>2</div></div><pre class='CodeMirror-line'>  return 1;"
    "</pre></div><div><div class='CodeMirror-gutter-wrapper'><div class='CodeMirror-linenumber'>3</div></div><pre class="
    "'CodeMirror-line'>}</pre></div></div></div>",
    "monaco": "<div class='monaco-editor'><div class='margin'><div class='line-numbers'>1</div><div class='line-numbers'>2</div>"
    "<div class='line-numbers'>3</div></div><div class='view-lines'><div class='view-line'><span>go() {</span></div><div "
    "class='view-line'><span>&nbsp;&nbsp;<i>return</i>&nbsp;1;</span></div><div class='view-line'><span>}</span></div></div></div>",
    "dp_highlighter": "<div class='dp-highlighter'><ol start=1 class='dp-j'><li class=alt><span><span>go() {</span></span>"
    "</li><li><span>&nbsp;&nbsp;<span class=keyword>return</span> 1;</span></li><li class=alt><span>}</span></li></ol></div>",
    "github_blob": "<div class='blob-wrapper'><table><tr><td class='blob-num' data-line-number=1></td><td "
    "class='blob-code'>go() {</td></tr>\n<tr><td class='blob-num' data-line-number=2></td><td class='blob-code'>"
    "  <span>return</span> 1;</td></tr>\n<tr><td class='blob-num' data-line-number=3></td><td class='blob-code'>}</td></tr>"
    "</table></div>",
    "forum_code": "<div class=codebox><p>Code: <a href=#>Select all</a></p><div><code>go() {<br>\n&nbsp; return 1;<br>\n}"
    "</code></div></div>",
    "textarea": "<textarea readonly cols=60>go() {\n  return 1;\n}</textarea>",
    "textarea_disabled": "<div><textarea disabled>\ngo() {\n  return 1;\n}</textarea><button>Copy</button></div>",
    "xmp": "<div><xmp>go() {\n  return 1;\n}</xmp></div>",
    "xmp_in_code": "<pre class=x>\n\t\t<code>\n\t\t\t<xmp>go() {\n  return 1;\n}</xmp>\n\t\t</code>\n\t</pre>",
}


@pytest.mark.parametrize("body", PLAIN.values(), ids=PLAIN)
def test_code_without_pre(body: str) -> None:
    assert code(body) == "go() {\n  return 1;\n}"


NUMBERED = {
    "hugo": "<pre><code><span class=line><span class=ln>1</span><span class=cl>make\n</span></span><span class=line>"
    "<span class=ln>2</span><span class=cl>make install\n</span></span></code></pre>",
    "links": "<pre><a href=#l9 id=l9> 9 </a>make\n<a href=#l10 id=l10>10 </a>make install\n</pre>",
    "own_elements": "<pre><code><div><i style='user-select:none'>1</i><b>make</b></div><div><i style='user-select:none'>2"
    "</i><b>make install</b></div></code></pre>",
    "table": "<pre><code><table><tr><td class=no>1</td><td>make</td></tr><tr><td class=no>2</td><td>make install</td></tr>"
    "</table></code></pre>",
    "gutter_before": "<div class=code><div class=numbers><div>1</div><div>2</div></div><pre>make\nmake install</pre></div>",
    "gutter_pre": "<table><tr><td><pre>1\n2</pre></td><td><pre>make\nmake install</pre></td></tr></table>",
}


@pytest.mark.parametrize("body", NUMBERED.values(), ids=NUMBERED)
def test_line_numbers_beside_code(body: str) -> None:
    assert code(body) == "make\nmake install"


def test_numbers_that_belong_to_the_code() -> None:
    body = (
        "<pre><code><span class='hljs-number'>1</span> apple\n<span class='hljs-number'>2</span> pears\n</code></pre>"
    )
    assert code(body) == "1 apple\n2 pears"


CHANGED = {
    "vitepress": "<pre><code><span class=line>a:</span>\n<span class='line diff remove'>  b: 1</span>\n"
    "<span class='line diff add'>  b: 2</span></code></pre>",
    "docusaurus": "<pre><code><span class='token-line'>a:<br></span><span class='token-line code-block-diff-remove-line'>"
    "  b: 1<br></span><span class='token-line code-block-diff-add-line'>  b: 2<br></span></code></pre>",
    "expressive_code": "<pre><code><div class=ec-line><div class=code>a:</div></div><div class='ec-line highlight del'>"
    "<div class=code>  b: 1</div></div><div class='ec-line highlight ins'><div class=code>  b: 2</div></div></code></pre>",
    "tags": "<pre><code>a:\n<del>  b: 1</del>\n<ins>  b: 2</ins></code></pre>",
    "several_lines_in_a_tag": "<pre>a:\n<del>  b: 1\n</del><ins>  b: 2\n</ins></pre>",
}


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_changed_lines_without_signs(body: str) -> None:
    assert code(body) == "a:\n-  b: 1\n+  b: 2"


def test_changed_lines_of_a_table() -> None:
    body = (
        "<table class=diff><tr class=del><td class=blob-num data-line-number=4></td><td class='blob-code'><span "
        "class='blob-code-inner' data-code-marker='-'>timeout = 5</span></td></tr><tr class=add><td class=blob-num "
        "data-line-number=4></td><td class='blob-code'><span class='blob-code-inner' data-code-marker='+'>timeout = 30"
        "</span></td></tr></table>"
    )
    assert code(body) == "-timeout = 5\n+timeout = 30"


def test_changed_lines_of_a_table_with_hunks() -> None:
    body = (
        "<table class='diff-table tab-size'><tr><td class='blob-num blob-num-hunk'>...</td><td class='blob-code "
        "blob-code-inner blob-code-hunk'>@@ -1,2 +1,2 @@</td></tr><tr><td class='blob-num blob-num-deletion' "
        "data-line-number=2></td><td class='blob-code blob-code-deletion'><span class=blob-code-inner>b = 2</span></td></tr>"
        "<tr><td class='blob-num blob-num-addition' data-line-number=2></td><td class='blob-code blob-code-addition'><span "
        "class=blob-code-inner>b = 3</span></td></tr></table>"
    )
    assert code(body).endswith("@@ -1,2 +1,2 @@\n-b = 2\n+b = 3")


SIGNED = {
    "highlight_js": "<pre><code><span class='hljs-deletion'>-b: 1</span>\n<span class='hljs-addition'>+b: 2</span></code></pre>",
    "prism": "<pre><code><span class='token deleted-sign deleted'><span class='token prefix deleted'>-</span><span>b: 1\n"
    "</span></span><span class='token inserted-sign inserted'><span class='token prefix inserted'>+</span><span>b: 2\n"
    "</span></span></code></pre>",
    "word": "<pre><code>-b: <del>1</del>\n+b: <ins>2</ins></code></pre>",
}


@pytest.mark.parametrize("body", SIGNED.values(), ids=SIGNED)
def test_changed_lines_with_signs(body: str) -> None:
    assert code(body) == "-b: 1\n+b: 2"


def test_identifiers_in_a_list_stay_a_list() -> None:
    assert "- `open`\n- `shut`" in read("<ul><li><code>open</code></li><li><code>shut</code></li></ul>")


def test_code_in_a_sentence_stays_there() -> None:
    assert "Call `open()` first." in read("<p>Call <code>open()</code> first.</p>")


def test_code_with_breaks_in_a_cell_stays_a_table() -> None:
    row = "<tr><td>open</td><td><code>a<br>b</code></td></tr>"
    assert "| open |" in read(f"<table><tr><th>Name</th><th>Values</th></tr>{row}{row}</table>")


def test_wrapped_prose_stays_prose() -> None:
    words = "A letter from the miller, and nothing but a letter, came on the third day."
    assert "```" not in read(f"<div style='white-space: pre-wrap'>{words}\n{words}</div>")


def test_button_in_code_adds_nothing() -> None:
    assert code("<pre>a = 1<button>Copy</button>\nb = 2</pre>") == "a = 1\nb = 2"


TOKENS_NAMED_LIKE_BARS = {
    "highlight_js_with_a_prefix": "<pre><code class=language-zig>retry(count, <span class=lang-numbers>10</span>) "
    "<span class=lang-keyword>or</span> <span class=lang-numbers>0</span>;\n  "
    "<span class=lang-numbers>3</span> =&gt; x.<span class=lang-copy>copy</span>()</code></pre>",
    "spans_of_a_wiki": "<pre class=syntax><span class=fn>retry</span>(count, <span class='nums'>10</span>) or "
    "<span class='nums'>0</span>;\n  <span class='nums'>3</span> =&gt; x.<span class='fn copy'>copy</span>()</pre>",
}


@pytest.mark.parametrize("sample", TOKENS_NAMED_LIKE_BARS.values(), ids=TOKENS_NAMED_LIKE_BARS)
def test_token_amid_code_called_as_gutters_are(sample: str) -> None:
    assert code(sample) == "retry(count, 10) or 0;\n  3 => x.copy()"


BARS_AT_THE_ENDS = {
    "button_before": "<pre><span class=copy-btn>Copy</span><code>a = 1\nb = 2</code></pre>",
    "button_after": "<pre><code>a = 1\nb = 2</code> <span class=copy-btn>Copy</span></pre>",
    "button_after_the_last_line": "<pre>a = 1\nb = 2 <span class='toolbar item'>Copy</span></pre>",
    "button_after_the_first_line": "<pre>a = 1 <a class=clipboard href=#>Copy</a>\nb = 2</pre>",
    "numbers_that_skip": "<pre><i class=line-numbers>7</i>a = 1\n<i class=line-numbers>9</i>b = 2</pre>",
}


@pytest.mark.parametrize("sample", BARS_AT_THE_ENDS.values(), ids=BARS_AT_THE_ENDS)
def test_button_or_number_at_an_end_of_a_line(sample: str) -> None:
    assert code(sample).split() == ["a", "=", "1", "b", "=", "2"]
