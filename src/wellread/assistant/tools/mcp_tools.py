"""Tools of the MCP servers in the settings. Nobody here knows their effects: they need approval."""

from __future__ import annotations

import json
import logging
import re
import shlex
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.errors import ConfigError, PluginError, UnavailableError, Upstream, reason_line
from wellread.schemas import check, weakened
from wellread.values import mask_urls

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Mapping, Sequence

    from mcp.client import Client
    from mcp.types import CallToolResult
    from mcp.types import Tool as Offered

    from wellread.net.endpoint_client import EndpointClient
    from wellread.values import AddressOrCommand

_log = logging.getLogger(__name__)

MAX_TOOLS = 500
"""Of one server: one that never comes to an end must not hold up the assistant."""
MAX_DESCRIPTION_CHARS = 300
"""Of a description: a server's words stand in every request."""
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@asynccontextmanager
async def connect_servers(
    servers: Mapping[str, AddressOrCommand], reads: Collection[str], client: EndpointClient | None
) -> AsyncGenerator[Sequence[Tool], None]:
    """Connect to servers, by URL through `client` or by starting a command; yield their tools.

    Raises:
        ConfigError, UnavailableError: a server cannot be started or reached.
    """
    async with AsyncExitStack() as stack:
        tools: list[Tool] = []
        for name, address in servers.items():
            connected = await _connected(stack, name, address, client)
            for offered in await _offered(connected):
                try:
                    tools.append(_tool(name, offered, connected, reads))
                except PluginError as error:  # one that cannot be called safely must not cost the others
                    _log.warning("the tool %s of the MCP server %s is left out: %s", offered.name, name, error)
        yield tools


async def _offered(client: Client) -> list[Offered]:
    """Return the tools of a server, which may list them page by page."""
    listed = await client.list_tools()
    tools = listed.tools
    while listed.next_cursor and len(tools) < MAX_TOOLS:
        listed = await client.list_tools(cursor=listed.next_cursor)
        tools += listed.tools
    return tools[:MAX_TOOLS]


async def _connected(
    stack: AsyncExitStack, name: str, address: AddressOrCommand, client: EndpointClient | None
) -> Client:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    if address.is_url:
        transport = streamable_http_client(address.reveal(), http_client=client)
    else:
        command, *arguments = shlex.split(address.reveal()) or [""]
        transport = stdio_client(StdioServerParameters(command=command, args=arguments))
    try:
        return await stack.enter_async_context(Client(transport))
    except (OSError, ValueError) as error:
        message = f"the MCP server {name} cannot be started: {address}: {_reason(error)}"
        raise ConfigError(message, hint="check assistant.mcp") from error
    except Exception as error:  # the SDK raises what its transports raise, in groups
        raise UnavailableError(f"the MCP server {name} does not answer: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return the reason of a failure; the SDK puts the URL of a server into it, which may have a token."""
    return mask_urls(reason_line(error))


def _tool(server: str, offered: Offered, client: Client, reads: Collection[str]) -> Tool:
    name = f"{server}_{offered.name}"
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"the MCP server {server} offers a tool named {offered.name!r}, which is not a valid tool name"
        )
    parameters = weakened(offered.input_schema)
    check(parameters, name)

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        try:
            result = await client.call_tool(offered.name, dict(arguments))
        except Exception as error:  # same: whatever the transport raises
            raise Upstream(f"the MCP server {server} failed: {_reason(error)}", url=f"mcp:{server}") from error
        text = _text(result)
        if result.is_error or name in reads:
            return ToolResult(text, tainted=True)
        return ToolResult(text, tainted=True, receipts=(f"{name} was called",))

    return Tool(
        name,
        (offered.description or offered.title or offered.name)[:MAX_DESCRIPTION_CHARS],
        parameters,
        run,
        effect=Effect.NONE if name in reads else Effect.WORLD,
        service=server,
        preview=lambda arguments: Preview(
            f"call {name}", [("with", json.dumps(arguments, ensure_ascii=False, indent=1))]
        ),
    )


def _text(result: CallToolResult) -> str:
    parts = [getattr(part, "text", f"({part.type})") for part in result.content]
    return "\n".join(parts) or json.dumps(result.structured_content, ensure_ascii=False)
