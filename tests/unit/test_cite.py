# ruff: noqa: RUF001 - the languages' own signs
"""Citations: ids, links that a browser follows to the words, and proofs that fall when anything is altered."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.citations.verification import cited, fragment_url, verify
from wellread.errors import InvalidUrl
from wellread.types import Extraction, Metadata, Passage, Snapshot, snapshot_id

hundred = settings(max_examples=100, deadline=None)
URL = "http://a.example/"
TEXT = "# Shore\n\nWhelks eat crabs. Crabs eat algae."


def snapshot(text: str = TEXT) -> Snapshot:
    return Snapshot(
        id=snapshot_id(text),
        url=URL,
        final_url="http://b.example/final",
        status=200,
        content_type=None,
        fetched_at=0.0,
        fetch_time_ms=0,
        extraction_time_ms=0,
        extraction=Extraction(document=(), metadata=Metadata(), method="test"),
        confidence=1.0,
    )


def passage(start: int = 9, end: int = 26, text: str = TEXT) -> Passage:
    return Passage(text=text[start:end], url=URL, title=None, snapshot_id=snapshot_id(text), start=start, end=end)


def verdict(it: Passage, kept: tuple[Snapshot, str] | None) -> tuple[bool, str]:
    (told,) = verify([it], lambda _: kept)
    assert told.passage is it
    return told.ok, told.reason


# -------------------------------------------------------------------------------------------------- proofs


def test_an_id_is_the_hash_of_the_canonical_text() -> None:
    assert snapshot_id("é") == "sha256:" + hashlib.sha256("é".encode()).hexdigest()


def test_a_true_passage_stands() -> None:
    assert verdict(passage(), (snapshot(), TEXT)) == (True, "stands")


def test_a_passage_may_name_the_address_after_redirects() -> None:
    assert verdict(replace(passage(), url="http://b.example/final"), (snapshot(), TEXT))[0]


@pytest.mark.parametrize(
    ("altered", "kept", "reason"),
    [
        ({}, None, "snapshot evicted"),
        ({"text": "Whelks eat whales"}, (snapshot(), TEXT), "text differs"),
        ({"start": 8, "end": 25}, (snapshot(), TEXT), "text differs"),
        ({"start": -35}, (snapshot(), TEXT), "offsets outside the document"),
        ({"end": 9}, (snapshot(), TEXT), "offsets outside the document"),
        ({"end": 1000}, (snapshot(), TEXT), "offsets outside the document"),
        ({}, (snapshot(), TEXT + "!"), "snapshot altered"),
        ({}, (snapshot("other"), "other"), "snapshot altered"),
        ({"snapshot_id": "sha256:0"}, (replace(snapshot(), id="sha256:0"), TEXT), "snapshot altered"),
        ({"url": "http://evil.example/"}, (snapshot(), TEXT), "another page"),
    ],
)
def test_a_passage_falls_with_the_reason(
    altered: dict[str, Any], kept: tuple[Snapshot, str] | None, reason: str
) -> None:
    ok, told = verdict(replace(passage(), **altered), kept)
    assert not ok
    assert reason in told


@given(st.text(min_size=1, max_size=60), st.data())
@hundred
def test_verification_of_any_slice(text: str, data: st.DataObject) -> None:
    """Property 13 of seed 001: a citation is accepted exactly if its text is in its snapshot."""
    start = data.draw(st.integers(0, len(text) - 1))
    it = passage(start, data.draw(st.integers(start + 1, len(text))), text)
    kept = (snapshot(text), text)
    assert verdict(it, kept)[0]
    other = data.draw(st.text(max_size=60).filter(lambda other: other != it.text))
    assert not verdict(replace(it, text=other), kept)[0]


# --------------------------------------------------------------------------------------------------- links


def test_a_short_passage_is_linked_whole() -> None:
    assert fragment_url(URL, "Whelks eat crabs.") == URL + "#:~:text=Whelks%20eat%20crabs."


def test_a_long_passage_is_linked_by_its_first_and_last_words() -> None:
    text = "One two three four five six seven eight nine ten eleven twelve thirteen."
    assert fragment_url(URL, text) == (
        URL + "#:~:text=One%20two%20three%20four%20five%20six,eight%20nine%20ten%20eleven%20twelve%20thirteen."
    )


def test_fragment_url_of_a_passage_of_several_blocks() -> None:
    assert fragment_url(URL, "## Shore\n\nWhelks eat crabs.") == URL + "#:~:text=Shore,Whelks%20eat%20crabs."


def test_the_signs_of_the_directive_are_encoded() -> None:
    assert fragment_url(URL, "well-read, fish & chips") == URL + "#:~:text=well%2Dread%2C%20fish%20%26%20chips"


def test_markdown_is_left_out_because_the_page_does_not_show_it() -> None:
    text = "- The [dog **whelk**](http://w.example/a-b) \\*drills\\*"
    assert fragment_url(URL, text) == URL + "#:~:text=The%20dog%20whelk%20%2Adrills%2A"


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("http://a.example/p?q=1#part", "http://a.example/p?q=1#part:~:text=Whelks"),
        ("http://a.example/#part:~:text=old", "http://a.example/#part:~:text=Whelks"),
        ("http://a.example/#:~:text=old", "http://a.example/#:~:text=Whelks"),
        ("http://a.example/#", "http://a.example/#:~:text=Whelks"),
    ],
)
def test_an_element_fragment_stays_and_an_older_directive_goes(url: str, wanted: str) -> None:
    assert fragment_url(url, "Whelks") == wanted


def test_text_without_words_gets_no_directive() -> None:
    assert fragment_url("http://a.example/#part:~:text=old", "---") == "http://a.example/#part"


def test_text_without_spaces_is_linked_up_to_a_pause() -> None:
    text = (
        "黑豹队的防守只丢了三百零八分，在联赛中排名第六，同时也以二十四次拦截领先国家橄榄球联盟，"
        "并且四次入选职业碗，队友贡献了六次擒杀。"
    )
    start, end = unquote(fragment_url(URL, text).partition("text=")[2]).split(",")
    assert text.startswith(f"{start}，")
    assert text.endswith(f"，{end}")
    assert max(len(start), len(end)) <= 40


def test_a_cited_passage_carries_its_link() -> None:
    assert cited(passage()).fragment_url == URL + "#:~:text=Whelks%20eat%20crabs."


@given(st.text(max_size=300))
@hundred
def test_any_text_gives_a_plain_ascii_link_with_at_most_one_comma(text: str) -> None:
    link = fragment_url(URL, text)
    assert link.isascii()
    assert len(link) < 1200
    directive = urlsplit(link).fragment.partition("text=")[2]
    assert directive.count(",") <= 1
    assert not set(directive) & set("-& \n#")


def test_a_citation_that_cannot_be_looked_up_falls_alone() -> None:
    def kept(it: Passage) -> tuple[Snapshot, str]:
        if it.url != URL:
            raise InvalidUrl(f"{it.url} is not a full URL")
        return snapshot(), TEXT

    bad = replace(passage(), url="nonsense")
    told = verify([bad, passage()], kept)
    assert [(verdict.ok, verdict.reason) for verdict in told] == [
        (False, "invalid_url: nonsense is not a full URL"),
        (True, "stands"),
    ]
