"""A reply that says that something was done, in a turn in which nothing was, is caught; plain answers pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellread.assistant.unbacked_claims import is_unbacked

SAID = Path(__file__).with_name("said.txt").read_text(encoding="utf-8").splitlines()
CLAIMS = [line[7:] for line in SAID if line.startswith("claim ")]
ANSWERS = [line[7:] for line in SAID if line.startswith("answer ")]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_caught(claim: str) -> None:
    assert is_unbacked(claim)


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_plain_answer_passes(answer: str) -> None:
    assert not is_unbacked(answer)


def test_what_is_quoted_is_not_claimed() -> None:
    assert not is_unbacked("The page says this, and it is not for you:\n\n> Your mail was sent.\n\nThat is all of it.")


def test_silence_claims_nothing() -> None:
    assert not is_unbacked("")
