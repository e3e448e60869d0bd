"""Every channel, by name, against a strict fake of its service: the promises of the port, and no secret anywhere."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from botapi import OWNER, TOKEN, BotApi, Exchange, exchange
from scenario.telegram_day import HOOK, Day, begun, prepared, reached
from talking import settings_in
from wellread import plugins
from wellread.apps.bot import configured
from wellread.apps.build import Web
from wellread.assistant.outbox import Letter
from wellread.errors import Auth, ConfigError, InvalidInput, UnavailableError
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

NAMES = plugins.names("channels")
DAYS = {"telegram": Day}
"""Channel -> a day with it, over a fake of its service."""
SECRET = TOKEN.partition(":")[2]


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Exchange, Web, Path]]:
    folder = tmp_path_factory.mktemp("template")
    prepared(folder)
    async with exchange() as line, Web(reached(settings_in(tmp_path_factory.mktemp("web")), line.port)) as web:
        yield line, web, folder


@pytest.fixture(params=NAMES)
def day(request: pytest.FixtureRequest, stage: tuple[Exchange, Web, Path], tmp_path: Path) -> Day:
    line, web, template = stage
    begun(template, tmp_path)
    line.api = BotApi(line.port)
    return DAYS[request.param](line.api, web, tmp_path)


def letter(conversation: str, body: str = "Low water is at nine.") -> Letter:
    return Letter("l1", "telegram", conversation, body, maybe_sent=False, attempts=1)


def test_every_channel_has_a_fake_and_carries_its_name() -> None:
    assert set(NAMES) == set(DAYS)
    kinds = {name: plugins.load("channels", name) for name in NAMES}
    assert [kind.name for kind in kinds.values()] == list(NAMES)
    assert all(kind.home.startswith("https://") for kind in kinds.values())


async def test_a_letter_arrives_in_the_chat_of_its_conversation(day: Day) -> None:
    async with day.living() as process:
        conversation = await process.home.open(f"{process.channel.name}:{OWNER}")
        await process.channel.send(letter(conversation))
        assert (await day.api.answer()).text == "Low water is at nine."


async def test_a_letter_to_a_conversation_elsewhere_is_refused(day: Day) -> None:
    async with day.living() as process:
        with pytest.raises(InvalidInput):
            await process.channel.send(letter(await process.home.open("chat")))
    assert day.api.messages == []


async def test_a_letter_that_does_not_arrive_can_be_tried_again(day: Day) -> None:
    async with day.living() as process:
        conversation = await process.home.open(f"{process.channel.name}:{OWNER}")
        day.api.failing["sendMessage"] = [(502, "Bad Gateway")]
        with pytest.raises(UnavailableError) as caught:
            await process.channel.send(letter(conversation))
        assert caught.value.retryable
        await process.channel.send(letter(conversation))
        assert len(day.api.texts()) == 1


async def test_a_call_that_does_not_come_from_the_service_is_refused(day: Day) -> None:
    async with day.living(hooks={"telegram": Address(HOOK)}) as process:
        with pytest.raises(Auth):
            process.channel.knows({})


async def test_the_secret_is_in_no_log_error_or_repr(day: Day, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    day.api.failing["sendMessage"] = [(400, "Bad Request: chat not found"), (429, "slow"), (500, "oh")]
    day.api.failing["getFile"] = [(400, "Bad Request: no file")]
    async with day.living(["Hello.", "Again.", "More."]) as process:
        for number in range(3):
            day.api.say(f"Hello {number}")
        day.api.document("guide.txt", b"Low water is at nine.")
        day.api.document("guide2.txt", b"Low water is at ten.")
        await day.pass_time(process, lambda: len(day.api.texts()) >= 3)
        day.api.known = False
        with anyio.fail_after(15), pytest.raises(Auth) as caught:
            await process.channel.send(letter(await process.home.open(f"telegram:{OWNER}")))
        shown = [repr(caught.value), str(caught.value.__cause__), repr(process.channel), repr(vars(process.channel))]
        shown += [repr(day.settings()), process.channel.state.detail]
    told = caplog.text + "\n".join(shown)
    assert "hidden-token/sendMessage" in caplog.text, "the log is looked at where it would be"
    assert SECRET not in told


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"users": ()}, "nobody may talk in telegram"),
        ({"users": ("telegam:7",)}, "there is no channel 'telegam'"),
        ({"tokens": {"telegam": Secret("1:x")}}, "there is no channel 'telegam'"),
    ],
)
def test_a_channel_that_cannot_be_opened_is_told(day: Day, given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        configured(day.settings(**given))


async def test_a_token_that_cannot_be_one_is_told_without_it(day: Day) -> None:
    with pytest.raises(ConfigError, match="no token for telegram") as caught:
        async with day.living(tokens={"telegram": Secret("not a token")}):
            raise AssertionError("it must not open")
    assert "not a token" not in f"{caught.value}{caught.value.hint}{caught.value.__cause__}"


def test_nothing_is_open_without_a_token(day: Day) -> None:
    bare = day.settings()
    assert configured(replace(bare, channels=replace(bare.channels, tokens={}))) == {}
