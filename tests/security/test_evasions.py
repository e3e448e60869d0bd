"""What asks for the whole cascade to be known hides nothing from us; honest pages that look like it lose nothing."""

from __future__ import annotations

import pytest

from security.evasions import counterparts, evasions
from security.hiding import PLANTED
from security.test_hiding import everything_read

DECLARED = (
    "revert-layer",
    "filter:url(data",
    "position:absolute;top:-400px",
    "<p style='position:absolute;top:100%'>",
    "<div style='height:60px'></div>",
    "color-scheme:dark",
    "details::details-content",
    "background:radial-gradient(#000,#000 50%)",
)
"""Ways that are still open; docs/security.md says so."""


def is_declared(whole: str) -> bool:
    return any(way in whole for way in DECLARED)


def test_the_suites_are_large() -> None:
    ways = [whole for _, whole in evasions()]
    assert len(ways) >= 900
    assert sum(map(is_declared, ways)) <= len(ways) * 0.02
    assert len({whole for _, whole in counterparts()}) >= 300


@pytest.mark.untraced
@pytest.mark.parametrize(
    "whole", [pytest.param(whole, id=name) for name, whole in evasions() if not is_declared(whole)]
)
def test_a_sentence_that_no_browser_shows_is_not_read(whole: str) -> None:
    assert PLANTED.split()[-1] not in everything_read(whole)


@pytest.mark.parametrize("whole", [pytest.param(whole, id=name) for name, whole in evasions() if is_declared(whole)])
def test_what_is_declared_open_is_open_still(whole: str) -> None:
    """Whoever closes one of these strikes it from the list, and from the paper."""
    assert PLANTED.split()[-1] in everything_read(whole)


@pytest.mark.parametrize("whole", [pytest.param(whole, id=name) for name, whole in counterparts()])
def test_a_sentence_that_every_browser_shows_is_read(whole: str) -> None:
    assert PLANTED in everything_read(whole)
