"""Conversations in Telegram in which something goes wrong."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from sqlalchemy import select, text

from botapi import ALLOWED, OWNER, TOKEN
from scenario.telegram_day import HOOK, NOTHING
from wellread.assistant.outbox import OutboxRow, OutboxState
from wellread.errors import Auth, InvalidInput
from wellread.testing import Call
from wellread.values import Address

if TYPE_CHECKING:
    from scenario.telegram_day import Day, Process
    from wellread.assistant.channels.port import ChannelHealth


async def an_update_that_comes_twice_is_answered_once(day: Day) -> None:
    async with day.living(["Once.", "After."]):
        update = day.api.say("Hello")
        await day.api.answer()
        day.api.repeat(update)
        day.api.say("And now?")
        await day.api.answer(2)
    assert [text.split("\n")[0] for text in day.api.texts()] == ["Once.", "After."]


async def an_update_that_was_not_confirmed_before_a_crash_is_not_done_twice(day: Day) -> None:
    async with day.killed(["Once."]) as process:
        update = day.api.say("Hello")
        await day.api.answer()
        await day.carried(process)
    day.api.repeat(update)
    async with day.living(["After."]):
        day.api.say("And now?")
        await day.api.answer(2)
    assert [text.split("\n")[0] for text in day.api.texts()] == ["Once.", "After."]


async def what_comes_while_nobody_is_there_is_answered_later(day: Day) -> None:
    day.api.say("Hello?")
    async with day.living(["Here I am."]):
        assert (await day.api.answer()).text.startswith("Here I am.")


async def a_message_whose_answer_was_cut_off_by_a_crash_is_told(day: Day) -> None:
    reached = anyio.Event()

    async def never(_given: Any) -> Any:
        reached.set()
        await anyio.sleep_forever()

    day.deeds.hold = never
    async with day.killed([Call("look")]):
        day.api.say("Look at the sea_")
        with anyio.fail_after(60):
            await reached.wait()
    day.deeds.hold = None
    async with day.living():
        said = await day.api.answer()
    assert said.text == "\u26a0 I was interrupted during \u201cLook at the sea_\u201d. Send it again."


async def a_graceful_stop_lets_an_answer_come_to_its_end(day: Day) -> None:
    going, go_on = anyio.Event(), anyio.Event()

    async def slowly(_given: Any) -> Any:
        going.set()
        await go_on.wait()

    day.deeds.hold = slowly
    async with anyio.create_task_group() as tasks, day.living([Call("look"), "The sea is calm."]) as process:
        day.api.say("Look at the sea")
        with anyio.fail_after(60):
            await going.wait()
        tasks.start_soon(_release, process.channel, go_on)
    assert day.api.texts()[-1].startswith("The sea is calm.")


async def a_graceful_stop_lets_a_letter_that_is_on_its_way_arrive(day: Day) -> None:
    day.api.hold["sendMessage"] = go_on = anyio.Event()
    async with anyio.create_task_group() as tasks, day.living(["The sea is calm."]) as process:
        day.api.say("How is the sea?")
        await day.api.until(lambda: "sendMessage" in [method for method, _ in day.api.calls])
        tasks.start_soon(_let_through, process, go_on)
    async with day.living() as process:
        states = select(OutboxRow.state)
        assert await process.home.database.for_all_users().run(lambda session: list(session.scalars(states))) == [
            OutboxState.SENT
        ]
    assert [text.partition("\n")[0] for text in day.api.texts()] == ["The sea is calm."]


async def _release(channel: Any, go_on: anyio.Event) -> None:
    """Let the tool go on once the stop has begun."""
    while not channel._inbox._resting:
        await anyio.lowlevel.checkpoint()
    go_on.set()


async def _let_through(process: Process, go_on: anyio.Event) -> None:
    """Let the letter arrive once the stop has come as far as it comes without it: nothing is left to be sent."""
    inbox: Any = vars(process.channel)["_inbox"]
    await inbox._idle.wait()
    for _ in range(100):
        await process.home.database.for_all_users().run(lambda _session: None)
    go_on.set()


async def an_answer_that_may_have_arrived_is_marked_when_it_is_sent_again(day: Day) -> None:
    day.api.drops = ["sendMessage"]
    async with day.living(["The sea is calm."]) as process:
        day.api.say("How is the sea?")
        await day.pass_time(process, lambda: len(day.api.texts()) == 2)
        said = await day.api.answer(2)
    assert said.text == f"(possibly sent before)\n{day.api.texts()[0]}"
    assert said.covered("italic") == [NOTHING]


async def a_long_answer_goes_on_with_the_piece_that_did_not_arrive(day: Day) -> None:
    async with day.living(["wave " * 2_000]) as process:
        day.api.failing["sendMessage"] = [(0, ""), (502, "Bad Gateway")]
        day.api.say("Waves")
        await day.pass_time(process, lambda: len(day.api.texts()) == 3)
    first, second, third = day.api.texts()
    assert [text.startswith("(possibly sent before)") for text in (first, second, third)] == [False, True, False]
    assert (first + second + third).count("wave") == 2_000


async def an_answer_whose_looks_are_refused_arrives_plain(day: Day) -> None:
    day.api.failing["sendMessage"] = [(400, "Bad Request: ENTITY_BOUNDS_INVALID")]
    async with day.living(["The sea is **calm**."]):
        day.api.say("How is the sea?")
        said = await day.api.answer()
    assert said.text.startswith("The sea is calm.")
    assert said.entities == []


async def too_many_requests_are_answered_by_the_pause_that_is_asked_for(day: Day) -> None:
    day.api.limits = [("sendMessage", 7)]
    async with day.living(["The sea is calm."]) as process:
        day.api.say("How is the sea?")
        await day.api.until(lambda: not day.api.limits)
        begun_s = day.clock.elapsed_s
        await day.pass_time(process, day.api.texts)
        said = await day.api.answer()
    assert day.clock.elapsed_s - begun_s >= 7
    assert said.text.startswith("The sea is calm.")
    assert len(day.api.texts()) == 1


async def so_many_pieces_that_telegram_says_no_arrive_once_each_in_their_order(day: Day) -> None:
    words = [f"wave{number}" for number in range(7_000)]
    async with day.living([" ".join(words)]) as process:
        day.api.say("All the waves of the week")
        await day.pass_time(process, lambda: NOTHING in "".join(day.api.texts()[-1:]))
    assert len(day.api.texts()) > ALLOWED[True][0]
    assert [word for word in "".join(day.api.texts()).split() if word.startswith("wave")] == words


async def a_draft_that_has_expired_comes_again_and_costs_nothing_of_the_answer(day: Day) -> None:
    async def slowly(_given: Any) -> Any:
        await day.api.until(day.api.drafts)
        day.api.advance(31)
        assert day.api.drafts() == []

    day.deeds.hold = slowly
    async with day.living([["Let me look.", Call("look")], "It is calm."]):
        day.api.say("How is the sea?")
        said = await day.api.answer()
    assert said.text.startswith("Let me look.")
    assert "It is calm." in said.text


async def whoever_has_blocked_the_bot_is_not_written_to_again(day: Day) -> None:
    day.api.failing["sendMessage"] = [(403, "Forbidden: bot was blocked by the user")]
    async with day.living(["The sea is calm.", "Here I am."]) as process:
        day.api.say("How is the sea?")
        await day.api.until(lambda: not day.api.failing["sendMessage"])
        await day.carried(process)
        day.api.say("I am back")
        said = await day.api.answer()
    assert said.text.startswith("Here I am.")
    assert len(day.api.texts()) == 1


async def drafts_that_are_refused_for_now_cost_nothing_of_the_answer(day: Day) -> None:
    day.api.limits = [("sendMessageDraft", 3)]
    async with day.living(["The sea is calm."]):
        day.api.say("How is the sea?")
        assert (await day.api.answer()).text.startswith("The sea is calm.")
    assert day.api.drafts_seen == []


async def a_server_without_drafts_gets_edits(day: Day) -> None:
    day.api.lacks = {"sendMessageDraft"}
    reached, go_on = anyio.Event(), anyio.Event()

    async def slowly(_given: Any) -> Any:
        await day.api.until(day.api.texts)
        reached.set()

    day.deeds.hold = slowly
    async with day.living([["Let me look.", Call("look")], "It is calm."]):
        day.api.say("How is the sea?")
        await day.api.until(lambda: any("calm" in text for text in day.api.texts()))
    go_on.set()
    assert len(day.api.texts()) == 1
    times = day.api.messages[0].times
    assert len(times) > 1
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) > 0.95


async def a_network_that_was_away_is_back_by_itself(day: Day) -> None:
    async with day.living(["Here I am."]) as process:
        await day.api.until(lambda: any(method == "getUpdates" for method, _ in day.api.calls))
        day.api.down = True
        day.api._ring()
        day.api.say("Are you there?")
        while process.channel.state.working:
            await anyio.lowlevel.checkpoint()
        day.api.down = False
        assert (await day.api.answer()).text.startswith("Here I am.")


async def another_poller_is_told_of_and_outlived(day: Day) -> None:
    async with day.living(["Here I am."]) as process:
        await day.api.until(lambda: any(method == "getUpdates" for method, _ in day.api.calls))
        await day.api._on_getupdates({"timeout": 0})
        while process.channel.state.working or "Conflict" not in process.channel.state.detail:
            await anyio.lowlevel.checkpoint()
        day.api.say("Are you there?")
        assert (await day.api.answer()).text.startswith("Here I am.")
        assert process.channel.state.working


async def a_token_that_is_not_accepted_is_told_and_shown_nowhere(day: Day) -> None:
    day.api.known = False
    async with day.living() as process:
        while "auth" not in process.channel.state.detail:
            await anyio.lowlevel.checkpoint()
        assert TOKEN.partition(":")[2] not in process.channel.state.detail
        assert not process.channel.state.working


async def an_update_that_cannot_be_read_holds_up_no_other(day: Day) -> None:
    async with day.living(["Here I am."]):
        day.api.arrive({"message": {"message_id": "no number", "from": OWNER}})
        day.api.say("Are you there?")
        assert (await day.api.answer()).text.startswith("Here I am.")


async def updates_that_are_counted_from_anew_after_a_silent_week_are_heard(day: Day) -> None:
    async with day.living(["Once."]):
        day.api.say("Hello")
        await day.api.answer()
    day.clock.advance(8 * 86_400)
    day.api.number_from(3)
    day.api.say("Hello again")
    async with day.living(["Again."]):
        assert (await day.api.answer(2)).text.startswith("Again.")


async def telegram_may_call_instead_with_its_secret(day: Day) -> None:
    async with day.living(["Here I am."], hooks={"telegram": Address(HOOK)}) as process:
        await day.api.until(lambda: day.api.hook)
        assert day.api.hook is not None
        head = {"x-telegram-bot-api-secret-token": day.api.hook["secret_token"]}
        body = json.dumps(day.api.say("Are you there?")).encode()
        with pytest.raises(Auth):
            process.channel.knows({"x-telegram-bot-api-secret-token": "guess"})
        with pytest.raises(InvalidInput):
            await process.channel.called(b"[]")
        process.channel.knows(head)
        await process.channel.called(body)
        await process.channel.called(body)
        assert (await day.api.answer()).text.startswith("Here I am.")
    assert len(day.api.texts()) == 1
    assert "getUpdates" not in [method for method, _ in day.api.calls]


async def a_store_that_is_away_is_told_though_telegram_calls_and_nobody_asks(day: Day) -> None:
    hooks = {"telegram": Address(HOOK)}

    async def away(_given: Any) -> Any:
        await store.run(lambda session: session.execute(text("ALTER TABLE inbox RENAME TO away")))
        await store.run(lambda session: session.execute(text("ALTER TABLE offsets RENAME TO away_too")))

    day.deeds.hold = away
    async with day.living([Call("look"), "The sea is calm."], hooks=hooks, drain_s=0.1) as process:
        store, state = process.home.database.for_all_users(), process.channel.state
        with anyio.fail_after(60):
            await _until(state, working=True)
            assert day.api.hook is not None
            head = {"x-telegram-bot-api-secret-token": day.api.hook["secret_token"]}
            process.channel.knows(head)
            await process.channel.called(json.dumps(day.api.say("Look at the sea")).encode())
            await _until(state, working=False)
            assert state.detail.startswith("unavailable: ")
            await store.run(lambda session: session.execute(text("ALTER TABLE away RENAME TO inbox")))
            await store.run(lambda session: session.execute(text("ALTER TABLE away_too RENAME TO offsets")))
            await _until(state, working=True)
        assert state.detail == "called by Telegram"


async def _until(state: ChannelHealth, *, working: bool) -> None:
    while state.working != working:
        await anyio.lowlevel.checkpoint()


async def a_model_that_does_not_answer_is_told(day: Day) -> None:
    async with day.living([]):
        day.api.say("Hello")
        assert "because of a bug" in (await day.api.answer()).text
