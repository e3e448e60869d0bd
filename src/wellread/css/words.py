"""Writes sets of keywords as people read them."""


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words in `text`."""
    return frozenset(text.split())
