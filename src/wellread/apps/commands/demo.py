"""The command `demo`: the main job on a small recorded site, replayed through the same client as live traffic."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import click
from rich.panel import Panel

from wellread.apps.commands.options import extra, guarded, settings_of
from wellread.apps.commands.parameters import Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.playground import DEMO
from wellread.apps.terminal import notice_line, show_gathered, show_verdicts, without_controls
from wellread.config import CacheSettings, SearchSettings, Settings
from wellread.errors import InvalidInput, InvalidUsage, WellreadError, reason_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress

    from wellread.apps.build import Web
    from wellread.types import Gathered

SITE = Path(__file__).parent.parent / "demo_site.warc.gz"
HOME = DEMO
QUESTION = "Why was the lamp of the lighthouse changed, and when?"
LONG = HOME + "reference"
HOSTILE = HOME + "hostile"
PIECE_CHARS = 20_000


def demo(
    context: click.Context,
    *,
    save: Annotated[Path | None, Option(help="Write the recorded site to this file and exit.")] = None,
    serve: Annotated[
        bool, Option("--serve", help="Serve the web page of `wellread serve` over the recorded site.")
    ] = False,
    port: Annotated[int | None, Option(help="Port of --serve; 0 selects a free port.", min=0, max=65535)] = None,
) -> None:
    """Run a demonstration on a recorded site: read, gather, verify, continue a long page, remove hidden text."""
    guarded(lambda: _check_options(save, port, serve=serve), json=False)
    if serve:
        settings = guarded(lambda: settings_of(context, {"server.port": port})[0], json=False)
        guarded(lambda: _serve(settings), json=False)
    elif save is None:
        guarded(lambda: anyio.run(_demo), json=False)
    else:
        guarded(lambda: _save(save), json=False)
        console.print(f"{save}: try [bold]wellread read {HOME}lamp --replay {save}[/]")


def _check_options(save: Path | None, port: int | None, *, serve: bool) -> None:
    """Check that the options fit each other.

    Raises:
        InvalidUsage: the site is to be saved and served, or nothing is to be served at the port.
    """
    if serve and save is not None:
        raise InvalidUsage("--save and --serve exclude each other", hint="use one of them")
    if port is not None and not serve:
        raise InvalidUsage("--port needs --serve", hint="add --serve, or leave out --port")


def _save(file: Path) -> None:
    try:
        file.write_bytes(SITE.read_bytes())
    except OSError as error:
        raise InvalidInput(f"cannot write {file}: {reason_line(error)}") from error


def _serve(settings: Settings) -> None:
    """Serve the recorded site, its pages in an index of their own, until the server is stopped."""
    from wellread.apps.http.exposure import refuse_open
    from wellread.net.server_sockets import bound_sockets

    refuse_open(settings.server)
    sockets = bound_sockets(settings.server.host, settings.server.port)
    with extra("server"):
        from wellread.apps.http import serve as http_server
        from wellread.apps.http.logs import configure
    from wellread.apps.build import Web
    from wellread.apps.system_clock import SystemClock

    configure(settings.server.logs)

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            demo_settings = Settings(
                cache=CacheSettings(dir=Path(folder)),
                search=SearchSettings(providers=("local",)),
                server=settings.server,
                browser=settings.browser,
            )
            async with Web(demo_settings, replay=SITE) as web:
                await _index(web)
                await http_server.serve(demo_settings, web, SystemClock(), announce=_announce, sockets=sockets)

    anyio.run(main)


def _announce(url: str) -> None:
    stderr_console.print(f"listening on {url}")


async def _demo() -> None:
    from wellread.apps.build import Web

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(cache=CacheSettings(dir=Path(folder)), search=SearchSettings(providers=("local",)))
        async with Web(settings, replay=SITE) as web:
            await _index(web)
            gathered = await _gather(web)
            await _verify(web, gathered)
            await _continue(web)
            await _remove_hidden_text(web)
    console.print("\n[bold green]Done.[/] Try it on a web page: [bold]wellread demo --serve[/]")
    console.print("Read any page: [bold]wellread read https://example.com[/]")


async def _index(web: Web) -> None:
    _title("1", "Read a recorded site into the local index, without a network")
    urls = [HOME, *(await web.read(HOME)).links]
    with _progress() as progress:
        task = progress.add_task("pages", total=len(urls))
        for url in urls:
            try:
                await web.index(url)
                page = await web.read(url)
                facts = f"{page.word_count:>6,} words  confidence {page.confidence:.2f}"
                outcome = f"[green]read[/]  {facts}  {escape(page.title or '')}"
            except WellreadError as error:
                outcome = f"[yellow]{error.code}[/]  {escape(error.message)}"
            progress.console.print(f"  {without_controls(url.removeprefix(HOME) or '/'):<22} {outcome}")
            progress.advance(task)


async def _gather(web: Web) -> Gathered:
    _title("2", f"Gather evidence: “{QUESTION}”")
    gathered = await web.gather(QUESTION)
    show_gathered(gathered)
    return gathered


async def _verify(web: Web, gathered: Gathered) -> None:
    _title("3", "Verify every citation against its snapshot")
    show_verdicts(await web.verify(gathered.passages))


async def _continue(web: Web) -> None:
    _title("4", "Read a long page in pieces; the cursor continues it without a request")
    document = await web.read(LONG)
    first = await web.read(LONG, max_length=PIECE_CHARS)
    second = await web.read(LONG, cursor=first.cursor)
    for number, piece in enumerate((first, second), 1):
        ending = without_controls(" ".join(piece.text.split()[-9:]))
        console.print(f"  piece {number}: characters {piece.start:,} to {piece.end:,}, … {ending}")
    is_equal = first.text + second.text == document.text
    console.print(f"  the joined pieces equal the document, byte for byte: [bold]{'yes' if is_equal else 'no'}[/]")


async def _remove_hidden_text(web: Web) -> None:
    _title("5", "Remove text that a person cannot see")
    page = await web.read(HOSTILE)
    text, title = escape(without_controls(page.text.strip())), escape(without_controls(page.title or ""))
    console.rich.print(Panel(text, title=title, width=100), soft_wrap=False)
    for notice in page.notices:
        console.print(notice_line(notice))


def _title(number: str, text: str) -> None:
    console.print(f"\n[bold cyan]{number}[/] [bold]{text}[/]")


@contextmanager
def _progress() -> Iterator[Progress]:
    # Loaded here so that other commands do not wait for it.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("  {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console.rich, transient=True) as progress:
        yield progress
