"""What each client's script prints: the text that a model sees, and whether the page's last sentence is in it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal

from long_page import CALL, LAST

Shows = Literal["content", "structuredContent", "both"]
SENTINEL_JSON = '"structured_content"', '"structuredContent"', '"extraction_method"', "'extraction_method'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The server that a client connects to: a command line for stdio, else a URL."""

    transport: Literal["stdio", "http"]
    command: list[str]
    url: str
    revision: str
    """The protocol revision to speak, for clients that can choose."""


def target() -> Target:
    """Return what the runner has handed over."""
    transport, revision, words = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    url = words[0] if transport == "http" else ""
    return Target(transport=transport, command=words, url=url, revision=revision)  # type: ignore[arg-type]  # of `run`


def call() -> tuple[str, dict[str, Any]]:
    """Return the tool and its arguments."""
    return CALL[0], dict(CALL[1])


def shown(text: str) -> Shows:
    """Tell which parts of a result are in the text for the model: the quotation marks stand only in `content`."""
    content = "<web-text id=" in text or '<web-text id=\\"' in text
    structured = any(mark in text for mark in SENTINEL_JSON)
    return "both" if content and structured else "structuredContent" if structured else "content"


def report(client: str, package: str, text: str, revision: str = "") -> None:
    """Print the outcome as one line of JSON, and fail where the model does not see the end of the page."""
    outcome = {
        "client": client,
        "version": version(package) if package else "-",
        "revision": revision,
        "shows": shown(text),
        "chars": len(text),
        "copies": text.count(LAST),
        "last_sentence": LAST in text,
    }
    print(json.dumps(outcome))
    assert LAST in text, f"{client} hides the end of the page from its model: {text[:200]!r} ... {text[-200:]!r}"
