"""Looks up Linear's ids of teams, workflow states and users by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.integrations.linear import queries
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.assistant.integrations.linear.linear_api import LinearApi
    from wellread.assistant.integrations.service_client import Json


class NameLookup:
    """Looks up names on each call: nothing is cached, for people rename things."""

    def __init__(self, api: LinearApi) -> None:
        """Take the API client."""
        self._api = api

    async def team(self, name: str) -> Json:
        """Return a team by its key or its name.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        teams = (await self._api.ask(queries.TEAMS))["teams"]["nodes"]
        folded = name.strip().lower()
        matches = [team for team in teams if team["key"].lower() == folded] or [
            team for team in teams if team["name"].lower() == folded
        ]
        return _only(matches, f"team {name!r}", [team["key"] for team in teams])

    async def state(self, name: str, team: Json) -> Json:
        """Return a workflow state of a team by its name.

        Raises:
            InvalidInput: there is none.
        """
        states = (await self._api.ask(queries.STATES, team=team["id"]))["team"]["states"]["nodes"]
        matches = [state for state in states if state["name"].lower() == name.strip().lower()]
        return _only(matches, f"state {name!r} in the team {team['key']}", [state["name"] for state in states])

    async def user(self, name: str) -> Json | None:
        """Return a user by name or mail address; `me` is the key's owner, `none` nobody.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        stripped = name.strip()
        if stripped.lower() == "none":
            return None
        if stripped.lower() == "me":
            return dict((await self._api.ask(queries.ME))["viewer"])
        conditions = [{"name": {"containsIgnoreCase": stripped}}, {"email": {"eqIgnoreCase": stripped}}]
        users = (await self._api.ask(queries.USERS, filter={"or": conditions}))["users"]["nodes"]
        exact = [user for user in users if stripped.lower() in {user["name"].lower(), user["email"].lower()}]
        return _only(exact or users, f"user {name!r}", [user["name"] for user in users])


def _only(matches: Sequence[Json], description: str, names: Sequence[str]) -> Json:
    if len(matches) == 1:
        return matches[0]
    number = "more than one" if matches else "no"
    raise InvalidInput(f"Linear has {number} {description}", hint=f"use one of: {', '.join(names)[:500] or 'none'}")
