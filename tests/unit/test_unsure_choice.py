"""What a page says for itself that the reader is unsure of, and that more of it is kept then."""

from __future__ import annotations

import random

import numpy as np

from pages import KETTLE
from wellread import extract
from wellread.extraction import learned_selector
from wellread.extraction.learned_selector import MODE_SETTINGS, best_subset, expected_f1

WORDS = (
    "harbour", "lantern", "gravel", "willow", "copper", "meadow", "signal", "orchard", "timber", "violet", "anchor",
    "basil", "cellar", "ember",
)  # fmt: skip


def entry(dice: random.Random) -> str:
    name, kind = (" ".join(dice.choice(WORDS) for _ in range(3)).capitalize() for _ in range(2))
    return f"<span class=x><span>{name}</span><span>{kind} {dice.randint(2, 99)}</span></span>"


def test_a_page_unlike_all_others_is_called_unsure() -> None:
    dice = random.Random(1)
    entries = "".join(entry(dice) for _ in range(120))
    page = f"<body><div>{entries}</div><div><div>{KETTLE}</div><div>{KETTLE}</div></div><div>{entries}</div></body>"
    assert [notice.code for notice in extract(page).notices] == ["unsure_choice"]


def test_an_article_is_not_called_unsure() -> None:
    article = f"<article><h1>Kettles</h1>{f'<p>{KETTLE * 3}</p>' * 4}</article>"
    assert extract(article).notices == ()
    assert extract(article, mode="recall").notices == ()


def test_expected_f1_is_that_of_the_choice() -> None:
    likely, sizes = np.array([1.0, 1.0, 0.0], np.float32), np.array([10.0, 10.0, 5.0], np.float32)
    kept = best_subset(likely, sizes)
    assert kept.tolist() == [True, True, False]
    assert expected_f1(likely, sizes, kept) == 1.0
    assert expected_f1(likely * np.float32(0.5), sizes, kept) < 0.7


def test_more_is_kept_where_recall_counts_more() -> None:
    likely, sizes = np.array([0.9, 0.35, 0.3, 0.25], np.float32), np.full(4, 10.0, np.float32)
    assert best_subset(likely, sizes, 1.2).sum() >= best_subset(likely, sizes).sum()


def test_sure_paragraphs_amid_hundreds_of_entries_are_an_article() -> None:
    odds = np.array([-3.5] * 60 + [6.9, 7.7] + [-3.5] * 60, np.float32)
    sizes = np.array([8.0] * 60 + [90.0, 60.0] + [8.0] * 60, np.float32)
    taste = MODE_SETTINGS["balanced"]
    likely = 1 / (1 + np.exp(-np.float32(taste.trust) * odds))
    picked = learned_selector._picked(odds, likely, sizes, taste, 0.5)
    assert np.flatnonzero(picked.is_kept).tolist() == [60, 61]
    assert picked.is_article
    assert [notice.code for notice in picked.notices] == ["unsure_choice"]
    unlikely = learned_selector._picked(odds, likely, sizes, taste, 0.1)
    assert not unlikely.is_article
    assert unlikely.is_kept.sum() > 2
