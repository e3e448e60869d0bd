"""Facts and turns in the database; each function works within the caller's transaction."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import delete, func, select, update

from wellread.assistant.database import frozen_row
from wellread.assistant.fulltext import bag, rules_mark
from wellread.assistant.memory.fact import Category, Fact
from wellread.assistant.memory.memory_tables import FactRow, SourceRow, TopicRow, TurnRow, WaitingRow
from wellread.assistant.memory.turns import MemoryTurn, Topic
from wellread.index.relevance import weigh_terms
from wellread.index.search_terms import QueryTerms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy.orm import InstrumentedAttribute, Session

Row = TypeVar("Row", FactRow, TopicRow, TurnRow)

MAX_ATTEMPTS = 5
"""To have facts looked for in an exchange, before it is let be."""
MIN_SAID_SHARE = 0.7
"""A turn that holds this share of a fact, rare words weighing most, says it."""
_AT_ONCE = 500
"""Keys in one statement: databases bound how many values may be handed over."""


class Exchange(NamedTuple):
    """Turns that were stored together, and the ids of the facts that the assistant was given for them."""

    id: str
    turns: tuple[MemoryTurn, ...]
    recalled: frozenset[str]


# ------------------------------------------------------------------------------------------------- turns


def keep_turns(session: Session, turns: Sequence[MemoryTurn], recalled: Collection[str]) -> None:
    """Store turns, and mark their exchange as waiting for extraction; a turn that is stored already is skipped."""
    known_ids = {row.id for row in _turn_rows(session, [turn.id for turn in turns])}
    new_turns = {turn.id: turn for turn in turns if turn.id not in known_ids}
    if not new_turns:
        return
    exchange = next(iter(new_turns))
    for turn in new_turns.values():
        session.add(TurnRow(**asdict(turn), exchange=exchange, bag=bag(turn.text)))
        session.flush()  # one by one: their numbers are their order
    session.add(WaitingRow(exchange=exchange, recalled=json.dumps(sorted(recalled)), attempts=0))


def bagged_turns(session: Session) -> Sequence[tuple[str, str, bytes]]:
    """Return id, conversation and bag of every turn, grouped by conversation, in order."""
    _refresh_bags(session, TurnRow)
    query = select(TurnRow.id, TurnRow.conversation, TurnRow.bag).order_by(TurnRow.conversation, TurnRow.number)
    return session.execute(query).all()


def turns(session: Session, ids: Sequence[str]) -> dict[str, MemoryTurn]:
    """Return the stored turns of these ids."""
    return {row.id: frozen_row(MemoryTurn, row) for row in _turn_rows(session, ids)}


def drop_turns(session: Session, ids: Sequence[str]) -> None:
    """Delete turns, with their waiting exchanges, topics, and links to facts."""
    for chunk in _chunks(ids):
        session.execute(delete(SourceRow).where(SourceRow.turn.in_(chunk)))
        session.execute(delete(TurnRow).where(TurnRow.id.in_(chunk)))
    for row in (WaitingRow, TopicRow):
        session.execute(delete(row).where(row.exchange.not_in(select(TurnRow.exchange))))


def turns_that_say(session: Session, text: str) -> list[str]:
    """Return the ids of the turns that say the same as `text`; of an exchange whose topic says it, the first."""
    turns, topics = select(TurnRow.id, TurnRow.text), select(TopicRow.exchange, TopicRow.text)
    return ids_saying(text, [*session.execute(turns), *session.execute(topics)])


def ids_saying(text: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the ids of the rows (id, words) that hold most of the words of `text` that any row holds."""
    query = QueryTerms(text)
    counts = [query.count(words) for _, words in rows]
    term_worth = weigh_terms(query.weights, counts)
    present_terms = {term: term_worth[term] for count in counts for term in count.frequencies}
    min_worth = MIN_SAID_SHARE * sum(present_terms.values())
    return [
        turn
        for (turn, _), count in zip(rows, counts, strict=True)
        if count.frequencies and sum(present_terms[term] for term in count.frequencies) >= min_worth
    ]


def empty_rows_saying(
    session: Session, fact: str, key: InstrumentedAttribute[str], words: InstrumentedAttribute[str]
) -> None:
    """Empty the words of all rows of a table that say the same as `fact`; the rows stay."""
    ids = ids_saying(fact, session.execute(select(key, words)).all())
    session.execute(update(key.class_).where(key.in_(ids)).values({words.key: ""}))


def with_exchanges(session: Session, ids: Sequence[str]) -> list[str]:
    """Return the ids of these turns, and of the turns of the same exchanges."""
    exchanges = list(dict.fromkeys(row.exchange for row in _turn_rows(session, ids)))
    turn_ids = [
        turn
        for chunk in _chunks(exchanges)
        for turn in session.scalars(select(TurnRow.id).where(TurnRow.exchange.in_(chunk)).order_by(TurnRow.number))
    ]
    return list(dict.fromkeys((*ids, *turn_ids)))


def waiting_accounts(session: Session) -> list[str]:
    """Return the accounts whose exchanges wait for extraction."""
    query = select(WaitingRow.user_id).where(WaitingRow.attempts < MAX_ATTEMPTS).distinct()
    return list(session.scalars(query.order_by(WaitingRow.user_id)))


def next_exchange(session: Session, account: str) -> Exchange | None:
    """Return the oldest exchange of an account that waits for extraction; the attempt is counted."""
    first = func.min(TurnRow.number)
    query = (
        select(WaitingRow)
        .join(TurnRow, TurnRow.exchange == WaitingRow.exchange)
        .where(WaitingRow.attempts < MAX_ATTEMPTS, WaitingRow.user_id == account)
        .group_by(WaitingRow.exchange, WaitingRow.recalled, WaitingRow.attempts, WaitingRow.user_id)
        .order_by(WaitingRow.attempts, first)
        .limit(1)
    )
    row = session.scalars(query).first()
    if row is None:
        return None
    row.attempts += 1
    turn_rows = session.scalars(select(TurnRow).where(TurnRow.exchange == row.exchange).order_by(TurnRow.number))
    return Exchange(
        row.exchange,
        tuple(frozen_row(MemoryTurn, turn_row) for turn_row in turn_rows),
        frozenset(json.loads(row.recalled)),
    )


def finish_exchange(session: Session, exchange: str) -> None:
    """Mark an exchange as done."""
    session.execute(delete(WaitingRow).where(WaitingRow.exchange == exchange))


# ------------------------------------------------------------------------------------------------- topics


def write_topic(session: Session, exchange: str, topic: Topic) -> None:
    """Store the topic of a conversation in an exchange."""
    session.merge(TopicRow(exchange=exchange, **asdict(topic), bag=bag(topic.text)))


def topics(session: Session, *conversations: str) -> list[tuple[Topic, bytes]]:
    """Return the topics of these conversations, or of all, with their bags; the latest comes first."""
    _refresh_bags(session, TopicRow)
    last = func.max(TopicRow.at_ms)
    columns = TopicRow.conversation, TopicRow.text, TopicRow.tainted, TopicRow.bag
    query = select(*columns, last.label("at_ms")).group_by(*columns).order_by(last.desc())
    if conversations:
        query = query.where(TopicRow.conversation.in_(conversations))
    return [
        (Topic(conversation=row.conversation, text=row.text, at_ms=row.at_ms, tainted=row.tainted), row.bag)
        for row in session.execute(query)
    ]


# ------------------------------------------------------------------------------------------------- facts


def facts(session: Session) -> list[Fact]:
    """Return every fact, in the order in which they were first heard."""
    sources: dict[str, list[str]] = {}
    for fact, turn in session.execute(select(SourceRow.fact, SourceRow.turn).order_by(SourceRow.turn)):
        sources.setdefault(fact, []).append(turn)
    rows = session.scalars(select(FactRow).order_by(FactRow.first_ms, FactRow.id))
    return [_fact(row, sources.get(row.id, ())) for row in rows]


def fact_bags(session: Session) -> dict[str, bytes]:
    """Return the bag of every fact, by its id."""
    _refresh_bags(session, FactRow)
    return dict(session.execute(select(FactRow.id, FactRow.bag)).all())


def write_fact(session: Session, fact: Fact) -> None:
    """Write a fact, over the one of its id where there is one; sources are only ever added."""
    row = session.get(FactRow, fact.id) or FactRow(id=fact.id)
    row.text, row.category, row.tainted = fact.text, str(fact.category), fact.tainted
    row.confidence, row.first_ms, row.seen_ms = fact.confidence, fact.first_ms, fact.seen_ms
    row.bag = bag(fact.text)
    session.add(row)
    session.flush()
    known_turns = set(session.scalars(select(SourceRow.turn).where(SourceRow.fact == fact.id)))
    session.add_all(
        SourceRow(fact=fact.id, turn=turn) for turn in dict.fromkeys(fact.sources) if turn not in known_turns
    )
    session.flush()


def drop_facts(session: Session, ids: Sequence[str]) -> None:
    """Delete facts, and their links to turns."""
    for chunk in _chunks(ids):
        session.execute(delete(SourceRow).where(SourceRow.fact.in_(chunk)))
        session.execute(delete(FactRow).where(FactRow.id.in_(chunk)))


def _refresh_bags(session: Session, table: type[Row]) -> None:
    """Make the bags anew that were made by other rules."""
    stale = select(table).where(func.substr(table.bag, 1, len(rules_mark())) != rules_mark())
    for row in session.scalars(stale):
        row.bag = bag(row.text)
    session.flush()


def _fact(row: FactRow, sources: Sequence[str]) -> Fact:
    return frozen_row(Fact, row, category=Category(row.category), sources=tuple(sources))


def _turn_rows(session: Session, ids: Sequence[str]) -> list[TurnRow]:
    return [row for chunk in _chunks(ids) for row in session.scalars(select(TurnRow).where(TurnRow.id.in_(chunk)))]


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE))
