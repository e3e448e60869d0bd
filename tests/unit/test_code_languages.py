"""The language of code is told wherever a page names it, and no other."""

from __future__ import annotations

import pytest

import wellread
from pages import pump_article

CODE = "flow = gauge(3)\nprint(flow)\n"


def fence(opening: str, closing: str) -> str:
    text = wellread.extract(pump_article("</p>", opening, CODE, closing)).text
    return next(line for line in text.splitlines() if line.startswith("```"))


@pytest.mark.parametrize(
    ("opening", "language"),
    [
        ("<pre lang=python>", "python"),
        ("<pre lang=mermaid aria-label='Raw mermaid code'>", "mermaid"),
        ("<pre class=mermaid>", "mermaid"),
        ('<div class="mw-highlight mw-highlight-lang-python mw-content-ltr"><pre>', "python"),
        ('<div class=example-wrap><pre class="rust rust-example-rendered"><code>', "rust"),
        ('<pre class="sourceCode python"><code class="sourceCode python">', "python"),
        ('<pre><code class="hljs python">', "python"),
        ("<pre><code lang=python>", "python"),
        ("<pre><code data-lang=hcl>", "hcl"),
        ('<pre class="python language-rust">', "rust"),
        ('<pre class="language-html+django">', "html+django"),
        ('<pre class="language-c++">', "c++"),
        ('<pre class="code-block language-hcl">', "hcl"),
        ('<pre class="language-objective-c">', "objective-c"),
    ],
)
def test_a_language_is_told_however_code_names_it(opening: str, language: str) -> None:
    assert fence(opening, "</pre></div>") == f"```{language}"


@pytest.mark.parametrize(
    "opening",
    [
        "<pre lang=en>",
        '<pre class="lang-auto"><code class="lang-nohighlight">',
        "<pre class=nohighlight>",
        '<pre class="wide rusty">',
        "<div class=python><pre>",
        "<pre class=language-ignore>",
        "<pre data-lang=all>",
        "<pre><code data-lang=all>",
        "<pre><code lang=pl>",
        "<pre class='brush: previous'>",
        "<pre class=language-html+instructions>",
    ],
)
def test_what_is_no_name_of_a_language_tells_none(opening: str) -> None:
    assert fence(opening, "</pre></div>") == "```"
