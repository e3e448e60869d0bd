"""Finds what people call by name: teams, states of their work, users. Linear wants ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.integrations.linear import queries
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.assistant.integrations.linear.api import Api
    from wellread.assistant.integrations.wire import Json


class Names:
    """Looks names up; nothing is kept, for people rename things."""

    def __init__(self, api: Api) -> None:
        """Take the way there."""
        self._api = api

    async def team(self, name: str) -> Json:
        """Return a team by its key or its name.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        teams = (await self._api.ask(queries.TEAMS))["teams"]["nodes"]
        wanted = name.strip().lower()
        found = [it for it in teams if it["key"].lower() == wanted] or [
            it for it in teams if it["name"].lower() == wanted
        ]
        return _only(found, f"team {name!r}", [it["key"] for it in teams])

    async def state(self, name: str, team: Json) -> Json:
        """Return a state of a team's work by its name.

        Raises:
            InvalidInput: there is none.
        """
        states = (await self._api.ask(queries.STATES, team=team["id"]))["team"]["states"]["nodes"]
        found = [it for it in states if it["name"].lower() == name.strip().lower()]
        return _only(found, f"state {name!r} in the team {team['key']}", [it["name"] for it in states])

    async def user(self, name: str) -> Json | None:
        """Return a user by name or mail address; `me` is the key's owner, `none` nobody.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        wanted = name.strip()
        if wanted.lower() == "none":
            return None
        if wanted.lower() == "me":
            return dict((await self._api.ask(queries.ME))["viewer"])
        alike = [{"name": {"containsIgnoreCase": wanted}}, {"email": {"eqIgnoreCase": wanted}}]
        users = (await self._api.ask(queries.USERS, filter={"or": alike}))["users"]["nodes"]
        exact = [it for it in users if wanted.lower() in {it["name"].lower(), it["email"].lower()}]
        return _only(exact or users, f"user {name!r}", [it["name"] for it in users])


def _only(found: Sequence[Json], what: str, known: Sequence[str]) -> Json:
    if len(found) == 1:
        return found[0]
    number = "more than one" if found else "no"
    raise InvalidInput(f"Linear has {number} {what}", hint=f"there are: {', '.join(known)[:500] or 'none'}")
