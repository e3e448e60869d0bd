"""The assistant's memory: keeps turns, learns facts from them, recalls both for a message, and forgets.

await memory.keep(turns, recalled=ids)             after each exchange, with the ids of `told.facts`
await memory.learn(model)                          in the background; without a model, turns are found all the same
told = await memory.recall(message)                before the next answer; `told.text` goes into the prompt as data
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import anyio

from wellread.assistant.database import new_id
from wellread.assistant.fulltext import Bags, best_indices
from wellread.assistant.memory import extraction, memory_store, recall
from wellread.assistant.memory.duplicate_facts import are_same_fact, usual_words
from wellread.assistant.memory.fact import NEW_CONFIDENCE, Category, Fact, confidence, fact_text, is_spent
from wellread.assistant.memory.turns import USER, Topic, Window
from wellread.assistant.memory.upsert import FactOrigin, plan_facts
from wellread.errors import InvalidInput, WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.database import UserStore
    from wellread.assistant.memory.memory_store import Exchange
    from wellread.assistant.memory.recall import Recalled
    from wellread.assistant.memory.turns import MemoryTurn
    from wellread.ports import Clock, TextModel

MAX_SHOWN_FACTS = 30
"""Known facts that the model is shown beside an exchange: those that have most to do with it."""
_ANSWER_TOKENS = 1_000


class Learned(NamedTuple):
    """The facts learned from one exchange."""

    exchange: str
    facts: tuple[Fact, ...]
    """As they are now: new, heard again or corrected."""
    told: tuple[str, ...]
    """What was skipped and why: malformed answers, facts that say nothing, a model that did not answer."""


class Forgotten(NamedTuple):
    """A deleted fact, and the turns deleted with it."""

    fact: Fact
    turns: tuple[str, ...]
    """Ids of the turns of the exchanges that said it, gone with it."""
    wiped: bool
    """Nothing is left in the database's files; False while another process still reads an older state."""


class UserMemory:
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

    async def keep(self, turns: Sequence[MemoryTurn], *, recalled: Collection[str] = ()) -> None:
        """Store the turns of one exchange; `recalled` are ids of the facts that the assistant was given for it."""
        await self._opened.run(lambda session: memory_store.keep_turns(session, turns, recalled))

    async def learn(self, model: TextModel) -> tuple[Learned, ...]:
        """Extract facts from every waiting exchange, oldest first; then prune.

        An answer that cannot be read costs its exchange, and is told. When no model answers the rest waits for the next
        call. An error of any other kind is raised.
        """
        learned: list[Learned] = []
        account = self._opened.user.account
        async with self._learning:
            while exchange := await self._opened.run(lambda session: memory_store.next_exchange(session, account)):
                try:
                    learned.append(await self._learn(model, exchange))
                except WellreadError as error:
                    learned.append(Learned(exchange.id, (), (f"{error.code}: {error.message}",)))
                    break
            await self.prune()
        return tuple(learned)

    async def _learn(self, model: TextModel, exchange: Exchange) -> Learned:
        # Outside text is left out where the user said something himself: a page knows nothing of him.
        turns = tuple(turn for turn in exchange.turns if not turn.tainted)
        if not any(turn.speaker == USER for turn in turns):
            turns = exchange.turns
        tainted = any(turn.tainted for turn in turns)
        text = "\n".join(turn.text for turn in turns)
        near = await self._opened.run(lambda session: _nearest_facts(session, text))
        shown_facts = [fact for fact in near if tainted or not fact.tainted]
        conversation = turns[0].conversation
        topics = await self._opened.run(lambda session: memory_store.topics(session, conversation))
        last_topic = topics[0][0].text if topics else ""
        question = extraction.extraction_prompt(turns, [fact.text for fact in shown_facts], last_topic)
        answer = await model.answer(extraction.INSTRUCTIONS, question, max_tokens=_ANSWER_TOKENS)
        extracted = extraction.parse_answer(answer, len(shown_facts))
        origin = FactOrigin(tuple(turn.id for turn in turns), self._clock.now_ms(), tainted, exchange.recalled)

        def write(session: Session) -> Learned:
            facts = memory_store.facts(session)
            present_ids = {fact.id for fact in facts}
            # While the model thought, a fact may have been forgotten: a correction of it is then a new fact.
            candidates = [
                candidate._replace(replaces=None)
                if candidate.replaces and shown_facts[candidate.replaces - 1].id not in present_ids
                else candidate
                for candidate in extracted.candidates
            ]
            is_forgotten = not set(origin.sources) <= set(memory_store.turns(session, origin.sources))
            if is_forgotten:
                candidates = []
            plan = plan_facts(candidates, shown_facts, facts, origin, new_id)
            for fact in plan.facts:
                memory_store.write_fact(session, fact)
            if extracted.topic and not is_forgotten:
                topic = Topic(conversation=conversation, text=extracted.topic, at_ms=origin.at_ms, tainted=tainted)
                memory_store.write_topic(session, exchange.id, topic)
            memory_store.finish_exchange(session, exchange.id)
            return Learned(exchange.id, plan.facts, (*extracted.skipped, *plan.skipped))

        return await self._opened.run(write)

    # ------------------------------------------------------------------------------------------- recall

    async def recall(
        self, message: str, *, budget_tokens: int = recall.BUDGET_TOKENS, present: Collection[str] = ()
    ) -> Recalled:
        """Return the facts and turns that answer `message`, in at most `budget_tokens`.

        `present` are ids of turns that stand in the prompt anyhow.
        """
        now = self._clock.now_ms()

        def look(session: Session) -> Recalled:
            matches = recall.matching_turns(message, memory_store.bagged_turns(session))
            current = [fact for fact in memory_store.facts(session) if not is_spent(fact, now)]
            facts = recall.ranked_facts(message, current, memory_store.fact_bags(session), matches)[: recall.MAX_FACTS]
            standing = [fact for fact in recall.standing_facts(current, now) if fact not in facts]
            windows = _windows(session, [match for match in matches if match.centre not in present])
            absent_windows = [
                window._replace(turns=tuple(turn for turn in window.turns if turn.id not in present))
                for window in windows
            ]
            return recall.fit_budget(budget_tokens, message, [*facts, *standing], absent_windows)

        return await self._opened.run(look)

    async def search(self, query: str, *, count: int = 10) -> tuple[tuple[Fact, ...], tuple[Window, ...]]:
        """Return the facts and the turns that answer `query`, best first, at most `count` of each."""

        def look(session: Session) -> tuple[tuple[Fact, ...], tuple[Window, ...]]:
            matches = recall.matching_turns(query, memory_store.bagged_turns(session), count)
            facts = recall.ranked_facts(query, memory_store.facts(session), memory_store.fact_bags(session), matches)
            return tuple(facts[:count]), tuple(_windows(session, matches))

        return await self._opened.run(look)

    async def topics(self, query: str = "", *, count: int = 10) -> tuple[Topic, ...]:
        """Return the topics of conversations, the latest first; with a query, the topics that match it, best first."""

        def look(session: Session) -> tuple[Topic, ...]:
            topics = memory_store.topics(session)
            if not query:
                return tuple(topic for topic, _ in topics[:count])
            return tuple(
                topics[index][0] for index in best_indices(Bags([bag for _, bag in topics]).scores(query), count)
            )

        return await self._opened.run(look)

    async def facts(self) -> tuple[Fact, ...]:
        """Return every fact with its current confidence, the surest and newest first."""
        now = self._clock.now_ms()
        facts = [replace(fact, confidence=confidence(fact, now)) for fact in await self._opened.run(memory_store.facts)]
        return tuple(sorted(facts, key=lambda fact: (-fact.confidence, -fact.seen_ms, fact.id)))

    # ------------------------------------------------------------------------------------------- by hand

    async def add(self, text: str, category: Category = Category.OTHER) -> Fact:
        """Store a fact that the user states; a fact that says the same is reinforced instead.

        Raises:
            InvalidInput: there are no words in it.
        """
        candidate = extraction.FactCandidate(_checked_words(text), category)
        origin = FactOrigin((), self._clock.now_ms(), tainted=False, recalled=frozenset())

        def write(session: Session) -> Fact:
            (fact,) = plan_facts([candidate], (), memory_store.facts(session), origin, new_id).facts
            memory_store.write_fact(session, fact)
            return fact

        return await self._opened.run(write)

    async def correct(self, id: str, text: str) -> Fact:
        """Replace the words of a fact by the user's own.

        Raises:
            InvalidInput: there is no such fact, or no words.
        """
        worded, now = _checked_words(text), self._clock.now_ms()

        def write(session: Session) -> Fact:
            fact = replace(_find_fact(session, id), text=worded, confidence=NEW_CONFIDENCE, seen_ms=now, tainted=False)
            memory_store.write_fact(session, fact)
            return fact

        return await self._opened.run(write)

    async def forget(self, id: str) -> Forgotten:
        """Delete a fact and every trace of it: the exchanges it was heard in, and the exchanges that repeat it.

        Raises:
            InvalidInput: there is no such fact.
        """

        def erase(session: Session) -> Forgotten:
            fact = _find_fact(session, id)
            facts = memory_store.facts(session)
            usual = usual_words([other.text for other in facts])
            same_facts = [other.id for other in facts if other.id == id or are_same_fact(other.text, fact.text, usual)]
            turn_ids = memory_store.with_exchanges(
                session, [*fact.sources, *memory_store.turns_that_say(session, fact.text)]
            )
            memory_store.drop_facts(session, same_facts)
            memory_store.drop_turns(session, turn_ids)
            if self._erase is not None:
                self._erase(session, turn_ids, fact.text)
            return Forgotten(fact, tuple(turn_ids), wiped=False)

        forgotten = await self._opened.run(erase)
        return forgotten._replace(wiped=await self._opened.wipe())

    async def prune(self) -> int:
        """Delete the facts of low confidence and old age; return how many there were."""
        now = self._clock.now_ms()

        def work(session: Session) -> int:
            spent = [fact.id for fact in memory_store.facts(session) if is_spent(fact, now)]
            memory_store.drop_facts(session, spent)
            return len(spent)

        return await self._opened.run(work)


def _nearest_facts(session: Session, text: str) -> list[Fact]:
    """Return the stored facts that are nearest to an exchange."""
    return recall.ranked_facts(text, memory_store.facts(session), memory_store.fact_bags(session), ())[:MAX_SHOWN_FACTS]


def _windows(session: Session, matches: Sequence[recall.TurnMatch]) -> list[Window]:
    turns = memory_store.turns(session, list(dict.fromkeys(turn for match in matches for turn in match.ids)))
    return [Window(tuple(turns[turn] for turn in match.ids), match.centre, match.score) for match in matches]


def _find_fact(session: Session, id: str) -> Fact:
    match = next((fact for fact in memory_store.facts(session) if fact.id == id), None)
    if match is None:
        raise InvalidInput(f"there is no fact {id[:80]!r}", hint="run `wellread memory list` to see the facts")
    return match


def _checked_words(text: str) -> str:
    if not fact_text(text):
        raise InvalidInput("the fact is empty")
    return fact_text(text)
