"""Google as an integration: its OAuth scopes and its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wellread.assistant.integrations.google.calendar import CalendarTools
from wellread.assistant.integrations.google.gmail import GmailTools
from wellread.assistant.integrations.google.google_api import GoogleApi
from wellread.assistant.integrations.oauth.connect_tool import connect_tool
from wellread.assistant.integrations.oauth.flow import AuthorizationServer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.integrations.integration import IntegrationDependencies
    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.tool_types import Tool

SCOPES = (
    "https://www.googleapis.com/auth/calendar.events",  # events, not the calendars themselves
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.compose",  # drafts and sending; nothing is moved or deleted
)


class Google:
    """Calendar and mail of one Google account."""

    name = "google"
    needs = ("google_client_id", "google_client_secret")
    steps = "docs/google.md"
    urls: ClassVar[Mapping[str, str]] = {
        "google_accounts": "https://accounts.google.com",
        "google_oauth": "https://oauth2.googleapis.com",
        "google_calendar": "https://www.googleapis.com/calendar/v3",
        "google_gmail": "https://gmail.googleapis.com/gmail/v1",
    }

    def authority(self, reach: IntegrationDependencies) -> AuthorizationServer:
        """Return Google's authorization server (developers.google.com/identity/protocols/oauth2/native-app)."""
        return AuthorizationServer(
            authorize_url=f"{reach.urls['google_accounts']}/o/oauth2/v2/auth",
            token_url=f"{reach.urls['google_oauth']}/token",
            revoke_url=f"{reach.urls['google_oauth']}/revoke",
            client_id=reach.keys["google_client_id"].reveal(),
            client_secret=reach.keys["google_client_secret"],
            scopes=SCOPES,
            # Without these two Google gives a refresh token the first time only.
            extra={"access_type": "offline", "prompt": "consent"},
        )

    def tools(self, reach: IntegrationDependencies, grant: Grant | None) -> Sequence[Tool]:
        """Return google_connect, and the tools of calendar and mail."""
        assert grant is not None, "there is an authority"
        calendar = GoogleApi("Google Calendar", reach.urls["google_calendar"], reach.client, grant)
        mail = GoogleApi("Gmail", reach.urls["google_gmail"], reach.client, grant)
        return (
            connect_tool(grant, "Google"),
            *CalendarTools(calendar, reach.clock, reach.zone, reach.read_html).tools,
            *GmailTools(mail, reach.read_html).tools,
        )
