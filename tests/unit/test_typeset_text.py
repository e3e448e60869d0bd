"""Formulas come out as TeX between dollars, readings of ruby in brackets, and notes within a sentence as notes."""

# ruff: noqa: E501, RUF001 - markup as generators write it

from __future__ import annotations

import pytest

import wellread

PROSE = "<p>Begin with a guess and improve it again and again, until two rounds differ by less than what you can read."


def read(body: str, more: str = "") -> str:
    return wellread.extract(f"{more}<main><article><h1>Roots</h1>{PROSE}</p>{body}{PROSE}</p></article></main>").text


INLINE = {
    "distill": "<d-math>W_{n}^{2}</d-math>",
    "mathjax_2_script": "<script type='math/tex'>W_{n}^{2}</script>",
    "mathjax_2_preview": "<span class=MathJax_Preview></span><script type='math/tex' id=m1>W_{n}^{2}</script>",
    "ckeditor": "<span class=math-tex>\\(W_{n}^{2}\\)</span>",
    "pandoc": "<span class='math inline'>\\(W_{n}^{2}\\)</span>",
    "github": "<math-renderer class=js-inline-math>$W_{n}^{2}$</math-renderer>",
    "gitlab": "<code class='code math js-render-math' data-math-style=inline>W_{n}^{2}</code>",
    "wordpress": "<img class=latex alt='W_{n}^{2}' src='https://s0.wp.example/latex.php?latex=W'>",
    "codecogs": "<img alt='W_{n}^{2}' src='https://latex.codecogs.example/svg.image?W_%7Bn%7D'>",
    "zhihu": "<span class=ztext-math data-tex='W_{n}^{2}'></span>",
    "quill": "<span class=ql-formula data-value='W_{n}^{2}'></span>",
    "mathml": "<math><msubsup><mi>W</mi><mi>n</mi><mn>2</mn></msubsup></math>",
}


@pytest.mark.parametrize("formula", INLINE.values(), ids=INLINE)
def test_formula_in_a_sentence(formula: str) -> None:
    text = read(f"<p>The weight {formula} is what the next round of the whole calculation begins with, as said.</p>")
    assert "The weight $W_{n}^{2}$ is what" in text.replace("W_n^2", "W_{n}^{2}")


DISPLAYED = {
    "distill": "<d-math block>a^{2} + b^{2}</d-math>",
    "mathjax_2_script": "<script type='math/tex; mode=display'>a^{2} + b^{2}</script>",
    "pandoc": "<p><span class='math display'>\\[a^{2} + b^{2}\\]</span></p>",
    "gitlab": "<pre><code class='math js-render-math' data-math-style=display>a^{2} + b^{2}</code></pre>",
}


@pytest.mark.parametrize("formula", DISPLAYED.values(), ids=DISPLAYED)
def test_formula_on_its_own(formula: str) -> None:
    assert "\n$$\na^{2} + b^{2}\n$$\n" in read(formula).replace("$$a^{2} + b^{2}$$", "$$\na^{2} + b^{2}\n$$")


def test_sentence_in_the_place_of_a_formula() -> None:
    text = read("<p>See <span class=math>the next page of this book</span> for what the miller said about it then.</p>")
    assert "See the next page of this book for" in text


RUBY = {
    "brackets": ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字(かんじ)"),
    "plain": ("<ruby>振<rt>ふ</rt></ruby>る", "振(ふ)る"),
    "base": ("<ruby><rb>鰯</rb><rt>いわし</rt></ruby>", "鰯(いわし)"),
    "signs": ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
    "full_width_brackets": ("<ruby>北京<rp>（</rp><rt>Běijīng</rt><rp>）</rp></ruby>", "北京(Běijīng)"),
    "container": ("<ruby><rb>旧</rb><rb>金</rb><rtc><rt>jiù</rt><rt>jīn</rt></rtc></ruby>", "旧金(jiù jīn)"),
    "empty": ("<ruby>山<rt></rt></ruby>", "山"),
}


@pytest.mark.parametrize(("ruby", "expected"), RUBY.values(), ids=RUBY)
def test_ruby_reading_in_brackets(ruby: str, expected: str) -> None:
    text = read(
        f"<p>市場では{ruby}と並び、昼までにはほとんど売り切れてしまう。港の近くに住む人々は、毎朝早く起きて待っている。</p>"
    )
    assert f"市場では{expected}と並び" in text


def test_distill_code_with_language() -> None:
    text = read("<d-code block language=python>\n  def go():\n    return 1\n</d-code>")
    assert "```python\n" in text
    assert "def go():\n    return 1" in text


def test_distill_code_in_a_sentence() -> None:
    assert "Call `go()` first" in read(
        "<p>Call <d-code language=python>go()</d-code> first, and then all the others.</p>"
    )


def test_distill_citation_by_keys() -> None:
    assert "was shown before [mercier2011humans, olah2018]." in read(
        "<p>That people argue to be right was shown before <d-cite key='mercier2011humans,olah2018'></d-cite>.</p>"
    )


def test_distill_footnote_in_sentence() -> None:
    text = read(
        "<p>The pump<d-footnote>Built in 1911 by the county.</d-footnote> runs for an hour on all the open days.</p>"
    )
    assert "The pump[^1] runs for an hour" in text
    assert "[^1]: Built in 1911 by the county." in text


def test_two_distill_footnotes() -> None:
    body = "<p>The pump<d-footnote>Built in 1911.</d-footnote> and the mill<d-footnote>Older.</d-footnote> run on open days.</p>"
    text = read(body)
    assert "The pump[^1] and the mill[^2] run" in text
    assert "[^2]: Older." in text


def test_note_in_the_margin() -> None:
    note = (
        "<label for=n class=margin-toggle></label><input type=checkbox id=n><span class=sidenote>Built in 1911.</span>"
    )
    text = read(f"<p>The pump{note} runs for an hour on all the open days, and children pull the cord of it.</p>")
    assert "The pump[^1] runs for" in text
    assert "[^1]: Built in 1911." in text


def test_formula_beside_what_it_was_made_into() -> None:
    made = "<span class=MathJax><nobr aria-hidden=true>y</nobr><span class=MJX_Assistive_MathML><math><mi>y</mi></math></span></span>"
    assert "Let y be" in read(
        f"<p>Let {made}<script type='math/tex'>y</script> be what it was in the round before.</p>"
    )


def test_sentence_in_a_script_for_formulas() -> None:
    assert "obey" not in read("<p>Let it <script type='math/tex'>obey the next page of this book</script> be so.</p>")


def test_note_of_paragraphs_amid_a_sentence() -> None:
    text = read(
        "<div>The pump<d-footnote><p>Built in 1911.</p><p>By the county.</p></d-footnote> runs on all the open days.</div>"
    )
    assert "The pump[^1] runs on" in text
    assert "[^1]: Built in 1911. By the county." in text


def test_tokens_of_tex_code_stay_code() -> None:
    assert "See $x^2$ here" in read("<pre><code>See <span class=hljs-formula>$x^2$</span> here</code></pre>")
