"""The playground: the files of a web page for trying the operations, and its content security policy.

Nothing is built and nothing comes from elsewhere. Text from the web reaches the page as data and becomes nodes of
text; the policy below is for the day on which that is done wrong.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PREFIX = "/playground/"
"""Where everything but the page itself lies."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing inline, nothing from elsewhere, and no markup out of text (https://www.w3.org/TR/CSP3/)."""

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
}

DEMO = "http://www.tidewater.example/"
"""The home page of the site that the demo replays."""
_EXAMPLES = "examples.js"
_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


Example = str | dict[str, str | dict[str, int]]
"""The text of a form, the text with options, or a task: the tab, its mode and the text."""


class PlaygroundFile(NamedTuple):
    """One file of the page."""

    path: str
    media_type: str
    body: bytes


def replayed(urls: Sequence[str]) -> dict[str, list[Example]] | None:
    """Return examples for a recording of these pages; None where nothing is replayed."""
    if not urls:
        return None
    tabs = ("search", "read", "answer", "research", "crawl", "facts", "browse", "index", "watch")
    examples: dict[str, list[Example]] = {"tasks": [], **{tab: [] for tab in tabs}}
    if DEMO not in urls:
        examples["tasks"] = [{"tab": "read", "mode": "read", "text": urls[0]}]
        return {**examples, "read": list(urls[:3]), "facts": list(urls[:1]), "browse": list(urls[:1])}
    question = "Why was the lamp of the lighthouse changed?"
    return {
        **examples,
        "tasks": [
            {"tab": "read", "mode": "read", "text": DEMO + "tide-api"},
            {"tab": "answer", "mode": "answer", "text": question},
            {"tab": "crawl", "mode": "map", "text": DEMO},
        ],
        "search": ["storm petrels", "lamp"],
        "read": [DEMO + name for name in ("tide-api", "faq", "hostile")],
        "answer": [question],
        "research": ["How tall is the lighthouse, and when was its lamp changed?"],
        # Pages that are two links away are not recorded.
        "crawl": [{"text": DEMO, "options": {"depth": 1}}],
        "facts": [DEMO + "shop/petrel-lantern"],
        "browse": [DEMO],
        "index": ["storm petrels"],
        "watch": [DEMO + "lamp"],
    }


def pages(examples: Mapping[str, Sequence[Example]] | None = None) -> tuple[PlaygroundFile, ...]:
    """Return the page at `/` and its files, with `examples` by tab in place of its own."""
    overrides = {}
    if examples is not None:
        overrides[_EXAMPLES] = f"export const examples = {json.dumps(examples)};\n".encode()
    page_files = []
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        media_type = _KINDS.get(file.name.rpartition(".")[2])
        if media_type:
            path = "/" if file.name == "index.html" else PREFIX + file.name
            page_files.append(PlaygroundFile(path, media_type, overrides.get(file.name) or file.read_bytes()))
    return tuple(page_files)
