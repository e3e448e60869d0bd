"""Cuts a document into overlapping pieces for search, each with its place in the text; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from semantic_text_splitter import MarkdownSplitter

from wellread.assistant.tokens import tokens
from wellread.errors import ConfigError


class Chunk(NamedTuple):
    """A piece: `text` is `document[start:end]`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """How documents are cut, and how much of them answers a question."""

    tokens: int = 512
    overlap: int = 50
    """Tokens of two neighbours; whole sentences or paragraphs only, so it is often less."""
    passages: int = 10
    """Given for a question that does not say how many."""

    def __post_init__(self) -> None:
        """Refuse pieces that would never get on.

        Raises:
            ConfigError: pieces overlap by all that they hold.
        """
        if self.overlap >= self.tokens:
            told = f"assistant.chunk_overlap ({self.overlap}) is not below assistant.chunk_tokens ({self.tokens})"
            raise ConfigError(told, hint="a tenth of it is usual")


USUAL = Sizes()


def chunks(document: str, sizes: Sizes = USUAL) -> list[Chunk]:
    """The pieces of a document in Markdown or plain text, cut where its parts end; none of a text without words."""
    splitter = MarkdownSplitter.from_callback(tokens, sizes.tokens, overlap=sizes.overlap)
    return [Chunk(at, at + len(text), text) for at, text in splitter.chunk_indices(document) if text.strip()]
