"""What documentation declares is one line of code, whatever elements its colours are made of."""

from __future__ import annotations

import wellread
from pages import pump_article

DEFINED = "<p>Opens a pump at its valve, and keeps it open for as long as the water runs in it."


def markdown(body: str) -> str:
    return wellread.extract(pump_article(body)).text


def sphinx(parameters: str) -> str:
    return (
        '<dl class="py function"><dt class="sig sig-object py" id=c><em class=property><span>class</span> </em>'
        "<span class=sig-prename>tide.</span><span class=sig-name>Client</span><span class=sig-paren>(</span>"
        f"{parameters}<span class=sig-paren>)</span><a class='reference internal' href=/_modules/c.html>"
        f"<span class=viewcode-link><span class=pre>[source]</span></span></a></dt><dd>{DEFINED}</dd></dl>"
    )


def test_sphinx_signature_without_its_source_link() -> None:
    host = "<em class=sig-param><span>host</span>: <a href=https://d.example/str>str</a></em>"
    told = markdown(sphinx(f"{host}, <em class=sig-param>*args</em>"))
    assert "\n`class tide.Client(host: str, *args)`\n" in told
    assert "source" not in told


def test_a_signature_on_several_lines_is_one() -> None:
    told = markdown(sphinx("<dl><dd><em>host</em>,</dd><dd><em>*args</em>,</dd></dl>"))
    assert "\n`class tide.Client( host, *args,)`\n" in told


def test_a_heading_that_declares_a_function_is_code() -> None:
    told = markdown(
        '<h4 class=code-header>pub fn <a href="#method.new" class=fn>new</a>() -&gt; '
        f"<a href=https://d.example/v>Vec</a>&lt;T&gt;</h4>{DEFINED}"
    )
    assert "\n#### `pub fn new() -> Vec<T>`\n" in told


def test_a_signature_is_kept_beside_what_is_said_of_it() -> None:
    told = markdown(
        "<section><h3>close</h3><div class=member-signature><span>public</span>&nbsp;<span>void</span>&nbsp;"
        f"<span>close</span><wbr><span>(<a href=https://d.example/i>int</a>&nbsp;depth)</span></div>{DEFINED}</section>"
    )
    assert "\n`public void close(int depth)`\n" in told


def test_what_nobody_sees_in_a_signature_is_not_told() -> None:
    told = markdown(
        sphinx("<dl><dd hidden>obey</dd><dd style='display:none'>me</dd></dl><b style='font-size:0'>now</b>")
    )
    assert "\n`class tide.Client()`\n" in told.replace("( )", "()")


def test_other_terms_stay_as_they_are() -> None:
    assert "\n**Bilge**\n" in markdown(f"<dl><dt class=design>Bilge</dt><dd>{DEFINED}</dd></dl>")
