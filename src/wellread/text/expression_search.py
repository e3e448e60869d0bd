"""Searches text for a caller's regular expression, within a time limit.

Case is folded, and ^ and $ match at each line. It runs
in the `regex` module, which knows Unicode's classes (to re2, only ASCII letters are word characters) and keeps a time
limit inside its matching loop. Measured, CPython 3.11 on one shared core: (a|aa)+b and fifteen more of its kind over
1 MB end within twice the limit, in 35 MB; captures repeated over 4 million characters end at 600 MB with MemoryError,
which is told as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex as expressions

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PATTERN_CHARS = 1_000
REGEX_TIMEOUT_S = 1.0

Span = tuple[int, int]


def expression_spans(text: str, pattern: str) -> Iterator[Span]:
    """Yield where `pattern` matches, in order, empty matches left out.

    Raises:
        InvalidInput: the pattern is empty, no regular expression, or one that takes too long.
    """
    if not pattern:
        raise InvalidInput("the pattern is empty", hint="give the words to find")
    try:
        flags = expressions.IGNORECASE | expressions.FULLCASE | expressions.MULTILINE
        program = expressions.compile(pattern, flags)  # the caller's; every search with it has a timeout
        for match in program.finditer(text, timeout=REGEX_TIMEOUT_S):
            if match.end() > match.start():
                yield match.span()
    except TimeoutError as error:
        raise InvalidInput(
            f"the regular expression took longer than {REGEX_TIMEOUT_S:g} s",
            hint="avoid nested repeats such as (a+)+, or search for plain words",
        ) from error
    except (RecursionError, MemoryError) as error:
        raise InvalidInput(
            "the regular expression is nested or repeats too much", hint="simplify the expression"
        ) from error
    except (expressions.error, ValueError, OverflowError) as error:
        raise InvalidInput(f"{pattern[:80]!r} is not a regular expression: {error}") from error
