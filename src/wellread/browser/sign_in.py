"""The sign-in of a tab: the cookies of its profile, HTTP authentication, and pages that ask for it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from wellread.browser.storage_state import is_web
from wellread.errors import Auth, ConfigError
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.async_api import BrowserContext, Page, Response

    from wellread.browser.profile_keeper import ProfileKeeper
    from wellread.values import Secret

HINT = "set browser.http_credentials, or store them with `wellread login URL --profile NAME --http-user USER`"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}")
_REALM = re.compile(r'realm="([^"]{0,100})', re.IGNORECASE)


class HttpChallenge(NamedTuple):
    """An answer 401 to a navigation (RFC 9110, section 11)."""

    origin: str
    scheme: str
    """Basic, Digest, NTLM or another, as the server names it."""
    realm: str
    was_tried: bool
    """A user name and a password are known for the origin, and were not accepted."""

    @property
    def message(self) -> str:
        """The challenge in one sentence, without the realm, which is text of the server."""
        if self.was_tried:
            return f"{self.origin} did not accept the user name and the password ({self.scheme})"
        return f"{self.origin} answered 401 and asks for a user name and a password ({self.scheme})"

    @property
    def detail(self) -> str:
        """The challenge with its realm, for a notice that is quoted to models."""
        if not self.realm:
            return self.message
        return f'{self.message.removesuffix(")")}, realm "{self.realm}")'


class SignIn:
    """The sign-in of a session, and the pages that ask for more."""

    def __init__(self, context: BrowserContext, keeper: ProfileKeeper | None, origins: Sequence[str]) -> None:
        """Follow the responses to navigations. HTTP credentials are known for `origins`."""
        self._context = context
        self._keeper = keeper
        self._origins = frozenset(origins)
        self._challenges: dict[Page, HttpChallenge] = {}
        context.on("response", self._answered)

    def close(self) -> None:
        """Follow no more answers."""
        self._context.remove_listener("response", self._answered)

    def _answered(self, response: Response) -> None:
        from playwright.async_api import Error

        request = response.request
        if not request.is_navigation_request():
            return
        with suppress(Error):  # the frame is not there yet, so it is none that has been challenged
            frame = request.frame
            if frame.parent_frame is None:
                self._challenges.pop(frame.page, None)
                if response.status == 401:
                    self._challenges[frame.page] = challenge(response.url, response.headers, self._origins)

    def notices(self, page: Page) -> list[Notice]:
        """Return the notices about the sign-in on `page`."""
        notices: list[Notice] = []
        if self._keeper is not None:
            notices += self._keeper.notices
        challenge_of_page = self._challenges.get(page)
        if challenge_of_page is not None:
            notices.append(Notice("auth_required", f"{challenge_of_page.detail}: {HINT}"))
        return notices

    def refusal(self, page: Page, url: str) -> Auth | None:
        """Return the error for a page that the browser does not show since it asks for a password, if it does."""
        challenge_of_page = self._challenges.get(page)
        if challenge_of_page is None:
            return None
        return Auth(challenge_of_page.message, url=url, hint=HINT, status=401)

    async def checkpoint(self) -> None:
        """Keep the cookies of the profile as they are now.

        Raises:
            InvalidInput: the profile cannot be written.
        """
        if self._keeper is not None:
            await self._keeper.checkpoint(self._context)


def challenge(url: str, headers: Mapping[str, str], known_origins: frozenset[str]) -> HttpChallenge:
    """Return the challenge of a 401 response; `headers` by their names in lower case."""
    field = headers.get("www-authenticate", "")[:1_000]
    scheme, realm = _SCHEME.match(field.strip()), _REALM.search(field)
    words = " ".join(realm[1].split()) if realm else ""
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    name = scheme[0] if scheme else "no scheme named"
    return HttpChallenge(origin=origin, scheme=name, realm=words, was_tried=origin in known_origins)


def http_credentials(table: Mapping[str, Secret]) -> list[dict[str, str]]:
    """Return the setting `browser.http_credentials` as the driver takes it.

    Raises:
        ConfigError: a name is not an origin, or a secret has no user name.
    """
    logins = []
    for origin, secret in table.items():
        username, colon, password = secret.reveal().partition(":")
        if not is_web(origin):
            hint = "use a scheme, a host and, if needed, a port, such as https://example.com"
            raise ConfigError(f"browser.http_credentials: {origin[:200]!r} is not an origin", hint=hint)
        if not colon:
            raise ConfigError(f"browser.http_credentials: {origin} has no USER:PASSWORD")
        logins.append({"origin": origin, "username": username, "password": password})
    return logins
