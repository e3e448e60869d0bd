"""Names that curl, wget, Firecrawl, trafilatura and Crawl4AI have for options and commands of wellread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

_OPTIONS: Final = {
    ("--limit", "--gather-top", "--pages", "--count"): (
        "--limit", "--max-count", "--max-pages", "--max-urls", "--page-limit", "--pages",
    ),
    ("--count", "--num-results", "--limit"): ("--max-results", "--num", "--num-results", "--results"),
    ("--depth",): ("--level", "--max-depth", "--max-discovery-depth"),
    ("--urls",): ("--url",),
    ("--out", "--to"): (
        "--directory-prefix", "--out", "--output", "--output-dir", "--output-document", "--output-file", "--save",
    ),
    ("--max-length",): ("--length", "--max-characters", "--max-chars", "--max-len", "--truncate"),
    ("--user-asked",): ("--ignore-robots", "--ignore-robots-txt", "--no-robots"),
    ("--cookies",): ("--cookie", "--load-cookies"),
    ("--auth",): ("--http-user", "--user"),
    ("--bearer",): ("--oauth2-bearer", "--token"),
    ("--format",): ("--formats", "--markdown", "--output-format", "--type"),
    ("--render",): ("--browser", "--headless", "--javascript", "--js"),
    ("--wait",): ("--wait-for",),
    ("--selector",): ("--css", "--css-selector", "--include-tags"),
    ("--mode",): ("--favor-precision", "--favor-recall", "--only-main-content", "--precision", "--recall"),
    ("--include",): ("--accept", "--include-path", "--include-paths", "--include-pattern"),
    ("--exclude",): ("--exclude-path", "--exclude-paths", "--exclude-pattern", "--reject"),
    ("--subdomains",): ("--allow-subdomains", "--include-subdomains"),
    ("--concurrency", "--jobs"): ("--max-concurrency", "--parallel", "--parallel-max", "--threads", "--workers"),
    ("--fresh",): ("--bypass-cache", "--no-cache", "--refresh"),
    ("--json",): ("--with-metadata",),
}  # fmt: skip
"""Options of wellread -> their names elsewhere. The first one that the command has is the right one."""
_SETTINGS: Final = {
    "net.allow_hosts=HOST:PORT": ("--allow-host", "--allow-hosts", "--allow-private"),
    "net.ca_file=FILE": ("--ca-certificate", "--cacert", "--insecure", "--no-check-certificate"),
    "net.user_agent=TEXT": ("--user-agent",),
    "net.min_interval_s=SECONDS": ("--delay", "--sleep"),
    "fetch.timeout_s=SECONDS": ("--connect-timeout", "--max-time", "--timeout"),
    "fetch.attempts=NUMBER": ("--max-retries", "--retries", "--retry", "--tries"),
    "fetch.max_bytes=NUMBER": ("--max-filesize",),
}
"""Settings -> options elsewhere."""
_RESEARCH_PAGES: Final = "a research searches by itself; `wellread answer QUESTION --urls URL` takes these pages"
_HINTS: Final = {
    ("facts", "--csv"): "use --out FILE.csv",
    ("watch", "--all"): "`wellread watch run` checks all pages that are due",
    ("config", "get"): "`wellread config` shows every setting",
    ("config", "set"): "wellread --set SECTION.KEY=VALUE ..., or a line in wellread.toml",
    ("gather", "http"): "use --urls URL for each page to take passages of",
    ("answer", "http"): "use --urls URL for each page to take passages of",
    ("research", "http"): _RESEARCH_PAGES,
    ("research", "--url"): _RESEARCH_PAGES,
    ("research", "--urls"): _RESEARCH_PAGES,
    ("search", "--url"): "`wellread read URL` reads a page",
    ("session", "--url"): "wellread session open URL",
    ("watch", "--url"): "wellread watch add URL",
}
"""A command, and its option or the first letters of its argument -> what to write."""
COMMANDS: Final = {
    "ask": "answer", "fetch": "read", "get": "read", "help": "--help", "interact": "browse", "scrape": "read",
    "spider": "crawl",
}  # fmt: skip
"""Names of commands elsewhere -> commands of wellread."""
_URL_ARGUMENTS: Final = frozenset({"url", "urls"})
"""Names of the arguments that are URLs."""


def option_hint(command: str, typed: str, options: Collection[str]) -> str | None:
    """Return what to write in place of the option `typed`, which `command` lacks; None for an unknown name.

    `options` has the options and the names of the arguments of the command.
    """
    if (command, typed) in _HINTS:
        return _HINTS[command, typed]
    for names, peer_names in _OPTIONS.items():
        fitting = [name for name in names if name in options]
        if typed in peer_names and fitting:
            return f"did you mean {fitting[0]}?"
    for setting, peer_names in _SETTINGS.items():
        if typed in peer_names:
            return f"wellread --set {setting} {command} ..."
    if typed == "--url" and not _URL_ARGUMENTS.isdisjoint(options):
        return f"write the URL without an option: wellread {command} URL"
    return None


def argument_hint(command: str, argument: str) -> str | None:
    """Return what to write in place of an argument that `command` does not take; None for an unknown one."""
    return next(
        (hint for (name, start), hint in _HINTS.items() if name == command and argument.startswith(start)), None
    )
