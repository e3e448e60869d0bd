"""Options that commands share, and helpers that open the web and report failures."""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from urllib.parse import unquote

import click

from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import escape, stderr_console
from wellread.apps.paths import is_file
from wellread.apps.terminal import complain
from wellread.config import Settings, explain
from wellread.errors import ConfigError, InvalidInput, InvalidUrl, InvalidUsage, Unreachable, WellreadError
from wellread.types import LinkStyle, Mode, Render, Scroll

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from wellread.apps.build import Web
    from wellread.config import Origin
    from wellread.reading.sign_in_options import SignInOptions

T = TypeVar("T")

Json = Annotated[bool, Option("--json", help="Print JSON.")]
Record = Annotated[Path | None, Option(help="Record all requests and responses in this WARC file.", metavar="FILE")]
Replay = Annotated[
    Path | None, Option(help="Take all responses from this WARC file instead of the network.", metavar="FILE")
]
Provider = Annotated[
    list[str] | None,
    Option(help="Search service to ask, or `local` for the local index. You can repeat the option.", metavar="NAME"),
]
ModeOption = Annotated[
    Mode, Option(help="How much to keep. precision: only the body of an article. recall: also doubtful text.")
]
Url = Annotated[str, Argument(help="http or https URL; without a scheme, https is tried first.", metavar="URL")]
Urls = Annotated[
    list[str],
    Argument(
        help="http or https URLs; without a scheme, https is tried first. - reads URLs from standard input.",
        metavar="URL",
    ),
]
OutOption = Annotated[
    str | None,
    Option(
        "--out",
        "-o",
        help="Write to a file, append to a .jsonl file, or write one file per result into FOLDER/. "
        "Results that a .jsonl file or a folder already has are skipped.",
        metavar="PATH",
    ),
]
Concurrency = Annotated[int, Option(help="Maximum number of URLs at a time.", min=1, max=100)]
RenderOption = Annotated[
    Render,
    Option("--render", help="When to load the page in a browser; auto: if plain HTTP returns too little text."),
]
ScrollOption = Annotated[
    Scroll,
    Option("--scroll", help="all: scroll the page in a browser, and press its button for more, to its end."),
]
LinksOption = Annotated[
    LinkStyle,
    Option(help="How markdown shows links: in the text, as numbers with the addresses below, or without addresses."),
]
SelectorOption = Annotated[
    str | None,
    Option(help="Read the elements that match instead of the main content, for example 'main .price'.", metavar="CSS"),
]
WaitOption = Annotated[
    str | None,
    Option(
        help="Render the page, and wait for: adaptive, domcontentloaded, load, networkidle, networkidle:MILLISECONDS "
        "or selector:CSS.",
        metavar="CONDITION",
    ),
]
MemberOption = Annotated[str | None, Option("--member", help="File to read in an archive (ZIP, tar).", metavar="NAME")]
AllNotices = Annotated[
    bool,
    Option("--all-notices", help="Also show notices of the level info: text that was hidden or left out by design."),
]
HeadersOption = Annotated[
    list[str] | None,
    Option(
        "--headers",
        "-H",
        help="Header field for the origin of the URL (scheme, host, port). Repeatable; @FILE has one per line.",
        metavar="NAME:VALUE",
    ),
]
CookiesOption = Annotated[
    Path | None,
    Option(
        help="File of cookies (cookies.txt, or Playwright's JSON); each goes only to its own domain.", metavar="FILE"
    ),
]
AuthOption = Annotated[
    str | None,
    Option(
        help="User name and password for the origin of the URL; @FILE has them, hidden from other users.",
        metavar="USER:PASSWORD",
    ),
]
BearerOption = Annotated[
    str | None, Option(help="Bearer token for the origin of the URL, or @FILE that has it.", metavar="TOKEN")
]
ProfileOption = Annotated[
    str | None, Option(help="Profile whose cookies and logins sign in; see `wellread login`.", metavar="NAME")
]
ProxyOption = Annotated[
    str | None,
    Option(
        help="Proxy of this run for all hosts but loopback, instead of those of the settings: http://HOST:PORT, https, "
        "socks5 or socks5h, `direct`, or @FILE that has it.",
        metavar="URL",
    ),
]
UserAsked = Annotated[bool, Option("--user-asked", help="Ignore robots.txt, because a person asked for this page.")]


def settings_of(
    context: click.Context, options: Mapping[str, object] | None = None
) -> tuple[Settings, tuple[Origin, ...]]:
    """Read the settings, with the `--config` and `--set` in front of the command, and its own `options`.

    Raises:
        ConfigError: a setting is wrong.
    """
    file, flags = root_options(context)
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    return explain(file=file, flags={**flags, **chosen})


def root_options(context: click.Context) -> tuple[Path | None, dict[str, str]]:
    """Return the `--config` and the `--set` in front of the command.

    Raises:
        ConfigError: a `--set` has no value.
    """
    params = context.find_root().params
    flags: dict[str, str] = {}
    for pair in params.get("set_") or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--set {pair}: expected SECTION.KEY=VALUE")
        flags[name] = value
    return params.get("config"), flags


def run(
    context: click.Context,
    work: Callable[[Web], Awaitable[T]],
    *,
    json: bool,
    providers: list[str] | None = None,
    proxy: str | None = None,
    record: Path | None = None,
    replay: Path | None = None,
) -> T:
    """Open the web, run `work`, close it; a failure is shown as one line and ends the command with its exit code."""

    def opened() -> T:
        settings = settings_of(context, {"search.providers": providers or None, **_proxy_settings(proxy)})[0]
        return _run(settings, work, record, replay)

    return guarded(opened, json=json)


def _proxy_settings(proxy: str | None) -> dict[str, object]:
    """Return the settings that lead all requests of a run, those of the browser too, through `proxy`."""
    if proxy is None:
        return {}
    return {"net.proxy": in_file(proxy).strip(), "net.proxies": {}, "browser.upstream": ""}


def _run(settings: Settings, work: Callable[[Web], Awaitable[T]], record: Path | None, replay: Path | None) -> T:
    # Loaded here so that `wellread --help` does not wait for the HTTP library and the parsers.
    import anyio

    from wellread.apps.build import OnDemandWeb

    async def main() -> T:
        async with OnDemandWeb(settings, record=record, replay=replay) as web:
            result = await work(web)
            if web.problem:
                stderr_console.print(f"[yellow]! cache[/] {escape(web.problem)}")
            return result

    return anyio.run(main)


def guarded(work: Callable[[], T], *, json: bool) -> T:
    """Run `work`; a failure is shown as one line and ends the command with its exit code."""
    try:
        return work()
    except (InvalidUrl, Unreachable) as error:
        if (file := _file(error.url or "")) is not None:
            error.hint = f"to read a file, run `wellread extract {shlex.quote(file)}`"
        raise click.exceptions.Exit(complain(error, as_json_too=json)) from error
    except WellreadError as error:
        raise click.exceptions.Exit(complain(error, as_json_too=json)) from error


def sign_in_options(
    *,
    headers: list[str] | None,
    cookies: Path | None,
    auth: str | None,
    bearer: str | None,
    profile: str | None,
) -> SignInOptions:
    """Return the options that sign in, as Python takes them; `@FILE` is read.

    Raises:
        InvalidInput: a file cannot be read.
        InvalidUsage: a header has no colon, or a login none; the message has no secret.
    """
    options: SignInOptions = {}
    if headers:
        lines = [line for text in headers for line in in_file(text).splitlines() if line.strip()]
        pairs = [line.partition(":") for line in lines]
        if not all(colon and name.strip() for name, colon, _ in pairs):
            raise InvalidUsage("--headers: a header has no name before a colon", hint='use --headers "X-Team: tides"')
        options["headers"] = {name.strip(): field.strip() for name, _, field in pairs}
    if cookies is not None:
        options["cookies"] = cookies
    if auth is not None:
        username, colon, password = in_file(auth).strip("\r\n").partition(":")
        if not colon:
            raise InvalidUsage("--auth has no USER:PASSWORD", hint="use USER:PASSWORD, or @FILE")
        options["auth"] = (username, password)
    if bearer is not None:
        options["bearer"] = in_file(bearer).strip()
    if profile is not None:
        options["profile"] = profile
    return options


def in_file(text: str) -> str:
    """Return `text`, or the text of the file after an `@`, so that no secret must stand on a command line."""
    if not text.startswith("@"):
        return text
    try:
        if text == "@-":
            return sys.stdin.read()
        return Path(text[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InvalidInput(f"cannot read {text[1:]}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from error


def web_url(url: str) -> str:
    """Return `url`; refuse the name of an existing file (notes.md), which needs a scheme to be a URL.

    Raises:
        InvalidUrl: `url` is the name of a file.
    """
    if "://" not in url and is_file(url):
        raise InvalidUrl(f"{url} is a file, not a URL", url=url)
    return url


def given_urls(urls: list[str]) -> list[str]:
    """Return the URLs of a command's arguments; `-` stands for the lines of standard input.

    Blank lines, and lines that begin with `#`, are passed over.

    Raises:
        InvalidUrl: one is the name of a file that is here.
        InvalidUsage: no URL is given.
    """
    lists = [sys.stdin.read().splitlines() if url == "-" else [web_url(url)] for url in urls]
    lines = [line.strip() for line in chain.from_iterable(lists)]
    listed_urls = [line for line in lines if line and not line.startswith("#")]
    if not listed_urls:
        raise InvalidUsage("standard input has no URL", hint="write one URL per line")
    return listed_urls


def _file(argument: str) -> str | None:
    """Return the path in place of a URL: an existing file, or text that only a path is written like."""
    path = argument
    if argument.startswith("file:///"):
        path = unquote(argument.removeprefix("file://"))
    try:
        if path.startswith(("./", "../", "/", "~")) or Path(path).exists():
            return path
    except (OSError, ValueError):  # too long, or with a zero in it
        pass
    return None


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Turn the import error of a missing extra into a hint to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name} is not installed", hint=f"pip install 'wellread[{name}]'") from error
