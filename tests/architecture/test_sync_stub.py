"""The stub of `wellread.sync` declares what the module has."""

from __future__ import annotations

from architecture import sync_stub


def test_the_stub_is_what_the_generator_writes() -> None:
    assert sync_stub.STUB.read_text("utf-8") == sync_stub.stub(), "run `make stub`"
