"""Linear as an integration: lists and searches issues; creates and changes them after the user has seen the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wellread.assistant.integrations.linear import queries
from wellread.assistant.integrations.linear.linear_api import LinearApi
from wellread.assistant.integrations.linear.name_lookup import NameLookup
from wellread.assistant.integrations.preview_cache import PreviewCache
from wellread.assistant.integrations.service_client import tainted_result
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import (
    Schema,
    arguments_schema,
    enum_schema,
    integer_argument,
    integer_schema,
    string_argument,
    string_schema,
)
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.integrations.integration import IntegrationDependencies
    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.service_client import Json

    Arguments = Mapping[str, object]

PAGE_SIZE = 25
PRIORITIES = ("none", "urgent", "high", "medium", "low")
"""By Linear's numbers."""
_ISSUE = string_schema("Such as ENG-123.", max_length=60)
_CHANGES: dict[str, Schema] = {
    "title": string_schema(max_length=250),
    "description": string_schema("Markdown.", max_length=20_000),
    "priority": enum_schema(PRIORITIES),
    "state": string_schema("By name, such as In Progress.", max_length=100),
    "assignee": string_schema("A name or mail address; me; none.", max_length=200),
    "due": string_schema("2026-11-24; none.", max_length=10),
}


class Linear:
    """Issues of one workspace."""

    name = "linear"
    needs = ("linear",)
    steps = "docs/linear.md"
    urls: ClassVar[Mapping[str, str]] = {"linear": "https://api.linear.app/graphql"}

    def authority(self, _reach: IntegrationDependencies) -> None:
        """Return None: the user's key is enough."""

    def tools(self, reach: IntegrationDependencies, _grant: Grant | None) -> Sequence[Tool]:
        """Return the tools over the user's issues."""
        return IssueTools(LinearApi(reach.urls["linear"], reach.keys["linear"], reach.client)).tools


class IssueTools:
    """The tools."""

    def __init__(self, api: LinearApi) -> None:
        """Take the API client."""
        self._api = api
        self._names = NameLookup(api)
        self._creation, self._change = PreviewCache(self._created), PreviewCache(self._changed)

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools."""
        count, cursor = integer_schema(minimum=1, maximum=50), string_schema(max_length=500)
        team = string_schema("By its key or name.", max_length=100)
        return (
            Tool(
                "linear_list_issues", "Issues, changed last first, and the teams that there are.",
                arguments_schema(
                    (), team=team, state=_CHANGES["state"], assignee=_CHANGES["assignee"],
                    priority=_CHANGES["priority"], count=count, cursor=cursor,
                ),
                self._list,
            ),
            Tool(
                "linear_search", "Search issues by words.",
                arguments_schema(("query",), query=string_schema(max_length=500), count=count, cursor=cursor),
                self._search,
            ),
            Tool(
                "linear_create_issue", "Create an issue.",
                arguments_schema(("team", "title"), team=team, **_CHANGES),
                self._create, effect=Effect.WORLD, async_preview=self._preview_creation,
            ),
            Tool(
                "linear_update_issue", "Change an issue; what is left out stays.",
                arguments_schema(("issue",), issue=_ISSUE, **_CHANGES),
                self._update, effect=Effect.WORLD, async_preview=self._preview_update,
            ),
        )  # fmt: skip

    async def _list(self, arguments: Arguments) -> ToolResult:
        response = await self._api.ask(
            queries.ISSUES, filter=_filter(arguments), first=integer_argument(arguments, "count", PAGE_SIZE),
            after=string_argument(arguments, "cursor") or None,
        )  # fmt: skip
        teams = ", ".join(f"{team['key']} ({team['name']})" for team in response["teams"]["nodes"])
        return tainted_result(f"Teams: {teams or 'none'}\n\n{_listed(response['issues'])}")

    async def _search(self, arguments: Arguments) -> ToolResult:
        response = await self._api.ask(
            queries.SEARCH,
            term=string_argument(arguments, "query"),
            first=integer_argument(arguments, "count", PAGE_SIZE),
            after=string_argument(arguments, "cursor") or None,
        )
        return tainted_result(_listed(response["searchIssues"]))

    async def _preview_creation(self, arguments: Arguments) -> Preview:
        return (await self._creation.see(arguments))[0]

    async def _created(self, arguments: Arguments) -> tuple[Preview, Json]:
        team = await self._names.team(string_argument(arguments, "team"))
        fields, shown = await self._fields(arguments, team)
        preview = Preview("create an issue", [("team", f"{team['name']} ({team['key']})"), *shown])
        return preview, {"teamId": team["id"], **fields}

    async def _create(self, arguments: Arguments) -> ToolResult:
        _, fields = await self._creation.take(arguments)
        issue = await self._api.change(queries.CREATE, input=fields)
        receipt = f"issue created: {issue.get('identifier')} {string_argument(arguments, 'title')}"
        return ToolResult(f"{receipt}\n{issue.get('url')}", receipts=(receipt,))

    async def _preview_update(self, arguments: Arguments) -> Preview:
        return (await self._change.see(arguments))[0]

    async def _changed(self, arguments: Arguments) -> tuple[Preview, Json]:
        issue = (await self._api.ask(queries.ISSUE, id=string_argument(arguments, "issue")))["issue"]
        fields, shown = await self._fields(arguments, issue["team"], _before(issue))
        if not fields:
            raise InvalidInput("the call has no change", hint="set a state, an assignee or a priority")
        preview = Preview("change an issue", [("issue", f"{issue['identifier']} {issue['title']}"), *shown])
        return preview, {"id": issue["id"], "input": fields}

    async def _update(self, arguments: Arguments) -> ToolResult:
        _, variables = await self._change.take(arguments)
        issue = await self._api.change(queries.UPDATE, **variables)
        receipt = f"issue changed: {issue.get('identifier')}"
        return ToolResult(f"{receipt}\n{issue.get('url')}", receipts=(receipt,))

    async def _fields(
        self, arguments: Arguments, team: Json, before: Mapping[str, str] | None = None
    ) -> tuple[Json, list[tuple[str, str]]]:
        """Return the fields as the API takes them, and as the user sees them, each below its value in `before`."""
        fields: Json = {}
        parts = []
        for name in _CHANGES:
            if name not in arguments:
                continue
            value = string_argument(arguments, name)
            key, api_value, shown = await self._meant(name, value, team)
            fields[key] = api_value
            if before:
                parts.append((f"{name} so far", before[name]))
            parts.append((name, shown))
        return fields, parts

    async def _meant(self, name: str, value: str, team: Json) -> tuple[str, object, str]:
        if name == "priority":
            return "priority", PRIORITIES.index(value), value
        if name == "state":
            state = await self._names.state(value, team)
            return "stateId", state["id"], state["name"]
        if name == "assignee":
            user = await self._names.user(value)
            if user is None:
                return "assigneeId", None, "nobody"
            return "assigneeId", user["id"], user["name"]
        if name == "due":
            return "dueDate", None if value == "none" else value, value
        return name, value, value


def _before(issue: Json) -> Mapping[str, str]:
    """Return an issue's values as text, by the names of its changeable fields."""
    return {
        "title": issue["title"],
        "description": issue["description"] or "(none)",
        "priority": PRIORITIES[int(issue["priority"])],
        "state": issue["state"]["name"],
        "assignee": (issue["assignee"] or {}).get("name", "nobody"),
        "due": issue["dueDate"] or "none",
    }


def _filter(arguments: Arguments) -> Json:
    """Return the filter of the API (linear.app/developers/filtering)."""
    conditions: Json = {}
    if team := string_argument(arguments, "team"):
        conditions["team"] = {"or": [{"key": {"eqIgnoreCase": team}}, {"name": {"eqIgnoreCase": team}}]}
    if state := string_argument(arguments, "state"):
        conditions["state"] = {"name": {"eqIgnoreCase": state}}
    if assignee := string_argument(arguments, "assignee"):
        by_name = [{"name": {"containsIgnoreCase": assignee}}, {"email": {"eqIgnoreCase": assignee}}]
        keywords = {"me": {"isMe": {"eq": True}}, "none": {"null": True}}
        conditions["assignee"] = keywords.get(assignee.lower(), {"or": by_name})
    if priority := string_argument(arguments, "priority"):
        conditions["priority"] = {"eq": PRIORITIES.index(priority)}
    return conditions


def _listed(page: Json) -> str:
    lines = [_line(issue) for issue in page["nodes"]]
    if page["pageInfo"]["hasNextPage"]:
        lines.append(f"More follows: cursor {page['pageInfo']['endCursor']}")
    return "\n".join(lines) or "There are no such issues."


def _line(issue: Json) -> str:
    assignee = (issue["assignee"] or {}).get("name", "nobody")
    parts = [f"{issue['identifier']} {issue['title']}", issue["state"]["name"], assignee, issue["priorityLabel"]]
    if issue["dueDate"]:
        parts.append(f"due {issue['dueDate']}")
    return f"{' | '.join(parts)}\n  {issue['url']}"
