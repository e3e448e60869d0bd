"""Arguments of each browser operation; a model reads the descriptions beside them before it calls.

A session is named in every call, for a caller may have several, and the protocols keep no state between calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from wellread.apps.operations.arguments import AllNotices, Url
from wellread.apps.operations.operation_schemas import ArgumentInfo

SnapshotExtra = Literal["elements"]
Answer = Literal["accept", "dismiss"]
Modifier = Literal["Control", "Shift", "Alt", "Meta"]

SESSION_CHARS = 64

Handle = Annotated[
    str, ArgumentInfo(text="The session that browse_url gave.", longest=SESSION_CHARS, example="tab_9f2c4be0d1a84c6e")
]
Index = Annotated[int, ArgumentInfo(text="The number of the element: 3 for [3].", least=1, most=1_000_000, example=3)]
Chosen = Annotated[
    int | None, ArgumentInfo(text="The number of the element: 3 for [3].", least=1, most=1_000_000, example=3)
]
Words = Annotated[
    str | None, ArgumentInfo(text="Instead of index: the words of one element, such as Load more.", longest=200)
]
Selector = Annotated[
    str | None, ArgumentInfo(text="Instead of index: a CSS selector that one element fits.", longest=500)
]
Point = Annotated[
    tuple[int, ...],
    ArgumentInfo(text="Instead of index: x and y in the window, as on page_screenshot's picture.", longest=2),
]
Include = Annotated[
    tuple[SnapshotExtra, ...],
    ArgumentInfo(text="elements adds the numbered elements as a list: role, name, value, state.", longest=1),
]
Dialogs = Annotated[
    Answer | None,
    ArgumentInfo(
        text="How the page's questions (confirm, prompt) are answered from now on; at first by dismissing them."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenArguments:
    """Arguments of `browse_url`."""

    url: Url
    session: Annotated[
        str | None,
        ArgumentInfo(text="A session to open it in, cookies and all; without, a new one.", longest=SESSION_CHARS),
    ] = None
    profile: Annotated[
        str | None,
        ArgumentInfo(
            text="Open a new session signed in by what is kept under this name, and keep what changes. Only names that "
            "the owner granted; leave it out unless the task names one.",
            longest=64,
        ),
    ] = None
    dialogs: Dialogs = None
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickArguments:
    """Arguments of `page_click`."""

    session: Handle
    index: Chosen = None
    words: Words = None
    selector: Selector = None
    point: Point = ()
    button: Annotated[Literal["left", "right", "middle"], ArgumentInfo(text="Which button of the mouse.")] = "left"
    double: Annotated[bool, ArgumentInfo(text="Click twice, as for opening.")] = False
    modifiers: Annotated[tuple[Modifier, ...], ArgumentInfo(text="Keys that are held meanwhile.", longest=4)] = ()
    dialogs: Dialogs = None
    prompt: Annotated[
        str | None, ArgumentInfo(text="What prompts are answered with; they are then accepted.", longest=1_000)
    ] = None
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeArguments:
    """Arguments of `page_type`."""

    session: Handle
    text: Annotated[
        str, ArgumentInfo(text="The text, line breaks included; empty to clear the field.", longest=20_000, blank=True)
    ]
    submit: Annotated[bool, ArgumentInfo(text="Press Enter once, after the text. Nothing else presses it.")] = False
    index: Chosen = None
    words: Words = None
    selector: Selector = None
    clear: Annotated[bool, ArgumentInfo(text="In place of what the field holds; false adds to it.")] = True
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectArguments:
    """Arguments of `page_select`."""

    session: Handle
    index: Index
    option: Annotated[str, ArgumentInfo(text="The option's label or value.", longest=500, example="Norway")]
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressArguments:
    """Arguments of `page_press`."""

    session: Handle
    key: Annotated[
        str,
        ArgumentInfo(
            text="Enter, Escape, Tab, ArrowDown, a; with others held: Control+A.", longest=40, example="Escape"
        ),
    ]
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HoverArguments:
    """Arguments of `page_hover`."""

    session: Handle
    index: Chosen = None
    words: Words = None
    selector: Selector = None
    point: Point = ()
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DragArguments:
    """Arguments of `page_drag`."""

    session: Handle
    index: Index
    onto: Annotated[
        int | None,
        ArgumentInfo(text="The element to drop it on; without, dx and dy say where.", least=1, most=1_000_000),
    ] = None
    dx: Annotated[int, ArgumentInfo(text="Pixels to the right, below 0 to the left.", least=-10_000, most=10_000)] = 0
    dy: Annotated[int, ArgumentInfo(text="Pixels down, below 0 up.", least=-10_000, most=10_000)] = 0
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollArguments:
    """Arguments of `page_scroll`."""

    session: Handle
    direction: Annotated[Literal["down", "up", "right", "left"], ArgumentInfo(text="Which way to scroll.")] = "down"
    screens: Annotated[int, ArgumentInfo(text="By how many screens.", least=1, most=100)] = 1
    index: Annotated[
        int | None, ArgumentInfo(text="Scroll within this element instead of the page.", least=1, most=1_000_000)
    ] = None
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BackArguments:
    """Arguments of `page_back`."""

    session: Handle
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitArguments:
    """Arguments of `page_wait`."""

    session: Handle
    text: Annotated[str | None, ArgumentInfo(text="Until these words are on the page.", longest=500)] = None
    selector: Annotated[str | None, ArgumentInfo(text="Until an element fits this CSS selector.", longest=500)] = None
    gone: Annotated[bool, ArgumentInfo(text="Until they are no longer on the page.")] = False
    download: Annotated[bool, ArgumentInfo(text="Until no download is under way.")] = False
    most_s: Annotated[int, ArgumentInfo(text="The most seconds to wait.", least=1, most=60)] = 15
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadArguments:
    """Arguments of `page_upload`."""

    session: Handle
    index: Index
    files: Annotated[
        tuple[str, ...],
        ArgumentInfo(text="Names of files in the server's workspace, as web_download gave them.", longest=10),
    ]
    drop: Annotated[bool, ArgumentInfo(text="Drop them on the element, which is a zone for files without a field.")] = (
        False
    )
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenshotArguments:
    """Arguments of `page_screenshot`."""

    session: Handle
    full: Annotated[bool, ArgumentInfo(text="The whole page, not the window alone.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LookArguments:
    """Arguments of `page_read`."""

    session: Handle
    form: Annotated[
        Literal["snapshot", "markdown"],
        ArgumentInfo(
            text="snapshot: text with numbered elements, to act on; markdown: the page's text alone, to read."
        ),
    ] = "snapshot"
    page: Annotated[
        int, ArgumentInfo(text="A further page of the last answer in this form; 1 looks again.", least=1, most=10_000)
    ] = 1
    tab: Annotated[int | None, ArgumentInfo(text="Another of the open `tabs`, by its number.", least=1, most=100)] = (
        None
    )
    all_notices: AllNotices = False
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseArguments:
    """Arguments of `page_close`."""

    session: Handle
    tab: Annotated[
        int | None, ArgumentInfo(text="Close only this one of the open `tabs`, by its number.", least=1, most=100)
    ] = None
