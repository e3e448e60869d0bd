"""Turns, topics and windows of the memory: the values alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTurn:
    """One utterance of one speaker."""

    id: str
    """The name that the conversation's own store has for it; no other turn has it."""
    conversation: str
    speaker: str
    """`user`, `assistant`, or a name."""
    text: str
    at_ms: int
    tainted: bool = False
    """It holds words of the outside world (a page, a mail, a document)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """The topic of a conversation, in the words of the model that extracted facts from it."""

    conversation: str
    text: str
    at_ms: int
    """When it was last talked about."""
    tainted: bool = False


class Window(NamedTuple):
    """A turn that matches, among its neighbours."""

    turns: tuple[MemoryTurn, ...]
    """In the order in which they were said."""
    centre: str
    """The id of the turn that was found."""
    score: float
