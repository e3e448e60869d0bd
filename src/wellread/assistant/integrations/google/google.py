"""Google as an integration: what access is asked for, and the tools over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wellread.assistant.integrations.google.api import Api
from wellread.assistant.integrations.google.calendar import Calendar
from wellread.assistant.integrations.google.gmail import Gmail
from wellread.assistant.integrations.oauth.flow import Authority
from wellread.assistant.ports import Effect, Tool, ToolResult
from wellread.assistant.tools.schemas import said, takes, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.ports import Reach

SCOPES = (
    "https://www.googleapis.com/auth/calendar.events",  # events, not the calendars themselves
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.compose",  # drafts and sending; nothing is moved or deleted
)


class Google:
    """Calendar and mail of one Google account."""

    name = "google"
    needs = ("google_client_id", "google_client_secret")
    urls: ClassVar[Mapping[str, str]] = {
        "google_accounts": "https://accounts.google.com",
        "google_oauth": "https://oauth2.googleapis.com",
        "google_calendar": "https://www.googleapis.com/calendar/v3",
        "google_gmail": "https://gmail.googleapis.com/gmail/v1",
    }

    def authority(self, reach: Reach) -> Authority:
        """Return Google's own (developers.google.com/identity/protocols/oauth2/native-app)."""
        return Authority(
            authorize_url=f"{reach.urls['google_accounts']}/o/oauth2/v2/auth",
            token_url=f"{reach.urls['google_oauth']}/token",
            revoke_url=f"{reach.urls['google_oauth']}/revoke",
            client_id=reach.keys["google_client_id"].reveal(),
            client_secret=reach.keys["google_client_secret"],
            scopes=SCOPES,
            # Without these two Google gives a refresh token the first time only.
            extra={"access_type": "offline", "prompt": "consent"},
        )

    def tools(self, reach: Reach, grant: Grant | None) -> Sequence[Tool]:
        """Return google_connect, and the tools of calendar and mail."""
        assert grant is not None, "there is an authority"
        calendar = Api("Google Calendar", reach.urls["google_calendar"], reach.wire, grant)
        mail = Api("Gmail", reach.urls["google_gmail"], reach.wire, grant)
        return (
            _connect(grant),
            *Calendar(calendar, reach.clock, reach.zone).tools,
            *Gmail(mail, reach.read_html).tools,
        )


def _connect(grant: Grant) -> Tool:
    async def run(given: Mapping[str, object]) -> ToolResult:
        redirected = said(given, "redirect_url")
        if redirected:
            missing = await grant.finish(redirected)
            more = f"; not granted: {', '.join(missing)}" if missing else ""
            return ToolResult(f"Google is connected{more}.", receipts=("google connected",))
        return ToolResult(
            f"Give the user this link to open: {await grant.link()}\n"
            "If the browser ends at a page that cannot be reached, the user can paste that page's address here: call "
            "google_connect with it as redirect_url."
        )

    return Tool(
        "google_connect",
        "Get a link by which the user connects their Google account; or finish with the address it led to.",
        takes((), redirect_url=text(longest=4_000)),
        run,
        effect=Effect.OWN,
    )
