"""The output streams of the command line: rich's consoles on a terminal, plain text elsewhere.

Elsewhere no style can be seen, and to load rich takes a tenth of the CPU time of a read from the cache.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from wellread.config import is_terminal_forced
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console as RichConsole

_TAG = lazy_pattern(r"(?<!\\)(\\*+)(\[[a-z#/@][^\[\]]*+\])")
"""A tag of rich's markup with the backslashes before it: an odd one makes it text (`rich.markup`)."""


def escape(text: str) -> str:
    """Return `text` as markup that prints it."""
    markup = _TAG.sub(r"\1\1\\\2", text)
    if markup.endswith("\\") and not markup.endswith("\\\\"):
        markup += "\\"  # it would escape a tag that follows
    return markup


def plain_text(markup: str) -> str:
    """Return what rich prints for `markup`, without its styles."""
    parts = []
    position = 0
    for match in _TAG.finditer(markup):
        backslashes, tag = match.groups()
        parts += [_unescaped(markup[position : match.start()]), "\\" * (len(backslashes) // 2)]
        if len(backslashes) % 2:
            parts.append(tag)
        position = match.end()
    return "".join([*parts, _unescaped(markup[position:])])


def _unescaped(text: str) -> str:
    return text.replace("\\[", "[")


def abandon(stream: TextIO | None) -> None:
    """Redirect a stream to nowhere: nothing is flushed into a closed pipe or a full disk (Python docs, SIGPIPE)."""
    if stream is not None and not stream.closed:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Console:
    """Prints rich's markup on standard output or standard error."""

    def __init__(self, *, stderr: bool = False) -> None:
        """Take the stream by its name: tests and callers may replace it."""
        self._is_stderr = stderr
        self._captured: StringIO | None = None

    @cached_property
    def rich(self) -> RichConsole:
        """Rich's own console, for what is more than text: progress bars, panels."""
        from rich.console import Console as RichConsole

        return RichConsole(stderr=self._is_stderr, highlight=False, soft_wrap=True, emoji=False)

    @property
    def is_terminal(self) -> bool:
        """Whether styles are printed."""
        stream = self._stream
        if stream is None or stream.closed:
            return False
        return (stream.isatty() or is_terminal_forced()) and self.rich.is_terminal

    @property
    def _stream(self) -> TextIO | None:
        """The stream; None where the process was started without it."""
        if self._is_stderr:
            return sys.stderr
        return sys.stdout

    def print(self, text: str = "", *, markup: bool = True, end: str = "\n") -> None:
        """Print a line; without `markup`, brackets are text."""
        if self._captured is None and self.is_terminal:
            self.rich.print(text, markup=markup, end=end)
            return
        if markup:
            text = plain_text(text)
        self.write(text + end)

    def write(self, text: str) -> None:
        """Write `text` as it is.

        A remark on standard error that nobody reads any more does not change how the command ends.

        Raises:
            OSError: standard output is closed, or nobody reads it any more.
        """
        stream = self._captured or self._stream
        if stream is None or stream.closed:
            if self._is_stderr:
                return
            raise OSError(errno.EBADF, "standard output is closed")
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            if not self._is_stderr:
                raise
            abandon(stream)

    @contextmanager
    def status(self, text: str) -> Iterator[Callable[[str], None]]:
        """Show `text` beside a spinner on a terminal, until the end; yield a function that replaces it."""
        if not self.is_terminal:
            yield lambda _: None
            return
        from rich.live import Live
        from rich.spinner import Spinner

        spinner = Spinner("dots", text=text, style="status.spinner")
        # Of a standard output that is no terminal, the lines are not for this one.
        is_shared = sys.stdout is not None and sys.stdout.isatty()
        with Live(spinner, console=self.rich, transient=True, redirect_stdout=is_shared, refresh_per_second=12.5):
            yield lambda line: spinner.update(text=line)

    @contextmanager
    def capture(self) -> Iterator[StringIO]:
        """Collect what is printed, as plain text, in place of printing it."""
        captured = self._captured = StringIO()
        try:
            yield captured
        finally:
            self._captured = None


console = Console()
stderr_console = Console(stderr=True)
