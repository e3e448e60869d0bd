"""Print a command's single result, or write it into the file of --out."""

from __future__ import annotations

import json as json_lines
from typing import TYPE_CHECKING

import click

from wellread.apps.commands.options import guarded
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.output_files import output_file
from wellread.apps.serialize import as_command_json
from wellread.apps.terminal import say_json

if TYPE_CHECKING:
    from collections.abc import Callable


class SingleResult:
    """The result for `source` (a question, a query), by which a .jsonl file or a folder finds it again."""

    def __init__(self, source: str, out: str | None, *, json: bool) -> None:
        """Open the file; where it holds the result from an earlier run, end the command with success.

        Raises:
            click.exceptions.Exit: the result is there, or the file cannot be written.
        """
        self._source = source
        self._json = json
        result_format = "json" if json else "text"
        self._output = out and guarded(lambda: output_file(out, format=result_format, single=True), json=json)
        if self._output and self._output.skip_if_done(source):
            self._output.__exit__(None, None, None)
            stderr_console.print(f"[dim]\u2014 {escape(f'{out} already has this result; nothing was requested')}[/]")
            raise click.exceptions.Exit

    def show(self, value: object, show: Callable[[], None], text: Callable[[], str] | None = None) -> None:
        """Print a result by `show` or as JSON, or write the same into the file.

        `text` gives the text where `show` prints it by other means than the console.
        """
        if not self._output:
            if self._json:
                say_json(value)
            else:
                show()
            return
        if text is not None:
            printed = text()
        else:
            with console.capture() as captured:
                show()
            printed = captured.getvalue()
        source = json_lines.dumps(self._source, ensure_ascii=False)
        line = f'{{"source": {source}, {as_command_json(value, indent=None)[1:]}'
        with self._output as output:
            guarded(lambda: output.add(line, printed), json=self._json)
