"""The nouns as JSON, and text on a terminal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from wellread.apps.serialize import as_json, citations_from, error_json
from wellread.apps.terminal import say_json, without_controls
from wellread.errors import InvalidInput, RateLimited, Upstream
from wellread.types import Claim, Gathered, Heading, Notice, Passage
from wellread.values import Secret

PASSAGE = Passage(
    text="The lamp turns.",
    url="http://a.example/",
    title=None,
    snapshot_id="sha256:00",
    start=0,
    end=15,
    headings=("Lamp",),
)


def test_nouns_print_as_objects_with_their_field_names() -> None:
    shown = json.loads(as_json({"notice": Notice("thin_content", "little"), "heading": Heading(2, "Lamp", 7)}))
    assert shown == {
        "notice": {"code": "thin_content", "detail": "little", "count": 1, "level": "warning"},
        "heading": {"level": 2, "text": "Lamp", "start": 7},
    }


def test_a_secret_never_reaches_json() -> None:
    assert "hunter2" not in as_json({"key": Secret("hunter2")})


def test_passages_survive_the_way_through_a_file() -> None:
    told = Gathered(
        query="q", hits=(), pages=(), passages=(PASSAGE,), missed=(), outcomes=(), search_time_ms=0, gather_time_ms=0
    )
    assert citations_from(as_json(told)).passages == (PASSAGE,)
    assert citations_from(as_json([PASSAGE])).passages == (PASSAGE,)


def test_citations_of_an_answer_and_its_sentences() -> None:
    other = replace(PASSAGE, start=PASSAGE.start + 1)
    claim = Claim(text="A tide.", passages=(PASSAGE, other))
    of_answer = {"claims": [claim], "citations": [PASSAGE]}
    of_research = {"findings": [{"claims": [claim]}], "citations": [PASSAGE]}
    for result in (of_answer, of_research):
        assert citations_from(as_json(result)) == ((PASSAGE, other), (claim,), ())
    for parts in ("claims", "findings"):
        assert citations_from(as_json({parts: [], "citations": []})) == ((), (), ())
    with pytest.raises(InvalidInput, match="cites no passage: 'A tide"):
        citations_from(as_json({"claims": [replace(claim, passages=())], "citations": [PASSAGE]}))


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "{}", '{"passages": [{"text": 1}]}', "null", '"x"', "[[]]", as_json([PASSAGE]).replace("15", '"15"')],
)
def test_what_is_not_the_json_of_a_gather_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        citations_from(text)
    assert "gather" in caught.value.hint


def test_failures_carry_what_a_caller_needs_to_decide() -> None:
    assert error_json(RateLimited("wait", retry_after_s=3))["error"]["retry_after_s"] == 3
    shown = error_json(Upstream("broken", status=500))["error"]
    assert (shown["code"], shown["status"], shown["retryable"]) == ("upstream", 500, True)


def test_text_cannot_steer_the_terminal() -> None:
    assert without_controls("a\x1b[31mred\x1b]0;title\x07\tb\nc\x9b2J") == "a[31mred]0;title\tb\nc2J"


def test_json_on_a_terminal_steers_nothing_and_stays_json(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"type": "text/html; x=\x9b31m\u202e\ud800"})
    told = capsys.readouterr().out
    assert "\x9b" not in told
    assert "\u202e" not in told
    assert json.loads(told) == {"type": "text/html; x=\x9b31m\u202e\ud800"}


def test_deep_json_is_refused_like_any_other_that_is_no_gather() -> None:
    with pytest.raises(InvalidInput):
        citations_from("[" * 200_000)
