"""What no extractor reads is refused in one line, with a hint for its family."""

from __future__ import annotations

import pytest

from unit.served import read_served
from wellread.errors import Unsupported


@pytest.mark.parametrize(
    ("body", "content_type", "hint"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4" + bytes(99), "application/zip", "unpack"),
        (b"\0\0\1\0" + bytes(99), "image/x-icon", "picture"),
    ],
)
def test_unsupported_family_has_its_hint(body: bytes, content_type: str, hint: str) -> None:
    with pytest.raises(Unsupported) as caught:
        read_served(body, content_type)
    assert hint in caught.value.hint
    assert "application/atom+xml" not in caught.value.hint
    assert len(caught.value.hint) < 160


@pytest.mark.parametrize("content_type", ["application/x-strange", "application/octet-stream"])
def test_unsupported_file_of_no_family(content_type: str) -> None:
    with pytest.raises(Unsupported, match="no extractor reads") as caught:
        read_served(b"\0\1\2\3" * 50, content_type)
    hint = caught.value.hint
    assert [name for name in ("web pages", "PDF", "Office", "EPUB", "plain text") if name not in hint] == []
    assert "\n" not in hint
