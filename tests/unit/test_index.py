"""The local index: pages in, hits out, in any language; and the search provider over it."""

# ruff: noqa: RUF001 - the languages' own signs
from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wellread.errors import ConfigError, UnavailableError
from wellread.index import local_index as index_module
from wellread.index import stored_pieces
from wellread.index.local_index import FILE_NAME, TERMS_FOLDER, LocalIndex
from wellread.index.plain_text import plain
from wellread.index.search_terms import fold, terms
from wellread.ports import Query
from wellread.search.local_search import LocalSearch
from wellread.testing import FakeClock
from wellread.types import Extraction, Metadata, Snapshot, snapshot_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio
hundred = settings(max_examples=100, deadline=None)


def snapshot(url: str, text: str, **about: Any) -> Snapshot:
    return Snapshot(
        id=snapshot_id(text),
        url=url,
        final_url=url,
        status=200,
        content_type="text/html",
        fetched_at=0.0,
        fetch_time_ms=0,
        extraction_time_ms=0,
        extraction=Extraction(document=(), metadata=Metadata(**about), method="test"),
        confidence=1.0,
    )


def add(index: LocalIndex, url: str, text: str, **about: Any) -> bool:
    return index.add(snapshot(url, text, **about), text)


@pytest.fixture
def index() -> Iterator[LocalIndex]:
    with_nothing = LocalIndex(None)
    yield with_nothing
    with_nothing.close()


def found(index: LocalIndex, query: str, count: int = 10) -> list[str]:
    return [hit.url for hit in index.search(query, count)]


# ------------------------------------------------------------------------------------------ in and out


def test_a_page_is_found_by_its_words_and_told_as_a_hit(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks **eat** crabs.", title="Shore life", published_date="2024-05-01")
    (hit,) = index.search("whelks", 10)
    assert (hit.title, hit.url, hit.snippet) == ("Shore life", "http://a.example/", "Whelks eat crabs.")
    assert (hit.published_date, hit.source, hit.rank) == ("2024-05-01", "local", 1)
    assert hit.score is not None


def test_a_page_without_a_title_goes_by_its_address(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks.")
    assert index.search("whelks", 1)[0].title == "http://a.example/"


def test_an_unchanged_page_is_not_added_again(index: LocalIndex) -> None:
    assert add(index, "http://a.example/", "Whelks.") is True
    assert add(index, "http://a.example/", "Whelks.") is False
    assert index.count() == 1


def test_a_changed_page_replaces_the_old_one(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks.")
    assert add(index, "http://a.example/", "Limpets.") is True
    assert index.count() == 1
    assert found(index, "whelks") == []
    assert found(index, "limpets") == ["http://a.example/"]
    assert index.missing_words("whelks limpets") == ("whelks",)


def test_a_removed_page_is_forgotten_and_removing_it_again_says_so(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks.")
    assert index.remove("http://a.example/") is True
    assert index.remove("http://a.example/") is False
    assert (index.count(), index.urls(), found(index, "whelks")) == (0, (), [])


def test_urls_are_listed_in_the_order_in_which_they_came(index: LocalIndex) -> None:
    add(index, "http://b.example/", "One.")
    add(index, "http://a.example/", "Two.")
    assert index.urls() == ("http://b.example/", "http://a.example/")


def test_the_index_is_there_again_after_closing(tmp_path: Path) -> None:
    first = LocalIndex(tmp_path / "new")
    add(first, "http://a.example/", "Whelks.")
    first.close()
    second = LocalIndex(tmp_path / "new")
    assert found(second, "whelks") == ["http://a.example/"]
    second.close()


def test_two_indexes_on_one_file_see_each_other(tmp_path: Path) -> None:
    one, two = LocalIndex(tmp_path), LocalIndex(tmp_path)
    add(one, "http://a.example/", "Whelks.")
    add(two, "http://b.example/", "Whelks and crabs.")
    assert set(found(one, "whelks")) == set(found(two, "whelks")) == {"http://a.example/", "http://b.example/"}
    one.close()
    two.close()


def test_many_threads_may_use_one_index(index: LocalIndex) -> None:
    def work(number: int) -> None:
        for page in range(5):
            add(index, f"http://a.example/{number}/{page}", f"Whelks {number} {page}.")
            index.search("whelks", 3)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.count() == 20


def test_pages_of_an_index_with_older_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "PIECE_RULES", "0")
    monkeypatch.setattr(stored_pieces, "joined_terms_of_folded", str.upper)
    old = LocalIndex(tmp_path)
    add(old, "http://a.example/", "Whelks.")
    old.close()
    monkeypatch.undo()
    new = LocalIndex(tmp_path)
    assert found(new, "whelks") == ["http://a.example/"]
    assert new.remove("http://a.example/")
    assert found(new, "whelks") == []
    new.close()


def older_index(folder: Path, version: int, text: str) -> sqlite3.Connection:
    """Write the index of one page as an older version did."""
    current = LocalIndex(folder)
    add(current, "http://a.example/", text, title="Shore")
    assert found(current, "shore") == ["http://a.example/"]
    current.close()
    (page,) = rows_of(folder, "select id, url, snapshot_id, title, language, published_date from page")
    (kept,) = rows_of(folder, "select page, mark, about, document from kept")
    (terms,) = rows_of(folder, "select folder, generation from piece_index")
    (folder / FILE_NAME).unlink()
    old = sqlite3.connect(folder / FILE_NAME)
    old.executescript("".join(index_module._MIGRATIONS[:version]))
    columns = "id, url, snapshot_id, title, language, published_date, text"
    old.execute(f"insert into page ({columns}) values (?, ?, ?, ?, ?, ?, ?)", (*page, text))
    old.execute("insert into kept values (?, ?, ?, ?)", kept)
    if version == 7:
        old.execute("update piece_index set folder = ?, generation = ?, rules = 'of version 7'", terms)
        old.execute("insert into piece (page, start, end, words, borders) values (1, 0, 700, 'whelks', '')")
    old.execute(f"pragma user_version = {version}")
    old.commit()
    return old


@pytest.mark.parametrize("version", [5, 7])
def test_an_index_of_an_older_version(tmp_path: Path, version: int) -> None:
    text = "Crabs\0 eat whelks. " * 100 + "Limpets."
    old = older_index(tmp_path, version, text)
    index = LocalIndex(tmp_path)
    (hit,) = index.search("crabs limpets", 10)
    assert hit.snippet == "\u2026 " + "Crabs\0 eat whelks. " * 11 + "Limpets."
    assert index.stored_snapshot("http://a.example/") == snapshot("http://a.example/", text, title="Shore")
    assert add(index, "http://a.example/", text, title="Shore") is False
    assert rows_of(tmp_path, "select count(*) from piece") == [(3,)]
    index.close()
    with pytest.raises(sqlite3.OperationalError, match="no such"):  # an older process reads one of these first
        old.execute("select text, rules from page, inverted_index")
    old.close()


def test_an_index_of_the_sqlite_full_text_search(tmp_path: Path) -> None:
    old = older_index(tmp_path, 2, "Whelks.")
    old.executescript("""
        create table piece (id integer primary key, page integer not null references page (id), start integer not null);
        create table made (rules text not null);
        create virtual table term using fts5(title, text, content='', tokenize="ascii tokenchars '_'");
    """)
    old.close()
    index = LocalIndex(tmp_path)
    assert found(index, "shore whelks") == ["http://a.example/"]
    assert index.stored_snapshot("http://a.example/") == snapshot("http://a.example/", "Whelks.", title="Shore")
    assert add(index, "http://a.example/", "Whelks.", title="Shore") is False
    index.close()


def test_an_open_index_that_a_newer_version_migrates(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path)
    add(index, "http://a.example/", "Whelks.")
    assert found(index, "whelks") == ["http://a.example/"]
    newer = sqlite3.connect(tmp_path / FILE_NAME)
    newer.execute("pragma user_version = 99")
    newer.execute("update piece_index set rules = 'newer'")
    newer.commit()
    with pytest.raises(ConfigError, match=r"index\.db was written by a newer wellread") as raised:
        index.search("whelks", 10)
    assert "upgrade" in raised.value.hint
    with pytest.raises(ConfigError, match="newer wellread"):
        index.log_sequence("new log")
    assert newer.execute("select rules, words from piece_index, piece").fetchall() == [("newer", "whelks")]
    newer.close()
    index.close()


def test_pieces_of_a_page_that_an_older_version_removed(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path)
    add(index, "http://a.example/", "Whelks.")
    assert found(index, "whelks") == ["http://a.example/"]
    older = sqlite3.connect(tmp_path / FILE_NAME)
    older.execute("insert into pending (page) select id from page")
    older.execute("delete from page")
    older.commit()
    older.close()
    assert found(index, "whelks") == []
    assert rows_of(tmp_path, "select text from piece") == []
    index.close()


def test_pieces_of_pages_that_are_gone_take_no_room(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path)
    for text in ("Whelks.", "Whelks and crabs."):
        add(index, "http://a.example/", text)
        assert found(index, "whelks") == ["http://a.example/"]
    assert rows_of(tmp_path, "select words from piece") == [("whelks and crabs",)]
    index.remove("http://a.example/")
    assert found(index, "whelks") == []
    assert rows_of(tmp_path, "select words from piece") == []
    index.close()


def test_pieces_of_a_removed_page_after_a_new_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = LocalIndex(tmp_path)
    add(index, "http://a.example/", "Whelks.")
    assert found(index, "whelks") == ["http://a.example/"]
    index.log_sequence("new log")
    assert rows_of(tmp_path, "select words from piece") == []
    add(index, "http://a.example/", "Whelks.")
    add(index, "http://b.example/", "Crabs.")
    assert found(index, "whelks") == ["http://a.example/"]
    index.remove("http://a.example/")
    monkeypatch.setattr(index_module, "PIECE_RULES", "0")
    assert found(index, "whelks crabs") == ["http://b.example/"]
    assert rows_of(tmp_path, "select words from piece") == [("crabs",)]
    index.close()


def test_memory_of_a_rebuild_does_not_grow_with_pages(tmp_path: Path) -> None:
    text = "Whelks and crabs. " * 1_000
    peak_by_pages: dict[int, int] = {}
    for page_count in (40, 20, 100):  # the first fills the caches
        index = LocalIndex(tmp_path / str(page_count))
        for number in range(page_count):
            add(index, f"http://a.example/{number}", text)
        tracemalloc.start()
        assert found(index, "whelks")
        peak_by_pages[page_count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        index.close()
    assert peak_by_pages[100] - peak_by_pages[20] < 80 * len(text) / 2  # half of the text of the other pages


def test_a_rebuild_takes_long_pages_in_several_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = LocalIndex(tmp_path)
    for number in range(6):
        add(index, f"http://a.example/{number}", f"Whelks {number}. " * 10)
    index.remove("http://a.example/5")
    monkeypatch.setattr(index_module, "MAX_UNWRITTEN_CHARS", 150)
    assert len(found(index, "whelks")) == 5
    assert rows_of(tmp_path, "select generation from piece_index") == [(3,)]
    index.close()


def rows_of(folder: Path, query: str) -> list[Any]:
    database = sqlite3.connect(folder / FILE_NAME)
    rows = database.execute(query).fetchall()
    database.close()
    return rows


@pytest.mark.parametrize("damage", ["cut", "scrambled", "missing"])
def test_a_damaged_inverted_index_is_made_anew(tmp_path: Path, damage: str) -> None:
    index = LocalIndex(tmp_path)
    add(index, "http://a.example/", "Whelks.")
    index.close()
    for file in (tmp_path / TERMS_FOLDER).rglob("*"):
        if file.is_file() and damage == "cut":
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        elif file.is_file() and damage == "scrambled":
            file.write_bytes(b"\xff" * file.stat().st_size)
    if damage == "missing":
        shutil.rmtree(tmp_path / TERMS_FOLDER)
    assert found(index, "whelks") == ["http://a.example/"]
    assert len(list((tmp_path / TERMS_FOLDER).iterdir())) == 1
    index.close()


def test_pages_outlive_a_kill_while_they_are_added(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from unit import test_index
from wellread.index import local_index
local_index.MAX_UNWRITTEN_CHARS = 100
index = local_index.LocalIndex(Path(sys.argv[1]))
for number in range(10_000):
    test_index.add(index, f"http://a.example/{number}", f"Whelks and page{number}.")
    print(number, flush=True)
"""
    command = [sys.executable, "-c", script, str(tmp_path), *sys.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as adding:
        assert adding.stdout is not None
        for line in adding.stdout:
            if int(line) == 30:
                break
        adding.kill()
    index = LocalIndex(tmp_path)
    assert index.count() >= 31
    for number in (0, 15, 29, 30):
        assert found(index, f"page{number}")[:1] == [f"http://a.example/{number}"]
    assert len(index.search("whelks", 100)) == index.count() or index.count() > 100
    index.close()


def test_pages_that_a_power_cut_takes_from_the_rows(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path)
    add(index, "http://a.example/", "Sand.")
    assert found(index, "sand") == ["http://a.example/"]
    index.close()
    rows_before = (tmp_path / FILE_NAME).read_bytes()
    for name in "bc":
        add(index, f"http://{name}.example/", f"Whelks of {name}.")
    assert len(found(index, "whelks")) == 2
    index.close()
    (tmp_path / FILE_NAME).write_bytes(rows_before)  # while the inverted index has both
    add(index, "http://d.example/", "\n\n".join(f"Whelks {number}. " + "Boats and sand. " * 40 for number in range(4)))
    assert found(index, "whelks sand") == ["http://d.example/", "http://a.example/"]
    index.close()


def test_an_index_that_cannot_be_opened_is_a_matter_of_settings(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigError, match="local index"):
        LocalIndex(tmp_path / "file").count()


def test_an_index_that_fails_in_use_says_so(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path)
    index.count()
    other = sqlite3.connect(tmp_path / FILE_NAME)
    other.execute("drop table page")
    other.close()
    with pytest.raises(UnavailableError, match="no such table"):
        index.count()
    index.close()


# ----------------------------------------------------------------------------------------------- ranking


def test_the_page_that_answers_best_comes_first(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Crabs live on the shore. " * 20)
    add(index, "http://b.example/", "Whelks eat crabs on the shore at night.")
    add(index, "http://c.example/", "Limpets cling to rocks.")
    hits = index.search("what do whelks eat", 10)
    assert hits[0].url == "http://b.example/"
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    scores = [hit.score or 0.0 for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_a_word_in_the_title_counts_more_than_one_in_the_text(index: LocalIndex) -> None:
    for number in range(6):
        add(index, f"http://x.example/{number}", "Sand and water.", title="Shore")
    add(index, "http://text.example/", "Whelks and sand.", title="Shore")
    add(index, "http://title.example/", "Water and sand.", title="Whelks")
    assert found(index, "whelks") == ["http://title.example/", "http://text.example/"]


def test_a_sentence_deep_in_a_long_page_finds_it(index: LocalIndex) -> None:
    filler = "\n\n".join(f"Paragraph {number} speaks of sand, rocks, tides and the shore." for number in range(400))
    add(index, "http://long.example/", f"{filler}\n\nThe dog whelk drills through shells.\n\n{filler}")
    for number in range(20):
        add(index, f"http://short.example/{number}", f"A dog and a shell, number {number}.")
    hits = index.search("dog whelk drills through shells", 5)
    assert hits[0].url == "http://long.example/"
    assert "drills through shells" in hits[0].snippet


def test_no_more_hits_than_asked_for(index: LocalIndex) -> None:
    for number in range(5):
        add(index, f"http://a.example/{number}", f"Whelks {number}.")
    assert len(index.search("whelks", 3)) == 3
    assert index.search("whelks", 0) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("黑豹队的防守只丢了308分，在联赛中排名第六。", "防守"),
        ("黑豹队的防守只丢了308分，在联赛中排名第六。", "豹"),
        ("東京タワーは東京都港区にある電波塔です。", "電波塔はどこ"),
        ("ｶﾀｶﾅの文章です。", "カタカナ"),
        ("แมวดำนอนหลับอยู่บนหลังคาบ้าน", "แมว"),
        ("ແມວດຳນອນຢູ່ເທິງຫລັງຄາ", "ແມວ"),
        ("ឆ្មាខ្មៅដេកលើដំបូលផ្ទះ", "ដំបូល"),
        ("ကြောင်နက်သည် အိမ်ခေါင်မိုးပေါ်တွင် အိပ်သည်", "ကြောင်"),
        ("학교는 언덕 위에 있다.", "학교"),
        ("Die Donaudampfschifffahrtsgesellschaft fährt.", "dampfschiff"),
        ("Съешь ещё этих мягких французских булок.", "ЕЩЕ БУЛКИ"),
        ("İSTANBUL BOĞAZI'NDAN GEÇEN GEMİLER", "istanbul boğazı"),
        ("اَلْعَرَبِيَّةُ لغة جميلة", "العربية"),
        ("הַשָּׁלוֹם בא", "השלום"),
        ("हिन्दी में लिखा हुआ पाठ", "हिन्दी"),
        ("Le cœur de l'été à Besançon", "ETE BESANCON"),
        ("The STRASSE is long", "straße"),
    ],
)
def test_a_text_is_found_in_its_own_language_and_no_other_text_is(index: LocalIndex, text: str, query: str) -> None:
    add(index, "http://a.example/", text)
    for number, other in enumerate(["Unrelated 1 2 3.", "無關文章", "บทความอื่น", "Что-то другое", "نص آخر"]):
        add(index, f"http://other.example/{number}", other)
    assert found(index, query)[:1] == ["http://a.example/"]


@pytest.mark.parametrize("query", ["", "   ", "?!.,;:-", '"', "*", "()", "…—", "\x00", "\ud800", "🦀"])
def test_a_query_without_words_has_no_hits(index: LocalIndex, query: str) -> None:
    add(index, "http://a.example/", 'Whelks * and " crabs ( ) AND OR NOT.')
    assert index.search(query, 10) == []


@pytest.mark.parametrize(
    "query", ['whelks"', "whelks AND", "NEAR(whelks", "title:whelks", "whelks*", "-whelks", "^whelks", "{whelks}", "'"]
)
def test_signs_of_query_languages_are_only_signs(index: LocalIndex, query: str) -> None:
    add(index, "http://a.example/", "Whelks don't eat.")
    assert found(index, query) == (["http://a.example/"] if "whelks" in query else [])


@given(st.text(max_size=60), st.text(max_size=30))
@example("", "0*0")
@example("0 \x00", "0")
@hundred
def test_no_text_and_no_query_breaks_the_index(text: str, query: str) -> None:
    index = LocalIndex(None)
    add(index, "http://a.example/", text, title=query)
    add(index, "http://b.example/", "Whelks.")
    hits = index.search(query, 10)
    assert bool(hits) <= bool(terms(query))
    assert all(hit.snippet == " ".join(hit.snippet.split()) for hit in hits)
    assert index.remove("http://a.example/")
    assert "http://a.example/" not in found(index, text or "whelks")
    index.close()


def test_a_query_as_long_as_a_book_is_answered(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks.")
    assert found(index, "whelks " + " ".join(f"word{number}" for number in range(5000))) == ["http://a.example/"]


SHORE = (
    "The count of grounded petrels begins in autumn. A limpet grazes when it is covered. The algebra of tides and the "
    "station of the lamp stood there. Lightning struck, and the lighthousekeeper changed the quantities of oil."
)


@pytest.mark.parametrize(
    "query", ["zebra", "chromodynamics", "zebra's", "nation", "xyzzy plugh", "斑马", "ดวงจันทร์", "しまうま", "학교"]
)
def test_a_text_that_shares_pieces_of_words_only_is_no_hit(index: LocalIndex, query: str) -> None:
    add(index, "http://a.example/", f"{SHORE} 斑点很多。ดวงดาว かった 학생")
    assert index.search(query, 10) == []
    assert index.missing_words(query) != ()


@pytest.mark.parametrize(
    "query",
    ["petrls", "limpets", "grazing", "lihgtning", "lighthuosekeeper", "lighthouse", "ground", "quantity", "lamps"],
)
def test_a_typing_error_or_another_form_finds_the_word(index: LocalIndex, query: str) -> None:
    add(index, "http://a.example/", SHORE)
    assert found(index, query) == ["http://a.example/"]
    assert index.missing_words(query) == (query,)


@pytest.mark.parametrize(
    ("text", "query"),
    [("학교는 언덕 위에 있다.", "학교를"), ("電波塔です。", "電波塔はどこ"), ("แมวดำนอนหลับ", "แมวดำตัวใหญ่")],
)
def test_a_part_of_a_run_without_spaces_finds_it(index: LocalIndex, text: str, query: str) -> None:
    add(index, "http://a.example/", text)
    assert found(index, query) == ["http://a.example/"]


def test_words_of_most_texts_make_no_hit_beside_rarer_words(index: LocalIndex) -> None:
    for number in range(30):
        add(index, f"http://a.example/{number}", f"The history of the shore, part {number}.")
    assert index.search("the zorgon of flibber", 10) == []
    assert index.missing_words("the zorgon of flibber") == ("zorgon", "flibber")
    assert len(index.search("the history of", 50)) == 30


def test_a_match_behind_many_unrelated_pages_is_found(index: LocalIndex) -> None:
    for number in range(60):
        add(index, f"http://a.example/{number}", "Zebedee does algebra.")
    add(index, "http://b.example/", f"{'Sand and water and rocks. ' * 20} A zebta.")
    assert "http://b.example/" in found(index, "zebra")


# ---------------------------------------------------------------------------------------------- snippets


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        ("Sand \u2014 l'été. " * 30, "Die Whelks fressen.", " Noël à la plage." * 30),
        ("水" * 290, "防守", "火" * 290),
        ("x" * 290, " whelks ", "y" * 290),
        ("Sand. " * 30, "A whelk’s shell.", " ." * 290),
    ],
)
def test_a_snippet_has_the_words_among_other_text(index: LocalIndex, before: str, words: str, after: str) -> None:
    add(index, "http://a.example/", before + words + after)
    assert words.strip() in index.search(words, 1)[0].snippet


def test_a_snippet_shows_the_sentence_that_answers_without_markup(index: LocalIndex) -> None:
    text = "\n\n".join(
        [
            "# Shore life",
            "Sand is everywhere. " * 20,
            "- The [dog **whelk**](http://w.example/) drills `holes` into shells.",
            "Rocks are everywhere. " * 20,
        ]
    )
    add(index, "http://a.example/", text)
    snippet = index.search("dog whelk holes", 1)[0].snippet
    assert "The dog whelk drills holes into shells." in snippet
    assert not set("*[]#`") & set(snippet)
    assert snippet.startswith("… ")
    assert snippet.endswith(" …")
    assert len(snippet) <= 250


def test_a_page_found_by_its_title_alone_shows_its_beginning(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Sand and water.\n\nRocks.", title="Whelks")
    assert index.search("whelks", 1)[0].snippet == "Sand and water. Rocks."


def test_markdown_becomes_the_words_a_person_sees() -> None:
    markdown = """
## A *title* \\#1

> Quoted[^1] ~~gone~~ 10<sup>-3</sup> \\*not emphasis\\*

1. one
   - [x **y**](http://e.example/a%28b%29) and ![alt](http://i.example/)

| a | b\\|c |
| --- | --- |
| `p\\|q` | d<br>e |

```python
x = [a](b) * 2  # same
```

---

[^1]: A note
"""
    assert plain(markdown).split("\n") == [
        "A title #1",
        "Quoted",
        "gone 10-3 *not emphasis*",
        "one",
        "x y and alt",
        "a",
        "b|c",
        "p|q",
        "d",
        "e",
        "x = [a](b) * 2 # same",
        "A note",
    ]


@given(st.text(alphabet="ab \\*`[]()!|<>#-~\n^", max_size=200))
@hundred
def test_any_markdown_becomes_lines_of_words(markdown: str) -> None:
    for line in plain(markdown).split("\n"):
        assert line == " ".join(line.split())


@given(st.text(max_size=80))
@hundred
def test_folding_twice_changes_nothing_more_and_case_does_not_matter(text: str) -> None:
    once = fold(text)
    assert fold(once).split() == once.split()
    assert fold(text.upper()).split() == fold(text.upper().lower()).split()


# ------------------------------------------------------------------------------------------ the provider


async def test_the_local_provider_answers_from_the_index(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks.")
    told = await LocalSearch(index, clock=FakeClock()).search(Query(text="whelks", count=5))
    assert [hit.url for hit in told.hits] == ["http://a.example/"]
    (outcome,) = told.outcomes
    assert (outcome.provider, outcome.code, outcome.count, outcome.detail) == ("local", "ok", 1, "")


async def test_words_that_no_page_has_are_named_beside_the_hits(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Whelks eat crabs.")
    search = LocalSearch(index, clock=FakeClock()).search
    partly, unmatched = [await search(Query(text=text, count=5)) for text in ("whelks zorgon", "zorgon flibber")]
    assert [hit.url for hit in partly.hits] == ["http://a.example/"]
    assert partly.outcomes[0].code == "ok"
    assert 'no page has "zorgon"' in partly.outcomes[0].detail
    assert (unmatched.hits, unmatched.outcomes[0].code) == ((), "no_results")
    assert '"zorgon", "flibber"' in unmatched.outcomes[0].detail


async def test_an_empty_index_says_how_to_fill_it(index: LocalIndex) -> None:
    told = await LocalSearch(index, clock=FakeClock()).search(Query(text="whelks", count=5))
    assert told.hits == ()
    assert told.outcomes[0].code == "no_results"
    assert "wellread index URL" in told.outcomes[0].detail


async def test_the_next_page_goes_on_where_the_last_one_ended(index: LocalIndex) -> None:
    for number in range(5):
        add(index, f"http://a.example/{number}", f"Whelks {number}.")
    search = LocalSearch(index, clock=FakeClock()).search
    told = [await search(Query(text="whelks", count=2, page=page)) for page in (1, 2, 3, 4)]
    assert [hit.rank for found in told for hit in found.hits] == [1, 2, 3, 4, 5]
    assert len({hit.url for found in told for hit in found.hits}) == 5


async def test_filters_that_the_index_lacks_are_named(index: LocalIndex) -> None:
    told = await LocalSearch(index, clock=FakeClock()).search(Query(text="whelks", region="US", freshness="day"))
    assert told.ignored_filters == ("region", "freshness")


async def test_no_hits_in_a_full_index_is_told_apart_from_an_empty_one(index: LocalIndex) -> None:
    add(index, "http://a.example/", "Crabs.")
    told = await LocalSearch(index, clock=FakeClock()).search(Query(text="whelks", count=5))
    assert told.outcomes[0].code == "no_results"
    assert "1 page" in told.outcomes[0].detail
