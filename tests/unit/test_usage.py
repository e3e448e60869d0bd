"""Caps hold before a request is sent, for requests at once too; questions for consent expire and are taken up once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from accounts import OWNER, owned
from wellread.assistant.conversations import Approval, ConversationStore
from wellread.assistant.database import Database
from wellread.assistant.models.model_usage import PlannedRequest, UsageLedger, estimate_tokens
from wellread.errors import Budget, Consent, Gone
from wellread.sections import ModelSettings
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(f"sqlite:///{tmp_path}/assistant.db")
    yield opened
    opened.close()


def order(turn: str = "t", size: int = 100, price: tuple[int, int] | None = None) -> PlannedRequest:
    return PlannedRequest(turn_id=turn, role="chat", model="m", input_tokens=size, price=price)


async def test_an_answer_may_have_what_is_left(database: Database) -> None:
    ledger = UsageLedger(database, OWNER, ModelSettings(turn_tokens=1_000, max_tokens=800), FakeClock())
    row, room = await ledger.reserve(order())
    assert room == 800
    with pytest.raises(Budget, match="this turn"):
        await ledger.reserve(order())
    await ledger.settle(row, 100, 50, None)
    assert (await ledger.reserve(order()))[1] == 750


async def test_requests_at_once_cannot_both_have_the_last_tokens(database: Database) -> None:
    clock = FakeClock()
    ledger = UsageLedger(database, OWNER, ModelSettings(day_tokens=1_000, max_tokens=500), clock)
    rooms: list[int] = []

    async def ask(turn: str) -> None:
        try:
            rooms.append((await ledger.reserve(order(turn)))[1])
        except Budget:
            rooms.append(0)

    for day in range(10):
        rooms.clear()
        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(ask, f"{day} {number}")
        assert 0 < sum(rooms) + 100 * sum(room > 0 for room in rooms) <= 1_000
        clock.advance(86_400)


async def test_dollars_are_capped_where_the_price_is_known(database: Database) -> None:
    ledger = UsageLedger(database, OWNER, ModelSettings(turn_usd=0.01), FakeClock())
    _, room = await ledger.reserve(order(price=(1_000_000, 10_000_000)))  # 1 and 10 dollars a million
    assert room == 990
    with pytest.raises(Budget, match=r"\$0.01 of this turn"):
        await ledger.reserve(order(price=(1_000_000, 10_000_000)))
    assert (await ledger.turn("t")).cost_usd == pytest.approx(0.01)


async def test_a_day_ends_at_midnight_utc(database: Database) -> None:
    clock = FakeClock()
    ledger = UsageLedger(database, OWNER, ModelSettings(day_tokens=500, max_tokens=400), clock)
    await ledger.reserve(order("a"))
    with pytest.raises(Budget, match="this day"):
        await ledger.reserve(order("b"))
    clock.advance(86_400)
    assert (await ledger.reserve(order("b")))[1] == 400


def test_an_estimate_of_tokens_is_rather_too_high() -> None:
    prose = "The lamp of the lighthouse was changed because the old one could not be seen from the harbour. "
    assert len(prose.split()) * 1.2 <= estimate_tokens(prose) <= len(prose.split()) * 2


# ------------------------------------------------------------------------------------------- approvals


async def asked(book: ConversationStore) -> Approval:
    turn, _ = await book.begin(await book.open("test"), "Send it", author="owner")
    question = book.question(turn, "call", "send", {"to": "Ann"})
    await book.wait(turn, [question])
    return question


async def test_a_question_expires(database: Database) -> None:
    clock = FakeClock()
    book = ConversationStore(owned(database), clock, approval_min=60, history=20)
    question = await asked(book)
    clock.advance(59 * 60)
    assert [it.id for it in await book.pending(question.conversation_id)] == [question.id]
    clock.advance(61)
    assert await book.pending(question.conversation_id) == []
    with pytest.raises(Consent, match="expired"):
        await book.take_up(question.id, agreed=True, by="owner")


async def test_of_many_who_agree_at_once_one_gets_through(database: Database) -> None:
    book = ConversationStore(owned(database), FakeClock(), approval_min=60, history=20)
    question = await asked(book)
    through: list[str] = []

    async def agree() -> None:
        try:
            through.append((await book.take_up(question.id, agreed=True, by="owner")).id)
        except Consent:
            return

    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(agree)
    assert through == [question.id]


async def test_a_conversation_that_is_not_there_is_gone(database: Database) -> None:
    book = ConversationStore(owned(database), FakeClock(), approval_min=60, history=20)
    with pytest.raises(Gone):
        await book.begin("none", "Hello", author="owner")
