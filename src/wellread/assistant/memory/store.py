"""Facts and turns in the database: what each function does happens inside the caller's transaction."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import delete, func, select, update

from wellread.assistant.database import noun
from wellread.assistant.fulltext import bag, rules
from wellread.assistant.memory.facts import Category, Fact
from wellread.assistant.memory.tables import FactRow, SourceRow, TopicRow, TurnRow, WaitingRow
from wellread.assistant.memory.turns import Topic, Turn
from wellread.store.relevance import worth
from wellread.store.words import Asked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy.orm import InstrumentedAttribute, Session

Row = TypeVar("Row", FactRow, TopicRow, TurnRow)

MOST_ATTEMPTS = 5
"""To have facts looked for in an exchange, before it is let be."""
SAYS_IT = 0.7
"""A turn that holds this share of a fact, rare words weighing most, says it."""
_AT_ONCE = 500
"""Keys in one statement: databases bound how many values may be handed over."""


class Exchange(NamedTuple):
    """Turns that were handed over together, and the ids of the facts that the assistant was told for them."""

    id: str
    turns: tuple[Turn, ...]
    recalled: frozenset[str]


# ------------------------------------------------------------------------------------------------- turns


def keep_turns(session: Session, turns: Sequence[Turn], recalled: Collection[str]) -> None:
    """Keep what was said, and that facts are to be looked for in it; a turn that is there already is not kept twice."""
    known = {row.id for row in _turn_rows(session, [turn.id for turn in turns])}
    fresh = {turn.id: turn for turn in turns if turn.id not in known}
    if not fresh:
        return
    exchange = next(iter(fresh))
    for turn in fresh.values():
        session.add(TurnRow(**asdict(turn), exchange=exchange, bag=bag(turn.text)))
        session.flush()  # one by one: their numbers are their order
    session.add(WaitingRow(exchange=exchange, recalled=json.dumps(sorted(recalled)), attempts=0))


def bagged_turns(session: Session) -> Sequence[tuple[str, str, bytes]]:
    """The id, the conversation and the bag of every turn, those of a conversation together and in their order."""
    _make_anew(session, TurnRow)
    asked = select(TurnRow.id, TurnRow.conversation, TurnRow.bag).order_by(TurnRow.conversation, TurnRow.number)
    return session.execute(asked).all()


def turns(session: Session, ids: Sequence[str]) -> dict[str, Turn]:
    """The turns of these ids, as far as they are there."""
    return {row.id: noun(Turn, row) for row in _turn_rows(session, ids)}


def drop_turns(session: Session, ids: Sequence[str]) -> None:
    """Delete turns, what waits for them, what they were about, and that facts were heard in them."""
    for some in _some(ids):
        session.execute(delete(SourceRow).where(SourceRow.turn.in_(some)))
        session.execute(delete(TurnRow).where(TurnRow.id.in_(some)))
    for row in (WaitingRow, TopicRow):
        session.execute(delete(row).where(row.exchange.not_in(select(TurnRow.exchange))))


def turns_that_say(session: Session, text: str) -> list[str]:
    """The ids of the turns that say what `text` says; of an exchange whose topic says it, the first."""
    turns, topics = select(TurnRow.id, TurnRow.text), select(TopicRow.exchange, TopicRow.text)
    return saying(text, [*session.execute(turns), *session.execute(topics)])


def saying(text: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """The ids of the rows (id, words) that hold most of what `text` says, by the words that rows hold at all."""
    asked = Asked(text)
    counts = [asked.count(said) for _, said in rows]
    told = worth(asked.weights, counts)
    known = {term: told[term] for count in counts for term in count.found}
    enough = SAYS_IT * sum(known.values())
    return [
        turn
        for (turn, _), count in zip(rows, counts, strict=True)
        if count.found and sum(known[term] for term in count.found) >= enough
    ]


def silence(session: Session, fact: str, key: InstrumentedAttribute[str], words: InstrumentedAttribute[str]) -> None:
    """Take the words out of the rows of any table that say what `fact` says; that there was something stays known."""
    said = saying(fact, session.execute(select(key, words)).all())
    session.execute(update(key.class_).where(key.in_(said)).values({words.key: ""}))


def with_exchanges(session: Session, ids: Sequence[str]) -> list[str]:
    """The ids of these turns, and of those that were handed over together with them."""
    exchanges = list(dict.fromkeys(row.exchange for row in _turn_rows(session, ids)))
    found = [
        turn
        for some in _some(exchanges)
        for turn in session.scalars(select(TurnRow.id).where(TurnRow.exchange.in_(some)).order_by(TurnRow.number))
    ]
    return list(dict.fromkeys((*ids, *found)))


def waiting_accounts(session: Session) -> list[str]:
    """The accounts under which exchanges wait for facts to be looked for."""
    asked = select(WaitingRow.user_id).where(WaitingRow.attempts < MOST_ATTEMPTS).distinct()
    return list(session.scalars(asked.order_by(WaitingRow.user_id)))


def waiting(session: Session, account: str) -> Exchange | None:
    """The oldest exchange of an account in which facts are to be looked for; the attempt is counted."""
    first = func.min(TurnRow.number)
    asked = (
        select(WaitingRow)
        .join(TurnRow, TurnRow.exchange == WaitingRow.exchange)
        .where(WaitingRow.attempts < MOST_ATTEMPTS, WaitingRow.user_id == account)
        .group_by(WaitingRow.exchange, WaitingRow.recalled, WaitingRow.attempts, WaitingRow.user_id)
        .order_by(WaitingRow.attempts, first)
        .limit(1)
    )
    row = session.scalars(asked).first()
    if row is None:
        return None
    row.attempts += 1
    said = session.scalars(select(TurnRow).where(TurnRow.exchange == row.exchange).order_by(TurnRow.number))
    return Exchange(row.exchange, tuple(noun(Turn, each) for each in said), frozenset(json.loads(row.recalled)))


def done(session: Session, exchange: str) -> None:
    """Facts were looked for in an exchange."""
    session.execute(delete(WaitingRow).where(WaitingRow.exchange == exchange))


# ------------------------------------------------------------------------------------------------- topics


def write_topic(session: Session, exchange: str, topic: Topic) -> None:
    """Keep what a conversation was about in an exchange."""
    session.merge(TopicRow(exchange=exchange, **asdict(topic), bag=bag(topic.text)))


def topics(session: Session, *conversations: str) -> list[tuple[Topic, bytes]]:
    """The topics of these conversations, or of all, with their bags; what was talked about last comes first."""
    _make_anew(session, TopicRow)
    last = func.max(TopicRow.at_ms)
    columns = TopicRow.conversation, TopicRow.text, TopicRow.tainted, TopicRow.bag
    asked = select(*columns, last.label("at_ms")).group_by(*columns).order_by(last.desc())
    if conversations:
        asked = asked.where(TopicRow.conversation.in_(conversations))
    return [
        (Topic(conversation=row.conversation, text=row.text, at_ms=row.at_ms, tainted=row.tainted), row.bag)
        for row in session.execute(asked)
    ]


# ------------------------------------------------------------------------------------------------- facts


def facts(session: Session) -> list[Fact]:
    """Every fact, in the order in which they were first heard."""
    heard: dict[str, list[str]] = {}
    for fact, turn in session.execute(select(SourceRow.fact, SourceRow.turn).order_by(SourceRow.turn)):
        heard.setdefault(fact, []).append(turn)
    rows = session.scalars(select(FactRow).order_by(FactRow.first_ms, FactRow.id))
    return [_fact(row, heard.get(row.id, ())) for row in rows]


def fact_bags(session: Session) -> dict[str, bytes]:
    """The bag of every fact, by its id."""
    _make_anew(session, FactRow)
    return dict(session.execute(select(FactRow.id, FactRow.bag)).all())


def write_fact(session: Session, fact: Fact) -> None:
    """Write a fact, over the one of its id where there is one; sources are only ever added."""
    row = session.get(FactRow, fact.id) or FactRow(id=fact.id)
    row.text, row.category, row.tainted = fact.text, str(fact.category), fact.tainted
    row.confidence, row.first_ms, row.seen_ms = fact.confidence, fact.first_ms, fact.seen_ms
    row.bag = bag(fact.text)
    session.add(row)
    session.flush()
    known = set(session.scalars(select(SourceRow.turn).where(SourceRow.fact == fact.id)))
    session.add_all(SourceRow(fact=fact.id, turn=turn) for turn in dict.fromkeys(fact.sources) if turn not in known)
    session.flush()


def drop_facts(session: Session, ids: Sequence[str]) -> None:
    """Delete facts, and where they were heard."""
    for some in _some(ids):
        session.execute(delete(SourceRow).where(SourceRow.fact.in_(some)))
        session.execute(delete(FactRow).where(FactRow.id.in_(some)))


def _make_anew(session: Session, table: type[Row]) -> None:
    """Make the bags anew that were made by other rules."""
    stale = select(table).where(func.substr(table.bag, 1, len(rules())) != rules())
    for row in session.scalars(stale):
        row.bag = bag(row.text)
    session.flush()


def _fact(row: FactRow, sources: Sequence[str]) -> Fact:
    return noun(Fact, row, category=Category(row.category), sources=tuple(sources))


def _turn_rows(session: Session, ids: Sequence[str]) -> list[TurnRow]:
    return [row for some in _some(ids) for row in session.scalars(select(TurnRow).where(TurnRow.id.in_(some)))]


def _some(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE))
