"""Regular expressions that are compiled when they are used."""

from __future__ import annotations

import re

import pytest

from wellread.lazy_pattern import lazy_pattern


def test_pattern_is_compiled_at_its_first_match() -> None:
    wrong = lazy_pattern("(")
    assert wrong.pattern == "("  # other patterns are made of it
    with pytest.raises(re.error):
        wrong.search("x")


def test_lazy_pattern_matches_as_a_compiled_one() -> None:
    pattern = lazy_pattern(r"t(id)e", re.IGNORECASE)
    match = pattern.search("low TIDE")
    assert match is not None
    assert match[1] == "ID"
    assert pattern.flags & re.IGNORECASE
    assert pattern.sub("x", "tide TIDE") == "x x"
