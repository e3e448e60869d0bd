"""The tool by which a user connects a service from within a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, string_argument, string_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.integrations.oauth.grant import Grant


def connect_tool(grant: Grant, service: str) -> Tool:
    """Return the tool `NAME_connect`, which returns a link, or takes the address that the link redirected to."""
    name = f"{grant.name}_connect"

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        redirected = string_argument(arguments, "redirect_url")
        if redirected:
            missing = await grant.finish(redirected)
            more = f"; not granted: {', '.join(missing)}" if missing else ""
            return ToolResult(f"{service} is connected{more}.", receipts=(f"{grant.name} connected",))
        return ToolResult(
            f"Give the user this link to open: {await grant.link()}\n"
            "If the browser ends at a page that cannot be reached, the user can paste that page's address here: call "
            f"{name} with it as redirect_url."
        )

    return Tool(
        name,
        f"Get a link by which the user connects their {service} account; or finish with the address it led to.",
        arguments_schema((), redirect_url=string_schema(max_length=4_000)),
        run,
        effect=Effect.OWN,
    )
