"""What the networks are shown of the shape of a page: no word and no name is needed for it."""

from __future__ import annotations

from wellread.extraction.context_features import SHAPE_NUMBERS
from wellread.extraction.features import page_features, word_columns
from wellread.extraction.html import PageVisibility, parse_page
from wellread.extraction.vocabulary import Vocabulary

ENGLISH = "The kettle was filled before dawn, and nobody in the house had slept well, because the wind kept rising up. "
JAPANESE = "夜明け前にやかんに水が満たされたが、風が強まり続けていたため、家の誰もよく眠れなかったという。"


def page(text: str) -> str:
    entries = "".join(
        f"<li><a href='/news/a-long-address-{n}'>{text[:24]}{n}</a> 2024/12/0{n}</li>" for n in range(1, 8)
    )
    paragraphs = "".join(f"<p>{n} {text * 3}</p>" for n in range(6))
    return f"<body><div class=menu>{entries}</div><div><h1>{text[:20]}</h1>{paragraphs}</div><ul>{entries}</ul></body>"


def shape(html: str) -> list[list[float]]:
    walked = PageVisibility(parse_page(html), html).walked()
    numbers = page_features(walked, Vocabulary((), ())).numbers
    return [row.tolist() for row in numbers[:, -SHAPE_NUMBERS:]]


def test_shape_is_the_same_in_scripts_with_and_without_spaces() -> None:
    english, japanese = shape(page(ENGLISH)), shape(page(JAPANESE))
    assert len(english) == len(japanese)
    is_main_kind, first_paragraph = 1, 8
    assert [row[is_main_kind] for row in english] == [row[is_main_kind] for row in japanese]
    assert english[first_paragraph][is_main_kind] == 1.0
    assert english[0][is_main_kind] == 0.0


def test_shape_knows_no_names() -> None:
    named = page(ENGLISH)
    assert shape(named) == shape(named.replace(" class=menu", ""))


def test_word_columns_are_all_that_words_and_names_change() -> None:
    plain = page(ENGLISH)
    other = plain.replace("class=menu", "class=article")
    rows = []
    for html in (plain, other):
        walked = PageVisibility(parse_page(html), html).walked()
        numbers = page_features(walked, Vocabulary((), ())).numbers
        numbers[:, word_columns(numbers.shape[1])] = 0
        rows.append(numbers.tolist())
    assert rows[0] == rows[1]
