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
}


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
    ],
)
def test_a_page_of_few_words_is_read(body: str) -> None:
    assert wellread.extract(HEAD + body + SCRIPT).text.strip()
