"""Cuts a document into overlapping pieces for search, each with its place in the text; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from semantic_text_splitter import MarkdownSplitter

from wellread.assistant.token_count import count_tokens
from wellread.errors import ConfigError

if TYPE_CHECKING:
    from wellread.sections import AssistantSettings


class Chunk(NamedTuple):
    """A chunk: `text` is `document[start:end]`."""

    start: int
    end: int
    text: str


def chunks(document: str, sizes: AssistantSettings) -> list[Chunk]:
    """Return the chunks of a Markdown or plain text, cut at its structure; none of a text without words.

    Neighbours overlap by whole sentences or paragraphs only, so it is often by less than the settings allow.

    Raises:
        ConfigError: pieces would overlap by all that they hold.
    """
    try:
        splitter = MarkdownSplitter.from_callback(count_tokens, sizes.chunk_tokens, overlap=sizes.chunk_overlap)
    except ValueError as error:
        problem = f"assistant.chunk_overlap ({sizes.chunk_overlap}) is not below assistant.chunk_tokens"
        raise ConfigError(
            f"{problem} ({sizes.chunk_tokens})", hint="set assistant.chunk_overlap to a tenth of it"
        ) from error
    return [Chunk(at, at + len(text), text) for at, text in splitter.chunk_indices(document) if text.strip()]
