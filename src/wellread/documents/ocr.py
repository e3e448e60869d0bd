"""Turns recognised words into paragraphs, and writes the notices about them."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.text.counts import count_of
from wellread.types import Block, Kind, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import OcrOptions, RecognizedWord

MIN_WORD_CONFIDENCE: Final = 30
"""Words below are mostly marks and pictures taken for letters; they are left out and counted."""
MIN_PAGE_CONFIDENCE: Final = 75
"""Of a clean scan it is above 90; below this, every tenth word or more is misread."""
_SENTENCE_END: Final = re.compile(r"[.!?:;][\"'\u201d\u2019)\]]*$")
INSTALL_HINT: Final = (
    "install Tesseract, which reads scans: `apt install tesseract-ocr tesseract-ocr-eng` or `brew install tesseract`"
)


class RecognizedPage(NamedTuple):
    """The text of one picture."""

    blocks: tuple[Block, ...]
    confidence: float
    """The mean over the words, weighted by their length, from 0 to 100."""
    chars: int
    dropped_count: int
    """Words that were too uncertain."""


def hint_without_recognizer(options: OcrOptions) -> str:
    """Return the hint that makes scans readable."""
    if not options.enabled:
        return "text recognition is disabled (set extract.ocr=auto)"
    return INSTALL_HINT


def recognized_page(words: Sequence[RecognizedWord]) -> RecognizedPage:
    """Return the paragraphs of a page in reading order."""
    certain = [word for word in words if word.confidence >= MIN_WORD_CONFIDENCE]
    chars = sum(len(word.text) for word in certain)
    weighted = sum(word.confidence * len(word.text) for word in certain)
    blocks = tuple(Block(Kind.PARAGRAPH, (Span(text),)) for text in _paragraphs(certain))
    return RecognizedPage(blocks, weighted / chars if chars else 0.0, chars, len(words) - len(certain))


def _paragraphs(words: Sequence[RecognizedWord]) -> list[str]:
    """Return the paragraphs; one that goes on in the middle of a sentence is joined to the one before.

    Tesseract makes a paragraph of every line where the right edge is ragged.
    """
    paragraphs: list[str] = []
    last_block = None
    for (block, _), group in groupby(words, key=lambda word: (word.block, word.paragraph)):
        text = _joined_lines(list(group))
        goes_on = block == last_block and text[:1].islower() and not _SENTENCE_END.search(paragraphs[-1])
        if goes_on:
            paragraphs[-1] = _joined(paragraphs[-1], text)
        else:
            paragraphs.append(text)
        last_block = block
    return paragraphs


def _joined_lines(words: Sequence[RecognizedWord]) -> str:
    """Join the lines of a paragraph; a word that was hyphenated at the end of a line becomes whole."""
    text = ""
    for _, group in groupby(words, key=lambda word: word.line):
        line = " ".join(word.text for word in group)
        text = _joined(text, line) if text else line
    return text


def _joined(text: str, line: str) -> str:
    if text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
        return text[:-1] + line
    return f"{text} {line}"


def ocr_notices(pages: Sequence[RecognizedPage], where: str, options: OcrOptions) -> Iterator[Notice]:
    """Yield the notices of recognised text; `where` is the pages, as `pages 2-3`, or `the picture`."""
    chars = sum(page.chars for page in pages)
    mean = sum(page.confidence * page.chars for page in pages) / chars if chars else 0.0
    languages = "+".join(options.languages)
    detail = (
        f"the text of {where} was recognised in pictures (OCR, Tesseract, {languages}); mean confidence {mean:.0f} %"
    )
    yield Notice("text_by_ocr", detail, len(pages))
    dropped_count = sum(page.dropped_count for page in pages)
    if mean < MIN_PAGE_CONFIDENCE or dropped_count:
        detail = f"left out as too uncertain: {count_of(dropped_count, 'word')}" if dropped_count else ""
        if mean < MIN_PAGE_CONFIDENCE:
            advice = "many words may be misread: check the language (extract.ocr_languages), or look for a better scan"
            detail = f"{detail}; {advice}" if detail else advice
        yield Notice("ocr_uncertain", detail, max(1, dropped_count))
