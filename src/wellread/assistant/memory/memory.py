"""The assistant's memory: keeps what was said, learns facts of it, recalls what answers a message, and forgets.

await memory.keep(turns, recalled=ids)             after each exchange, with the ids of `told.facts`
await memory.learn(model)                          in the background; without a model, turns are found all the same
told = await memory.recall(message)                before the next answer; `told.text` goes into the prompt as data
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import anyio

from wellread.assistant.database import new_id
from wellread.assistant.fulltext import Bags, best
from wellread.assistant.memory import extraction, recall, store
from wellread.assistant.memory.facts import NEW, Category, Fact, confidence, is_spent, told
from wellread.assistant.memory.sameness import same, usual_words
from wellread.assistant.memory.turns import USER, Topic, Window
from wellread.assistant.memory.upsert import Origin, planned
from wellread.errors import InvalidInput, WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.database import UserStore
    from wellread.assistant.memory.recall import Recalled
    from wellread.assistant.memory.store import Exchange
    from wellread.assistant.memory.turns import Turn
    from wellread.assistant.ports import TextModel
    from wellread.ports import Clock

SHOWN_FACTS = 30
"""Known facts that the model is shown beside an exchange: those that have most to do with it."""
_ANSWER_TOKENS = 1_000


class Learned(NamedTuple):
    """What came of looking for facts in one exchange."""

    exchange: str
    facts: tuple[Fact, ...]
    """As they are now: new, heard again or corrected."""
    told: tuple[str, ...]
    """What was skipped and why: malformed answers, facts that say nothing, a model that did not answer."""


class Forgotten(NamedTuple):
    """What a fact left behind, and is no more."""

    fact: Fact
    turns: tuple[str, ...]
    """Ids of the turns of the exchanges that said it, gone with it."""
    wiped: bool
    """Nothing is left in the database's files; False while another process still reads an older state."""


class Memory:
    """The memory of one user.

    `erase` is told, in the same transaction, which turns other tables must lose too, and the fact that is forgotten.
    """

    def __init__(
        self,
        opened: UserStore,
        clock: Clock,
        *,
        erase: Callable[[Session, Sequence[str], str], None] | None = None,
    ) -> None:
        """Take the parts; nothing is read here."""
        self._opened = opened
        self._clock = clock
        self._erase = erase
        self._learning = anyio.Lock()

    # ------------------------------------------------------------------------------------------- turns

    async def keep(self, turns: Sequence[Turn], *, recalled: Collection[str] = ()) -> None:
        """Keep the turns of one exchange; `recalled` are ids of the facts that the assistant was told for it."""
        await self._opened.run(lambda session: store.keep_turns(session, turns, recalled))

    async def learn(self, model: TextModel) -> tuple[Learned, ...]:
        """Look for facts in every exchange that waits, oldest first; then prune.

        An answer that cannot be read costs its exchange, and is told. When no model answers the rest waits for the next
        call. An error of any other kind is raised.
        """
        learned: list[Learned] = []
        account = self._opened.user.account
        async with self._learning:
            while exchange := await self._opened.run(lambda session: store.waiting(session, account)):
                try:
                    learned.append(await self._learn(model, exchange))
                except WellreadError as error:
                    learned.append(Learned(exchange.id, (), (f"{error.code}: {error.message}",)))
                    break
            await self.prune()
        return tuple(learned)

    async def _learn(self, model: TextModel, exchange: Exchange) -> Learned:
        # Words of the outside world are left out where the user said something himself: a page knows nothing of him.
        own = tuple(turn for turn in exchange.turns if not turn.tainted)
        said = own if any(turn.speaker == USER for turn in own) else exchange.turns
        tainted = any(turn.tainted for turn in said)
        text = "\n".join(turn.text for turn in said)
        near = await self._opened.run(lambda session: _near(session, text))
        shown = [fact for fact in near if tainted or not fact.tainted]
        conversation = said[0].conversation
        before = await self._opened.run(lambda session: store.topics(session, conversation))
        question = extraction.asked(said, [fact.text for fact in shown], before[0][0].text if before else "")
        answer = await model.answer(extraction.INSTRUCTIONS, question, max_tokens=_ANSWER_TOKENS)
        read = extraction.parsed(answer, len(shown))
        origin = Origin(tuple(turn.id for turn in said), self._clock.now_ms(), tainted, exchange.recalled)

        def write(session: Session) -> Learned:
            known = store.facts(session)
            present = {fact.id for fact in known}
            # While the model thought, a fact may have been forgotten: what corrects it is then news.
            candidates = [
                each if not each.replaces or shown[each.replaces - 1].id in present else each._replace(replaces=None)
                for each in read.candidates
            ]
            gone = not set(origin.sources) <= set(store.turns(session, origin.sources))
            plan = planned([] if gone else candidates, shown, known, origin, new_id)
            for fact in plan.facts:
                store.write_fact(session, fact)
            if read.topic and not gone:
                topic = Topic(conversation=conversation, text=read.topic, at_ms=origin.at_ms, tainted=tainted)
                store.write_topic(session, exchange.id, topic)
            store.done(session, exchange.id)
            return Learned(exchange.id, plan.facts, (*read.skipped, *plan.skipped))

        return await self._opened.run(write)

    # ------------------------------------------------------------------------------------------- recall

    async def recall(
        self, message: str, *, budget_tokens: int = recall.BUDGET_TOKENS, present: Collection[str] = ()
    ) -> Recalled:
        """What the memory has to say to `message`, in at most `budget_tokens`.

        `present` are ids of turns that stand in the prompt anyhow.
        """
        now = self._clock.now_ms()

        def look(session: Session) -> Recalled:
            found = recall.spots(message, store.bagged_turns(session))
            known = [fact for fact in store.facts(session) if not is_spent(fact, now)]
            facts = recall.ranked_facts(message, known, store.fact_bags(session), found)[: recall.MOST_FACTS]
            more = [fact for fact in recall.standing(known, now) if fact not in facts]
            windows = _windows(session, [spot for spot in found if spot.centre not in present])
            absent = [
                window._replace(turns=tuple(turn for turn in window.turns if turn.id not in present))
                for window in windows
            ]
            return recall.within(budget_tokens, message, [*facts, *more], absent)

        return await self._opened.run(look)

    async def search(self, query: str, *, count: int = 10) -> tuple[tuple[Fact, ...], tuple[Window, ...]]:
        """The facts and the turns that answer `query`, best first, at most `count` of each."""

        def look(session: Session) -> tuple[tuple[Fact, ...], tuple[Window, ...]]:
            found = recall.spots(query, store.bagged_turns(session), count)
            facts = recall.ranked_facts(query, store.facts(session), store.fact_bags(session), found)
            return tuple(facts[:count]), tuple(_windows(session, found))

        return await self._opened.run(look)

    async def topics(self, query: str = "", *, count: int = 10) -> tuple[Topic, ...]:
        """What conversations were about, the last first; with a query, what answers it, best first."""

        def look(session: Session) -> tuple[Topic, ...]:
            known = store.topics(session)
            places = best(Bags([made for _, made in known]).scores(query), count) if query else range(count)
            return tuple(known[at][0] for at in places if at < len(known))

        return await self._opened.run(look)

    async def facts(self) -> tuple[Fact, ...]:
        """Every fact with its confidence as of now, the surest and newest first."""
        now = self._clock.now_ms()
        known = [replace(fact, confidence=confidence(fact, now)) for fact in await self._opened.run(store.facts)]
        return tuple(sorted(known, key=lambda fact: (-fact.confidence, -fact.seen_ms, fact.id)))

    # ------------------------------------------------------------------------------------------- by hand

    async def add(self, text: str, category: Category = Category.OTHER) -> Fact:
        """Keep a fact that the user states himself; one that says the same is reinforced instead.

        Raises:
            InvalidInput: there are no words in it.
        """
        candidate = extraction.Candidate(_worded(text), category)
        origin = Origin((), self._clock.now_ms(), tainted=False, recalled=frozenset())

        def write(session: Session) -> Fact:
            (fact,) = planned([candidate], (), store.facts(session), origin, new_id).facts
            store.write_fact(session, fact)
            return fact

        return await self._opened.run(write)

    async def correct(self, id: str, text: str) -> Fact:
        """Put other words in the place of a fact's; they are the user's own.

        Raises:
            InvalidInput: there is no such fact, or no words.
        """
        worded, now = _worded(text), self._clock.now_ms()

        def write(session: Session) -> Fact:
            fact = replace(_named(session, id), text=worded, confidence=NEW, seen_ms=now, tainted=False)
            store.write_fact(session, fact)
            return fact

        return await self._opened.run(write)

    async def forget(self, id: str) -> Forgotten:
        """Delete a fact and every trace of it: the exchanges it was heard in, and those in which it is said again.

        Raises:
            InvalidInput: there is no such fact.
        """

        def erase(session: Session) -> Forgotten:
            fact = _named(session, id)
            known = store.facts(session)
            usual = usual_words([each.text for each in known])
            twins = [each.id for each in known if each.id == id or same(each.text, fact.text, usual)]
            gone = store.with_exchanges(session, [*fact.sources, *store.turns_that_say(session, fact.text)])
            store.drop_facts(session, twins)
            store.drop_turns(session, gone)
            if self._erase is not None:
                self._erase(session, gone, fact.text)
            return Forgotten(fact, tuple(gone), wiped=False)

        forgotten = await self._opened.run(erase)
        return forgotten._replace(wiped=await self._opened.wipe())

    async def prune(self) -> int:
        """Delete the facts that nobody has been sure of for long, and say how many there were."""
        now = self._clock.now_ms()

        def work(session: Session) -> int:
            spent = [fact.id for fact in store.facts(session) if is_spent(fact, now)]
            store.drop_facts(session, spent)
            return len(spent)

        return await self._opened.run(work)


def _near(session: Session, text: str) -> list[Fact]:
    """The facts that have most to do with an exchange."""
    return recall.ranked_facts(text, store.facts(session), store.fact_bags(session), ())[:SHOWN_FACTS]


def _windows(session: Session, found: Sequence[recall.Spot]) -> list[Window]:
    known = store.turns(session, list(dict.fromkeys(turn for spot in found for turn in spot.ids)))
    return [Window(tuple(known[turn] for turn in spot.ids), spot.centre, spot.score) for spot in found]


def _named(session: Session, id: str) -> Fact:
    found = next((fact for fact in store.facts(session) if fact.id == id), None)
    if found is None:
        raise InvalidInput(f"there is no fact {id[:80]!r}", hint="`wellread memory list` shows them")
    return found


def _worded(text: str) -> str:
    if not told(text):
        raise InvalidInput("a fact needs words")
    return told(text)
