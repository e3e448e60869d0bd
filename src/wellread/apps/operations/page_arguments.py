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
    str, ArgumentInfo(text="The session from browse_url.", longest=SESSION_CHARS, example="tab_9f2c4be0d1a84c6e")
]
Index = Annotated[int, ArgumentInfo(text="The number of the element: 3 for [3].", least=1, most=1_000_000, example=3)]
Chosen = Annotated[
    int | None, ArgumentInfo(text="The number of the element: 3 for [3].", least=1, most=1_000_000, example=3)
]
Words = Annotated[
    str | None,
    ArgumentInfo(text="Instead of index: its words, such as Load more, or Delete in row 'Order 7'.", longest=200),
]
Selector = Annotated[
    str | None, ArgumentInfo(text="Instead of index: a CSS selector that matches one element.", longest=500)
]
Point = Annotated[
    tuple[int, ...],
    ArgumentInfo(text="Instead of index: x and y in the window, as on the picture of page_screenshot.", longest=2),
]
Include = Annotated[
    tuple[SnapshotExtra, ...],
    ArgumentInfo(text="elements adds the numbered elements as a list: role, name, value, state.", longest=1),
]
Dialogs = Annotated[
    Answer | None,
    ArgumentInfo(text="How to answer dialogs (confirm, prompt) from now on; at first they are dismissed."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenArguments:
    """Arguments of `browse_url`."""

    url: Url
    session: Annotated[
        str | None,
        ArgumentInfo(
            text="A session in which to open the page, with its cookies; without it, a new session.",
            longest=SESSION_CHARS,
        ),
    ] = None
    profile: Annotated[
        str | None,
        ArgumentInfo(
            text="Open a new session with this profile, signed in, and save its changes. Only profiles "
            "that the owner granted; leave it out unless the task names one.",
            longest=64,
        ),
    ] = None
    mobile: Annotated[bool, ArgumentInfo(text="Show the pages of a new session as on a phone.")] = False
    timezone: Annotated[
        str | None, ArgumentInfo(text="Time zone of a new session, such as Europe/Oslo.", longest=60)
    ] = None
    color_scheme: Annotated[
        Literal["light", "dark"] | None, ArgumentInfo(text="Colours that a new session prefers.")
    ] = None
    locale: Annotated[str | None, ArgumentInfo(text="Language of a new session, such as nb-NO.", longest=40)] = None
    evidence: Annotated[
        bool, ArgumentInfo(text="Record pictures, requests and console of a new session on the server, for its owner.")
    ] = False
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
    button: Annotated[Literal["left", "right", "middle"], ArgumentInfo(text="The mouse button to use.")] = "left"
    double: Annotated[bool, ArgumentInfo(text="Make a double click.")] = False
    modifiers: Annotated[
        tuple[Modifier, ...], ArgumentInfo(text="Keys that are pressed during the click.", longest=4)
    ] = ()
    dialogs: Dialogs = None
    prompt: Annotated[str | None, ArgumentInfo(text="Text for prompts; they are then accepted.", longest=1_000)] = None
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeArguments:
    """Arguments of `page_type`."""

    session: Handle
    text: Annotated[
        str, ArgumentInfo(text="The text, line breaks included; empty to clear the field.", longest=20_000, blank=True)
    ]
    submit: Annotated[bool, ArgumentInfo(text="Press Enter once, after the text.")] = False
    index: Chosen = None
    words: Words = None
    selector: Selector = None
    clear: Annotated[bool, ArgumentInfo(text="Replace the text of the field; false appends to it.")] = True
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
            text="Enter, Escape, Tab, ArrowDown, a, or a combination such as Control+A.", longest=40, example="Escape"
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
        ArgumentInfo(text="The element to drop it on; or set dx and dy.", least=1, most=1_000_000),
    ] = None
    dx: Annotated[int, ArgumentInfo(text="Pixels to the right; negative: to the left.", least=-10_000, most=10_000)] = 0
    dy: Annotated[int, ArgumentInfo(text="Pixels down; negative: up.", least=-10_000, most=10_000)] = 0
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollArguments:
    """Arguments of `page_scroll`."""

    session: Handle
    direction: Annotated[Literal["down", "up", "right", "left"], ArgumentInfo(text="The direction to scroll.")] = "down"
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
    selector: Annotated[str | None, ArgumentInfo(text="Until an element matches this CSS selector.", longest=500)] = (
        None
    )
    gone: Annotated[bool, ArgumentInfo(text="Until they are no longer on the page.")] = False
    download: Annotated[bool, ArgumentInfo(text="Until all downloads end.")] = False
    most_s: Annotated[int, ArgumentInfo(text="Maximum seconds to wait.", least=1, most=60)] = 15
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadArguments:
    """Arguments of `page_upload`."""

    session: Handle
    index: Index
    files: Annotated[
        tuple[str, ...],
        ArgumentInfo(text="Names of files in the server's workspace, as returned by web_download.", longest=10),
    ]
    drop: Annotated[bool, ArgumentInfo(text="Drop the files on the element, for a drop zone without a file field.")] = (
        False
    )
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenshotArguments:
    """Arguments of `page_screenshot`."""

    session: Handle
    full: Annotated[bool, ArgumentInfo(text="The whole page instead of the window.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LookArguments:
    """Arguments of `page_read`."""

    session: Handle
    form: Annotated[
        Literal["snapshot", "markdown"],
        ArgumentInfo(text="snapshot: text with numbered elements; markdown: only the page's text."),
    ] = "snapshot"
    page: Annotated[
        int,
        ArgumentInfo(
            text="Another page of the last answer in this form; 1 reads the page again.", least=1, most=10_000
        ),
    ] = 1
    tab: Annotated[int | None, ArgumentInfo(text="The number of another open tab.", least=1, most=100)] = None
    find: Annotated[
        str | None, ArgumentInfo(text="Return only the lines of the whole snapshot with these words.", longest=1_000)
    ] = None
    regex: Annotated[bool, ArgumentInfo(text="`find` is a regular expression.")] = False
    all_notices: AllNotices = False
    include: Include = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateArguments:
    """Arguments of `page_evaluate`."""

    session: Handle
    expression: Annotated[
        str,
        ArgumentInfo(text="One JavaScript expression; promises are awaited.", longest=20_000, example="document.title"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseArguments:
    """Arguments of `page_close`."""

    session: Handle
    tab: Annotated[int | None, ArgumentInfo(text="Close only the tab with this number.", least=1, most=100)] = None
