"""Which packages may use the environment (config), the network (net) and clocks (apps.system_clock).

These rules read the syntax tree, so that they see what the tables of the linters miss: dynamic imports, aliases, and
the network functions of anyio, which every package may import for its tasks and threads.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from architecture.sources import Module

ENVIRONMENT = {
    "os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv", "os.path.expandvars",
}  # fmt: skip
NETWORK = {
    "socket", "_socket", "ssl", "select", "selectors", "socketserver", "asyncio", "http.client", "http.server",
    "urllib.request", "ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "xmlrpc", "httpcore", "httpcore2", "httpx",
    "httpx2", "redis", "requests", "aiohttp", "urllib3", "h2", "h11", "trio", "subprocess",
    "multiprocessing.connection",
    "anyio.connect_tcp", "anyio.connect_unix", "anyio.create_tcp_listener", "anyio.create_unix_listener",
    "anyio.create_udp_socket", "anyio.create_connected_udp_socket", "anyio.create_unix_datagram_socket",
    "anyio.create_connected_unix_datagram_socket", "anyio.getaddrinfo", "anyio.getnameinfo", "anyio.run_process",
    "anyio.open_process", "os.system", "os.popen", "os.posix_spawn", "os.posix_spawnp",
}  # fmt: skip
CLOCKS = {
    "time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns",
    "time.thread_time", "time.thread_time_ns", "time.process_time", "time.process_time_ns", "time.clock_gettime",
    "time.clock_gettime_ns", "time.localtime", "time.gmtime", "time.strftime", "time.ctime", "time.asctime",
    "sched.scheduler",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
}  # fmt: skip


def environment_readers(module: Module) -> list[str]:
    """Only config reads the environment."""
    return _touches(module, ENVIRONMENT, "reads the environment")


def network_users(module: Module) -> list[str]:
    """Only net uses the network; only net and worker start processes."""
    return _touches(module, NETWORK, "uses the network")


def clock_readers(module: Module) -> list[str]:
    """Only apps.system_clock reads a clock; other modules take a Clock."""
    return _touches(module, CLOCKS, "reads a clock")


def _touches(module: Module, forbidden: set[str], what: str) -> list[str]:
    found = {
        (line, name)
        for line, name in _used(module)
        if any(name == each or name.startswith(f"{each}.") for each in forbidden)
    }
    return [f"{module.path}:{line} {what}: {name}" for line, name in sorted(found)]


@cache
def _used(module: Module) -> tuple[tuple[int, str], ...]:
    """Return every dotted name that is imported or used; three rules need them."""
    return tuple(_names(module.nodes))


def _names(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield every dotted name that is imported or used, aliases undone."""
    known = dict(_imported(nodes))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Attribute | ast.Name):
            head, dot, rest = _dotted(node).partition(".")
            if head in known:  # else a variable that happens to be called so
                yield node.lineno, known[head] + dot + rest
        elif isinstance(node, ast.Call) and _dotted(node.func).endswith(("__import__", "import_module")):
            yield from ((node.lineno, str(arg.value)) for arg in node.args if isinstance(arg, ast.Constant))


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (head, head)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"
