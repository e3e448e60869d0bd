"""A store of before there were users, with things of two people in it: each finds what is theirs, and no more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text

from wellread.assistant import migrations
from wellread.assistant.channels.inbox import InboxRow
from wellread.assistant.conversations import ApprovalRow, ConversationRow, MessageRow
from wellread.assistant.database import Database, Private
from wellread.assistant.fulltext import bag
from wellread.assistant.integrations.vault import SealedRow
from wellread.assistant.knowledge.document_tables import ChunkRow, DocumentRow
from wellread.assistant.memory.memory_tables import FactRow, SourceRow, TopicRow, TurnRow, WaitingRow
from wellread.assistant.models.model_usage import UsageRow
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule.schedule_tables import JobRow, RunRow
from wellread.assistant.task_list import TaskRow
from wellread.assistant.users import OWNER, Users
from wellread.sections import AssistantSettings, ChannelSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.orm import Session

OLD = ["brain_0001", "channels_0001", "clockwork_0001", "integrations_0001", "memory_0002"]
ANN, BEN, CALLER, GROUP = "telegram:77", "telegram:78", "http:phone", "group:telegram:-100"
CHANNELS = {
    "a": "telegram:77",
    "b": "telegram:78.3",
    "h": "http:phone",
    "g": "telegram:-100.5",
    "t": "chat",
    "l": "http:",
}
WHOSE = {"a": ANN, "b": BEN, "h": CALLER, "g": GROUP, "t": OWNER, "l": OWNER}


def insert(connection: Connection, table: str, **values: object) -> None:
    names = ", ".join(f'"{it}"' for it in values)
    connection.execute(text(f'INSERT INTO "{table}" ({names}) VALUES ({", ".join(f":{it}" for it in values)})'), values)


def of_each(connection: Connection, key: str, channel: str) -> None:
    """Leave one row of each kind that belongs to a conversation."""
    insert(connection, "conversations", id=key, channel=channel, created_ms=1)
    said = {"conversation_id": key, "turn_id": f"turn {key}", "state": "done", "tainted": False, "created_ms": 1}
    insert(connection, "messages", role="user", text=f"said {key}", receipts="[]", steps="[]", **said)
    insert(
        connection, "approvals", id=f"approval {key}", call_id="c", tool="send", arguments="{}", preview="", reason="",
        result="", receipts="[]", expires_ms=9, **said,
    )  # fmt: skip
    insert(
        connection, "usage", id=f"usage {key}", turn_id=f"turn {key}", role="chat", model="m", input_tokens=1,
        output_tokens=1, cost=0, settled=True, at_ms=1,
    )  # fmt: skip
    words = {"text": f"heard {key}", "tainted": False, "bag": bag(f"heard {key}")}
    turn = f"turn {key}:user"
    insert(
        connection, "memory_turns", id=turn, conversation=key, exchange=turn, speaker="user", at_ms=1, **words
    )  # fmt: skip
    insert(connection, "memory_waiting", exchange=turn, recalled="[]", attempts=0)
    insert(connection, "conversation_topics", exchange=turn, conversation=key, at_ms=1, **words)
    fact(connection, f"fact {key}", turn)
    insert(
        connection, "jobs", id=f"job {key}", name=key, task=f"do {key}", channel="telegram", chat=key, said="",
        zone="UTC", times="{}", misfire="once", window_ms=0, state="active", next_ms=9, created_ms=1,
    )  # fmt: skip
    insert(
        connection, "runs", id=f"run {key}", job_id=f"job {key}", due_ms=1, last_ms=1, count=1, state="done", owner="",
        beat=0, result=f"done {key}",
    )  # fmt: skip
    insert(
        connection, "outbox", id=f"letter {key}", key=f"letter {key}", channel="telegram", chat=key, body=f"told {key}",
        state="sent", owner="", attempts=1, maybe_sent=False, created_ms=1, deferred_ms=1, next_ms=1, error="",
    )  # fmt: skip


def fact(connection: Connection, key: str, *turns: str) -> None:
    insert(
        connection, "user_facts", id=key, text=key, category="other", confidence=1.0, first_ms=1, seen_ms=1,
        tainted=False, bag=bag(key),
    )  # fmt: skip
    for turn in turns:
        insert(connection, "user_fact_sources", fact=key, turn=turn)


def old_store(url: str) -> None:
    """Make a store by the migrations of before, and put things of several people into it."""
    from alembic import command
    from alembic.config import Config

    engine = create_engine(url.replace("postgresql://", "postgresql+pg8000://"))
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        for revision in OLD:
            command.upgrade(config, revision)
        for key, channel in CHANNELS.items():
            of_each(connection, key, channel)
        fact(connection, "fact of both, last of b", "turn a:user", "turn b:user")
        fact(connection, "fact by hand")
        insert(connection, "documents", id="d", source="note:1", title="t", snapshot="s", text="words", at_ms=1)
        insert(connection, "chunks", document="d", start=0, stop=5, bag=bag("t\nwords"), space="", vector=b"")
        insert(connection, "tasks", id="k", title="t", notes="", status="open", created_ms=1)
        insert(connection, "sealed", name="google", sealed=b"x", at_ms=1)
        for number, chat in enumerate(("77", "78", "-100.5")):
            insert(
                connection, "inbox", channel="telegram", key=f"{number}", chat=chat, body="{}", state="waiting",
                created_ms=1,
            )  # fmt: skip
    engine.dispose()


@pytest.fixture
def migrated(store_url: str) -> Database:
    old_store(store_url)
    return Database.open(store_url)


def found(session: Session, row: type[Private]) -> list[str]:
    return [str(getattr(it, "text", "") or getattr(it, "id", "") or it.user_id) for it in session.query(row).all()]


def unowned(session: Session, row: type[Private]) -> int:
    return session.query(row).filter(row.user_id == "").count()


OF_CONVERSATIONS: tuple[type[Private], ...] = (
    ConversationRow, MessageRow, ApprovalRow, UsageRow, TurnRow, WaitingRow, TopicRow, JobRow, RunRow, OutboxRow,
)  # fmt: skip


WITHOUT_ORIGIN: tuple[type[Private], ...] = (DocumentRow, ChunkRow, TaskRow, SealedRow)


async def test_two_people_of_an_old_store_find_their_own(migrated: Database) -> None:
    known = Users(AssistantSettings(), ChannelSettings(users=(ANN, BEN)))
    for key, account in WHOSE.items():
        if account == OWNER:
            continue
        store = migrated.for_user(known.of(account))
        for row in OF_CONVERSATIONS:
            assert len(await store.run(partial(found, row=row))) == 1, (account, row)
        facts = await store.run(lambda session: found(session, FactRow))
        assert facts == [f"fact {key}", *(["fact of both, last of b"] if key == "b" else [])]
        for row in WITHOUT_ORIGIN:
            assert await store.run(partial(found, row=row)) == []
        assert len(await store.run(lambda session: found(session, InboxRow))) == (0 if account == CALLER else 1)
    migrated.close()


async def test_what_has_no_origin_is_the_owners(migrated: Database) -> None:
    owner = migrated.for_user(Users(AssistantSettings(), ChannelSettings(users=(ANN, BEN))).owner)
    assert await owner.run(lambda session: found(session, FactRow)) == ["fact t", "fact l", "fact by hand"]
    for row in OF_CONVERSATIONS:
        assert len(await owner.run(partial(found, row=row))) == 2, row
    for row in WITHOUT_ORIGIN:
        assert len(await owner.run(partial(found, row=row))) == 1, row
    everybody = migrated.for_all_users()
    others: tuple[type[Private], ...] = (FactRow, SourceRow, InboxRow)
    for row in OF_CONVERSATIONS + WITHOUT_ORIGIN + others:
        nobody = await everybody.run(partial(unowned, row=row))
        assert nobody == 0, row
    migrated.close()


async def test_the_only_person_of_an_old_store_keeps_all(migrated: Database) -> None:
    ann = migrated.for_user(Users(AssistantSettings(), ChannelSettings(users=(ANN,))).of(ANN))
    facts = await ann.run(lambda session: found(session, FactRow))
    assert set(facts) == {"fact a", "fact t", "fact l", "fact by hand"}
    assert len(await ann.run(lambda session: found(session, TaskRow))) == 1
    migrated.close()
