"""What people's pages ask of whoever works them: bars, hover, lists drawn anew, late effects, frames, waits, files."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import anyio
import pytest

from hands import reading_page, shown, work
from sites import Site, need_browser, serving, settings_for
from unit.pdf_files import PdfPage, line_by_tm, pdf_file
from wellread.apps.browse_script import parse_step, perform
from wellread.apps.build import Web
from wellread.browser.browse import browse_session
from wellread.errors import InvalidInput, RefusedError, Timeout, Unsupported
from wellread.sections import BrowserSettings, BrowseSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sites import Asked, Reading
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import PageSnapshot


def number(shown: PageSnapshot, name: str) -> int:
    return next(each.index for each in shown.elements if name in each.name)


# ------------------------------------------------------------------------------------------------ what is found


def test_controls_below_the_fold_of_a_frame_are_worked(reading: Reading) -> None:
    reading.site.pages["/order"] = (
        "<div style='overflow-y:auto;height:5000px'><p style='height:900px'>Terms</p><label>Berth <input></label>"
        "<button onclick=\"parent.postMessage(document.querySelector('input').value, '*')\">Book</button></div>"
    )

    async def steps(tab: BrowseSession) -> None:
        await tab.type(number(tab.snapshot, "Berth"), "B7")
        assert (await tab.click(number(tab.snapshot, "Book"))).title == "Boats B7"

    listens = "<script>addEventListener('message', (e) => tell(e.data))</script>"
    work(reading, f"{listens}<iframe src=/order width=400 height=150></iframe>", steps)


UNSEEN_NAMES = """
<style>.sr { position: absolute; width: 1px; height: 1px; border: 0; padding: 0; overflow: hidden; clip: rect(0 0 0 0) }
</style>
<button><span aria-hidden=true>&times;</span><span class=sr>Close map</span></button>
<button><b>&rsaquo;</b><span class=sr>Cancel order</span></button>
<button><svg width=20 height=20><title>Undo</title><rect width=20 height=20 /></svg>
<span style='font-size: 0'>Zero order</span></button>
<button><svg width=20 height=20><title>Bold</title><rect width=20 height=20 /></svg></button>
<span id=a class=sr>Search boats</span><input aria-labelledby=a>
<span id=b hidden>Sort by</span><div role=combobox tabindex=0 aria-labelledby='b c'><span id=c>Newest</span></div>
<label for=d><b>★</b><span class=sr>4 stars</span></label><input id=d type=radio>
<div role=tab tabindex=0 aria-label=Notes><button>Hide</button></div>
<label for=e>Harbour</label><select id=e class=sr><option>Bergen</select>
<span><span><span role=combobox tabindex=0>Bergen</span></span></span>
<label for=g>Berth</label><x-field id=g></x-field><x-field label=Crew></x-field>
<script>for (const host of document.querySelectorAll('x-field'))
  host.attachShadow({mode: 'open'}).innerHTML = '<div><input></div>'</script>
"""


def test_names_from_hidden_text_and_labels_of_hosts(reading: Reading) -> None:
    snapshot = shown(reading, UNSEEN_NAMES)
    assert [f"{element.role} {element.name}" for element in snapshot.elements] == [
        "button \u00d7 Close map",
        "button \u203a Cancel order",
        "button Undo",
        "button Bold",
        "textbox Search boats",
        "combobox Sort by",
        "radio ★ 4 stars",
        "tab Notes",
        "button Hide",
        "combobox Harbour",
        "textbox Berth",
        "textbox Crew",
    ]
    assert 'tab "Notes"' in snapshot.content


def test_cells_by_label_or_focus_and_handlers_by_attribute(reading: Reading) -> None:
    days = "".join(f"<span aria-label='June {day}' tabindex=-1>{day}</span>" for day in range(1, 8))
    seats = "".join(f"<div aria-label='Seat {seat}' style='width:20px;height:20px'></div>" for seat in range(1, 5))

    async def steps(tab: BrowseSession) -> None:
        for name in ("June 5", "Seat 3", "Vote"):
            await tab.click(number(tab.snapshot, name))
        with pytest.raises(InvalidInput, match=r'\[\d+\] text "Plain words" shows no option'):
            await tab.select(None, "Nothing", words="Plain words")
        assert tab.snapshot.title == "Boats June 5 Seat 3 vote words"

    work(
        reading,
        f"<div class=box>{days}</div><div class=box>{seats}</div><div phx-click=vote>Vote</div><p>Plain words</p>"
        "<script>for (const box of document.querySelectorAll('.box'))"
        " box.addEventListener('mousedown', (e) => tell(e.target.ariaLabel));"
        "addEventListener('click', (e) => { if (e.target.matches('[phx-click]')) tell('vote');"
        " if (e.target.matches('p')) tell('words') })</script>",
        steps,
    )


TRANSFORMS = (
    "transform: scale(.5)",
    "transform: scale(1.4)",
    "zoom: 1.5",
    "zoom: .5",
    "transform: rotate(8deg)",
    "rotate: -4deg; padding: 30px",
    "transform: skewX(12deg) scale(.8)",
    "transform: translate(300px, 170px) scale(-1)",
    "scale: -1 1; translate: 300px",
)
"""Styles of boxes around frames; in space, a share of the sides names no point."""
IN_SPACE = "transform: perspective(200px) rotateY(30deg)"


def test_clicks_in_frames_that_are_enlarged_or_turned(reading: Reading) -> None:
    reading.site.pages["/keys"] = "<body style='margin: 0'>" + "".join(
        f"<button style='position: absolute; left: {left}px; top: {top}px'"
        f" onclick=\"parent.postMessage('{name}', '*')\">{name}</button>"
        for name, left, top in (("A", 20, 40), ("B", 150, 90), ("C", 220, 20), ("D", 60, 140))
    )
    listens = "<script>addEventListener('message', (e) => tell(e.data))</script>"

    async def steps(tab: BrowseSession) -> None:
        numbers = [element.index for element in tab.snapshot.elements if element.name == "B"]
        for index in numbers[:-1]:
            await tab.click(index)
        assert tab.snapshot.title == "Boats" + " B" * len(TRANSFORMS)
        with pytest.raises(InvalidInput, match="in a frame that is turned"):
            await tab.click(numbers[-1])

    frames = "".join(
        f"<div style='{style}; transform-origin: 0 0'><iframe src=/keys width=300 height=170></iframe></div>"
        for style in (*TRANSFORMS, IN_SPACE)
    )
    work(reading, listens + frames, steps)


def test_sections_that_are_laid_out_when_scrolled_to_have_numbers(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert "Part 8" in tab.snapshot.content
        assert "Never" not in tab.snapshot.content
        assert (await tab.click(number(tab.snapshot, "Take 8"))).title == "Boats 8"

    sections = "".join(
        f"<section><h2>Part {part}</h2><p style='height: 600px'>Words</p>"
        f"<button onclick=tell({part})>Take {part}</button></section>"
        for part in range(10)
    )
    style = "<style>section { content-visibility: auto; contain-intrinsic-size: auto 700px }</style>"
    work(reading, f"{style}{sections}<div style='content-visibility: hidden'><button>Never</button></div>", steps)


SHOWN_BY_HOVER = {
    "display": ".sub { display: none } .top:hover .sub { display: block }",
    "visibility": ".sub { visibility: hidden } .top:hover > .sub { visibility: visible }",
    "opacity": ".sub { opacity: 0 } .top:hover .sub { opacity: 1 }",
    "height": ".sub { max-height: 0; overflow: hidden } .top:hover .sub { max-height: 300px }",
    "off-screen": ".sub { position: absolute; left: -9999px } .top:hover .sub { left: auto }",
    "clip-path": ".sub { clip-path: inset(100%) } .top:hover .sub { clip-path: none }",
    "nested rule": ".sub { display: none } .top { &:hover .sub { display: block } }",
    "media query": ".sub { display: none } @media (min-width: 1px) { .top:hover .sub { display: block } }",
    "transform": ".sub { transform: scale(0) } .top:hover .sub { transform: none }",
}


@pytest.mark.parametrize("style", SHOWN_BY_HOVER)
def test_what_shows_on_hover_is_said_and_worked(reading: Reading, style: str) -> None:
    async def steps(tab: BrowseSession) -> None:
        top = next(each for each in tab.snapshot.elements if "Fleet" in each.name)
        assert "more on hover" in top.state
        now = await tab.hover(top.index)
        assert (await tab.click(number(now, "Sloops"))).title == "Boats sloops"

    html = (
        f"<style>{SHOWN_BY_HOVER[style]}</style><div class=top style='width:200px'>Fleet"
        "<div class=sub><button onclick=tell('sloops')>Sloops</button></div></div><p>Words"
    )
    work(reading, html, steps)


def test_a_link_says_that_there_is_more_on_hover(reading: Reading) -> None:
    told = shown(
        reading,
        "<style>ul ul { display: none } li:hover ul { display: block } a:hover { color: red }</style>"
        "<ul><li><a href=/a>Boats</a><ul><li><a href=/b>Sloops</a></ul><li><a href=/c>Ropes</a></ul>",
    )
    assert {each.name: each.state for each in told.elements} == {"Boats": ("more on hover",), "Ropes": ()}


def test_cells_below_one_listener_are_numbered_and_rows_of_data(reading: Reading) -> None:
    days = "".join(f"<td>{day}" for day in range(1, 8))
    data = "".join(f"<tr><td>Harbour {name}<td>Open all year<td>Water and power" for name in "ABC")
    told = shown(
        reading,
        f"<table id=days><tr>{days}</table><table id=data>{data}</table><ul id=berths><li>North<li>South<li>West</ul>"
        "<ul><li>Mere words<li>More of them<li>And more</ul>"
        "<script>for (const e of [days, data, berths]) e.addEventListener('click', () => tell(1))</script>",
    )
    names = [each.name for each in told.elements]
    assert names[:7] == list("1234567")
    assert names[7:] == [f"Harbour {name} Open all year Water and power" for name in "ABC"] + ["North", "South", "West"]


# ------------------------------------------------------------------------------------------------ what is aimed at


@pytest.mark.parametrize(
    "bar",
    [
        "position:fixed;top:0;left:0;right:0;height:120px",
        "position:fixed;bottom:0;left:0;right:0;height:120px",
        "position:sticky;top:0;height:120px",
    ],
)
def test_what_lies_under_a_bar_is_scrolled_from_under_it(reading: Reading, bar: str) -> None:
    async def steps(tab: BrowseSession) -> None:
        now = await tab.scroll(1)
        under = [each for each in now.elements if "covered" in each.state and each.name.startswith("Berth")]
        assert under
        for each in under:
            told = await tab.click(each.index)
            assert told.title.endswith(each.name.split()[1])

    rows = "".join(f"<p style='height:50px'><button onclick=tell({n})>Berth {n}</button>" for n in range(40))
    work(reading, f"<div style='{bar};background:#ccc;z-index:9'>Harbour</div>{rows}", steps)


def test_what_a_veil_covers_everywhere_is_not_clicked(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        with pytest.raises(InvalidInput, match="is covered by div") as told:
            await tab.click(1)
        assert "Escape" in (told.value.hint or "")
        assert (await tab.look()).title == "Boats"

    veil = "<div style='position:fixed;inset:0;background:#fff8'></div>"
    work(reading, f"<button onclick=tell('bad')>Go</button>{veil}", steps)


def test_a_click_misses_the_controls_inside_its_element(reading: Reading) -> None:
    inner = "style='width:140px' onclick=\"tell('wrong'); event.stopPropagation()\""
    html = (
        "<style>.box { width: 300px; display: flex; justify-content: center; border: 1px solid }</style>"
        "<div role=button tabindex=0 aria-label=Trip class=box onclick=tell('trip')>"
        f"<button {inner}>Delete</button></div>"
        "<details ontoggle=tell('address')><summary class=box aria-label=Address>"
        f"<button {inner}>Edit</button></summary></details>"
        "<table><tr aria-label=Invoice onclick=tell('row')>"
        f"<td width=90>7<td><a href=#pdf {inner}>Get all of the file</a><td width=90>Paid</table>"
        "<div role=tab tabindex=0 aria-label=Notes class=box onclick=tell('tab')>"
        f"<span role=button tabindex=0 {inner}>Close</span></div>"
        "<div role=button tabindex=0 aria-label=Full onclick=tell('full')><a href=#full>All of it is a link</a></div>"
    )

    async def steps(tab: BrowseSession) -> None:
        for name in ("Trip", "Address", "Invoice", "Notes", "Full"):
            await tab.click(number(tab.snapshot, name))
        assert tab.snapshot.title == "Boats trip address row tab full"

    work(reading, html, steps)


def test_a_disabled_control_is_refused_and_a_marked_one_said(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        for index in (1, 2):
            with pytest.raises(InvalidInput, match="is disabled"):
                await tab.click(index)
        told = await tab.click(3)
        assert told.title == "Boats marked"
        assert [notice.code for notice in told.notices] == ["disabled"]

    work(
        reading,
        "<button disabled onclick=tell('bad')>Pay</button><fieldset disabled><button onclick=tell('bad')>Ship</button>"
        "</fieldset><button aria-disabled=true onclick=tell('marked')>Sign</button>",
        steps,
    )


def test_words_a_selector_or_a_point_stand_for_a_number(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert (await tab.click(words="Tide tables")).title == "Boats text"
        assert (await tab.click(selector="#deep")).title == "Boats text shadow"
        assert (await tab.click(point=(30, 30))).title == "Boats text shadow canvas"
        assert 'textbox "Port" = "Oslo"' in (await tab.type(None, "Oslo", words="Port")).content
        for wrong, message in (
            ({"words": "Rope"}, "2 elements say 'Rope'"),
            ({"words": "No such words"}, "no element has the words"),
            ({"selector": "p["}, "is not a CSS selector"),
            ({"selector": "button.gone"}, "no visible element matches"),
            ({"point": (5_000, 1)}, "is outside the window"),
            ({"words": "a", "selector": "b"}, "exactly one address"),
        ):
            with pytest.raises(InvalidInput, match=message):
                await tab.click(**wrong)
        assert (await tab.look()).title == "Boats text shadow canvas"

    work(
        reading,
        "<canvas width=60 height=60 style='position:absolute;left:0;top:0'></canvas><div style='height:70px'></div>"
        "<p id=t>Tide <b>tables</b></p><x-host></x-host><label>Port <input></label><p>Rope</p><p>Rope</p><script>"
        "document.querySelector('canvas').onclick = () => tell('canvas');"
        "document.addEventListener('click', (e) => { if (e.target.closest('#t')) tell('text') });"
        "const root = document.querySelector('x-host').attachShadow({mode: 'closed'});"
        "root.innerHTML = '<button id=deep>Deep</button>'; root.firstChild.onclick = () => tell('shadow')</script>",
        steps,
    )


def test_an_aria_slider_is_stepped_to_a_number(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert (await tab.type(1, "250")).elements[0].value == "250"
        with pytest.raises(InvalidInput, match='does not take "255"; it holds "260"'):
            await tab.type(1, "255")
        with pytest.raises(InvalidInput, match='slider "Sound" holds "50%", which is not a number'):
            await tab.type(number(tab.snapshot, "Sound"), "60")

    work(
        reading,
        "<div id=price role=slider aria-label=Price aria-valuemin=0 aria-valuenow=200 aria-valuemax=500 tabindex=0"
        " style='width: 20px; height: 20px'></div><script>price.onkeydown = (e) => { const step = {ArrowRight: 10,"
        " ArrowLeft: -10}[e.key] ?? 0; price.ariaValueNow = Number(price.ariaValueNow) + step }</script>"
        "<div role=slider aria-label=Sound aria-valuemin=0% aria-valuenow=50% tabindex=0>Sound</div>",
        steps,
    )


def test_keys_are_held_during_a_click_and_let_go(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert (await tab.click(1, modifiers=["Shift", "control"])).title == "Boats ShiftControl"
        assert (await tab.click(1)).title == "Boats ShiftControl plain"
        with pytest.raises(InvalidInput, match="is not a modifier key"):
            await tab.click(1, modifiers=["Enter"])

    held = "(event.shiftKey ? 'Shift' : '') + (event.ctrlKey ? 'Control' : '')"
    work(reading, f"<button onclick=\"tell({held} || 'plain')\">Row</button>", steps)


def test_a_drag_reaches_what_is_far_below(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        now = await tab.drag(number(tab.snapshot, "Crate"), number(tab.snapshot, "Hold"))
        assert now.title == "Boats C1"

    work(
        reading,
        "<p draggable=true id=crate style='width:90px'>Crate</p><p style='height:2000px'></p><p id=hold>Hold</p>"
        "<script>"
        "crate.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', 'C1'));"
        "hold.addEventListener('dragover', (e) => e.preventDefault());"
        "hold.addEventListener('drop', (e) => { e.preventDefault(); tell(e.dataTransfer.getData('text/plain')) })"
        "</script>",
        steps,
    )


# ----------------------------------------------------------------------------------------------- drawn anew


BIDS = """<ol id=list></ol><script>let price = 10;
const draw = (names) => { price++; list.innerHTML = names.map((n) =>
  `<li>${n} at ${price} <button onclick="tell('${n}')">Bid</button>`).join('') };
draw(['Anchor', 'Buoy', 'Compass'])</script>"""


def test_the_number_of_a_row_that_is_drawn_anew_stays(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        await reading_page(tab).evaluate("draw(['Compass', 'Anchor', 'Buoy'])")
        assert (await tab.click(2)).title == "Boats Buoy"
        await reading_page(tab).evaluate("draw(['Anchor', 'Compass'])")
        with pytest.raises(InvalidInput, match=r'\[2\] button "Bid" has vanished'):
            await tab.click(2)
        assert (await tab.click(3)).title == "Boats Buoy Compass"

    work(reading, BIDS, steps)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Delete file 1? <button>Yes</button></p>", "<p>Delete file 2? <button onclick=tell(1)>Yes</button></p>"),
        ("<p>Order A <button>Pay</button></p>", "<p>Order B <button onclick=tell(1)>Pay</button></p>"),
        ("<p>Row <button>Cut</button><p>Row <button>Cut</button>", "<p>Row <button onclick=tell(1)>Cut</button>"),
        (
            "<p>File 1 <button>Cut</button><p>File 2 <button>Cut</button>",
            "<p>File 3 <button onclick=tell(1)>Cut</button><p>File 4 <button onclick=tell(1)>Cut</button>",
        ),
        (
            "<i><button>No</button><button>OK</button></i>",
            "<i><button>No</button><button onclick=tell(1)>OK</button></i>",
        ),
    ],
)
def test_what_only_looks_alike_takes_no_number_over(reading: Reading, before: str, after: str) -> None:
    async def steps(tab: BrowseSession) -> None:
        last = tab.snapshot.elements[-1].index
        await reading_page(tab).evaluate("(html) => { box.innerHTML = html }", after)
        with pytest.raises(InvalidInput, match="has vanished"):
            await tab.click(last)
        assert (await tab.look()).title == "Boats"

    work(reading, f"<div id=box>{before}</div>", steps)


# -------------------------------------------------------------------------------------------------- what comes late


def test_what_a_click_shows_after_a_pause_is_in_its_snapshot(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert "Low at nine" in (await tab.click(1)).content
        assert "Drawer words" in (await tab.click(2)).content

    work(
        reading,
        "<style>#drawer { opacity: 0; transition: opacity .3s } #drawer.on { opacity: 1 }</style>"
        "<button onclick=\"setTimeout(() => { tide.textContent = 'Low at nine' }, 300)\">Tide</button>"
        "<button onclick=\"drawer.className = 'on'\">Drawer</button><p id=tide></p><p id=drawer>Drawer words",
        steps,
    )


LATE_ANSWERS = """
<script>const later = (ms, then) => setTimeout(then, ms)</script>
<label>Port <input autocomplete=off oninput="later(300, () => ports.innerHTML = '<li>Bergen')"></label>
<ul id=ports></ul>
<a href=#a onmouseenter="later(600, () => card.textContent = 'Ann has two boats')">Ann</a><p id=card></p>
<button onclick="this.textContent = 'Saving…'; later(800, () => this.textContent = 'Order 7 is saved')">Save</button>
<button onclick="cabins.innerHTML = '<div class=skeleton style=height:20px></div>';
  later(800, () => cabins.textContent = 'Cabin 4')">Cabins</button><p id=cabins></p>
<button onclick="this.textContent = 'Armed'; later(300, () => fire.disabled = false)">Arm</button>
<button id=fire disabled onclick=tell('fired')>Fire</button><p id=end></p>
"""


def test_late_answers_to_typing_hovering_and_loading(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert "Bergen" in (await tab.type(number(tab.snapshot, "Port"), "ber")).content
        assert "Ann has two boats" in (await tab.hover(number(tab.snapshot, "Ann"))).content
        assert "Order 7 is saved" in (await tab.click(number(tab.snapshot, "Save"))).content
        assert "Cabin 4" in (await tab.click(number(tab.snapshot, "Cabins"))).content
        await tab.click(number(tab.snapshot, "Arm"))
        assert "fired" in (await tab.click(number(tab.snapshot, "Fire"))).title
        await reading_page(tab).evaluate(
            "() => { later(300, () => { end.innerHTML = '<button onclick=tell(`late`)>Comes late' }) }"
        )
        assert "late" in (await tab.click(words="Comes late")).title

    work(reading, LATE_ANSWERS, steps)


NO_SIGNS = {
    "Attach": "<div class=file-uploader><i>Drop a file here</i></div>",
    "Pictures": "<div class=lazyloading-gallery><i>Boats</i></div><div class='preloader-done lazy-loading'></div>",
    "Archive": "<h3>Searching the archive</h3><h3>Processing times</h3>",
    "Panel": f"<div class=loader-panel><p>{'The harbour has many boats. ' * 5}</p></div><div class=loader>Crane</div>",
}
"""What a click shows, by the name of its button: names and words that only resemble signs of loading."""


def test_ordinary_names_and_words_are_not_waited_for(reading: Reading) -> None:
    reading.site.pages["/fleet"] = "<title>Fleet</title><h1>The fleet</h1><div class=spinner style=height:20px></div>"

    async def steps(tab: BrowseSession) -> None:
        tab._settings = replace(tab._settings, browse=replace(tab._settings.browse, settle_s=600.0))
        for name in NO_SIGNS:
            await tab.click(number(tab.snapshot, name))
        assert {"Drop a file here", "Processing times"} <= set(tab.snapshot.content.replace("### ", "").splitlines())
        assert "The fleet" in (await tab.click(number(tab.snapshot, "Fleet"))).content

    parts = "".join(
        f"<button onclick='this.nextSibling.hidden = false'>{name}</button><div hidden>{html}</div>"
        for name, html in NO_SIGNS.items()
    )
    work(reading, f"<a href=/fleet>Fleet</a>{parts}", steps)


def test_a_sign_of_loading_that_stays_is_no_warning(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> PageSnapshot:
        tab._settings = replace(tab._settings, browse=replace(tab._settings.browse, settle_s=0.5))
        return await tab.click(1)

    spinner = "<div class=MuiSpinner-root style=height:20px hidden></div>"
    page = work(reading, f"<button onclick='this.nextSibling.hidden = false'>Load</button>{spinner}", steps)
    assert page.notices == ()


SECOND_CHANGES = {
    "text": ("<p id=late></p>", "late.textContent = 'Low at nine'", "Low at nine"),
    "value": ("<input id=late>", "late.value = 'Low at nine'", "Low at nine"),
    "focus": ("<input id=late aria-label=Tide>", "late.focus()", 'textbox "Tide" (focused)'),
}
"""Changes that follow another one: the page, the change, and the words that show it."""


@pytest.mark.parametrize("kind", SECOND_CHANGES)
def test_a_change_after_the_early_snapshot_is_shown(
    reading: Reading, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(browse_session, "_MAX_EARLY_S", 60.0)  # also on a busy machine
    page, change, words = SECOND_CHANGES[kind]

    async def steps(tab: BrowseSession) -> None:
        assert words in (await tab.click(number(tab.snapshot, "Go"))).content

    # A snapshot reads the notes of frameworks on elements, so the page can react to one.
    waits_for_snapshot = (
        "<script>isClicked = false; Object.defineProperty(first, '__reactProps$1', {enumerable: true, get() {"
        f"if (isClicked) setTimeout(() => {{ {change} }}); isClicked = false; return {{}} }} }})</script>"
    )
    button = "<button onclick=\"isClicked = true; first.textContent = 'Waits'\">Go</button><p id=first></p>"
    work(reading, button + page + waits_for_snapshot, steps)


def test_a_step_on_a_page_that_ticks_waits_once(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse_session, "_MAX_EARLY_S", 60.0)  # also on a busy machine
    ended = Event()

    def answer(_: Asked) -> None:
        ended.wait(60)

    reading.site.pages["/boats"] = answer

    async def steps(tab: BrowseSession) -> int:
        tab._settings = replace(tab._settings, browse=replace(tab._settings.browse, settle_s=0.5))
        snapshot = await tab.click(number(tab.snapshot, "Go"))
        ended.set()
        assert [notice.code for notice in snapshot.notices] == ["still_loading"]
        return int(await reading_page(tab).evaluate("snapshots"))

    counts = (
        "<script>snapshots = 0; Object.defineProperty(clock, '__reactProps$1', {enumerable: true, get() {"
        " snapshots += 1; return {} } }); setInterval(() => { clock.textContent = Date.now() }, 10)</script>"
    )
    go = "<button onclick=\"fetch('/boats'); snapshots = 0\">Go</button>"
    assert work(reading, f"{go}<p id=clock>0</p>{counts}", steps) == 1


UNSEEN_CHANGES = {
    "shadow tree": (
        "<div id=late></div><script>inner = late.attachShadow({mode: 'closed'})</script>",
        "inner.textContent = 'Low at nine'",
    ),
    "frame": ("<iframe id=late></iframe>", "late.contentDocument.body.textContent = 'Low at nine'"),
}
"""Changes that the document itself does not show."""


@pytest.mark.parametrize("kind", UNSEEN_CHANGES)
def test_a_second_change_in_a_tree_of_its_own_is_shown(reading: Reading, kind: str) -> None:
    page, change = UNSEEN_CHANGES[kind]

    async def steps(tab: BrowseSession) -> None:
        assert "Low at nine" in (await tab.click(number(tab.snapshot, "Go"))).content

    click = f"first.textContent = 'Waits'; setTimeout(() => {{ {change} }}, 45)"
    work(reading, f'<button onclick="{click}">Go</button><p id=first></p>{page}', steps)


def test_a_page_that_closes_itself_is_not_waited_for(reading: Reading) -> None:
    reading.site.pages["/child"] = "<title>Child</title><button onclick='window.close()'>Close</button>"

    reading.site.pages["/opener"] = "<title>Boats</title><button onclick=\"window.open('/child')\">Open</button>"

    async def steps() -> None:
        settings = BrowseSettings(settle_s=600.0)
        async with reading.web.browse(reading.site.url("/opener"), settings=settings) as tab:
            child = await tab.click(1)
            assert (await tab.click(child.elements[0].index)).title == "Boats"

    reading.run(steps)


def test_a_page_whose_scripts_were_stopped_is_still_worked(reading: Reading) -> None:
    """Its timers never fire, and its frames are not announced: no step may wait for them."""
    reading.site.pages["/child"] = "<title>Child</title>"

    async def steps(tab: BrowseSession) -> None:
        flooded = await tab.click(number(tab.snapshot, "Flood"))
        while "scripts_stopped" not in [notice.code for notice in flooded.notices]:  # windows open late
            flooded = await tab.look()
        typed = await tab.type(number(flooded, "Name"), "Ann")
        assert 'textbox "Name" = "Ann"' in typed.content
        await tab.click(number(typed, "Flood"))

    flood = "for (let i = 0; i < 40; i++) window.open('/child?' + i)"
    work(reading, f'<input aria-label=Name><button onclick="{flood}">Flood</button>', steps)


def test_options_that_come_late_or_on_focus_are_chosen(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> None:
        assert (await tab.select(number(tab.snapshot, "Port"), "Bergen")).title == "Boats Bergen"
        assert (await tab.select(number(tab.snapshot, "Crew"), "Bo")).title == "Boats Bergen Bo"
        now = tab.snapshot
        assert 'textbox "Fish" {Cod | Ling}' in now.content
        assert (await tab.select(number(now, "Fish"), "ling")).title == "Boats Bergen Bo Ling"
        with pytest.raises(InvalidInput, match='has no option "Nobody"'):
            await tab.select(number(tab.snapshot, "Crew"), "Nobody")

    work(
        reading,
        '<div role=combobox tabindex=0 aria-label=Port onclick="setTimeout(() => {ports.hidden = 0}, 250)">-</div>'
        "<div id=ports role=listbox hidden><div role=option onclick=tell('Bergen')>Bergen</div></div>"
        '<select aria-label=Crew onchange=tell(this.value) onfocus="setTimeout(() => { if (this.length < 2) '
        "this.add(new Option('Bo')) }, 200)\"><option>-</select>"
        "<input aria-label=Fish list=fish onchange=tell(this.value)><datalist id=fish><option>Cod<option value=Ling>"
        "</datalist>",
        steps,
    )


def test_a_wait_sees_foreign_frames_and_closed_shadow_trees(reading: Reading) -> None:
    site = reading.site
    site.pages["/foreign"] = "<p>The pilot is <b>aboard</b></p><i class=done>.</i>"

    async def steps(tab: BrowseSession) -> None:
        assert "pilot is aboard" in (await tab.wait(text="Pilot is aboard", timeout_s=30)).content
        await tab.wait(selector="i.done", timeout_s=30)
        await tab.wait(text="in the dark", timeout_s=30)
        await tab.wait(selector="em.deep", timeout_s=30)
        with pytest.raises(Timeout, match="was still on the page"):
            await tab.wait(text="in the dark", gone=True, timeout_s=0.5)
        await tab.click(1)
        assert "in the dark" not in (await tab.wait(text="in the dark", gone=True, timeout_s=30)).content
        with pytest.raises(InvalidInput, match="is not a CSS selector"):
            await tab.wait(selector="p[", timeout_s=5)

    work(
        reading,
        f"<button onclick='host.remove()'>Out</button><iframe src='{site.url('/foreign', 'app.example')}'></iframe>"
        "<x-host id=host></x-host><script>document.getElementById('host').attachShadow({mode: 'closed'}).innerHTML = "
        "'<em class=deep>in the dark</em>'</script>",
        steps,
    )


def test_a_long_poll_does_not_hold_a_page_up(reading: Reading) -> None:
    ended = Event()

    def poll(_: Asked) -> None:
        ended.wait(60)

    reading.site.pages["/poll"] = poll

    async def steps(tab: BrowseSession) -> None:
        ended.set()
        assert "still_loading" not in {notice.code for notice in tab.snapshot.notices}

    work(reading, "<h1>Log book</h1><script>fetch('/poll')</script>", steps)


# ---------------------------------------------------------------------------------------------- where a page leads


def test_the_status_of_a_document_and_its_redirects_are_told(reading: Reading) -> None:
    site = reading.site
    site.pages["/gone"] = (410, {"Content-Type": "text/html"}, b"<p>Sold")
    site.pages["/soon"] = "<meta http-equiv=refresh content='1;url=/quay'><p>One moment"
    site.pages["/header"] = (200, {"Content-Type": "text/html", "Refresh": "0; url=/quay"}, b"<p>One moment")
    site.pages["/later"] = "<meta http-equiv=refresh content='900;url=/quay'><p>One moment"
    site.pages["/again"] = "<meta http-equiv=refresh content='1'><p>Clock"
    site.pages["/quay"] = "<h1>The quay</h1>"

    async def steps(tab: BrowseSession) -> None:
        told = await tab.go(site.url("/gone"))
        assert [(notice.code, notice.detail) for notice in told.notices] == [("http_status", "the server answered 410")]
        for path in ("/soon", "/header"):
            told = await tab.go(site.url(path))
            assert (told.url, told.notices) == (site.url("/quay"), ())
        told = await tab.go(site.url("/later"))
        assert [notice.code for notice in told.notices] == ["redirects_later"]
        assert site.url("/quay") in told.notices[0].detail
        assert (await tab.go(site.url("/again"))).notices == ()

    work(reading, "<p>Start", steps)


def test_a_page_that_never_reacts_loses_its_tab_alone(tmp_path: Path, reading: Reading) -> None:
    site = reading.site
    site.pages["/hangs"] = "<button onclick='for (;;) {}'>Hang</button>"
    site.pages["/in"] = lambda asked: (
        200, {"Content-Type": "text/html", "Set-Cookie": "who=Ann"}, asked.headers.get("Cookie", "nobody").encode(),
    )  # fmt: skip
    chosen = settings_for(site, tmp_path)
    chosen = replace(chosen, browser=replace(chosen.browser, timeout_s=5.0))

    async def steps() -> None:
        async with Web(chosen) as web, web.browse(site.url("/in")) as tab:
            await tab.go(site.url("/hangs"))
            with pytest.raises(Timeout, match="its tab was closed"):
                await tab.click(1)
            assert "who=Ann" in (await tab.go(site.url("/in"))).content

    reading.run(steps)


def test_tabs_are_closed_by_their_numbers(reading: Reading) -> None:
    reading.site.pages["/leaf"] = "<title>Leaf</title><p>Leaf"

    async def steps(tab: BrowseSession) -> None:
        with pytest.raises(InvalidInput, match="the only tab cannot be closed"):
            await tab.close_tab(1)
        assert (await tab.click(1)).title == "Leaf"
        told = await tab.close_tab(2)
        assert (told.title, told.tabs) == ("Boats", ())
        await tab.click(1)
        assert (await tab.close_tab(1)).title == "Leaf"
        with pytest.raises(InvalidInput, match="there is no tab 2"):
            await tab.close_tab(2)

    work(reading, "<a href=/leaf target=_blank>Leaf</a>", steps)


def test_beyond_ten_tabs_a_page_opens_one_for_each_click(reading: Reading) -> None:
    reading.site.pages["/leaf"] = "<title>Leaf</title><p>Leaf"

    async def steps(tab: BrowseSession) -> None:
        told = await tab.look()
        assert len(told.tabs) == 10
        await tab.switch(1)
        told = await tab.click(words="Another")
        assert (len(told.tabs), told.title) == (11, "Leaf")

    script = "<script>for (let n = 0; n < 14; n++) open('/leaf?' + n)</script>"
    work(reading, f"{script}<a href=/leaf target=_blank>Another</a>", steps)


# --------------------------------------------------------------------------------------------- files, permissions


@pytest.fixture
async def yard(tmp_path: Path) -> AsyncIterator[tuple[Web, Site, Path]]:
    need_browser()
    site = Site()
    server = serving(site)
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "log.txt").write_text("all well")
    chosen = settings_for(site, tmp_path / "data")
    browser: BrowserSettings = replace(
        chosen.browser, permissions=("clipboard-write", "geolocation"), geolocation="60,5"
    )
    chosen = replace(chosen, browse=BrowseSettings(workspace=folder, tabs=2), browser=browser)
    async with Web(chosen) as web:
        yield web, site, folder
    server.shutdown()
    server.server_close()


ZONE = """<div id=zone tabindex=0 style='height:80px'>Put files here</div><div id=wall tabindex=0>Wall</div>
<button onclick="navigator.clipboard.writeText('x').then(() => { document.title = 'copied' })">Copy</button>
<button onclick="navigator.geolocation.getCurrentPosition((at) => { document.title = at.coords.latitude })"
>Where</button>
<a href=/leaf?1 target=_blank>One</a> <a href=/leaf?2 target=_blank>Two</a> <a href=/slow>Slow</a>
<script>zone.addEventListener('dragover', (e) => e.preventDefault());
zone.addEventListener('drop', async (e) => { e.preventDefault();
  document.title = await e.dataTransfer.files[0].text() })</script>"""


async def test_files_are_dropped_and_downloads_kept_at_the_end(yard: tuple[Web, Site, Path]) -> None:
    web, site, folder = yard
    site.pages["/slow"] = (200, {"Content-Disposition": "attachment; filename=slow.bin"}, b"x" * 90_000)
    site.pages["/"] = ZONE
    async with web.browse(site.url("/")) as tab:
        assert (await tab.drop(number(tab.snapshot, "Put files"), "log.txt")).title == "all well"
        with pytest.raises(InvalidInput, match="does not accept dropped files"):
            await tab.drop(number(tab.snapshot, "Wall"), "log.txt")
        assert (await tab.click(number(tab.snapshot, "Copy"))).title == "copied"
        await tab.click(number(tab.snapshot, "Where"))
        assert (await tab.wait(timeout_s=5)).title == "60"
        await tab.click(number(tab.snapshot, "Slow"))
    assert (folder / "slow.bin").stat().st_size == 90_000


async def test_as_many_tabs_are_open_as_the_setting_says(yard: tuple[Web, Site, Path]) -> None:
    web, site, _ = yard
    site.pages |= {"/": ZONE, "/leaf": "<title>Leaf</title><p>Leaf"}
    async with web.browse(site.url("/")) as tab:
        assert (await tab.click(number(tab.snapshot, "One"))).title == "Leaf"
        await tab.switch(1)
        told = await tab.click(number(tab.snapshot, "Two"))
        assert told.dialogs == ("a further tab was closed: 2 are open (browse.tabs); close tabs that you do not need",)


def test_a_service_worker_that_is_missed_is_told(reading: Reading) -> None:
    html = (
        "<p id=v>Starting</p><script>navigator.serviceWorker.register('/w.js').then(() => { v.dataset.a = 1 })</script>"
    )
    assert [notice.code for notice in shown(reading, html).notices] == ["no_service_worker"]


# ------------------------------------------------------------------------------------------- find and evaluate


def test_lines_of_every_page_of_a_snapshot_are_found(reading: Reading) -> None:
    rows = "".join(f"<p>Berth {row} <button>Book {row}</button></p>" for row in range(200))

    async def steps(tab: BrowseSession) -> None:
        found = await tab.find("BOOK 173")
        assert [element.name for element in found.elements] == ["Book 173"]
        assert "=== 1 line ===" in found.content
        assert len((await tab.find(r"Berth 17\d ", regex=True)).elements) == 10
        assert (await tab.find("no such berth")).elements == ()
        assert "Booked 173" in (await tab.click(found.elements[0].index)).content
        with pytest.raises(InvalidInput, match="not a regular expression"):
            await tab.find("(", regex=True)

    script = "<script>onclick = (e) => document.body.append('Booked ' + e.target.innerText.split(' ')[1])</script>"
    work(reading, rows + script, steps)


async def test_scripts_of_callers_run_if_the_owner_allows_it(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/desk"] = "<title>Desk</title><p id=total>40</p>"
    settings = settings_for(harbour, tmp_path)
    async with Web(settings) as web, web.browse(harbour.url("/desk")) as tab:
        with pytest.raises(RefusedError) as refused:
            await tab.evaluate("document.title")
        assert refused.value.hint == "set browser.evaluate=true"
    settings = replace(settings, browser=replace(settings.browser, evaluate=True))
    async with Web(settings) as web, web.browse(harbour.url("/desk")) as tab:
        assert await tab.evaluate("Promise.resolve({total: Number(total.innerText)})") == {"total": 40}
        assert await tab.evaluate("undefined") is None
        await tab.evaluate("total.innerText = 'paid'")
        assert "paid" in tab.snapshot.content
        for expression in ("nothing.at.all", "let", "'x'.repeat(30000)"):
            with pytest.raises(InvalidInput):
                await tab.evaluate(expression)


@pytest.mark.parametrize(
    "text",
    [
        "'x'", "'['.repeat(20000)", "'['.repeat(900) + ']'.repeat(900)", "({length: 1})", "({length: Infinity})", "7n",
        "'[]'", "'[1, 2]'", "'{}'", "'[NaN]'", "'[1e999]'", "'[' + '9'.repeat(9000) + ']'",
    ],
)  # fmt: skip
async def test_page_that_replaces_json_is_refused(harbour: Site, tmp_path: Path, text: str) -> None:
    harbour.pages["/forged"] = f"<title>Forged</title><p>Forged.</p><script>JSON.stringify = () => {text}</script>"
    settings = settings_for(harbour, tmp_path)
    settings = replace(settings, browser=replace(settings.browser, evaluate=True))
    async with Web(settings) as web, web.browse(harbour.url("/forged")) as tab:
        with pytest.raises(InvalidInput) as refused:
            await tab.evaluate("document.title")
    assert refused.value.message == "the page returned no JSON"


# ----------------------------------------------------------------------------------------------- PDF documents


async def test_tab_of_a_pdf_is_named_and_read(harbour: Site, tmp_path: Path) -> None:
    line = "The ledger of the harbour lists nine boats and their masters."
    document = pdf_file([PdfPage(line_by_tm(72, 700, line))])
    harbour.pages["/ledger.pdf"] = lambda _: (200, {"Content-Type": "application/pdf"}, document)
    harbour.pages["/links"] = "<a href=/ledger.pdf>Here</a> <a href=/ledger.pdf target=_blank>New tab</a>"
    url = harbour.url("/ledger.pdf")
    async with Web(settings_for(harbour, tmp_path)) as web, web.browse(harbour.url("/links")) as tab:
        stayed = await tab.click(words="Here")
        assert stayed.url == harbour.url("/links")
        assert stayed.downloads[0].endswith(f"read the document at {url}")
        opened = await tab.click(words="New tab")
        assert (opened.url, opened.title) == (url, "PDF document ledger.pdf")
        assert opened.tabs[1] == f"* 2 PDF document ledger.pdf {url}"
        assert [notice.code for notice in opened.notices] == ["pdf_document"]
        assert line in (await tab.read()).text
        assert (await tab.switch(1)).url == harbour.url("/links")
        with pytest.raises(Unsupported) as refused:
            await tab.go(url)
        assert "wellread read" in refused.value.hint


# --------------------------------------------------------------------------------------------------- emulation


async def test_pages_are_told_the_device_and_its_user(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/device"] = (
        "<title>Device</title><meta name=viewport content='width=device-width'><p id=told></p><script>"
        "told.innerText = [innerWidth, navigator.maxTouchPoints > 0, / Mobile /.test(navigator.userAgent), "
        "Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches, "
        "navigator.language].join(' ')</script><button onclick=\"document.title = 'pressed'\">Press</button>"
    )
    url = harbour.url("/device")
    async with Web(settings_for(harbour, tmp_path)) as web:
        async with web.browse(url, mobile=True, timezone="Europe/Oslo", color_scheme="dark", locale="nb-NO") as tab:
            assert "390 true true Europe/Oslo true nb-NO" in tab.snapshot.content
            assert (await tab.click(1)).title == "pressed"
        async with web.browse(url) as tab:
            assert "1280 false false" in tab.snapshot.content
            assert "false en-US" in tab.snapshot.content
        with pytest.raises(InvalidInput, match="time zone"):
            async with web.browse(url, timezone="Europe/Nowhere"):
                pass


def test_late_changes_have_what_is_left_of_the_time_of_a_step(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> tuple[float, float]:
        began = anyio.current_time()
        await tab.press("x")  # has no late changes
        between = anyio.current_time()
        await tab.click(1)
        return between - began, anyio.current_time() - between

    page = """<button>Load</button><main></main><script>
const spin = () => { document.querySelector('main').innerHTML += '<div class=spinner style="height: 1px"></div>' };
for (const kind of ['keydown', 'click']) addEventListener(kind, () => { spin(); setInterval(spin, 100) }, {once: true});
</script>"""
    press_s, click_s = work(reading, page, steps)
    assert click_s < 1.7 * press_s, (press_s, click_s)


def test_button_that_a_field_enables_when_it_is_left(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        await tab.type(number(tab.snapshot, "Name"), "Ann")
        return (await tab.click(words="Next")).title

    page = """<input aria-label=Name><button disabled onclick="tell('next')">Next</button><script>
const name = document.querySelector('input'), next = document.querySelector('button');
name.addEventListener('change', () => setTimeout(() => { next.disabled = name.value.length < 3 }, 100));
</script>"""
    assert work(reading, page, steps) == "Boats next"


def test_list_that_is_drawn_again_as_it_scrolls_is_scrolled(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        await tab.scroll(1, index=tab.snapshot.elements[-1].index)
        return (await tab.click(words="Open in row 'Order 12'")).title

    page = """<div id=list style="height: 200px; overflow: auto">
<div style="height: 9000px; position: relative"></div></div><script>const draw = () => {
  const first = Math.floor(list.scrollTop / 30), numbers = Array.from({length: 9}, (_, row) => first + row);
  list.firstElementChild.innerHTML = numbers.map((order) => `
    <div role=row style="position: absolute; top: ${order * 30}px">
    Order ${order} <button onclick="tell(${order})">Open</button></div>`).join('');
};
list.onscroll = draw; draw();</script>"""
    assert work(reading, page, steps) == "Boats 12"


def test_words_that_begin_with_a_number_are_clicked(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        await perform(tab, parse_step("click 12 Quay Lane"))
        await perform(tab, parse_step("click 1 double"))
        return tab.snapshot.title

    page = (
        "<button ondblclick=\"tell('street')\">12 Quay Street</button>"
        "<button onclick=\"tell('lane')\">12 Quay Lane</button>"
    )
    assert work(reading, page, steps) == "Boats lane street"


def test_rows_that_were_scrolled_out_of_a_box_keep_their_text(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> tuple[str, str]:
        below = await tab.click(words="Go in row 'Boat 41'")
        return below.content, (await tab.click(words="Go in row 'Boat 3'")).title

    rows = "".join(f"<tr><td>Boat {row}<td><button onclick='tell({row})'>Go</button>" for row in range(60))
    page = f"""<div style="height: 200px; overflow: auto; position: relative"><table>{rows}</table>
<p style="position: absolute; top: -9999px">Never seen</p></div>"""
    content, title = work(reading, page, steps)
    assert title == "Boats 41 3"
    assert ("Boat 7 |" in content, "Never seen" in content) == (True, False)


AXES = """<div style="width: 200px; height: 40px; overflow-x: auto; overflow-y: hidden">
<div style="width: 900px; height: 40px"><button>Near</button>
<button style="margin-left: 600px">Far right</button></div>
<p>Below the bar</p><button>Below</button></div>
<div style="width: 200px; height: 40px; overflow-x: hidden; overflow-y: auto">
<div style="width: 900px"><button style="margin-left: 600px">Beside</button></div>
<p style="margin-top: 300px">Down the list</p><button>Down</button></div>"""


def test_box_that_scrolls_along_one_axis_clips_the_other(reading: Reading) -> None:
    snapshot = shown(reading, AXES)
    assert [element.name for element in snapshot.elements] == ["Near", "Far right", "Down"]
    assert ("Below the bar" in snapshot.content, "Down the list" in snapshot.content) == (False, True)


def test_scroll_takes_the_size_of_the_box_of_its_axis(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        await tab.scroll(1, index=number(tab.snapshot, "First"))
        return tab.snapshot.title

    page = """<div id=list style="height: 300px; overflow: auto"><div style="height: 40px; overflow-x: auto;
overflow-y: hidden"><div style="width: 9000px"><button>First</button></div></div>
<div style="height: 5000px"></div></div>
<script>list.onscroll = () => { document.title = list.scrollTop > 200 ? 'far' : 'near' }</script>"""
    assert work(reading, page, steps) == "far"
