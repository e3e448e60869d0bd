"""Takes all words and names from the reader, to measure how far structure alone leads it.

What the networks know of words (how blocks begin, what short lines are for) and of names (classes, ids, roles of boxes)
is blank then, and so is what rules ask `lexicon.line`. Tags stay, and what hides text still hides it.
"""

from __future__ import annotations

import tempfile
from importlib import resources
from pathlib import Path

import numpy as np

from wellread.extraction import lexicon
from wellread.extraction.learned_selector import LearnedSelector

_UNKNOWN = "\N{SYMBOL FOR NULL}"
"""In no name of a box and in no word."""


def _no_line(text: str) -> str:  # noqa: ARG001 - the name of the parameter is that of `lexicon.line`
    return ""


def _no_name(word: str) -> int:  # noqa: ARG001 - as above, of `lexicon.named`
    return 0


def selector(weights: Path | None = None) -> LearnedSelector:
    """Return a reader with these weights, by default those in the package, that knows no word and no name.

    From here on no short line means anything in this process.
    """
    lexicon.line_purpose = _no_line
    lexicon.name_categories = _no_name
    source = weights or Path(str(resources.files("wellread.extraction") / "reader.npz"))
    with np.load(source, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    for name in ("vocabulary.names", "vocabulary.words"):
        known = str(arrays[name]).split(" ")
        arrays[name] = np.array(" ".join(entry if entry.startswith("<") else _UNKNOWN for entry in known))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "blanked.npz"
        np.savez(path, allow_pickle=False, **arrays)
        return LearnedSelector(path)
