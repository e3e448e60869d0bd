"""The commands that start the other interfaces: mcp, serve, tools."""

from __future__ import annotations

import gc
import json as jsons
import shlex
import shutil
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.commands.options import Json, Replay, extra, guarded, root_options, settings_of
from wellread.apps.commands.parameters import Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.extras import missing
from wellread.apps.terminal import say, say_json
from wellread.sections import McpAnswers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AsyncExitStack

    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.config import Settings

Client = Literal["claude-code", "claude-desktop", "cursor", "vscode", "codex"]
EXTRA_MISSING = "the server cannot start yet, because an extra is missing: pip install 'wellread\\[server]'"
_COLLECT_AFTER = 50_000
"""New objects in a server after which garbage is collected. A collection also searches the documents that are cached:
with Python's default of 700 it ran in each read; with 10,000 it ran in one of 75 reads, for 30 ms of CPU."""


def mcp(
    context: click.Context,
    *,
    print_config: Annotated[
        Client | None, Option(help="Print the configuration for this client and exit.", metavar="CLIENT")
    ] = None,
    answers: Annotated[
        McpAnswers | None,
        Option(help="Parts of a result to send: text, structured JSON, or both; auto selects by client."),
    ] = None,
    tools: Annotated[
        str | None,
        Option(
            help="Offer only these tools, separated by commas; slim: search and read, in few tokens.", metavar="NAMES"
        ),
    ] = None,
    replay: Replay = None,
) -> None:
    """Run the MCP server on standard input and output, for an MCP client on this machine."""
    flags = {"server.mcp_answers": answers, "server.mcp_tools": tools}
    if print_config:
        guarded(lambda: settings_of(context, flags), json=False)
        options = {"--answers": answers, "--tools": tools, "--replay": replay and replay.resolve()}
        say(setup(print_config, [_own_command(), *_root_words(context), "mcp", *_option_words(options)]))
        if find_spec("mcp") is None:
            stderr_console.print(f"[yellow]![/] {EXTRA_MISSING}", markup=True)
        return
    settings = guarded(lambda: settings_of(context, flags)[0], json=False)
    guarded(lambda: _mcp(settings, replay), json=False)


def serve(
    context: click.Context,
    *,
    host: Annotated[str | None, Option(help="Address to listen on; by default server.host.")] = None,
    port: Annotated[int | None, Option(help="Port to listen on; 0 selects a free port.", min=0, max=65535)] = None,
    processes: Annotated[
        int | None,
        Option(help="Processes that serve at the address; by default server.processes.", min=1, metavar="N"),
    ] = None,
    new_key: Annotated[
        str | None, Option(help="Create a key for this caller, print it, and exit.", metavar="NAME")
    ] = None,
    json: Json = False,
    replay: Replay = None,
) -> None:
    """Run the HTTP server: the HTTP API, MCP at /mcp, and a web page at / to try the operations."""
    if new_key is not None:
        _show_key(new_key, json=json)
        return
    flags = {"server.host": host, "server.port": port, "server.processes": processes}
    settings = guarded(lambda: settings_of(context, flags)[0], json=json)
    guarded(lambda: _serve(settings, replay), json=json)


def tools(
    context: click.Context,
    *,
    format: Annotated[
        Literal["names", "openai", "anthropic", "mcp"], Option(help="Format of the tool definitions.")
    ] = "names",
    json: Json = False,
) -> None:
    """List the operations for agents and the tools of the assistant, or print the tool definitions."""
    from wellread.apps.operations.definitions import FORMS
    from wellread.apps.operations.registry import OPERATIONS

    if format == "names" and not json:
        for operation in OPERATIONS:
            console.print(f"[bold]{operation.name:<15}[/] {operation.description}")
        guarded(lambda: _show_assistants_tools(settings_of(context)[0]), json=False)
        return
    say_json([FORMS["mcp" if format == "names" else format](operation) for operation in OPERATIONS])


def _show_assistants_tools(settings: Settings) -> None:
    """Print the assistant's further tools, where its extra is installed."""
    if missing("assistant"):
        return
    import anyio

    from wellread.apps.build import assistant_tools
    from wellread.apps.operations.registry import OPERATIONS

    console.print("\n[dim]tools of the assistant (`wellread chat`):[/]")
    for tool in anyio.run(assistant_tools, settings):
        if tool.name not in {operation.name for operation in OPERATIONS}:
            console.print(f"[bold]{tool.name:<15}[/] {escape(tool.description)}")


def _own_command() -> str:
    """Return the path of this installation: another one on the PATH may lack an extra."""
    path = Path(sys.executable).with_name("wellread")
    if path.exists():
        return str(path)
    return shutil.which("wellread") or "wellread"


def _root_words(context: click.Context) -> list[str]:
    """Return the `--config` and `--set` in front of the command; a client starts it in another folder."""
    file, flags = root_options(context)
    return _option_words({"--config": file and file.resolve()}) + [
        word for name, text in flags.items() for word in ("--set", f"{name}={text}")
    ]


def _option_words(options: Mapping[str, object]) -> list[str]:
    """Return the options that have a value, as words of a command line."""
    return [str(word) for option in options.items() if option[1] is not None for word in option]


def setup(client: Client, words: list[str]) -> str:
    """Return the line that configures a client to run `words`: a command, or the JSON for its file of servers."""
    entry = {"command": words[0], "args": words[1:]}
    if client == "claude-code":
        return f"claude mcp add wellread -- {shlex.join(words)}"
    if client == "codex":
        return f"codex mcp add wellread -- {shlex.join(words)}"
    if client == "vscode":
        return f"code --add-mcp {shlex.quote(jsons.dumps({'name': 'wellread', **entry}))}"
    return jsons.dumps({"mcpServers": {"wellread": entry}})


def _mcp(settings: Settings, replay: Path | None) -> None:
    # Loaded here, each, so that `wellread --help` does not wait for servers.
    import anyio

    with extra("server"), _garbage_collection_paused():
        from wellread.apps import mcp as mcp_server

    async def open_dispatcher(stack: AsyncExitStack) -> OperationDispatcher:
        return await _dispatcher(stack, settings, replay)

    server = settings.server
    anyio.run(lambda: mcp_server.run_stdio(open_dispatcher, answers=server.mcp_answers, tools=server.mcp_tools))


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Import without the garbage collector: the SDK makes many models, which all stay (a fifth of the CPU).

    It does not look through them later, which would stop all threads for some 80 ms (measured in `serve`).
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


async def _dispatcher(stack: AsyncExitStack, settings: Settings, replay: Path | None) -> OperationDispatcher:
    from anyio import to_thread

    def load() -> Callable[[], OperationDispatcher]:
        from wellread.apps import build
        from wellread.apps.operations import dispatcher, handlers
        from wellread.apps.system_clock import SystemClock

        web = build.Web(settings, replay=replay)
        stack.push_async_callback(web.aclose)

        def opened() -> OperationDispatcher:
            operation_dispatcher = dispatcher.open_dispatcher(settings, web, SystemClock())
            operation_dispatcher.hints = handlers.OWNER_HINTS
            return operation_dispatcher

        return opened

    operation_dispatcher = (await to_thread.run_sync(load))()
    stack.push_async_callback(operation_dispatcher.aclose)
    return operation_dispatcher


def _serve(settings: Settings, replay: Path | None) -> None:
    import anyio

    # First, so that a wrong address is told at once, and not after all that a server loads.
    from wellread.apps.http.exposure import refuse_open
    from wellread.net.server_sockets import bound_sockets

    refuse_open(settings.server)
    sockets = bound_sockets(settings.server.host, settings.server.port)

    with extra("server"), _garbage_collection_paused():
        from wellread.apps.build import Web, assistant
        from wellread.apps.http import serve as http_server
        from wellread.apps.http import server_processes
        from wellread.apps.http.logs import configure
        from wellread.apps.local_reading import worker_pool
        from wellread.apps.system_clock import SystemClock

    configure(settings.server.logs)
    process = None
    if settings.server.processes > 1 and replay is None:
        server_processes.check_processes(settings)
        started = server_processes.start_processes(settings, SystemClock(), sockets[0])
        if isinstance(started, int):
            raise click.exceptions.Exit(started)
        process = started
        total = settings.extract.process_count
        settings = process.share_of(settings)
        pool = worker_pool(settings.extract)
        if pool is not None:
            pool.share_slots(process.running_tasks, process.index, total)

    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])

    async def main() -> None:
        async with Web(settings, replay=replay) as web:
            await http_server.serve(
                settings,
                web,
                SystemClock(),
                announce=lambda url: stderr_console.print(f"listening on {url}"),
                open_assistant=(lambda: assistant(settings, web)) if settings.assistant.serve else None,
                process=process,
                sockets=sockets if process is None else None,
            )

    anyio.run(main)


def _show_key(name: str, *, json: bool) -> None:
    from wellread.apps.http.api_keys import new_key

    key, hashed = guarded(lambda: new_key(name), json=json)
    if json:
        say_json({"name": name, "key": key, "hash": hashed})
        return
    say(key)
    stderr_console.print(
        f'The key is shown only once. Add to wellread.toml: [server.keys] {name} = "{hashed}"', markup=False
    )
