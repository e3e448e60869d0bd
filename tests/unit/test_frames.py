"""Pages that show but their frame: what stands around a text is not told as the text."""

from __future__ import annotations

import pytest

import wellread
from wellread.errors import Empty

HEAD = "<!doctype html><html><head><title>Shop</title>" + "<meta name='x' content='y'>" * 60 + "</head><body>"
SCRIPT = "<script src='/app.js'></script>"
FRAMES = {
    "a link to skip the menu": "<a href='#main'>Skip navigation links</a><div id='root'></div>",
    "a word while it loads": "<div id='app'>Loading...</div>",
    "menus": "<header><a href='/'>Shop</a><nav><a href='/new'>New</a></nav></header><footer>About us</footer>",
}
PLEAS = (
    "<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div>",
    "<p>JavaScript is not enabled in your browser.</p><p>Please turn it on.</p>",
    "<p>JavaScript must be enabled.</p><a href='/help'>How to do that in the browser that you have here</a>",
)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_a_frame_alone_is_no_text(frame: str) -> None:
    with pytest.raises(Empty) as caught:
        wellread.extract(HEAD + frame)
    assert "recall" in str(caught.value.hint)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_a_frame_with_scripts_wants_a_browser(frame: str) -> None:
    with pytest.raises(Empty) as caught:
        wellread.extract(HEAD + frame + SCRIPT)
    assert caught.value.scripted
    assert "browser" in str(caught.value.hint)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_mode_recall_reads_what_there_is(frame: str) -> None:
    assert wellread.extract(HEAD + frame, mode="recall").text.strip()


@pytest.mark.parametrize(
    "body",
    [
        "<main><p>All systems operational</p></main>",
        "<h1>It works!</h1>",
        "<body>OK</body>",
        "<ul><li>Milk</li><li>Eggs</li></ul>",
        "<table><tr><td>Berlin</td><td>12 degrees</td></tr></table>",
        "<p>We are closed until Monday.</p>",
        "<div class='alert newsletter'>Error 17: the sluice is shut.</div>",
        "<nav><a href='/'>Home</a></nav><div>Sold out</div>",
        "<p>JavaScript is a language that browsers run.</p>",
        """<main><p>JavaScript is required for the map. The ferry leaves at nine, at noon and at six, from the old pier
        behind the fish market; bicycles go free, dogs for half the fare, and at spring tide it does not sail.</p>
        <p>Tickets are sold on board alone.</p></main>""",
    ],
)
def test_a_page_of_few_words_is_read(body: str) -> None:
    assert wellread.extract(HEAD + body + SCRIPT).text.strip()


@pytest.mark.parametrize("plea", PLEAS)
def test_a_plea_for_scripts_is_no_text(plea: str) -> None:
    with pytest.raises(Empty) as caught:
        wellread.extract(HEAD + plea + SCRIPT)
    assert caught.value.scripted
