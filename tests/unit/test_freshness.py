"""What answers say about being used again (RFC 9111), and URLs as they are pasted."""

from __future__ import annotations

import pytest

from wellread.net import guard
from wellread.net.freshness import forbids_keeping

NOW_S = 1_767_268_800.0
"""2026-01-01T12:00:00Z"""


@pytest.mark.parametrize(
    ("fields", "forbidden"),
    [
        ((("Cache-Control", "no-store"),), True),
        ((("Cache-Control", "public"), ("cache-control", "NO-CACHE")), True),
        ((("Cache-Control", 'no-cache="Set-Cookie", max-age=600'),), False),
        ((("Cache-Control", "max-age=0"),), True),
        ((("Cache-Control", "max-age=60"), ("Age", "100")), True),
        ((("Cache-Control", "max-age=600"), ("Age", "100"), ("Expires", "0")), False),
        ((("Pragma", "no-cache"),), True),
        ((("Pragma", "no-cache"), ("Cache-Control", "public")), False),
        ((("Expires", "0"),), True),
        ((("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"),), True),
        ((("Expires", "Thu, 01 Jan 2026 13:00:00 GMT"),), False),
        ((("Expires", "Thu, 01 Jan 2026 13:00:00 GMT"), ("Date", "Thu, 01 Jan 2026 13:00:00 GMT")), True),
        ((("Vary", "*"),), True),
        ((("Vary", "Accept"), ("Vary", "Cookie, *")), True),
        ((("Cache-Control", 'max-age="0"'),), True),
        ((), False),
    ],
)
def test_answers_that_must_not_be_kept(fields: tuple[tuple[str, str], ...], *, forbidden: bool) -> None:
    assert forbids_keeping(fields, NOW_S) is forbidden


@pytest.mark.parametrize(
    "pasted",
    ["<{}>", '"{}"', "`{}`", "({})", "\u201c{}\u201d", "\u3000{}\u3000", " <{}>\n", "[The page]({})", "[a b]( {} )"],
)
def test_pasted_url_in_brackets(pasted: str) -> None:
    assert guard.trim_url(pasted.format("https://a.example/b")) == "https://a.example/b"
