"""Cuts a document into overlapping pieces for search, each with its place in the text; pure."""

from __future__ import annotations

from typing import NamedTuple

from semantic_text_splitter import MarkdownSplitter

from wellread.assistant.tokens import tokens

MOST_TOKENS = 512
OVERLAP_TOKENS = 50
"""Of two neighbours; whole sentences or paragraphs only, so it is often less."""


class Chunk(NamedTuple):
    """A piece: `text` is `document[start:end]`."""

    start: int
    end: int
    text: str


def chunks(document: str) -> list[Chunk]:
    """The pieces of a document in Markdown or plain text, cut where its parts end; none of a text without words."""
    splitter = MarkdownSplitter.from_callback(tokens, MOST_TOKENS, overlap=OVERLAP_TOKENS)
    return [Chunk(at, at + len(text), text) for at, text in splitter.chunk_indices(document) if text.strip()]
