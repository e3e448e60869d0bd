"""The credentials of one call in the browser: its cookies, and its headers, which go to one origin alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wellread.errors import InvalidUrl
from wellread.net import cookie_files, credential_scope, guard
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.async_api import BrowserContext, CDPSession

    from wellread.credentials import Credentials, StoredCookie
    from wellread.net.guard import Target
    from wellread.types import Headers


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCredentials:
    """The cookies and headers that a call gives by value. The context that has them serves this call alone."""

    cookies: tuple[StoredCookie, ...] = field(default=(), repr=False)
    headers: Headers = field(default=(), repr=False)
    origin: str
    """`https://example.com:443`: the only origin that gets `headers`."""
    web_origin: str
    """The same, as browsers write it: without a default port."""
    cookie_host: str = ""
    """The host of `origin` if the call gave a header `Cookie`, whose cookies the browser sends to all its ports."""

    @property
    def login_origins(self) -> tuple[str, ...]:
        """Return the origin to which a user name and a password, or a token, is sent, if any is."""
        if header(self.headers, "authorization") is None:
            return ()
        return (self.web_origin,)

    async def add_cookies(self, context: BrowserContext) -> None:
        """Put the cookies into a context; those that its profile has already stay as they are there."""
        present = {_key(row) for row in await context.cookies()}
        storable = (_row(cookie) for cookie in self.cookies if _keeps_its_prefix(cookie))
        rows: Any = [row for row in storable if _key(row) not in present]  # Any: rows of the driver
        if rows:
            await context.add_cookies(rows)


def call_credentials(credentials: Credentials | None, url: str, now_s: float) -> CallCredentials | None:
    """Return the credentials that a read of `url` has beside those of a profile; None without any.

    In a read that begins over https, no cookie goes over http.

    Raises:
        InvalidInput: the header `Cookie` has a pair that no cookie can have.
    """
    if credentials is None or credentials.is_profile_alone:
        return None
    target = guard.parse_url(url)
    headers: Headers = ()
    cookie_host = ""
    if credential_scope.origin(target) == credentials.origin:
        headers = credentials.headers
    cookies = [cookie for cookie in credentials.cookies if cookie.expires is None or cookie.expires > now_s]
    cookie_field = header(headers, "cookie")
    if cookie_field:
        cookies += _cookies_of_header(cookie_field, target)
        cookie_host = target.host
    if target.scheme == "https":
        cookies = [replace(cookie, is_secure=True) for cookie in cookies]
    return CallCredentials(
        cookies=tuple(cookies),
        headers=tuple(pair for pair in headers if pair[0].lower() != "cookie"),
        origin=credentials.origin,
        web_origin=f"{target.scheme}://{target.authority}",
        cookie_host=cookie_host,
    )


class OriginHeaders:
    """Adds the headers of a call to the requests that one page makes to their origin.

    Cookies have no port: where the call gave a header `Cookie`, requests to other origins of the same host fail.

    The browser reports each hop of a redirect by itself, and headers that are added to one hop are not sent with the
    next (Chrome DevTools Protocol, Fetch.continueRequest). As over HTTP, headers stay behind at the first other origin:
    a chain of redirects gets none any more after a hop to another origin, and a frame none once a document of another
    origin was in it, or in a frame around it. Sandboxed and `data:` documents have an origin of their own, whatever
    their URL is, and may send what they read to any site.
    """

    def __init__(self, devtools: CDPSession, credentials: CallCredentials) -> None:
        """Take the page's own protocol session."""
        self._devtools = devtools
        self._credentials = credentials
        self._names = frozenset(name.lower() for name, _ in credentials.headers)
        self._parents: dict[str, str] = {}
        """The frame around each frame."""
        self._foreign_frames: set[str] = set()
        """Frames in which a document of another origin was requested, or was shown."""
        self._foreign_chains: set[str] = set()
        """Requests that were at another origin, by the id that all hops of a chain share."""

    async def start(self) -> None:
        """Begin to add the headers; the page is still blank."""
        await self._devtools.send("Runtime.enable")  # reports the origins of documents; first that of the blank page
        self._devtools.on("Runtime.executionContextCreated", self._created)
        self._devtools.on("Page.frameAttached", self._attached)
        self._devtools.on("Fetch.requestPaused", self._continue)
        await self._devtools.send("Page.enable")  # reports frames
        await self._devtools.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def _attached(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        self._parents[event["frameId"]] = event["parentFrameId"]

    def _created(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        """Note a document of another origin; the URL of a sandboxed one does not tell."""
        context = event["context"]
        frame_id = context.get("auxData", {}).get("frameId")
        if frame_id and context["origin"] != self._credentials.web_origin:
            self._foreign_frames.add(frame_id)

    async def _continue(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        from playwright.async_api import Error

        request, frame_id, chain_id = event["request"], event["frameId"], event.get("networkId", "")
        is_home = self._is_home(request["url"])
        if not is_home and event["resourceType"] == "Document":
            self._foreign_frames.add(frame_id)
        if not is_home or not self._is_from_home(request["headers"]):
            self._foreign_chains.add(chain_id)
        parameters: dict[str, Any] = {"requestId": event["requestId"]}  # Any: the protocol's own shape
        is_foreign = chain_id in self._foreign_chains or any(
            frame in self._foreign_frames for frame in self._with_parents(frame_id)
        )
        if is_home and not is_foreign:
            fields = [pair for pair in request["headers"].items() if pair[0].lower() not in self._names]
            fields += self._credentials.headers
            parameters["headers"] = [{"name": name, "value": text} for name, text in fields]
        if not is_home and self._would_get_cookies(request["url"]):
            await self._fail(event["requestId"])
            return
        try:
            await self._devtools.send("Fetch.continueRequest", parameters)
        except Error:  # the page has moved on, or the browser refuses a header: never sent without it
            await self._fail(event["requestId"])

    async def _fail(self, request_id: str) -> None:
        from playwright.async_api import Error

        with suppress(Error):
            await self._devtools.send("Fetch.failRequest", {"requestId": request_id, "errorReason": "Failed"})

    def _would_get_cookies(self, url: str) -> bool:
        try:
            return guard.parse_url(url).host == self._credentials.cookie_host
        except InvalidUrl:
            return False

    def _is_from_home(self, headers: dict[str, str]) -> bool:
        """Return whether a request names no other origin as its source.

        A sandboxed document has the origin "null". The referrer of what a style sheet requests is the sheet.
        """
        sources = [header(tuple(headers.items()), name) for name in ("origin", "referer")]
        return all(source is None or self._is_home(source) for source in sources)

    def _is_home(self, url: str) -> bool:
        try:
            return credential_scope.origin_with_port(url) == self._credentials.origin
        except InvalidUrl:
            return False

    def _with_parents(self, frame_id: str) -> Iterator[str]:
        while frame_id:
            yield frame_id
            frame_id = self._parents.get(frame_id, "")


def _cookies_of_header(text: str, target: Target) -> list[StoredCookie]:
    """Return the cookies of a header `Cookie`, for the host of `target`: the browser sends none but its own."""
    pairs = (pair.partition("=") for pair in text.split(";") if pair.strip())
    return [
        cookie_files.cookie(name.strip(), content.strip(), domain=target.host, is_host_only=True)
        for name, _, content in pairs
    ]


def _keeps_its_prefix(cookie: StoredCookie) -> bool:
    """Return whether a cookie is what the prefix of its name promises (RFC 6265bis section 4.1.3).

    The browser takes no other, and not those beside it either.
    """
    name = cookie.name.lower()
    if name.startswith("__host-"):
        return cookie.is_secure and cookie.is_host_only and cookie.path == "/"
    return cookie.is_secure or not name.startswith("__secure-")


def _row(cookie: StoredCookie) -> dict[str, Any]:  # Any: texts, a number and a flag
    """Return a cookie as the driver takes it: a domain with a leading dot has subdomains, -1 ends with the session."""
    domain = cookie.domain if cookie.is_host_only else f".{cookie.domain}"
    if ":" in domain:
        domain = f"[{cookie.domain.strip('[]')}]"  # an IPv6 address
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": domain,
        "path": cookie.path,
        "expires": -1 if cookie.expires is None else cookie.expires,
        "secure": cookie.is_secure,
        "httpOnly": cookie.is_http_only,
        "sameSite": "Lax",
    }


def _key(row: Any) -> tuple[str, ...]:  # Any: a row of the driver
    return row["name"], row["domain"], row["path"], row["value"]
