"""Seventy-two kinds of controls, each on a page of its own in `controls.html`, and how each is worked.

Handlers tell the site by a request, so that nothing but the page itself says what happened.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.browser.browse.browse_session import BrowseSession

SAY = (
    "<script>function say(what, e) { fetch('/hit?' + encodeURIComponent(what + ' ' + !!(e && e.isTrusted)),"
    "{keepalive: true}) }</script>"
)
STYLE = "<style>body{font:16px sans-serif;margin:20px} .box{width:160px;height:40px;background:#cde}</style>"


def number(tab: BrowseSession, name: str) -> int:
    """Return the number of the element with this name; exact names first."""
    elements = tab.snapshot.elements
    exact = [each.index for each in elements if each.name == name]
    near = [each.index for each in elements if name in each.name]
    found = exact or near
    assert found, f"no element {name!r} in:\n{tab.snapshot.content}"
    return found[0]


def click(*names: str) -> Callable[[BrowseSession], Awaitable[object]]:
    async def steps(tab: BrowseSession) -> None:
        for name in names:
            await tab.click(number(tab, name))

    return steps


def fill(name: str, text: str, *, submit: bool = False) -> Callable[[BrowseSession], Awaitable[object]]:
    return lambda tab: tab.type(number(tab, name), text, submit=submit)


def select(name: str, option: str) -> Callable[[BrowseSession], Awaitable[object]]:
    return lambda tab: tab.select(number(tab, name), option)


async def open_and_click(tab: BrowseSession) -> None:
    await tab.click(number(tab, "Open"))
    await tab.wait(text="Target")
    await tab.click(number(tab, "Target"))


async def hover_and_click(tab: BrowseSession) -> None:
    await tab.hover(number(tab, "Products"))
    await tab.click(number(tab, "Ropes"))


async def press_keys(tab: BrowseSession) -> None:
    await tab.click(number(tab, "Knob"))
    await tab.press("ArrowRight")


async def scroll_for_more(tab: BrowseSession) -> None:
    for _ in range(4):
        await tab.scroll(2)
    await tab.click(number(tab, "row 25"))


def drag(name: str, to: str) -> Callable[[BrowseSession], Awaitable[object]]:
    return lambda tab: tab.drag(number(tab, name), number(tab, to))


class Kind(NamedTuple):
    """A page, what is done on it, and what its handler says when it worked."""

    html: str
    steps: Callable[[BrowseSession], Awaitable[object]]
    wanted: str


OTHERWISE = (click("Target"), "Target true")
PARTICULAR = {
    "link of two lines": (click("Target and"), "Target true"),
    "text": (fill("Name", "Ann", submit=True), "Target=Ann true"),
    "text with key listeners": (fill("Name", "Ann"), "Target=Ann true"),
    "text that is replaced": (fill("Name", "new", submit=True), "Target=new true"),
    "search": (fill("Find", "boats", submit=True), "Target=boats true"),
    "password": (fill("Secret", "pw", submit=True), "Target=pw true"),
    "number": (fill("Count", "42"), "Target=42 true"),
    "textarea": (fill("Words", "one\ntwo"), "Target=one\ntwo true"),
    "contenteditable": (fill("Words", "new"), "Target=new true"),
    "date": (fill("Day", "2026-03-15"), "Target=2026-03-15 true"),
    "time": (fill("Hour", "14:30"), "Target=14:30 true"),
    "month": (fill("Month", "2026-03"), "Target=2026-03 true"),
    "week": (fill("Week", "2026-W12"), "Target=2026-W12 true"),
    "date and time": (fill("When", "2026-03-15T09:30"), "Target=2026-03-15T09:30 true"),
    "colour": (fill("Paint", "#0c8040"), "Target=#0c8040 true"),
    "slider": (fill("Volume", "73"), "Target=73 true"),
    "select": (select("Fruit", "Pear"), "Target=Pear true"),
    "select of many": (select("Fruit", "Pear"), "Target=Pear true"),
    "select by click handlers": (select("Fruit", "Target"), "Target true"),
    "datalist": (fill("Port", "Oslo", submit=True), "Target=Oslo true"),
    "aria slider": (press_keys, "Target ArrowRight true"),
    "double click": (lambda tab: tab.click(number(tab, "Target"), count=2), "Target true"),
    "context menu": (lambda tab: tab.click(number(tab, "Target"), button="right"), "Target true"),
    "hover menu": (hover_and_click, "Target true"),
    "drag and drop": (drag("Parcel", "Van"), "Target true"),
    "drag by pointer": (drag("Parcel", "Van"), "Target true"),
    "drag by pixels": (lambda tab: tab.drag(number(tab, "Handle"), dx=80), "Target=8 true"),
    "popover": (click("More", "Target"), "Target true"),
    "endless scroll": (scroll_for_more, "row 25 true"),
    "new tab": (open_and_click, "Target true"),
    "opened window": (open_and_click, "Target true"),
    "late element": (click("Open", "Target"), "Target true"),
}
"""What is done, and what the handler then says, where that is not a click on the target."""


def _kinds() -> dict[str, Kind]:
    parts = re.split(r"(?m)^<!-- (.+) -->\n", (Path(__file__).parent / "controls.html").read_text(encoding="utf-8"))
    pages = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert set(PARTICULAR) <= set(pages)
    return {name: Kind(html.strip(), *PARTICULAR.get(name, OTHERWISE)) for name, html in pages.items()}


KINDS = _kinds()
INNER = STYLE + SAY + "<button onclick=\"say('Target', event)\">Target</button>"
NESTED = STYLE + "<p>nested</p><iframe src='THIRD/inner' width=300 height=100></iframe>"
