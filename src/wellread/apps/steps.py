"""Steps of a browser session as a person types them: `click 3; type 5 hello; press Enter`. Read here, and done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.targets import ClickOptions, StepTarget
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.browser.browse.session import Session
    from wellread.types import Page, PageSnapshot

HELP: Final = (
    ("3", "click element 3"),
    ("click 3 [right|double]", "the same, with another button or twice"),
    ("click 3 with Control", "the same, with keys held: Control+Shift"),
    ("click Load more", "what has these words; hover and type take them in quotes too"),
    ("click selector .save", "what fits a CSS selector; in quotes where it has spaces"),
    ("click at 120 80", "a point of the window, as on its picture"),
    ("type 5 some words", "put words into field 5, in place of what it holds"),
    ("submit 5 some words", "the same, then press Enter"),
    ("select 4 Norway", "choose an option of 4"),
    ("press Enter", "press a key; with others held: Control+A"),
    ("hover 2", "move the pointer onto 2"),
    ("drag 2 7", "drag 2 onto 7; `drag 2 by 80 0` for pixels"),
    ("scroll [down|up|N]", "by a screen, or N screens, up below 0"),
    ("wait [words]", "until these words are there; alone, until the page has come to rest"),
    ("wait gone words", "until these words are no longer there"),
    ("wait selector .done", "until something fits a CSS selector; `wait download` until downloads are over"),
    ("go URL, back", "open another page, or go back"),
    ("tab 2, page 2", "show another tab, or further elements"),
    ("close 2", "close a tab"),
    ("upload 6 name", "choose a file of the workspace"),
    ("drop 6 name", "drop a file of the workspace on 6"),
    ("answer accept|dismiss", "how questions of the page are answered; `answer accept Ann` gives prompts a text"),
    ("shot FILE", "save a picture of the window as PNG"),
    ("read", "the whole page as markdown"),
    ("look", "take a new snapshot"),
    ("help, quit", ""),
)
# A semicolon within quotes belongs to the words.
_SEMICOLON = re.compile(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)")


_POINT = re.compile(r"at\s+(\d{1,5})[\s,]+(\d{1,5})(?!\S)")
_QUOTED = re.compile(r'(selector\s+)?"([^"]+)"|selector\s+(\S+)')
_HELD = re.compile(r"(?:^|\s)with\s+(\w+(?:\+\w+)*)$")


class Step(NamedTuple):
    """One step: what to do, and with what."""

    verb: str
    rest: str


class Done(NamedTuple):
    """What a step led to: a snapshot, a page that was read, or a file."""

    snapshot: PageSnapshot | None = None
    page: Page | None = None
    file: Path | None = None


def steps(text: str) -> list[Step]:
    """Read steps separated by semicolons.

    Raises:
        InvalidInput: one of them is none.
    """
    return [step(part) for part in _SEMICOLON.split(text) if part.strip()]


def step(text: str) -> Step:
    """Read one step; a bare number is a click.

    Raises:
        InvalidInput: there is no such step.
    """
    verb, _, rest = text.strip().partition(" ")
    if verb.isdigit():
        verb, rest = "click", f"{verb} {rest}"
    verb = verb.lower()
    if verb not in _WAYS:
        raise InvalidInput(f"{verb[:40]!r} is no step", hint=f"one of {', '.join(_WAYS)}")
    return Step(verb, rest.strip())


async def perform(tab: Session, each: Step) -> Done:
    """Do one step.

    Raises:
        InvalidInput: it lacks something; otherwise as the session's own steps.
    """
    return await _WAYS[each.verb](tab, each.rest)


def _number(text: str, verb: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InvalidInput(f"{verb} needs the number of an element, not {text[:40]!r}", hint=f"as {verb} 3")
    return int(text)


def _numbered(text: str, verb: str) -> tuple[int, str]:
    """Split off the number; quotes around the rest go."""
    first, _, rest = text.partition(" ")
    rest = rest.strip()
    if len(rest) >= 2 and rest[0] == rest[-1] == '"':
        rest = rest[1:-1]
    return _number(first, verb), rest


def _target(text: str, verb: str) -> tuple[StepTarget, str]:
    """Split off what a step is done on: a number, words or a selector in quotes, a point; unquoted words are the rest.

    Raises:
        InvalidInput: nothing is named.
    """
    if point := _POINT.match(text):
        return StepTarget(point=(float(point[1]), float(point[2]))), text[point.end() :].strip()
    if quoted := _QUOTED.match(text):
        rest = text[quoted.end() :].strip()
        if text.startswith('"'):
            return StepTarget(words=quoted[2]), rest
        return StepTarget(selector=quoted[2] or quoted[3]), rest
    first, _, rest = text.partition(" ")
    if first.isascii() and first.isdigit():
        return StepTarget(int(first)), rest.strip()
    if not text:
        raise InvalidInput(f"{verb} needs the number of an element, or its words", hint=f"as {verb} 3")
    return StepTarget(words=text), ""


async def _click(tab: Session, rest: str) -> Done:
    target, how = _target(rest, "click")
    held = _HELD.search(how)
    modifiers = held[1].split("+") if held else []
    how = how[: held.start()].strip() if held else how
    count = 2 if how == "double" else 1
    button = "left" if how in {"", "double"} else how
    options = ClickOptions(
        button=button,
        count=count,
        modifiers=modifiers,
        words=target.words,
        selector=target.selector,
        point=target.point,
    )
    return Done(await tab.click(target.index, **options))


async def _type(tab: Session, rest: str, *, submit: bool = False) -> Done:
    target, text = _target(rest, "type")
    if target.words is not None and not rest.startswith('"'):
        raise InvalidInput("type needs the number of a field, or its words in quotes", hint='as type "Name" Ann')
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1]
    return Done(await tab.type(target.index, text, submit=submit, words=target.words, selector=target.selector))


async def _submit(tab: Session, rest: str) -> Done:
    return await _type(tab, rest, submit=True)


async def _select(tab: Session, rest: str) -> Done:
    return Done(await tab.select(*_numbered(rest, "select")))


async def _press(tab: Session, rest: str) -> Done:
    return Done(await tab.press(rest))


async def _hover(tab: Session, rest: str) -> Done:
    target, _ = _target(rest, "hover")
    return Done(await tab.hover(target.index, words=target.words, selector=target.selector, point=target.point))


async def _drag(tab: Session, rest: str) -> Done:
    index, to = _numbered(rest, "drag")
    pixels = re.fullmatch(r"by\s+(-?\d{1,5})\s+(-?\d{1,5})", to)
    if pixels:
        return Done(await tab.drag(index, dx=int(pixels[1]), dy=int(pixels[2])))
    return Done(await tab.drag(index, _number(to, "drag 2")))


async def _scroll(tab: Session, rest: str) -> Done:
    screens = {"": 1.0, "down": 1.0, "up": -1.0}.get(rest)
    if screens is None:
        if not re.fullmatch(r"-?\d{1,3}(?:\.\d+)?", rest):
            raise InvalidInput(f"scroll takes down, up, or a number of screens, not {rest[:40]!r}")
        screens = float(rest)
    return Done(await tab.scroll(screens))


async def _wait(tab: Session, rest: str) -> Done:
    if rest == "download":
        return Done(await tab.wait(download=True))
    first, _, words = rest.partition(" ")
    if first == "selector" and words:
        return Done(await tab.wait(selector=words.strip('"')))
    gone = first == "gone" and bool(words)
    return Done(await tab.wait(text=(words if gone else rest).strip('"') or None, gone=gone))


async def _go(tab: Session, rest: str) -> Done:
    return Done(await tab.go(rest))


async def _back(tab: Session, _: str) -> Done:
    return Done(await tab.back())


async def _tab(tab: Session, rest: str) -> Done:
    return Done(await tab.switch(_number(rest, "tab")))


async def _page(tab: Session, rest: str) -> Done:
    return Done(tab.more(_number(rest, "page")))


async def _upload(tab: Session, rest: str) -> Done:
    return Done(await tab.upload(*_numbered(rest, "upload")))


async def _answer(tab: Session, rest: str) -> Done:
    how, _, prompt = rest.partition(" ")
    tab.answer(how, prompt=prompt.strip().strip('"'))
    return Done(tab.snapshot)


async def _close(tab: Session, rest: str) -> Done:
    return Done(await tab.close_tab(_number(rest, "close")))


async def _drop(tab: Session, rest: str) -> Done:
    return Done(await tab.drop(*_numbered(rest, "drop")))


async def _shot(tab: Session, rest: str) -> Done:
    if not rest:
        raise InvalidInput("shot needs the name of a file", hint="as shot page.png")
    file = Path(rest)
    await tab.screenshot(file)
    return Done(file=file)


async def _read(tab: Session, _: str) -> Done:
    return Done(page=await tab.read())


async def _look(tab: Session, _: str) -> Done:
    return Done(await tab.look())


_WAYS: Final[dict[str, Callable[[Session, str], Awaitable[Done]]]] = {
    "click": _click,
    "type": _type,
    "submit": _submit,
    "select": _select,
    "press": _press,
    "hover": _hover,
    "drag": _drag,
    "scroll": _scroll,
    "wait": _wait,
    "go": _go,
    "back": _back,
    "tab": _tab,
    "page": _page,
    "close": _close,
    "upload": _upload,
    "drop": _drop,
    "answer": _answer,
    "shot": _shot,
    "read": _read,
    "look": _look,
}
