"""What a gather does when the best passage is weak, and how it ranks by meaning where there is an embedder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scenario.gathers import ANSWER, QUESTION, counts, listing, page, steps_of, urls
from wellread.errors import Upstream
from wellread.types import Found, Gathered

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from scenario.story import Pages, Tell

# ------------------------------------------------------------------------------------------------ expansion


async def test_where_the_best_is_weak_more_is_asked_for_and_read_once(tell: Tell) -> None:
    hits = urls(12)
    pages: Pages = {url: page(f"village {at}") for at, url in enumerate(hits)}
    pages[hits[4]] = page("limpets", ANSWER)
    pipeline = listing(tell(pages), hits, pages=3)
    steps = await steps_of(pipeline)
    told = steps[-1]
    assert isinstance(told, Gathered)
    assert counts(pipeline) == [10, 12]
    assert [len(step.hits) for step in steps if isinstance(step, Found)] == [10, 12]
    assert [hit.rank for hit in told.hits] == list(range(1, 13))
    assert ANSWER in told.passages[0].text
    assert len(told.pages) == 3
    assert hits[4] in [it.url for it in told.pages]
    assert [it.code for it in told.missed] == ["outranked"] * 3
    assert {it.url for it in told.pages} | {it.url for it in told.missed} == set(hits[:6])
    assert {passage.url for passage in told.passages} <= {it.url for it in told.pages}


async def test_where_the_best_is_good_nothing_more_is_asked(tell: Tell) -> None:
    hits = urls(12)
    pages: Pages = {url: page(f"village {at}") for at, url in enumerate(hits)}
    pages[hits[1]] = page("limpets", ANSWER)
    story = tell(pages)
    pipeline = listing(story, hits, pages=3)
    await pipeline.gather(QUESTION)
    assert counts(pipeline) == [10]
    assert len(story.asked()) == 3


async def test_question_without_an_answer_searches_twice(tell: Tell) -> None:
    pipeline = listing(tell({url: page(f"village {url[8:10]}") for url in urls(40)}), urls(40))
    told = await pipeline.gather("Quantum chromodynamics lattice")
    assert counts(pipeline) == [10, 12]
    assert len(told.pages) == 5


async def test_no_hits_are_not_asked_for_again(tell: Tell) -> None:
    pipeline = listing(tell({}), [])
    told = await pipeline.gather(QUESTION)
    assert counts(pipeline) == [10]
    assert [outcome.code for outcome in told.outcomes] == ["no_results"]


# ----------------------------------------------------------------------------------------------- embeddings


@dataclass
class Topics:
    """An `Embedder` to which limpets and patellas are the same thing."""

    failure: Upstream | None = None
    batches: list[int] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.batches.append(len(texts))
        if self.failure:
            raise self.failure
        return [[1.0, 9.0 * ("limpet" in text.lower() or "patella" in text.lower())] for text in texts]


async def test_a_passage_is_found_by_its_meaning_where_its_words_are_others(tell: Tell) -> None:
    meant = "Every Patella vulgata creeps home after feeding, into the hollow that it has ground for itself."
    story = tell({urls(2)[0]: page("village"), urls(2)[1]: page("shells", meant)})
    by_words = await listing(story, urls(2)).gather("limpets")
    topics = Topics()
    by_meaning = await listing(story, urls(2), embedder=topics).gather("limpets")
    assert all(meant not in passage.text for passage in by_words.passages)
    assert any(meant in passage.text for passage in by_meaning.passages)
    assert by_meaning.notices == ()
    assert len(topics.batches) == 1


async def test_an_embedder_that_fails_is_told_and_words_alone_decide(tell: Tell) -> None:
    story = tell({url: page(url[7:9], ANSWER) for url in urls(2)})
    topics = Topics(failure=Upstream("ollama answered 500", status=500))
    told = await listing(story, urls(2), embedder=topics).gather(QUESTION)
    plain = await listing(story, urls(2)).gather(QUESTION)
    (notice,) = told.notices
    assert notice.code == "embeddings_failed"
    assert "ollama answered 500" in notice.detail
    assert told.passages == plain.passages


async def test_expansion_embeds_only_new_passages(tell: Tell) -> None:
    story = tell({url: page(f"village {at}") for at, url in enumerate(urls(12))})
    topics = Topics()
    pipeline = listing(story, urls(12), embedder=topics, pages=2)
    told = await pipeline.gather("limpets homing")
    assert counts(pipeline) == [10, 12]
    assert len(topics.batches) == 2
    assert topics.batches[1] < topics.batches[0] * 2
    assert [notice.code for notice in told.notices] == ["weak_passages"]


async def test_all_passages_are_embedded_in_bounded_batches(tell: Tell) -> None:
    long = "".join(f"<p>{ANSWER} {at} {'more words ' * 30}</p>" for at in range(300))
    story = tell({urls(1)[0]: f"<main><h1>Long</h1>{long}</main>"})
    topics = Topics()
    await listing(story, urls(1), embedder=topics).gather(QUESTION)
    assert topics.batches[:-1] == [97] * (len(topics.batches) - 1)
    assert sum(topics.batches) > 300


async def test_page_with_more_passages_than_the_limit(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellread.reading.gather.MOST_PASSAGES", 2)
    story = tell({urls(1)[0]: page("limpets", ANSWER)})
    told = await listing(story, urls(1)).gather(QUESTION)
    notice, weak = told.notices
    assert (notice.code, notice.count > 1) == ("unranked_text", True)
    assert weak.code == "weak_passages"
    assert len(told.passages) == 2
