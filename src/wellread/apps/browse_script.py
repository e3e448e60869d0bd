"""Parse the steps of a browser session as a person types them (`click 3; type 5 hello; press Enter`), and run them."""

from __future__ import annotations

import difflib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.targets import ClickOptions, StepTarget
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import Page, PageSnapshot

HELP: Final = (
    ("3", "click element 3"),
    ("click 3 [right|double]", "click with another button, or twice"),
    ("click 3 with Control", "click while keys are pressed, such as Control+Shift"),
    ("click Load more", "click the element with these words; hover, type and select take words in quotes, too"),
    (
        'click "Delete" in row "Order 7"',
        "click the one of equal elements that is in a row or card; `below` names a heading",
    ),
    ("click selector .save", "click the element that matches a CSS selector; use quotes if it has spaces"),
    ("click at 120 80", "click a point of the window, as on its screenshot"),
    ("type 5 some words", "replace the text of field 5"),
    ("submit 5 some words", "replace the text, then press Enter"),
    ("select 4 Norway", "choose an option of element 4"),
    ("press Enter", "press a key or a combination, such as Control+A"),
    ("hover 2", "move the pointer over element 2"),
    ("drag 2 7", "drag element 2 to element 7; `drag 2 by 80 0` uses pixels"),
    ("scroll [down|up|N]", "scroll by one screen, or by N screens; a negative N scrolls up"),
    ("wait [words]", "wait for these words; without words, wait until the page is loaded"),
    ("wait gone words", "wait until these words are gone"),
    ("wait selector .done", "wait for a CSS selector; `wait download` waits for downloads"),
    ("go URL, back", "open another page, or go back"),
    ("tab 2, page 2", "show another tab, or the next page of elements"),
    ("close-tab 2", "close a tab"),
    ("upload 6 name", "choose a file of the workspace"),
    ("drop 6 name", "drop a file of the workspace on element 6"),
    ("answer accept|dismiss", "how to answer dialogs of the page; `answer accept Ann` gives prompts a text"),
    ("screenshot [FILE]", "save a picture of the window as PNG; screenshot.png without a name"),
    ("read", "print the whole page as markdown"),
    ("snapshot", "take a new snapshot"),
    ("find words", "print the lines of the page with these words; `find regex total|sum` takes a regular expression"),
    ("evaluate document.title", "run a JavaScript expression in the page, if browser.evaluate allows it"),
    ("help, quit", ""),
)
# A semicolon within quotes belongs to the words.
_SEMICOLON = re.compile(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)")


_POINT = re.compile(r"at\s+(\d{1,5})[\s,]+(\d{1,5})(?!\S)")
_QUOTED = re.compile(r'(selector\s+)?"([^"]+)"|selector\s+(\S+)')
_PLACES: Final = ("in ", "within ", "below ", "under ")
"""How words of a row begin that follow the quoted words of an element: `click "Delete" in row Order 1042`."""
_QUOTED_PLACE = re.compile(
    r"""(?:(?:^|\s+)(?:in|within|below|under)\s+(?:the\s+)?
    (?:(?:row|card|item|entry|section|group|heading)\s+(?:of\s+|with\s+)?)?(?:"[^"]+"|'[^']+')(?!\S))+""",
    re.VERBOSE,
)
_NAMED_BY_ALL: Final = frozenset({"click", "hover"})
_TARGETED: Final = _NAMED_BY_ALL | {"type", "submit", "select"}
_MANNER = re.compile(
    r"(?:\s(?:double|left|right|middle))?(?:\swith\s(?:control|shift|alt|meta)(?:\+\w+)*)?$", re.IGNORECASE
)
"""What follows words of a row that have no quotes."""
_MODIFIERS = re.compile(r"(?:^|\s)with\s+(\w+(?:\+\w+)*)$")


_OTHER_NAMES: Final = {
    **dict.fromkeys(("goto", "navigate", "open", "visit"), "go"),
    **dict.fromkeys(("fill", "enter", "input"), "type"),
    **dict.fromkeys(("picture", "capture"), "screenshot"),
    **dict.fromkeys(("show", "state"), "snapshot"),
    **dict.fromkeys(("eval", "js", "execute"), "evaluate"),
    "closetab": "close-tab",
    **dict.fromkeys(("tap", "dblclick"), "click"),
    **dict.fromkeys(("key", "keys", "keypress"), "press"),
    **dict.fromkeys(("text", "markdown", "extract"), "read"),
    "dialog": "answer",
    "search": "find",
    "sleep": "wait",
}
"""What other tools call a step -> its name."""
_FORMER_NAMES: Final = {"shot": "screenshot", "look": "snapshot", "close": "close-tab"}
"""Names of steps in scripts for earlier versions, which go on to work."""


class BrowseStep(NamedTuple):
    """One step: its verb and the text after it."""

    verb: str
    argument: str


class StepResult(NamedTuple):
    """The result of one step: a snapshot, a page that was read, a file, or the value of an expression as JSON text."""

    snapshot: PageSnapshot | None = None
    page: Page | None = None
    file: Path | None = None
    value: str | None = None


def parse_steps(text: str) -> list[BrowseStep]:
    """Parse steps separated by semicolons.

    Raises:
        InvalidInput: one part is not a step.
    """
    return [parse_step(part) for part in _SEMICOLON.split(text) if part.strip()]


def parse_step(text: str) -> BrowseStep:
    """Parse one step; a bare number is a click.

    Raises:
        InvalidInput: the verb is unknown.
    """
    verb, _, argument = text.strip().partition(" ")
    if verb.isdigit():
        verb, argument = "click", f"{verb} {argument}"
    verb = _FORMER_NAMES.get(verb.lower(), verb.lower())
    if verb not in _ACTIONS:
        raise InvalidInput(f"unknown step {verb[:40]!r}", hint=_nearest_step(verb))
    return BrowseStep(verb, argument.strip())


def _nearest_step(verb: str) -> str:
    """Return the hint for an unknown step: the step that it may mean, or all steps."""
    matches = [_OTHER_NAMES[verb]] if verb in _OTHER_NAMES else difflib.get_close_matches(verb, _ACTIONS, n=1)
    if matches:
        return f"did you mean {matches[0]}?"
    return f"one of {', '.join(_ACTIONS)}"


def step_of_words(verb: str, words: Sequence[str]) -> BrowseStep:
    """Return a step whose words a shell has separated already: `type "Full name" Ann`.

    The first word names the element, also if it has spaces; words without spaces after click and hover are one name.

    Raises:
        InvalidInput: the verb is unknown, or the words that name an element have quotes.
    """
    if verb not in _TARGETED or not words or words[0] == "at":
        return parse_step(" ".join([verb, *words]))
    first, *others = words
    if first == "selector" and others:
        target, *others = others
        target = f"selector {_quoted(target)}"
    elif first.isascii() and first.isdigit():
        target = first
    elif verb in _NAMED_BY_ALL and " " not in first:
        target, others = _quoted(" ".join(words)), []
    else:
        target = _quoted(first)
    argument = " ".join(others)
    if verb not in _NAMED_BY_ALL:
        argument = f'"{argument}"'
    return BrowseStep(verb, f"{target} {argument}".strip())


def _quoted(words: str) -> str:
    if '"' in words:
        raise InvalidInput(f"{words[:80]} has quotes", hint="use the number of the element, or single quotes")
    return f'"{words}"'


async def perform(tab: BrowseSession, parsed_step: BrowseStep) -> StepResult:
    """Perform one step in `tab`.

    Raises:
        InvalidInput: it lacks something; otherwise as the session's own steps.
    """
    return await _ACTIONS[parsed_step.verb](tab, parsed_step.argument)


def _number(text: str, verb: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InvalidInput(f"{verb} needs the number of an element, not {text[:40]!r}", hint=f"as {verb} 3")
    return int(text)


def _numbered(text: str, verb: str) -> tuple[int, str]:
    """Split a step into the number of an element and the text after it, without its quotes."""
    number, _, argument = text.partition(" ")
    return _number(number, verb), _unquoted(argument.strip())


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text


def _target(text: str, verb: str) -> tuple[StepTarget, str]:
    """Split a step into its target (a number, words or a selector in quotes, a point) and the text after it.

    Text without a number or quotes is the words of the target as a whole.

    Raises:
        InvalidInput: nothing is named.
    """
    if point := _POINT.match(text):
        return StepTarget(point=(float(point[1]), float(point[2]))), text[point.end() :].strip()
    if quoted := _QUOTED.match(text):
        remainder = text[quoted.end() :].strip()
        if text.startswith('"'):
            return StepTarget(words=quoted[2]), remainder
        return StepTarget(selector=quoted[2] or quoted[3]), remainder
    first, _, remainder = text.partition(" ")
    if first.isascii() and first.isdigit():
        return StepTarget(int(first)), remainder.strip()
    if not text:
        raise InvalidInput(f"{verb} needs the number or the words of an element", hint=f"as {verb} 3")
    return StepTarget(words=text), ""


def _placed_target(text: str, verb: str, *, has_manner: bool) -> tuple[StepTarget, str]:
    """Split a step as `_target` does, with the words of a row that follow the quoted words of an element.

    Words of a row without quotes end at the manner of a click, and are taken only where nothing else can follow
    (`has_manner`).
    """
    target, remainder = _target(text, verb)
    if target.words is None:
        return target, remainder
    if quoted := _QUOTED_PLACE.match(remainder):
        place_end = quoted.end()
    elif has_manner and remainder.startswith(_PLACES) and (manner := _MANNER.search(remainder)):
        place_end = manner.start()
    else:
        return target, remainder
    return StepTarget(words=f"{target.words} {remainder[:place_end]}"), remainder[place_end:].strip()


def _field(argument: str, verb: str, *, example: str) -> tuple[StepTarget, str]:
    """Split a step into the field that it names and the text for it.

    Raises:
        InvalidInput: words name it without quotes, so that their end is not known.
    """
    target, text = _placed_target(argument, verb, has_manner=False)
    if target.words is not None and not argument.startswith('"'):
        raise InvalidInput(f"{verb} needs the number of a field, or its words in quotes", hint=f"as {example}")
    return target, _unquoted(text)


async def _click(tab: BrowseSession, argument: str) -> StepResult:
    target, manner = _placed_target(argument, "click", has_manner=True)
    if target.index is not None and not _MANNER.fullmatch(f" {manner}".rstrip()):
        target, manner = StepTarget(words=argument), ""  # words that begin with a number: 12 Quay Street
    modifiers: list[str] = []
    if match := _MODIFIERS.search(manner):
        modifiers = match[1].split("+")
        manner = manner[: match.start()].strip()
    count = 1
    if manner == "double":
        manner, count = "", 2
    options = ClickOptions(
        button=manner or "left",
        count=count,
        modifiers=modifiers,
        words=target.words,
        selector=target.selector,
        point=target.point,
    )
    return StepResult(await tab.click(target.index, **options))


async def _type(tab: BrowseSession, argument: str, *, submit: bool = False) -> StepResult:
    target, text = _field(argument, "type", example='type "Name" Ann')
    return StepResult(await tab.type(target.index, text, submit=submit, words=target.words, selector=target.selector))


async def _submit(tab: BrowseSession, argument: str) -> StepResult:
    return await _type(tab, argument, submit=True)


async def _select(tab: BrowseSession, argument: str) -> StepResult:
    target, option = _field(argument, "select", example='select "Country" Norway')
    return StepResult(await tab.select(target.index, option, words=target.words, selector=target.selector))


async def _press(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.press(argument))


async def _hover(tab: BrowseSession, argument: str) -> StepResult:
    target, remainder = _placed_target(argument, "hover", has_manner=True)
    if remainder:
        raise InvalidInput(f"hover takes an element alone, not {remainder[:40]!r}", hint="as hover 3")
    return StepResult(await tab.hover(target.index, words=target.words, selector=target.selector, point=target.point))


async def _drag(tab: BrowseSession, argument: str) -> StepResult:
    index, to = _numbered(argument, "drag")
    pixels = re.fullmatch(r"by\s+(-?\d{1,5})\s+(-?\d{1,5})", to)
    if pixels:
        return StepResult(await tab.drag(index, dx=int(pixels[1]), dy=int(pixels[2])))
    return StepResult(await tab.drag(index, _number(to, "drag 2")))


async def _scroll(tab: BrowseSession, argument: str) -> StepResult:
    screens = {"": 1.0, "down": 1.0, "up": -1.0}.get(argument)
    if screens is None:
        if not re.fullmatch(r"-?\d{1,3}(?:\.\d+)?", argument):
            raise InvalidInput(f"scroll takes down, up, or a number of screens, not {argument[:40]!r}")
        screens = float(argument)
    return StepResult(await tab.scroll(screens))


async def _wait(tab: BrowseSession, argument: str) -> StepResult:
    if argument == "download":
        return StepResult(await tab.wait(download=True))
    first, _, words = argument.partition(" ")
    if first == "selector" and words:
        return StepResult(await tab.wait(selector=words.strip('"')))
    gone = first == "gone" and bool(words)
    if not gone:
        words = argument
    return StepResult(await tab.wait(text=words.strip('"') or None, gone=gone))


async def _go(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.go(argument))


async def _back(tab: BrowseSession, _: str) -> StepResult:
    return StepResult(await tab.back())


async def _tab(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.switch(_number(argument, "tab")))


async def _page(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(tab.more(_number(argument, "page")))


async def _upload(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.upload(*_numbered(argument, "upload")))


async def _answer(tab: BrowseSession, argument: str) -> StepResult:
    decision, _, prompt = argument.partition(" ")
    tab.answer(decision, prompt=prompt.strip().strip('"'))
    return StepResult(tab.snapshot)


async def _close_tab(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.close_tab(_number(argument, "close-tab")))


async def _drop(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(await tab.drop(*_numbered(argument, "drop")))


async def _screenshot(tab: BrowseSession, argument: str) -> StepResult:
    file = Path(_unquoted(argument) or "screenshot.png")
    await tab.screenshot(file)
    return StepResult(file=file)


async def _read(tab: BrowseSession, _: str) -> StepResult:
    return StepResult(page=await tab.read())


async def _snapshot(tab: BrowseSession, _: str) -> StepResult:
    return StepResult(await tab.look())


async def _find(tab: BrowseSession, argument: str) -> StepResult:
    first, _, expression = argument.partition(" ")
    if first == "regex" and expression:
        return StepResult(await tab.find(_unquoted(expression.strip()), regex=True))
    return StepResult(await tab.find(_unquoted(argument)))


async def _evaluate(tab: BrowseSession, argument: str) -> StepResult:
    return StepResult(value=json.dumps(await tab.evaluate(argument), ensure_ascii=False))


_ACTIONS: Final[dict[str, Callable[[BrowseSession, str], Awaitable[StepResult]]]] = {
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
    "close-tab": _close_tab,
    "upload": _upload,
    "drop": _drop,
    "answer": _answer,
    "screenshot": _screenshot,
    "read": _read,
    "snapshot": _snapshot,
    "find": _find,
    "evaluate": _evaluate,
}
