"""Every channel, by name, against a strict fake of its service: the promises of the port, and no secret anywhere.

What it promises of letters holds for the terminal too. What only one service does is told in its scenarios.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest
from sqlalchemy import func, select, update

from botapi import exchange
from contract.channel_stands import SERVICES, Stage, Terminal, once
from scenario.telegram_day import begun, prepared, reached
from talking import settings_in
from wellread import plugins
from wellread.apps.bot_runtime import configured_channels
from wellread.apps.build import Web
from wellread.assistant.outbox import POSSIBLY_SENT_MARK, OutboxMessage, OutboxRow, OutboxState, enqueue
from wellread.assistant.tool_types import TERMINAL
from wellread.errors import Auth, ConfigError, InvalidInput, UnavailableError
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from contract.channel_stands import Service, Stand
    from wellread.apps.assistant_runtime import AssistantRuntime

NAMES = plugins.names("channels")


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("template")
    prepared(folder)
    async with exchange() as line, Web(reached(settings_in(tmp_path_factory.mktemp("web")), line.port)) as web:
        yield Stage(line, web, folder)


@pytest.fixture(params=NAMES)
def channel(request: pytest.FixtureRequest, stage: Stage, tmp_path: Path) -> Service:
    begun(stage.template, tmp_path)
    return SERVICES[request.param](stage, tmp_path)


@pytest.fixture(params=[*NAMES, TERMINAL])
def place(request: pytest.FixtureRequest, stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Stand:
    begun(stage.template, tmp_path)
    return Terminal(stage, tmp_path, capsys) if request.param == TERMINAL else SERVICES[request.param](stage, tmp_path)


async def carried(home: AssistantRuntime, place: Stand, *bodies: str, maybe_sent: bool = False) -> None:
    """Leave letters to the user, and wait until they have been carried."""
    ready = await home.of(place.account)
    conversation, now_ms = await ready.open(place.chat), home.clock.now_ms()

    def leave(session: Session) -> None:
        for body in bodies:
            enqueue(
                session, account=place.account, channel=place.name, chat=conversation, body=body, key=body,
                now_ms=now_ms,
            )  # fmt: skip
        session.execute(update(OutboxRow).values(maybe_sent=maybe_sent))

    await ready.store.run(leave)
    home.ring()
    left = select(func.count()).where(OutboxRow.state != OutboxState.SENT)
    await once(lambda: ready.store.run(lambda session: not session.scalar(left)))


def letter(name: str, conversation: str, account: str, body: str = "Low water is at nine.") -> OutboxMessage:
    return OutboxMessage("l1", name, conversation, account, body, maybe_sent=False, attempts=1)


def test_every_channel_has_a_fake_and_carries_its_name() -> None:
    assert set(NAMES) == set(SERVICES)
    kinds = {name: plugins.load("channels", name) for name in NAMES}
    assert [kind.name for kind in kinds.values()] == list(NAMES)
    assert all(kind.home.startswith("https://") for kind in kinds.values())


# ------------------------------------------------------------------------------------------------- letters


async def test_letters_are_shown_as_they_are_and_in_their_order(place: Stand) -> None:
    async with place.home() as home:
        await carried(home, place, "Low water is at nine.", "High water is at three.")
    assert place.shown() == ["Low water is at nine.", "High water is at three."]


async def test_a_letter_that_may_have_been_shown_before_says_so(place: Stand) -> None:
    async with place.home() as home:
        await carried(home, place, "Low water is at nine.", maybe_sent=True)
    assert place.shown() == [f"{POSSIBLY_SENT_MARK}\nLow water is at nine."]


# ------------------------------------------------------------------------------------------------- services


async def test_user_is_answered_once_and_a_stranger_is_ignored(channel: Service) -> None:
    async with channel.living(["Low water is at nine."]) as process:
        channel.say("And for me?", stranger=True)
        channel.say("When is low water?")
        await channel.until(channel.shown)
    assert [text.partition("\n")[0] for text in channel.shown()] == ["Low water is at nine."]
    assert len(process.model.asked) == 1


async def test_a_letter_to_a_conversation_elsewhere_is_refused(channel: Service) -> None:
    async with channel.living() as process:
        with pytest.raises(InvalidInput):
            await process.channel.send(
                letter(channel.name, await (await process.home.of(channel.account)).open("chat"), channel.account)
            )
    assert channel.shown() == []


async def test_a_letter_that_does_not_arrive_can_be_tried_again(channel: Service) -> None:
    async with channel.living() as process:
        there = letter(channel.name, await (await process.home.of(channel.account)).open(channel.chat), channel.account)
        channel.break_down()
        with pytest.raises(UnavailableError) as caught:
            await process.channel.send(there)
        assert caught.value.retryable
        await process.channel.send(there)
    assert channel.shown() == ["Low water is at nine."]


async def test_a_call_that_does_not_come_from_the_service_is_refused(channel: Service) -> None:
    async with channel.living(hooks={channel.name: channel.hook}) as process:
        with pytest.raises(Auth):
            process.channel.knows({})


async def test_a_call_that_is_nothing_the_service_would_send_is_refused(channel: Service) -> None:
    async with channel.living() as process:
        for body in (b"", b"\xff", b"[]", b"{}", b"[" * 100_000):
            with pytest.raises(InvalidInput):
                await process.channel.called(body)


async def test_the_secret_is_in_no_log_error_or_repr(channel: Service, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with channel.living(["Hello.", "Again.", "More."]) as process:
        await channel.trouble(process)
        with anyio.fail_after(60), pytest.raises(Auth) as caught:
            await process.channel.send(
                letter(channel.name, await (await process.home.of(channel.account)).open(channel.chat), channel.account)
            )
        shown = [repr(caught.value), str(caught.value.__cause__), repr(process.channel), repr(vars(process.channel))]
        shown += [repr(channel.settings()), process.channel.state.detail]
    told = caplog.text + "\n".join(shown)
    assert channel.logged in caplog.text, "the log is looked at where it would be"
    assert [it for it in channel.secrets if it in told] == []


def test_a_channel_that_cannot_be_opened_is_told(channel: Service) -> None:
    with pytest.raises(ConfigError, match=f"channels.users has no account of {channel.name}"):
        configured_channels(channel.settings(users=()))
    with pytest.raises(ConfigError, match=f"there is no channel '{channel.name}s'"):
        configured_channels(channel.settings(users=(f"{channel.name}s:7",)))
    with pytest.raises(ConfigError, match=f"there is no channel '{channel.name}s'"):
        configured_channels(channel.settings(tokens={f"{channel.name}s": Secret("1:x")}))


async def test_a_token_that_cannot_be_one_is_told_without_it(channel: Service) -> None:
    with pytest.raises(ConfigError, match=f"no valid token for {channel.name}") as caught:
        async with channel.living(tokens={channel.name: Secret(channel.no_token)}):
            raise AssertionError("it must not open")
    assert channel.no_token not in f"{caught.value}{caught.value.hint}{caught.value.__cause__}"


def test_nothing_is_open_without_a_token(channel: Service) -> None:
    bare = channel.settings()
    assert configured_channels(replace(bare, channels=replace(bare.channels, tokens={}))) == {}
