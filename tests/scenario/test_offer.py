"""Which tools a request tells of: those of services only once they are wanted, and never hidden once they were used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from talking import OPEN, settings_in, talking
from wellread.assistant.tool_selection import MAX_DEFINITION_TOKENS, SERVICE_OPENER_NAME
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.testing import Call

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAMES = ("harbour_berths", "harbour_reserve", "pilot_call")


def services(*, words: int = MAX_DEFINITION_TOKENS) -> list[Tool]:
    """Two services, the first of which takes more than the room that there is."""

    async def run(given: Mapping[str, object]) -> ToolResult:
        return ToolResult(f"berths: {dict(given)}")

    def sending(given: Mapping[str, object]) -> Preview:
        return Preview(f"reserve {dict(given)}")

    return [
        Tool("harbour_berths", "Free berths. " * words, OPEN, run, service="harbour"),
        Tool("harbour_reserve", "Reserve.", OPEN, run, effect=Effect.WORLD, preview=sending, service="harbour"),
        Tool("pilot_call", "Call the pilot.", OPEN, run, service="pilot"),
    ]


async def test_tools_of_a_service_before_and_after_it_is_opened(tmp_path: Path) -> None:
    script = [
        Call(SERVICE_OPENER_NAME, {"name": "harbour"}),
        Call("harbour_berths", {"day": "Monday"}),
        "Two are free.",
        "Yes.",
    ]
    async with talking(tmp_path, script, tools=services()) as talk:
        assert all(name in talk.assistant.parts.dispatch.tools[SERVICE_OPENER_NAME].description for name in NAMES)
        reply = await talk.say("Where can I moor on Monday?")
        await talk.say("Are you sure?")
    first, second, third, later = (set(asked.tools) for asked in talk.model.asked)
    assert first & set(NAMES) == set()
    assert "web_read" in first
    assert second & set(NAMES) == third & set(NAMES) == later & set(NAMES) == {"harbour_berths", "harbour_reserve"}
    assert talk.model.asked[2].results()[-1] == "berths: {'day': 'Monday'}"
    assert reply.text == "Two are free."


async def test_opened_services_after_a_restart_and_an_approval(tmp_path: Path) -> None:
    script = [Call(SERVICE_OPENER_NAME, {"name": "harbour"}), Call("harbour_reserve", {"berth": 4})]
    async with talking(tmp_path, script, tools=services()) as talk:
        (asked,) = (await talk.say("Reserve me a place")).asked
    async with talking(tmp_path, ["It is yours."], tools=services()) as later:
        await later.decide(asked.id, agreed=True)
    assert set(later.model.asked[0].tools) & set(NAMES) == {"harbour_berths", "harbour_reserve"}
    async with talking(tmp_path, ["Gladly."], tools=services()) as again:
        await again.assistant.hear(talk.conversation, "Thank you", again.tell, author="owner")
    assert set(again.model.asked[0].tools) & set(NAMES) == {"harbour_berths", "harbour_reserve"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Get me a PILOT at six.", {"pilot_call"}),
        ("Is the harbour full, and is there a pilot?", set(NAMES)),
        ("Wo kann ich festmachen?", set()),
        ("The pilots' song", set()),
    ],
)
async def test_a_service_that_the_message_names_is_told_at_once(tmp_path: Path, said: str, told: set[str]) -> None:
    async with talking(tmp_path, ["I see."], tools=services()) as talk:
        await talk.say(said)
    assert set(talk.model.asked[0].tools) & set(NAMES) == told


async def test_tool_listed_only_by_name_can_be_called(tmp_path: Path) -> None:
    async with talking(tmp_path, [Call("pilot_call", {}), "He comes."], tools=services()) as talk:
        await talk.say("I need someone who knows the channel")
    assert talk.model.asked[1].results() == ["berths: {}"]
    assert "pilot_call" in talk.model.asked[1].tools


async def test_where_there_is_room_for_all_there_is_nothing_to_open(tmp_path: Path) -> None:
    async with talking(tmp_path, ["I see."], tools=services(words=1)) as talk:
        await talk.say("Hello")
    assert set(NAMES) <= set(talk.model.asked[0].tools)
    assert SERVICE_OPENER_NAME not in talk.model.asked[0].tools


async def test_schema_bounds_left_out_for_the_model_still_hold(tmp_path: Path) -> None:
    long = Call("task_create", {"title": "x" * 201})
    async with talking(tmp_path, [long, "Too long."], settings=settings_in(tmp_path)) as talk:
        told = next(it for it in talk.assistant.parts.dispatch.definitions() if it.name == "task_create")
        await talk.say("Note it")
    assert told.parameters_json_schema["properties"]["title"] == {"type": "string"}
    assert "is too long; send the call again" in talk.model.asked[1].results()[0]
