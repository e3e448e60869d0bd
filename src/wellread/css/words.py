"""Turns a line of words, as people read them, into a set."""


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words in `text`."""
    return frozenset(text.split())
