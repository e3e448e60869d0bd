"""Conversations in Telegram in which a word is waited for, or something is due later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botapi import OWNER
from scenario.telegram_day import NOTHING
from wellread.testing import Call

if TYPE_CHECKING:
    from scenario.telegram_day import Day

SEND = Call("send", {"to": "Bob", "text": "The *ferry* is late."})


# ------------------------------------------------------------------------------------------------ consent


async def a_question_shows_the_whole_action_and_yes_does_it_once(day: Day) -> None:
    async with day.living([SEND, "Bob knows."]):
        day.api.say("Tell Bob that the ferry is late")
        question = await day.api.answer(2)
        assert "send waits for your approval" in day.api.texts()[0]
        assert question.covered("pre") == ["send {'to': 'Bob', 'text': 'The *ferry* is late.'}"]
        assert day.deeds.effects() == []
        day.api.press(question, "Do it")
        said = await day.api.answer(3)
        assert question.buttons == []
    assert day.deeds.effects() == ["send"]
    assert said.text.startswith("Bob knows.\n\n\u2713 send: ")
    assert NOTHING not in said.text


async def no_leaves_it_and_the_model_is_told(day: Day) -> None:
    async with day.living([SEND, "I left it."]) as process:
        day.api.say("Tell Bob that the ferry is late")
        day.api.press(await day.api.answer(2), "Leave it")
        said = await day.api.answer(3)
    assert day.deeds.effects() == []
    assert said.text.startswith("I left it.")
    assert "did not agree" in process.model.asked[1].results()[-1]


async def a_question_survives_a_restart(day: Day) -> None:
    async with day.killed([SEND]) as process:
        day.api.say("Tell Bob that the ferry is late")
        question = await day.api.answer(2)
        await day.carried(process)
    async with day.living(["Bob knows."]):
        day.api.press(question, "Do it")
        await day.api.answer(3)
    assert day.deeds.effects() == ["send"]


async def a_button_that_was_pressed_while_nobody_was_there_counts_and_goes_away(day: Day) -> None:
    async with day.living([SEND]) as process:
        day.api.say("Tell Bob that the ferry is late")
        question = await day.api.answer(2)
        await day.carried(process)
    day.api.press(question, "Do it")
    day.api.advance(3_600)
    async with day.living(["Bob knows."]):
        await day.api.answer(3)
    assert day.deeds.effects() == ["send"]
    assert question.buttons == [], "though Telegram takes no answer to it any more"


async def a_button_that_is_pressed_twice_does_it_once(day: Day) -> None:
    async with day.living([SEND, "Bob knows."]):
        day.api.say("Tell Bob that the ferry is late")
        question = await day.api.answer(2)
        day.api.press(question, "Do it")
        day.api.press(question, "Do it")
        await day.api.answer(4)
    assert day.deeds.effects() == ["send"]
    assert any("the question is done" in text for text in day.api.texts())


async def a_question_that_has_expired_does_nothing(day: Day) -> None:
    async with day.living([SEND]):
        day.api.say("Tell Bob that the ferry is late")
        question = await day.api.answer(2)
        day.clock.advance(2 * 3_600)
        day.api.press(question, "Do it")
        assert "has expired" in (await day.api.answer(3)).text
    assert day.deeds.effects() == []


async def a_long_question_is_shown_whole_with_its_hidden_signs_spelled_out(day: Day) -> None:
    text = "\n".join(f"line {n}" for n in range(900)) + "\u202egnp.exe"
    async with day.living([Call("send", {"text": text})]):
        day.api.say("Send it all")
        await day.api.until(lambda: any(it.buttons for it in day.api.messages))
    shown = "".join(block for it in day.api.messages for block in it.covered("pre"))
    assert len(shown) > 4_096
    assert shown.startswith("send {'text': 'line 0")
    assert shown.endswith("\\u202egnp.exe'}")
    assert [bool(it.buttons) for it in day.api.messages[1:]] == [False] * (len(day.api.messages) - 2) + [True]


async def a_stranger_cannot_press_a_button(day: Day) -> None:
    async with day.living([SEND]) as process:
        day.api.say("Tell Bob that the ferry is late")
        day.api.press(await day.api.answer(2), "Do it", user=666)
        await day.api.until(lambda: process.channel.state.counts["ignored"] == 1)
    assert day.deeds.effects() == []


async def a_question_is_decided_only_in_the_chat_where_it_was_asked(day: Day) -> None:
    async with day.living([SEND]):
        day.api.say("Tell Bob that the ferry is late", chat=-5)
        question = await day.api.answer(2, chat=-5)
        question.chat = OWNER
        day.api.press(question, "Do it")
        assert "this question is not from this chat" in (await day.api.answer(2)).text
    assert day.deeds.effects() == []


async def two_questions_of_one_turn_are_decided_one_by_one(day: Day) -> None:
    async with day.living([[SEND, Call("send", {"to": "Eve"})], "Both know."]):
        day.api.say("Tell Bob and Eve")
        await day.api.answer(3)
        _, first, second = list(day.api.messages)
        day.api.press(first, "Do it")
        day.api.press(second, "Do it")
        said = await day.api.answer(4)
    assert said.text.startswith("Both know.")
    assert len(day.deeds.effects()) == 2


# ------------------------------------------------------------------------------------------------ time


async def a_schedule_delivers_to_the_chat_in_which_it_was_made(day: Day) -> None:
    create = Call("schedule_create", {"when": "every day at 14:00", "task": "Say how the sea is.", "name": "sea"})
    async with day.living([create]):
        day.api.say("Tell me every day at two how the sea is", chat=-5)
        await day.api.answer(chat=-5)
    async with day.living(["**Calm.**"]) as process:
        day.clock.advance(24 * 3_600)
        await day.pass_time(process, lambda: len(day.api.texts(-5)) == 2)
        said = await day.api.answer(2, chat=-5)
    assert said.text.startswith("Calm.")
    assert day.api.texts(OWNER) == []


async def what_is_scheduled_reaches_a_group_that_has_become_a_supergroup(day: Day) -> None:
    create = Call("schedule_create", {"when": "in two minutes", "task": "Say how the sea is."})
    async with day.living([create, "**Calm.**"]) as process:
        day.api.say("Tell us in two minutes how the sea is", chat=-5)
        await day.api.answer(chat=-5)
        day.api.moved = {-5: -1_000_000_000_005}
        day.clock.advance(120)
        await day.pass_time(process, lambda: day.api.texts(-1_000_000_000_005))
        said = await day.api.answer(chat=-1_000_000_000_005)
    assert said.covered("bold") == ["Calm."]


async def what_is_scheduled_asks_by_buttons_too(day: Day) -> None:
    create = Call("schedule_create", {"when": "in two minutes", "task": "Tell Bob that the ferry is late."})
    async with day.living([create, SEND, "Bob knows."]) as process:
        day.api.say("Tell Bob in two minutes that the ferry is late")
        await day.api.answer()
        day.clock.advance(120)
        await day.pass_time(process, lambda: len(day.api.texts()) == 3)
        question = await day.api.answer(3)
        assert "wellread chat" not in day.api.texts()[1]
        day.api.press(question, "Do it")
        await day.api.answer(4)
    assert day.deeds.effects() == ["send"]
