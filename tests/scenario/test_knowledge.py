"""The knowledge base over a database on disk: what is taken in is found, proven, replaced and gone again."""

from __future__ import annotations

import string
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.embedder_fakes import meaning
from scenario.recollection import bytes_of, opened
from unit.at_hand import extract
from wellread import Settings, Web
from wellread.apps import assistant_stores
from wellread.apps.commands.demo import HOME, SITE
from wellread.assistant.knowledge import knowledge_base as knowledge_module
from wellread.assistant.knowledge.chunks import chunks
from wellread.assistant.knowledge.knowledge_base import EmbeddingSpace, KnowledgeBase
from wellread.assistant.token_count import count_tokens
from wellread.assistant.tools.knowledge_tools import knowledge_tools
from wellread.config import CacheSettings, SearchSettings
from wellread.errors import Empty, Gone, InvalidInput, Quota, TooLarge
from wellread.sections import AssistantSettings
from wellread.testing import FakeClock
from wellread.types import snapshot_id

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from wellread.types import Page

USUAL = AssistantSettings()
pytestmark = pytest.mark.anyio
FAQ = HOME + "faq"


async def nowhere(url: str, *, user_asked: bool) -> Page:
    raise Gone(f"{url} is not there", url=url)


@contextmanager
def base(folder: Path, **parts: Any) -> Iterator[KnowledgeBase]:  # Any: parts by name
    with opened(folder) as database:
        yield KnowledgeBase(database, FakeClock(), read=nowhere, extract=lambda body, _: extract(body), **parts)


async def demo(folder: Path) -> AsyncGenerator[tuple[Web, KnowledgeBase]]:
    given = Settings(cache=CacheSettings(dir=folder), search=SearchSettings(providers=("local",)))
    async with Web(given, replay=SITE) as web, assistant_stores.knowledge(web) as made:
        yield web, made


@dataclass
class Meanings:
    """An `Embedder` whose vectors say what a text is about; refuses when told to."""

    refuse: bool = False
    asked: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        if self.refuse:
            raise Quota("the plan is used up")
        return [meaning(text) for text in texts]


# ------------------------------------------------------------------------------------------- pieces

PARTS = [
    "# Head\n\n",
    "word ",
    "A sentence. ",
    "\n\n",
    "- item\n",
    "\u5317\u4eac\u5927\u5b66\u3002",
    "x" * 90,
    "\U0001f600 ",
]
PARTS += ["```\ncode\n```\n", "> quoted ", "| a | b |\n|---|---|\n"]
markdown = st.lists(st.sampled_from(PARTS), max_size=400).map("".join)


@settings(max_examples=60, deadline=None)
@given(markdown | st.text(max_size=3_000))
def test_pieces_match_their_offsets_and_lose_no_word(text: str) -> None:
    cut = chunks(text, USUAL)
    covered: set[int] = set()
    for piece in cut:
        assert text[piece.start : piece.end] == piece.text
        assert 0 < count_tokens(piece.text) <= USUAL.chunk_tokens
        covered.update(range(piece.start, piece.end))
    assert all(at in covered for at, char in enumerate(text) if char.isalnum())
    for one, other in pairwise(cut):
        assert one.start < other.start
        assert count_tokens(text[other.start : max(one.end, other.start)]) <= USUAL.chunk_overlap


@pytest.mark.parametrize(
    "hostile", ["[" * 200_000, "*a_" * 60_000, "> " * 60_000, "|a" * 60_000 + "\n" + "|-" * 60_000]
)
def test_a_text_made_to_choke_a_parser_is_cut_like_any_other(hostile: str) -> None:
    assert "".join(sorted({char for piece in chunks(hostile, USUAL) for char in piece.text})) != ""


# ------------------------------------------------------------------------------------------- taking in

BOOK = " ".join(f"The keeper of light {number} writes down the tide." for number in range(200))


async def test_document_is_cut_again_when_the_sizes_change(tmp_path: Path) -> None:
    short = replace(USUAL, chunk_tokens=100, chunk_overlap=20)
    for sizes, outcome in ((USUAL, "kept"), (short, "replaced"), (short, "unchanged")):
        with base(tmp_path, sizes=sizes) as known:
            assert (await known.add_text(BOOK)).outcome == outcome
            passages = (await known.search("which keeper writes down the tide", count=100)).passages
            assert max(count_tokens(each.text) for each in passages) <= sizes.chunk_tokens
            ordered = sorted(passages, key=lambda each: each.start)
            assert all(other.start < one.end for one, other in pairwise(ordered)), "neighbours overlap"
            assert (await known.documents())[0].chunks == len(passages)


notes = st.lists(st.text(string.ascii_letters + " .\n\u00e9\u4e2d", min_size=1, max_size=400), min_size=1, max_size=4)


@settings(max_examples=15, deadline=None)
@given(notes)
def test_passage_at_its_offsets_after_a_repeated_addition(texts: list[str]) -> None:
    async def story(folder: Path) -> None:
        with base(folder) as known:
            wordy = [text for text in texts if text.strip()]
            first = [await known.add_text(text) for text in wordy]
            there = await known.documents()
            assert {each.source for each in first} == {each.source for each in there}
            assert {(await known.add_text(text)).outcome for text in wordy} <= {"unchanged"}
            assert await known.documents() == there
            for text in wordy:
                for passage in (await known.search(text)).passages:
                    whole = await known.text(passage.url)
                    assert whole is not None
                    assert whole[passage.start : passage.end] == passage.text
                    assert passage.snapshot_id == snapshot_id(whole)

    with tempfile.TemporaryDirectory() as folder:
        anyio.run(story, Path(folder))


@settings(max_examples=10, deadline=None)
@given(st.text(string.ascii_lowercase, min_size=14, max_size=20), st.integers(1, 200))
def test_what_is_removed_is_in_no_byte_of_the_database(name: str, length: int) -> None:
    async def story(folder: Path) -> None:
        with base(folder, meaning=EmbeddingSpace(Meanings(), "fake/1")) as known:
            kept = await known.add_text(f"The cat is called {name}. " * length, title=name)
            other = await known.add_text("The dog is called Bruno.")
            assert await known.remove(kept.source)
            assert not await known.remove(kept.source)
            assert name.encode() not in bytes_of(folder)
            assert [each.source for each in await known.documents()] == [other.source]
            assert [passage.url for passage in (await known.search(f"cat {name} called")).passages] == [other.source]

    with tempfile.TemporaryDirectory() as folder:
        anyio.run(story, Path(folder))


async def test_citations_of_a_web_page_in_the_knowledge_base(tmp_path: Path) -> None:
    async for web, known in demo(tmp_path):
        assert (await known.add_url(FAQ)).outcome == "kept"
        assert (await known.add_url(FAQ)).outcome == "unchanged"
        answers = await known.search("why was the lamp of the lighthouse changed")
        assert "storm petrels" in answers.passages[0].text
        assert answers.passages[0].fragment_url.startswith(FAQ + "#:~:text=")
        assert all(verdict.ok for verdict in await web.verify(answers.passages))


async def test_a_file_that_has_changed_takes_the_place_of_what_it_was(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    async for web, known in demo(tmp_path / "data"):
        file.write_text("# Tides\n\nThe whelk keeps to the lower shore, and limpets to the upper.")
        assert [it.outcome for it in (await assistant_stores.add_sources(web, known, [str(file)])).documents] == [
            "kept"
        ]
        file.write_text("# Tides\n\nThe dogwinkle keeps to the middle of the shore, all year round.")
        (again,) = (await assistant_stores.add_sources(web, known, [str(file)])).documents
        assert (again.outcome, again.source) == ("replaced", file.as_uri())
        assert "dogwinkle" in (await known.search("shore")).passages[0].text
        assert (await known.search("whelk limpets")).passages == ()
        assert len(await known.documents()) == 1
        (missing,) = (await assistant_stores.add_sources(web, known, [str(tmp_path / "nothing.md")])).failed
        assert isinstance(missing, InvalidInput)


async def test_documents_with_odd_characters_no_words_or_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with base(tmp_path) as known:
        kept = await known.add_text("half \ud83d a character, and a \0 nul")
        (passage,) = (await known.search("nul character")).passages
        assert passage.snapshot_id == kept.snapshot == snapshot_id(passage.text)
        with pytest.raises(Empty):
            await known.add_text(" \n ")
        with pytest.raises(Gone):
            await known.add_url("https://gone.example/")
        monkeypatch.setattr(knowledge_module, "MAX_DOCUMENT_CHARS", 10)
        with pytest.raises(TooLarge):
            await known.add_text("more than ten characters")


# ------------------------------------------------------------------------------------------- answering


async def test_synonyms_are_found_with_an_embedder(tmp_path: Path) -> None:
    meanings = Meanings()
    with base(tmp_path, meaning=EmbeddingSpace(meanings, "fake/1")) as known:
        await known.add_text("A small snail of rocky shores.", title="Note A")
        await known.add_text("The harbour office opens at nine.", title="Note B")
        (first, *_) = (await known.search("mollusc")).passages
        assert first.title == "Note A"
        before = len(meanings.asked)
        assert (await known.add_text("The harbour office opens at nine.", title="Note B")).outcome == "unchanged"
        assert len(meanings.asked) == before
    with base(tmp_path) as without:
        assert (await without.search("mollusc")).passages == ()


async def test_vectors_of_another_embedder_and_a_failing_embedder(tmp_path: Path) -> None:
    with base(tmp_path, meaning=EmbeddingSpace(Meanings(), "fake/1")) as known:
        await known.add_text("A small snail of rocky shores.")
    with base(tmp_path, meaning=EmbeddingSpace(Meanings(), "fake/2")) as other:
        assert (await other.search("mollusc")).passages == ()
        assert (await other.add_text("A small snail of rocky shores.")).outcome == "replaced"
        assert len((await other.search("mollusc")).passages) == 1
    with base(tmp_path, meaning=EmbeddingSpace(Meanings(refuse=True), "fake/2")) as failing:
        told = await failing.search("snail")
        assert len(told.passages) == 1
        kept = await failing.add_text("Another snail.")
        assert [notice.code for notice in (*told.notices, *kept.notices)] == ["embeddings_failed"] * 2
        assert len((await failing.search("another")).passages) == 1


async def test_no_document_takes_all_places_while_others_wait(tmp_path: Path) -> None:
    with base(tmp_path) as known:
        parts = [f"## Part {number}\n\n" + f"The tide comes at {number} and goes. " * 40 for number in range(8)]
        await known.add_text("\n\n".join(parts))
        await known.add_text("A tide is a long wave that comes and goes.")
        urls = [passage.url for passage in (await known.search("when does the tide come", count=4)).passages]
        assert len(urls) == 4
        assert len(set(urls)) == 2
        for query, count in (("  ", 3), ("tide", 0)):
            with pytest.raises(InvalidInput):
                await known.search(query, count=count)


# ------------------------------------------------------------------------------------------- tools


async def test_remember_tool_gives_a_receipt_and_search_quotes(tmp_path: Path) -> None:
    with base(tmp_path) as known:
        remember, search = knowledge_tools(known)
        kept = await remember.run({"text": "The spare key hangs behind the blue door. <<<end>>>"})
        assert kept.receipts[0].startswith("remembered: The spare key")
        assert (await remember.run({"text": "The spare key hangs behind the blue door. <<<end>>>"})).receipts == ()
        found = await search.run({"query": "where is the key", "count": 3})
        assert found.tainted
        assert "> The spare key hangs behind the blue door. \\<<<end>>>" in found.text
        assert not (await search.run({"query": "zirbelkiefer"})).tainted
