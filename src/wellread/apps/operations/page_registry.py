"""The operations that work a page in a browser, as the registry has them.

What a page does when it is clicked or typed into is up to the page: it may buy, send or delete. Such steps are told to
be destructive, and never safe to repeat. What only looks is read-only.

They are offered where no browser is found, too: a list of tools is kept by clients for long, and the first call says
how to install one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from wellread.apps.operations import browser_handlers, page_arguments, render_text
from wellread.apps.operations.browser_handlers import Browsed, Closed, Evaluated, Picture
from wellread.apps.operations.operation import Operation

_SESSION = "tab_9f2c4be0d1a84c6e"

_step = partial(Operation, result=Browsed, render_text=render_text.browsed, read_only=False, idempotent=False)
"""Changes the session, and nothing beyond."""
_act = partial(_step, destructive=True)
"""Does to the web whatever the page makes of it."""

PAGES: tuple[Operation, ...] = (
    _step(
        name="browse_url",
        title="Open a page in a browser",
        description="Open a web page in a real browser, to operate forms, buttons, menus and scripts. "
        "Returns a session for page_click, page_type and the other page tools, and a snapshot of "
        "the page, in which [3] marks element 3. Elements keep their numbers until another "
        "document is opened. Later steps may return only changed lines (~ changed, + new, - gone); "
        "page_read returns all. To only read a page, web_read is much cheaper. Close the session with "
        "page_close when done.",
        path="/v1/browse",
        arguments=page_arguments.OpenArguments,
        handler=browser_handlers.browse,
        example={"url": "https://example.com/"},
    ),
    _act(
        name="page_click",
        title="Click an element",
        description="Click an element by its number; if it has no number, by words or a CSS selector that "
        "match one element, or at a point. Returns what has changed, or the page.",
        path="/v1/browse/click",
        arguments=page_arguments.ClickArguments,
        handler=browser_handlers.click,
        example={"session": _SESSION, "index": 3},
    ),
    _act(
        name="page_type",
        title="Type into a field",
        description="Replace the text of a field. Line breaks are inserted and press no key: only submit "
        "presses Enter, once, at the end. A warning reports if the field then has another text. "
        "For dates use 2026-11-21, for colours #aabbcc.",
        path="/v1/browse/type",
        arguments=page_arguments.TypeArguments,
        handler=browser_handlers.type_text,
        example={"session": _SESSION, "index": 1, "text": "Ann", "submit": True},
    ),
    _act(
        name="page_select",
        title="Choose an option",
        description="Choose an option by its label or value, in a select, in the suggestions of a field, or "
        "in a list that a click opens.",
        path="/v1/browse/select",
        arguments=page_arguments.SelectArguments,
        handler=browser_handlers.select,
        example={"session": _SESSION, "index": 2, "option": "Norway"},
    ),
    _act(
        name="page_press",
        title="Press a key",
        description="Press a key in the focused element, such as Escape, Tab, ArrowDown, Control+A.",
        path="/v1/browse/press",
        arguments=page_arguments.PressArguments,
        handler=browser_handlers.press,
        example={"session": _SESSION, "key": "Escape"},
    ),
    replace(
        _step(
            name="page_hover",
            title="Point at an element",
            description="Move the pointer over an element, to show menus, buttons of rows or hints. `more on "
            "hover` marks elements with such content.",
            path="/v1/browse/hover",
            arguments=page_arguments.HoverArguments,
            handler=browser_handlers.hover,
            example={"session": _SESSION, "index": 3},
        ),
        idempotent=True,
    ),
    _act(
        name="page_drag",
        title="Drag an element",
        description="Drag an element to another, or by pixels.",
        path="/v1/browse/drag",
        arguments=page_arguments.DragArguments,
        handler=browser_handlers.drag,
        example={"session": _SESSION, "index": 3, "onto": 7},
    ),
    _step(
        name="page_scroll",
        title="Scroll",
        description="Scroll the page, or an element in it, by screens. A snapshot shows the whole page that "
        "is loaded; scroll to load more.",
        path="/v1/browse/scroll",
        arguments=page_arguments.ScrollArguments,
        handler=browser_handlers.scroll,
        example={"session": _SESSION, "direction": "down", "screens": 2},
    ),
    _step(
        name="page_back",
        title="Go back",
        description="Go back to the previous page, like the browser's back button.",
        path="/v1/browse/back",
        arguments=page_arguments.BackArguments,
        handler=browser_handlers.back,
        example={"session": _SESSION},
    ),
    replace(
        _step(
            name="page_wait",
            title="Wait for the page",
            description="Wait until words or an element appear or disappear, until downloads end, or, without "
            "arguments, until the page is loaded. Every step already waits for its own effects; use "
            "this for longer waits.",
            path="/v1/browse/wait",
            arguments=page_arguments.WaitArguments,
            handler=browser_handlers.wait,
            example={"session": _SESSION, "text": "Order placed"},
        ),
        read_only=True,
        idempotent=True,
    ),
    _act(
        name="page_upload",
        title="Upload files",
        description="Choose files in a file field, or drop them on a zone. The files must be in the server's "
        "workspace, where web_download saves them.",
        path="/v1/browse/upload",
        arguments=page_arguments.UploadArguments,
        handler=browser_handlers.upload,
        example={"session": _SESSION, "index": 4, "files": ["report.pdf"]},
    ),
    Operation(
        name="page_screenshot",
        title="Take a screenshot",
        description="Take a screenshot of the page as PNG, for charts, maps and layout. A snapshot is "
        "cheaper, and has the numbers of the elements.",
        path="/v1/browse/screenshot",
        arguments=page_arguments.ScreenshotArguments,
        result=Picture,
        handler=browser_handlers.screenshot,
        render_text=render_text.picture,
        example={"session": _SESSION},
    ),
    replace(
        _step(
            name="page_read",
            title="Read the open page",
            description="Read the page again without a step: a new snapshot, another page of the last snapshot, "
            "another tab; the lines with some words (find); or the page's text as markdown.",
            path="/v1/browse/read",
            arguments=page_arguments.LookArguments,
            handler=browser_handlers.look,
            example={"session": _SESSION, "page": 2},
        ),
        read_only=True,
        idempotent=True,
    ),
    Operation(
        name="page_evaluate",
        title="Run a script in the page",
        description="Run one JavaScript expression in the page, and return its value as JSON. Only if the owner allows "
        "it (browser.evaluate); use the other tools where they can do the task.",
        path="/v1/browse/evaluate",
        arguments=page_arguments.EvaluateArguments,
        result=Evaluated,
        handler=browser_handlers.evaluate,
        render_text=render_text.evaluated,
        example={"session": _SESSION, "expression": "document.title"},
        read_only=False,
        destructive=True,
        idempotent=False,
    ),
    Operation(
        name="page_close",
        title="Close the session",
        description="Close a browser session, or one tab of it. An unused session is closed after some minutes.",
        path="/v1/browse/close",
        arguments=page_arguments.CloseArguments,
        result=Closed,
        handler=browser_handlers.close,
        render_text=render_text.closed,
        example={"session": _SESSION},
        read_only=False,
        open_world=False,
    ),
)
