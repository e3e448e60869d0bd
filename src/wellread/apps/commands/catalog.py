"""The commands in the order of the help, each with its module: a module is loaded when its command is used."""

from __future__ import annotations

from typing import Final, NamedTuple


class CatalogEntry(NamedTuple):
    """Where the function of a command is, and what `wellread --help` says of it."""

    module: str
    summary: str
    """The first sentence of the docstring of the function."""


CATALOG: Final[dict[str, CatalogEntry]] = {
    "read": CatalogEntry("web", "Read pages and documents as clean markdown, text or HTML."),
    "gather": CatalogEntry("gather", "Search, read the best pages, and print the passages that answer a question."),
    "answer": CatalogEntry(
        "gather",
        "Answer a question in a few sentences, of which each cites passages that were verified.",
    ),
    "research": CatalogEntry(
        "researching",
        "Research a question in several searches, and print a report in Markdown whose every sentence is cited.",
    ),
    "search": CatalogEntry("web", "Search the web with the configured services, or the local index."),
    "find": CatalogEntry("files", "Find text on a page and show each match with its context."),
    "download": CatalogEntry("files", "Download files under safe names, and resume interrupted downloads."),
    "facts": CatalogEntry("facts", "Extract what pages declare for machines, and their tables, as JSON."),
    "map": CatalogEntry("crawling", "List the URLs of a site: from its site maps, its feeds and its links."),
    "crawl": CatalogEntry(
        "crawling",
        "Crawl sites into a folder: pages.jsonl, the recorded traffic, and the state that the same "
        "command goes on from.",
    ),
    "crawl-worker": CatalogEntry(
        "crawling",
        "Help with a crawl that `crawl --frontier` has started, from this or another machine, until it ends.",
    ),
    "watch": CatalogEntry("watching", "Watch pages for changes of their text."),
    "browse": CatalogEntry("browser", "Operate a page in a browser, step by step or with a script."),
    "session": CatalogEntry("session", "Operate a page in a browser by single commands: open it, run steps, close it."),
    "screenshot": CatalogEntry("browser", "Take a screenshot of a page and save it as PNG."),
    "login": CatalogEntry("login", "Sign in to a site and save the session in a profile."),
    "profile": CatalogEntry("login", "List, show, delete, import and export browser profiles."),
    "index": CatalogEntry("files", "Add pages and files to the local index, which `search` and `gather` can use."),
    "verify": CatalogEntry("web", "Verify citations: compare each passage with the stored snapshot of its page."),
    "extract": CatalogEntry(
        "extract",
        "Read saved pages and documents; the network is used only for what you name by URL or by --cdx.",
    ),
    "remember": CatalogEntry("memory", "Add a note to the knowledge base."),
    "memory": CatalogEntry(
        "memory",
        "List, search, add, correct and delete the facts that the assistant remembers about you.",
    ),
    "knowledge": CatalogEntry(
        "memory",
        "Add documents to the knowledge base, search them with citations, list and remove them.",
    ),
    "mcp": CatalogEntry(
        "servers",
        "Run the MCP server on standard input and output, for an MCP client on this machine.",
    ),
    "serve": CatalogEntry(
        "servers",
        "Run the HTTP server: the HTTP API, MCP at /mcp, and a web page at / to try the operations.",
    ),
    "tools": CatalogEntry(
        "servers",
        "List the operations for agents and the tools of the assistant, or print the tool definitions.",
    ),
    "chat": CatalogEntry("assistant", "Chat with the assistant, which reads the web and uses tools."),
    "bot": CatalogEntry("bot", "Run the assistant in Telegram and the other configured channels, with its schedules."),
    "assistant": CatalogEntry(
        "assistant",
        "Check the assistant's models, keys, database, tools and sandbox, without calling a model.",
    ),
    "schedule": CatalogEntry("schedule", "Schedule tasks for the assistant."),
    "tasks": CatalogEntry("tasks", "Manage your tasks."),
    "connect": CatalogEntry("integrations", "Connect a service to the assistant, for example Google."),
    "disconnect": CatalogEntry("integrations", "Revoke the access to a service and delete its tokens."),
    "cache": CatalogEntry("maintenance", "Show the size of the cache, or clear it."),
    "config": CatalogEntry("maintenance", "Show every setting, its value and its source."),
    "doctor": CatalogEntry("maintenance", "Check the installation, and print how to fix each problem."),
    "demo": CatalogEntry(
        "demo",
        "Run a demonstration on a recorded site: read, gather, verify, continue a long page, remove hidden text.",
    ),
}
