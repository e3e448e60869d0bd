"""Conversations in Telegram, each from its first word to its last, against a strict Bot API on loopback."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from botapi import bot_api
from scenario import telegram_talks, telegram_troubles
from scenario.telegram_day import Day, begun, prepared

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from types import ModuleType

    Conversation = Callable[[Day], Awaitable[None]]


def conversations(module: ModuleType) -> list[Any]:  # Any: parameters of pytest
    found = [
        it
        for name, it in vars(module).items()
        if inspect.iscoroutinefunction(it) and it.__module__ == module.__name__ and not name.startswith("_")
    ]
    return [pytest.param(it, id=it.__name__) for it in found]


SCRIPT = [*conversations(telegram_talks), *conversations(telegram_troubles)]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    prepared(folder)
    return folder


@pytest.mark.parametrize("conversation", SCRIPT)
async def test_a_conversation_goes_as_it_should(conversation: Conversation, template: Path, tmp_path: Path) -> None:
    begun(template, tmp_path)
    async with bot_api() as api:
        await conversation(Day(api, tmp_path))


def test_there_are_conversations_enough_to_speak_of() -> None:
    assert len(SCRIPT) >= 40
