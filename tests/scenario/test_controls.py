"""Every kind of control that people work on the web is worked, and the page's own handler is what says so."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from controls import INNER, KINDS, NESTED, SAY, STYLE
from hands import shown
from wellread.browser.browse import settle
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from sites import Reading


@pytest.mark.parametrize("kind", KINDS)
def test_a_control_is_found_and_its_own_handler_gets_a_trusted_event(reading: Reading, kind: str) -> None:
    site, each = reading.site, KINDS[kind]
    other, third = site.url("", "app.example"), site.url("", "frames.second.example")
    site.pages["/inner"] = INNER
    site.pages["/nested"] = NESTED.replace("THIRD", third)
    site.pages["/hit"] = (200, {"Content-Type": "text/html"}, b"<title>hit</title>thanks")
    path = f"/control{list(KINDS).index(kind)}"
    site.pages[path] = f"<!DOCTYPE html><title>{kind}</title>{STYLE}{SAY}{each.html.replace('OTHER', other)}"
    before = len(site.asked)

    async def work() -> None:
        async with reading.web.browse(site.url(path)) as tab:
            await each.steps(tab)

    reading.run(work)
    hits = [unquote(asked.path[5:]) for asked in site.asked[before:] if asked.path.startswith("/hit?")]
    assert each.wanted in hits


ROOTED = """<div id=app data-v-app><p data-v-7ba5bd90>Words</p><div tabindex=0 data-v-7ba5bd90>Knob</div>
<div id=twice>Twice</div><div class=ui-droppable>Van</div><button>One</button><button>Two</button></div><script>
for (const kind of ['click', 'dblclick', 'keydown']) app.addEventListener(kind, (e) => tell(kind));
twice['__reactProps$1a2b'] = {onDoubleClick: () => 0};
</script>"""


def test_controls_with_delegated_listeners_of_frameworks(
    reading: Reading,
) -> None:
    told = [f"{each.role} {each.name}" for each in shown(reading, ROOTED).elements]
    assert told == ["clickable Knob", "clickable Twice", "drop target Van", "button One", "button Two"]


def test_choosing_an_option_of_what_has_none_does_not_click_it(reading: Reading) -> None:
    reading.site.pages["/none"] = (
        "<a href=/gone onclick=\"document.title = 'clicked'\">Away</a> <input type=checkbox aria-label=Agreed>"
    )

    async def work() -> None:
        async with reading.web.browse(reading.site.url("/none")) as tab:
            before = tab.snapshot
            for number in (1, 2):
                with pytest.raises(InvalidInput, match="has no options"):
                    await tab.select(number, "Pear")
            after = await tab.look()
            assert (after.url, after.title, after.elements) == (before.url, before.title, before.elements)

    reading.run(work)


@pytest.mark.parametrize("before", ["", "Loading"])
def test_a_page_is_shown_once_its_scripts_have_filled_it(
    reading: Reading, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "_YOUNG_MS", 60_000)  # a machine that stands still for a moment makes no page old
    reading.site.pages["/late"] = (
        f"<!DOCTYPE html><div id=root>{before}</div><script>"
        "setTimeout(() => { root.innerHTML = '<p>The boats are in.</p><button>Ring</button>' }, 300)</script>"
    )

    async def work() -> None:
        async with reading.web.browse(reading.site.url("/late")) as tab:
            assert "The boats are in." in tab.snapshot.content
            assert [element.name for element in tab.snapshot.elements] == ["Ring"]

    reading.run(work)


PARTS = """<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }
.dot { width: 28px; height: 28px; display: inline-block; cursor: pointer; background: red }
.keys { position: absolute; width: 1px; height: 1em; opacity: 0; padding: 0; border: 0 }
.list { height: 100px; overflow: auto } .list button { display: block; height: 50px }</style>
<label><input type=radio class=sr name=r><svg width=20 height=20><circle r=9 /></svg><span class=sr>4 stars</span>
</label><div id=dots><div class=dot title=Navy></div></div><div style="position:relative;height:60px">
<textarea class=keys aria-label=Code></textarea></div>
<div class=list><button>Row 1</button><button>Row 2</button><button>Row 3</button>
<button>Row 4</button><button>Row 5</button></div><div id=app>Words <span>Plan</span></div><script>
dots.onclick = (e) => { document.title = e.target.title };
document.querySelector('.list').onscroll = (e) => { document.title = 'to ' + e.target.scrollTop };
app.ondblclick = (e) => { document.title = e.target.textContent };
document.querySelector('.keys').oninput = (e) => { document.title = e.target.value };
onkeydown = (e) => { if (e.ctrlKey && e.key === 'k') document.title = 'Palette' };
</script>"""


def test_parts_of_component_libraries_have_names_and_work(reading: Reading) -> None:
    reading.site.pages["/parts"] = f"<!DOCTYPE html><title>parts</title>{PARTS}"

    async def work() -> None:
        async with reading.web.browse(reading.site.url("/parts")) as tab:
            index_by_name = {element.name: element.index for element in tab.snapshot.elements}
            titles = [
                (await tab.click(index_by_name["Navy"])).title,
                (await tab.scroll(1, index=index_by_name["Row 1"])).title,
                (await tab.click(words="Plan", count=2)).title,
                (await tab.press("Control+K")).title,
                (await tab.type(index_by_name["Code"], "let x")).title,
            ]
            assert titles == ["Navy", "to 85", "Plan", "Palette", "let x"]
            checked = await tab.click(index_by_name["4 stars"])
            assert "(checked, focused)" in checked.content

    reading.run(work)
