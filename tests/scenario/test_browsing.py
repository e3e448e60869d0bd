"""A page is worked by hand: what is shown, what is done, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import anyio
import pytest

from hands import HEAD, TELL, reading_page, shown, work
from sites import Site, need_browser, serving, settings_for
from wellread.apps.build import Web
from wellread.errors import InvalidInput, Timeout
from wellread.sections import BrowseSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sites import Asked, Reading
    from wellread.browser.browse.browse_session import BrowseSession

# ------------------------------------------------------------------------------------------- what is shown


def test_text_and_controls_stand_in_document_order_with_markers(reading: Reading) -> None:
    told = shown(reading, "<h1>Harbour</h1><p>Read <a href=/x>the terms</a> first.</p><label>Name <input value=Ann>")
    assert told.content.splitlines() == [
        "# Harbour",
        'Read [1] link "the terms" first.',
        'Name [2] textbox "Name" = "Ann"',
    ]
    assert [(each.index, each.role, each.name, each.value) for each in told.elements] == [
        (1, "link", "the terms", ""),
        (2, "textbox", "Name", "Ann"),
    ]
    assert told.title == "Boats"


def test_states_and_options_are_told(reading: Reading) -> None:
    told = shown(
        reading,
        "<label><input type=checkbox checked disabled> News</label>"
        "<select aria-label=Port><option>Oslo<option selected>Bergen</select>"
        "<button aria-expanded=false>Menu</button><input type=password aria-label=Key value=hunter2>",
    )
    assert {each.name: each.state for each in told.elements} == {
        "News": ("checked", "disabled"),
        "Port": (),
        "Menu": ("collapsed",),
        "Key": (),
    }
    assert 'select "Port" = "Bergen" {Oslo | Bergen}' in told.content
    assert "hunter2" not in str(told)


def test_a_modal_comes_first_and_what_it_covers_is_said_to_be_covered(reading: Reading) -> None:
    told = shown(
        reading,
        "<button>Behind</button><dialog id=d><h2>Sure?</h2><button>Yes</button></dialog><script>d.showModal()</script>",
    )
    assert told.content.splitlines()[:2] == ["=== dialog on top ===", "## Sure?"]
    assert {each.name: "covered" in each.state for each in told.elements} == {"Yes": False, "Behind": True}


VEIL = (
    "<button onclick=tell('bad')>Behind</button><div style='position:fixed;inset:0;background:#0008'></div>"
    "<div style='position:fixed;left:90px;top:90px;background:#fff'><h2>Cookies?</h2><button onclick=\"tell('no');"
    'this.parentNode.previousElementSibling.remove(); this.parentNode.remove()">Reject</button></div>'
)


def test_box_over_a_backdrop_is_a_dialog_until_it_is_closed(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert tab.snapshot.content.startswith("=== dialog on top ===\n## Cookies?")
        with pytest.raises(InvalidInput, match=r'button "Behind" is covered by'):
            await tab.click(1)
        told = await tab.click(2)
        assert told.title == "Boats no"
        assert told.content == '[1] button "Behind"'
        assert '[1] button "Behind" is no longer covered' in told.changes
        assert (await tab.click(1)).title == "Boats no bad"

    work(reading, VEIL, steps)


def test_content_of_the_window_comes_first(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert tab.snapshot.content == (
            '=== in the window ===\n[1] button "Top"\n=== further down ===\n[2] button "Bottom"'
        )
        told = await tab.scroll(10)
        assert told.content == '=== in the window ===\n[2] button "Bottom"\n=== further up ===\n[1] button "Top"'

    work(reading, "<button>Top</button><div style='height:5000px'></div><button>Bottom</button>", steps)


def test_more_than_fifty_elements_on_several_pages(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        first = tab.snapshot
        assert (len(first.elements), first.more, first.page, first.pages) == (50, 73, 1, 3)
        assert "=== more: 73 elements, page 2 of 3 ===" in first.content
        names = [each.name for page in (1, 2, 3) for each in tab.more(page).elements]
        assert names == [f"b{n}" for n in range(123)]
        assert max(len(tab.more(page).content) for page in (1, 2, 3)) <= 5_000
        assert (await tab.click(tab.more(3).elements[-1].index)).title == "Boats b122"
        with pytest.raises(InvalidInput, match="no page 4"):
            tab.more(4)

    buttons = "".join(f"<button onclick=\"tell('b{n}')\">b{n}</button> " for n in range(123))
    work(reading, buttons, steps)


def test_long_text_is_shown_on_pages_and_nothing_is_cut(reading: Reading) -> None:
    words = [f"word{n}" for n in range(3_000)]

    async def steps(tab: BrowseSession) -> str:
        pages = [tab.more(page).content for page in range(1, tab.snapshot.pages + 1)]
        assert all(len(page) <= 5_060 for page in pages)
        return " ".join(pages)

    told = work(reading, f"<p>{' '.join(words[:1500])}</p><p>{' '.join(words[1500:])}</p>", steps)
    assert [word for word in told.split() if word.startswith("word")] == words


def test_what_nobody_sees_is_not_shown(reading: Reading) -> None:
    hidden = (
        "<p style='display:none'>Secret a</p><p style='opacity:0'>Secret b</p><p style='font-size:0'>Secret c</p>"
        "<p style='position:absolute;left:-5000px'>Secret d</p><p style='color:#fff'>Secret e</p>"
        "<button style='visibility:hidden'>Secret f</button><button style='opacity:0'>Secret g</button>"
        "<div style='height:0;overflow:hidden'><button>Secret h</button></div>"
    )
    told = shown(reading, f"<p>Plain</p>{hidden}<button>Seen</button>")
    assert told.content.splitlines() == ["Plain", '[1] button "Seen"']


def test_what_has_changed_is_told(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        told = await tab.click(1)
        assert told.changes[:3] == (
            '[1] button "Less" was "More"',
            '[1] button "Less" is focused',
            'new: [3] link "fresh"',
        )
        assert 'gone: [2] button "Old"' in told.changes
        assert "new text: Now open" in told.changes
        assert (await tab.look()).changes == ()

    work(
        reading,
        "<button id=m onclick=\"m.textContent = 'Less'; old.remove();"
        "document.body.insertAdjacentHTML('beforeend', '<p>Now open</p><a href=/f>fresh</a>')\">More</button>"
        "<button id=old>Old</button>",
        steps,
    )


def test_elements_keep_their_numbers_when_others_are_inserted(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        told = await tab.click(1)
        assert [(each.index, each.name) for each in told.elements] == [(3, "new"), (1, "add"), (2, "last")]

    work(
        reading,
        "<button onclick=\"this.insertAdjacentHTML('beforebegin', '<button>new</button>')\">add</button>"
        "<button>last</button>",
        steps,
    )


# ------------------------------------------------------------------------------------ what is never clicked


def test_click_on_a_vanished_element(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        await tab.click(1)
        with pytest.raises(InvalidInput, match=r'^\[2\] button "Old" has vanished from the page(?m:$)'):
            await tab.click(2)
        assert (await tab.look()).title == "Boats"

    work(
        reading,
        "<button onclick=\"old.outerHTML = '<button onclick=tell(1)>Old</button>'\">swap</button>"
        "<button id=old>Old</button>",
        steps,
    )


def test_replaced_element_is_not_taken_for_its_successor(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        tab.answer("accept")
        await reading_page(tab).evaluate("old.outerHTML = '<button onclick=tell(1)>Old</button>'")
        with pytest.raises(InvalidInput, match=r'button "Old" has vanished'):
            await tab.click(1)
        assert (await tab.look()).title == "Boats"

    work(reading, "<button id=old>Old</button>", steps)


def test_numbers_of_a_page_that_was_left_mean_nothing_on_the_next(reading: Reading) -> None:
    reading.site.pages["/next"] = f"{HEAD}{TELL}<button onclick=tell('bad')>Buy</button>"

    async def steps(tab: BrowseSession) -> None:
        await reading_page(tab).goto(reading.site.url("/next"))
        with pytest.raises(InvalidInput, match=r'\[1\] link "next" has vanished'):
            await tab.click(1)
        told = await tab.look()
        assert (told.title, told.changes) == ("Boats", (f"the address is now {reading.site.url('/next')}",))

    work(reading, "<a href=/next>next</a>", steps)


def test_cover_that_appears_under_the_pointer_is_not_clicked(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        with pytest.raises(InvalidInput, match='is covered by div "Wait"'):
            await tab.click(1)
        assert (await tab.look()).title == "Boats"

    work(
        reading,
        "<button onclick=tell('x') onmouseenter='v.hidden = false'>Go</button><div id=v hidden onclick=tell('veil')"
        " style='position:absolute;inset:0'>Wait</div>",
        steps,
    )


def test_an_unknown_number_is_refused_with_the_numbers_there_are(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        with pytest.raises(InvalidInput, match=r"there is no element \[9\]") as told:
            await tab.click(9)
        assert told.value.hint == "the largest number is 1"

    work(reading, "<button>Go</button>", steps)


# ------------------------------------------------------------------------------------- dialogs, tabs, moves


def test_questions_are_answered_by_policy_and_told(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        told = await tab.click(1)
        assert (told.title, told.dialogs) == ("Boats false", ('confirm: "Delete all?" was dismissed',))
        tab.answer("accept", prompt="Ann")
        assert (await tab.click(2)).title == "Boats false Ann"
        assert (await tab.click(3)).dialogs == ('alert: "Done" was accepted',)
        assert (await tab.look()).dialogs == ()

    work(
        reading,
        "<button onclick=\"tell(confirm('Delete all?'))\">a</button><button onclick=\"tell(prompt('Who?'))\">b</button>"
        "<button onclick=\"alert('Done')\">c</button>",
        steps,
    )


def test_a_new_tab_is_listed_and_followed_and_its_end_leads_back(reading: Reading) -> None:
    reading.site.pages["/child"] = "<title>Child</title><button onclick='window.close()'>Close</button>"

    async def steps(tab: BrowseSession) -> None:
        told = await tab.click(1)
        assert told.title == "Child"
        assert [line[:9] for line in told.tabs] == ["  1 Boats", "* 2 Child"]
        assert (await tab.switch(1)).title == "Boats"
        assert (await tab.switch(2)).title == "Child"
        told = await tab.click(told.elements[0].index)
        assert (told.title, told.tabs) == ("Boats", ())

    work(reading, "<button onclick=\"window.open('/child')\">Open</button>", steps)


def test_one_goes_back_and_no_further_than_there_is_history(reading: Reading) -> None:
    reading.site.pages["/second"] = "<title>Second</title>"

    async def steps(tab: BrowseSession) -> None:
        assert (await tab.click(1)).title == "Second"
        assert (await tab.back()).title == "Boats"

    work(reading, "<a href=/second>on</a>", steps)


def test_text_is_waited_for_and_what_never_comes_is_a_timeout(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert "Arrived" in (await tab.wait(text="arrived")).content
        assert "Arrived" in (await tab.wait(selector="#late")).content
        with pytest.raises(Timeout, match="'never' was not on the page"):
            await tab.wait(text="never", timeout_s=0.2)

    work(reading, "<script>setTimeout(() => document.body.innerHTML = '<p id=late>Arrived', 300)</script>", steps)


def test_a_page_that_never_rests_is_shown_all_the_same(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert tab.snapshot.notices == ()
        told = await tab.click(1)
        assert (told.notices, told.title) == ((), "Boats clicked")

    work(
        reading,
        "<p id=t>0</p><button onclick=tell('clicked')>Go</button>"
        "<script>setInterval(() => { t.textContent = Date.now() }, 20)</script>",
        steps,
    )


def test_a_picture_and_the_whole_text_can_be_had(reading: Reading, tmp_path: Path) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert (await tab.screenshot(tmp_path / "a.png")).startswith(b"\x89PNG")
        assert (tmp_path / "a.png").stat().st_size > 1_000
        page = await tab.read()
        assert page.text.startswith("# Harbour")
        assert page.rendered

    work(reading, f"<h1>Harbour</h1><p>{'The boats come home at dusk. ' * 20}</p>", steps)


def test_a_reading_in_a_session_has_the_values_of_fields(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        await tab.type(1, "Ann Lund")
        text = (await tab.read()).text
        assert "Name Ann Lund" in " ".join(text.split())
        assert "Two <b>loaves" in text.replace("\\", "")
        assert "hunter2" not in text
        assert "4711" not in text
        assert "unseen" not in text

    work(
        reading,
        f"<h1>Bakery</h1><p>{'The boats come home at dusk. ' * 20}</p><form><p><label>Name <input></label></p>"
        "<p><label>Word <input type=password value=hunter2></label></p>"
        "<p><label>Code <input value=4711 style='-webkit-text-security: disc'></label></p>"
        "<p><input value=unseen style='visibility: hidden'><input value=unseen style='opacity: 0'></p>"
        "<p><input type=hidden value=unseen></p>"
        "<p><label>Note <textarea>Two &lt;b&gt;loaves</textarea></label></p></form>",
        steps,
    )


def test_a_reading_in_a_session_says_what_is_missing_as_a_read_does(reading: Reading) -> None:
    answered = Event()

    def slow(_: Asked) -> None:
        answered.wait(60)

    reading.site.pages["/slow"] = slow

    async def steps(tab: BrowseSession) -> None:
        assert {"cut_short", "still_loading"}.isdisjoint(notice.code for notice in (await tab.read()).notices)
        await tab.click(1)
        page = await tab.read()
        answered.set()
        assert {"cut_short", "still_loading"} <= {notice.code for notice in page.notices}

    work(
        reading,
        f"<h1>Harbour</h1><p>{'The boats come home at dusk. ' * 20}</p><button>More</button>"
        "<script>document.querySelector('button').onclick = () => { fetch('/slow'); let at = document.body;"
        "for (let i = 0; i < 450; i += 1) { at = at.appendChild(document.createElement('div')) }"
        "at.textContent = 'too deep' }</script>",
        steps,
    )


# ---------------------------------------------------------------------------------------------- workspace


@pytest.fixture
async def workshop(tmp_path: Path) -> AsyncIterator[tuple[Web, Site, Path]]:
    need_browser()
    site = Site()
    server = serving(site)
    folder = tmp_path / "workspace"
    folder.mkdir()
    settings = replace(settings_for(site, tmp_path / "data"), browse=BrowseSettings(workspace=folder))
    async with Web(settings) as web:
        yield web, site, folder
    server.shutdown()
    server.server_close()


async def test_files_come_from_the_workspace_and_downloads_go_there(workshop: tuple[Web, Site, Path]) -> None:
    web, site, folder = workshop
    (folder / "ledger.txt").write_text("boats")
    (folder.parent / "secret.txt").write_text("key")
    site.pages["/file"] = (200, {"Content-Disposition": "attachment; filename=../log.csv"}, b"a,b\n")
    site.pages["/"] = (
        '<input type=file aria-label=Ledger onchange="document.title = this.files[0].name">'
        "<button onclick=\"const i = document.createElement('input'); i.type = 'file';"
        "i.onchange = () => document.title = 'chose ' + i.files[0].name; i.click()\">Choose</button>"
        "<a href=/file>Get</a>"
    )
    async with web.browse(site.url("/")) as tab:
        assert (await tab.upload(1, "ledger.txt")).title == "ledger.txt"
        assert (await tab.upload(2, "ledger.txt")).title == "chose ledger.txt"
        with pytest.raises(InvalidInput, match="is outside the workspace"):
            await tab.upload(1, "../secret.txt")
        told = await tab.click(3)
        told = told if told.downloads else await tab.look()
        assert told.downloads == ("_log.csv, 4 bytes",)
    assert (folder / "_log.csv").read_bytes() == b"a,b\n"


def test_uploads_and_downloads_without_a_workspace(reading: Reading) -> None:
    reading.site.pages["/file"] = (200, {"Content-Disposition": "attachment; filename=log.csv"}, b"a,b\n")

    async def steps(tab: BrowseSession) -> None:
        with pytest.raises(InvalidInput, match="file uploads are not allowed"):
            await tab.upload(1, "x")
        told = await tab.click(2)
        told = told if told.downloads else await tab.look()
        assert told.downloads == ("log.csv was not saved, because browse.workspace is not set",)

    work(reading, "<input type=file><a href=/file>Get</a>", steps)


CLOSED_TREE = """<title>Tides</title><div id=host></div><script>
host.attachShadow({mode: 'closed'}).innerHTML = '<h1>Tides</h1><p>High water at nine, low water at three.';
</script>"""


async def test_text_in_a_closed_shadow_tree_is_not_waited_for(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/tides"] = CLOSED_TREE
    settings = settings_for(harbour, tmp_path, timeout_s=120)
    settings = replace(settings, render=replace(settings.render, max_wait_s=90))
    async with Web(settings) as web:
        with anyio.fail_after(60):
            async with web.browse(harbour.url("/tides")) as tab:
                assert "High water at nine" in tab.snapshot.content
