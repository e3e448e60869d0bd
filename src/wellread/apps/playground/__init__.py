"""The playground: the files of a page in which people try the operations, and what may run in it.

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


class File(NamedTuple):
    """One file of the page."""

    path: str
    media_type: str
    body: bytes


def replayed(urls: Sequence[str]) -> dict[str, list[str]] | None:
    """Return what can be tried on a recording of these pages; None where nothing is replayed."""
    if not urls:
        return None
    if DEMO in urls:
        return {
            "search": ["storm petrels", "lamp"],
            "read": [DEMO + name for name in ("tide-api", "faq", "hostile")],
            "gather": ["Why was the lamp of the lighthouse changed?"],
            "browse": [DEMO],
        }
    return {"search": [], "read": list(urls[:3]), "gather": [], "browse": list(urls[:1])}


def pages(examples: Mapping[str, Sequence[str]] | None = None) -> tuple[File, ...]:
    """Return the page, which stands at `/`, and the files that it is made of, with `examples` of its own by tab."""
    own = {} if examples is None else {_EXAMPLES: f"export const examples = {json.dumps(examples)};\n".encode()}
    found = []
    for each in sorted(files(__name__).iterdir(), key=lambda each: each.name):
        kind = _KINDS.get(each.name.rpartition(".")[2])
        if kind:
            path = "/" if each.name == "index.html" else PREFIX + each.name
            found.append(File(path, kind, own.get(each.name) or each.read_bytes()))
    return tuple(found)
