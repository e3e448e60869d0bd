"""Conversations in Telegram, each from its first word to its last, against a strict Bot API on loopback."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from botapi import BotApi, Exchange, exchange
from scenario import telegram_questions, telegram_talks, telegram_troubles
from scenario.telegram_day import Day, begun, prepared, reached
from talking import settings_in
from wellread.apps.build import Web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
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


SCRIPT = [
    *conversations(telegram_talks),
    *conversations(telegram_questions),
    *conversations(telegram_troubles),
]


class Stage(NamedTuple):
    """What all conversations share: a port, the web, and a store with its tables to begin with."""

    line: Exchange
    web: Web
    template: Path


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("template")
    prepared(folder)
    async with exchange() as line, Web(reached(settings_in(tmp_path_factory.mktemp("web")), line.port)) as web:
        yield Stage(line, web, folder)


@pytest.mark.parametrize("conversation", SCRIPT)
async def test_a_conversation_goes_as_it_should(conversation: Conversation, stage: Stage, tmp_path: Path) -> None:
    begun(stage.template, tmp_path)
    stage.line.api = BotApi(stage.line.port)
    await conversation(Day(stage.line.api, stage.web, tmp_path))


def test_there_are_conversations_enough_to_speak_of() -> None:
    assert len(SCRIPT) >= 40
