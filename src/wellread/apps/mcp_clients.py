"""Choose the form of a tool result for an MCP client: a few known clients show a model both parts.

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
class KnownClient:
    """A client that shows a model `content` and `structuredContent`."""

    title: str
    shows_both: str
    """Public source that it shows both: a URL, or a repository, commit and file."""
    sends_name: str
    """Public source of its `clientInfo.name`."""


_CLINE = "https://github.com/cline/cline at 21cb8d2525bcedf1f4b6890b27a74a14fe7451e4"

SHOWS_BOTH: dict[str, KnownClient] = {
    "github-copilot-developer": KnownClient(
        title="GitHub Copilot CLI",
        shows_both="https://github.com/github/copilot-cli/issues/4515",
        sends_name="https://github.com/github/copilot-cli/issues/1268",
    ),
    "Cline": KnownClient(
        title="Cline for VS Code",
        shows_both=f"{_CLINE}: apps/vscode/src/sdk/vscode-runtime-builder.ts passes the whole result, "
        "sdk/packages/shared/src/llms/ai-sdk-format.ts writes it as JSON",
        sends_name=f"{_CLINE}: apps/vscode/src/services/mcp/McpHub.ts",
    ),
    "@cline/core": KnownClient(
        title="Cline CLI and SDK",
        shows_both=f"{_CLINE}: sdk/packages/core/src/extensions/mcp/tools.ts passes the whole result, "
        "sdk/packages/shared/src/llms/ai-sdk-format.ts writes it as JSON",
        sends_name=f"{_CLINE}: sdk/packages/core/src/extensions/mcp/client.ts",
    ),
}
"""`clientInfo.name` -> the client. An entry needs a source for both of its facts."""


def result_form(answers: McpAnswers, client_name: str | None) -> Form:
    """Return the form of a result: the one of the setting, or, for `auto`, the one that suits the client."""
    if answers != "auto":
        return answers
    return "text" if client_name in SHOWS_BOTH else "both"
