"""A strict fake of Linear's GraphQL API: queries are validated and carried out by graphql-core."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from graphql import FieldNode, GraphQLError, IntValueNode, SelectionSetNode, VariableNode, graphql_sync, parse
from graphql import OperationDefinitionNode as Operation

from contract.provider_fakes.exchange import told
from wellread.assistant.integrations.linear.queries import schema

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Asked, Reply

KEY = "lin_api_5ecret000000000000"
TOKEN = "lin_oauth_5ecret0000000000"
PRIORITIES = ("No priority", "Urgent", "High", "Medium", "Low")
STATES = ("Backlog", "Todo", "In Progress", "Done")
MOST_COMPLEX = 10_000
"""Points of one query (linear.app/developers/rate-limiting)."""
MOST_NODES = 250
"""Of one page."""
Node = dict[str, Any]


def refused(status: int, code: str, message: str, shown: str = "", **headers: str) -> Reply:
    extensions = {"type": code.lower(), "code": code, "userPresentableMessage": shown or message}
    return told({"errors": [{"message": message, "extensions": extensions}]}, status, **headers)


def complexity(query: str, given: Node) -> float:
    """Return what Linear charges: a property 0.1, an object 1, a list what is in it, as often as it may be there."""
    return sum(_cost(it.selection_set, given) for it in parse(query).definitions if isinstance(it, Operation))


def _cost(chosen: SelectionSetNode, given: Node) -> float:
    cost = 0.0
    for it in chosen.selections:
        assert isinstance(it, FieldNode), "no fragments are sent"
        if it.selection_set is None:
            cost += 0.1
        elif any(isinstance(below, FieldNode) and below.name.value == "nodes" for below in it.selection_set.selections):
            cost += _first(it, given) * _cost(it.selection_set, given)
        else:
            cost += 1 + _cost(it.selection_set, given)
    return cost


def _first(it: FieldNode, given: Node) -> int:
    """Return how many the page of a field may have; 50 where it is not said."""
    said = next((each.value for each in it.arguments or () if each.name.value == "first"), None)
    if isinstance(said, VariableNode):
        return int(given[said.name.value])
    return int(said.value) if isinstance(said, IntValueNode) else 50


def team(key: str, name: str) -> Node:
    states = [{"id": f"{key}-state-{number}", "name": it, "type": "x"} for number, it in enumerate(STATES)]
    return {"id": f"team-{key}", "key": key, "name": name, "states": {"nodes": states}}


@dataclass
class Linear:
    """One workspace."""

    rooms: list[Node] = field(default_factory=lambda: [team("ENG", "Engineering"), team("OPS", "Operations")])
    people: list[Node] = field(
        default_factory=lambda: [
            {"id": f"user-{name}", "name": name, "displayName": name, "email": f"{name.lower()}@example.com"}
            for name in ("Ann", "Ben", "Benita")
        ]
    )
    board: list[Node] = field(default_factory=list)
    next: list[Reply] = field(default_factory=list)
    """Answered first, one for each request."""
    asked: list[Node] = field(default_factory=list)

    def put(self, title: str, team_key: str = "ENG", state: str = "Todo", who: str = "", priority: int = 0) -> Node:
        where = next(it for it in self.rooms if it["key"] == team_key)
        number = len(self.board) + 1
        self.board.append(
            {
                "id": f"uuid-{number}", "identifier": f"{team_key}-{number}", "title": title, "description": None,
                "priority": priority, "priorityLabel": PRIORITIES[priority], "dueDate": None, "team": where,
                "url": f"https://linear.example/{team_key}-{number}", "createdAt": "2026-11-01T00:00:00Z",
                "updatedAt": f"2026-11-01T00:00:{number:02}Z", "assignee": self._user(f"user-{who}"),
                "state": next(it for it in where["states"]["nodes"] if it["name"] == state),
            }
        )  # fmt: skip
        return self.board[-1]

    def answer(self, asked: Asked) -> Reply:
        if self.next:
            return self.next.pop(0)
        if asked.headers.get("authorization") not in {KEY, f"Bearer {TOKEN}"}:
            return refused(401, "AUTHENTICATION_ERROR", "Authentication required, not authenticated")
        body = asked.json
        if asked.method != "POST" or asked.path != "/graphql" or set(body) - {"query", "variables", "operationName"}:
            return refused(400, "BAD_REQUEST", "Unknown field in the request")
        self.asked.append(body)
        points = complexity(body["query"], body.get("variables") or {})
        if points > MOST_COMPLEX:
            shown = f"The query is too complex. Complexity: {points}. Maximum allowed complexity: {MOST_COMPLEX}."
            return refused(400, "INPUT_ERROR", "Query too complex", shown)
        done = graphql_sync(schema(), body["query"], self, variable_values=body.get("variables"))
        if done.errors:
            own = isinstance(done.errors[0].original_error, GraphQLError)
            code = "INPUT_ERROR" if own else "GRAPHQL_VALIDATION_FAILED"
            shown = re.sub("^Entity not found: (.*)", r"Could not find referenced \1.", done.errors[0].message)
            return refused(200 if own else 400, code, done.errors[0].message, shown)
        return told({"data": done.data})

    # --------------------------------------------------------------- what graphql-core calls, by the names of fields

    def teams(self, _info: Any, **_given: Any) -> Node:
        return _page(self.rooms, 100, None)

    def team(self, _info: Any, id: str) -> Node:
        return self._one(self.rooms, "Team", id=id)

    def users(self, _info: Any, filter: Node | None = None, first: int = 50) -> Node:
        return _page([it for it in self.people if fits(it, filter or {}, self.people[0]["id"])], first, None)

    def issues(self, _info: Any, filter: Node | None = None, first: int = 50, **given: Any) -> Node:
        assert given.get("orderBy") == "updatedAt"
        found = [it for it in reversed(self.board) if fits(it, filter or {}, self.people[0]["id"])]
        return _page(found, first, given.get("after"))

    def viewer(self, _info: Any) -> Node:
        return self.people[0]

    def issue(self, _info: Any, id: str) -> Node:
        return self._one(self.board, "Issue", id=id)

    def searchIssues(self, _info: Any, term: str, first: int = 50, after: str | None = None) -> Node:  # noqa: N802 - the API's
        found = [it for it in self.board if term.lower() in it["title"].lower()]
        return {**_page(found, first, after), "totalCount": len(found)}

    def issueCreate(self, _info: Any, input: Node) -> Node:  # noqa: N802 - the API's
        where = next((it for it in self.rooms if it["id"] == input["teamId"]), None)
        if where is None or not input.get("title"):
            raise GraphQLError("Argument Validation Error")
        return self._changed(self.put(input["title"], where["key"]), input)

    def issueUpdate(self, _info: Any, id: str, input: Node) -> Node:  # noqa: N802 - the API's
        return self._changed(self.issue(None, id), input)

    def _changed(self, issue: Node, given: Node) -> Node:
        for name in ("title", "description", "dueDate"):
            if name in given:
                issue[name] = given[name]
        if given.get("dueDate"):
            date.fromisoformat(given["dueDate"])
        if "priority" in given:
            issue["priority"], issue["priorityLabel"] = given["priority"], PRIORITIES[given["priority"]]
        if "assigneeId" in given:
            issue["assignee"] = self._user(given["assigneeId"])
        if "stateId" in given:
            states = [it for it in issue["team"]["states"]["nodes"] if it["id"] == given["stateId"]]
            if not states:
                raise GraphQLError("Discrepancy between issue state and team")
            issue["state"] = states[0]
        return {"lastSyncId": 1, "success": True, "issue": issue}

    def _one(self, among: list[Node], kind: str, *, id: str) -> Node:
        found = [it for it in among if id in {it["id"], it.get("identifier")}]
        if not found:
            raise GraphQLError(f"Entity not found: {kind}")
        return found[0]

    def _user(self, key: str | None) -> Node | None:
        return next((it for it in self.people if it["id"] == key), None)


def _page(found: list[Node], first: int, after: str | None) -> Node:
    if not 1 <= first <= MOST_NODES:
        raise GraphQLError("Argument Validation Error")
    start = next((number + 1 for number, it in enumerate(found) if it["id"] == after), 0)
    nodes = found[start : start + first]
    more = len(found) > start + first
    info = {"hasNextPage": more, "hasPreviousPage": start > 0, "endCursor": nodes[-1]["id"] if nodes else None}
    return {"nodes": nodes, "pageInfo": info}


def fits(node: Any, wanted: Node, me: str) -> bool:
    """Tell whether a node fits a filter, as linear.app/developers/filtering has it."""
    return all(_fits(node, name, value, me) for name, value in wanted.items())


def _fits(node: Any, name: str, value: Any, me: str) -> bool:
    if name in {"or", "and"}:
        return (any if name == "or" else all)(fits(node, it, me) for it in value)
    if name == "null":
        return (node is None) == bool(value)
    if name == "isMe":
        return node is not None and (node["id"] == me) == bool(value["eq"])
    if isinstance(value, dict):
        return node is not None and fits(node[name], value, me)
    mine, theirs = (it.lower() if isinstance(it, str) and "IgnoreCase" in name else it for it in (node, value))
    return theirs in mine if name.startswith("contains") else bool(mine == theirs)
