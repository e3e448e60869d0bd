"""Decides in which form an MCP client gets a tool result: which MCP clients are known to show a model both parts.

A result has text in `content` and JSON in `structuredContent`. Most clients show a model one of them, and they do not
agree on which; so both parts are whole. A client that shows both pays twice for the same words: those known to do so,
by the name that they send as `clientInfo.name`, get text alone. Text is the safe one of the two: every client that is
known shows `content` where there is no `structuredContent`. docs/mcp.md lists what is known of all clients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from wellread.sections import McpAnswers

Form = Literal["both", "text", "structured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client that shows a model `content` and `structuredContent`."""

    title: str
    shows_both: str
    """Public source that it shows both: a URL, or a repository, commit and file."""
    sends_name: str
    """Public source of its `clientInfo.name`."""


SHOWS_BOTH: dict[str, Client] = {
    "github-copilot-developer": Client(
        title="GitHub Copilot CLI",
        shows_both="https://github.com/github/copilot-cli/issues/4515",
        sends_name="https://github.com/github/copilot-cli/issues/1268",
    ),
}
"""`clientInfo.name` -> the client. An entry needs a source for both of its facts."""


def result_form(answers: McpAnswers, client_name: str | None) -> Form:
    """Return the form of a result: what the setting says, or, by `auto`, what suits the client of this name."""
    if answers != "auto":
        return answers
    return "text" if client_name in SHOWS_BOTH else "both"
