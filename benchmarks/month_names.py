"""Writes the month and weekday names of many languages from CLDR: python benchmarks/month_names.py [--check].

Needs Babel (BSD-3-Clause), which carries the CLDR (Unicode-3.0); its version is pinned in constraints.txt. The result,
src/wellread/text/dates/names.txt, is committed: the package needs no Babel. `--check` compares it with what CLDR gives.

Each language has the names of all its regions and scripts, as they stand in a date and alone, wide and abbreviated.
A name that means two months in one language is left out.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from babel import Locale, __version__, localedata

NAMES = Path(__file__).resolve().parents[1] / "src" / "wellread" / "text" / "dates" / "names.txt"
RARE_SCRIPTS = ("_Dsrt", "_Shaw", "_Nkoo", "_Adlm")
LANGUAGES = [
    "af",
    "am",
    "ar",
    "as",
    "az",
    "be",
    "bg",
    "bn",
    "br",
    "bs",
    "ca",
    "ceb",
    "cs",
    "cy",
    "da",
    "de",
    "el",
    "en",
    "eo",
    "es",
    "et",
    "eu",
    "fa",
    "fi",
    "fil",
    "fo",
    "fr",
    "fy",
    "ga",
    "gd",
    "gl",
    "gu",
    "ha",
    "he",
    "hi",
    "hr",
    "hu",
    "hy",
    "id",
    "ig",
    "is",
    "it",
    "ka",
    "kk",
    "km",
    "kn",
    "ku",
    "ky",
    "lb",
    "lo",
    "lt",
    "lv",
    "mg",
    "mk",
    "ml",
    "mn",
    "mr",
    "ms",
    "mt",
    "my",
    "nb",
    "ne",
    "nl",
    "nn",
    "om",
    "or",
    "pa",
    "pl",
    "ps",
    "pt",
    "ro",
    "ru",
    "rw",
    "sd",
    "si",
    "sk",
    "sl",
    "so",
    "sq",
    "sr",
    "sv",
    "sw",
    "ta",
    "te",
    "tg",
    "th",
    "tk",
    "tr",
    "uk",
    "ur",
    "uz",
    "vi",
    "xh",
    "yo",
    "zu",
]


def table() -> str:
    """Return the content of the file: a line per language and kind."""
    lines = [
        f"# Written by benchmarks/month_names.py from CLDR, as in Babel {__version__}. Unicode-3.0, see NOTICE.",
        "# language, kind, then the names of each month or weekday (Monday first), separated by commas",
    ]
    for language in LANGUAGES:
        locales = sorted(name for name in localedata.locale_identifiers() if name.split("_")[0] == language)
        locales = [name for name in locales if not name.endswith(RARE_SCRIPTS)]
        for kind in ("months", "days"):
            cells = _names(locales, kind)
            if any(cells):
                lines.append("\t".join([language, kind, *(",".join(cell) for cell in cells)]))
    return "\n".join(lines) + "\n"


def _names(locales: list[str], kind: str) -> list[list[str]]:
    numbers = range(1, 13) if kind == "months" else range(7)
    forms: dict[int, set[str]] = defaultdict(set)
    for name in locales:
        # Babel writes what an alias leads to into the shared root of all locales: names of one turn up in others.
        localedata._cache.clear()  # noqa: SLF001  # there is no public way
        contexts = getattr(Locale.parse(name), kind)
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                names = contexts[context][width]
                for number in numbers:
                    forms[number].add(_folded(names[number]))
    owners: dict[str, int] = defaultdict(int)
    for words in forms.values():
        for word in words:
            owners[word] += 1
    return [sorted(word for word in forms[number] if _is_name(word) and owners[word] == 1) for number in numbers]


def _folded(name: str) -> str:
    words = unicodedata.normalize("NFC", name).casefold().replace(".", " ").replace("\u2019", "'")
    return " ".join(words.split())


def _is_name(word: str) -> bool:
    """Tell whether a form is a word: Vietnamese and Chinese months are numbers."""
    return len(word) > 1 and not any(character.isdigit() or character == "," for character in word)


def main() -> None:
    """Write the file, or compare it with `--check`."""
    text = table()
    if "--check" not in sys.argv:
        NAMES.write_text(text, "utf-8")
    elif NAMES.read_text("utf-8") != text:
        sys.exit(f"{NAMES} differs from CLDR: run python benchmarks/month_names.py")


if __name__ == "__main__":
    main()
