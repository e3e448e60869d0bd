"""Access tokens of an OAuth issuer: what this server says of itself as a resource, and whose token a caller shows.

The server is a protected resource (RFC 9728) and issues nothing. A token is a JWT (RFC 9068) signed by the issuer's
keys, which are fetched as every page is: through the guarded client.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import anyio
import jwt
from ada_url import URL

from wellread.errors import ConfigError, UnavailableError, UnreadableError
from wellread.types import Request

if TYPE_CHECKING:
    from wellread.ports import Clock, Fetcher
    from wellread.sections import ServerSettings

METADATA: Final = "/.well-known/oauth-protected-resource"
"""Where a resource says who issues its tokens; that of /mcp stands below it (RFC 9728, section 3.1)."""
MCP: Final = "/mcp"
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a key that only the issuer has: none, and those by shared secrets, are never taken."""
MAX_CHARS: Final = 8_000
KEPT_S: Final = 600.0
"""How long the issuer's keys are believed."""
AGAIN_S: Final = 30.0
"""The least time between two fetches of them, whatever keys callers name."""
LEEWAY_S: Final = 30
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
"""This machine, as a URL and a Host header name it."""


class BadToken(Exception):
    """The token is none of the issuer's for this server; the words say why, and repeat nothing of it."""

    def __init__(self, why: str, *, scope: str = "") -> None:
        """Take the reason, and the scopes that are missing, if that is all."""
        super().__init__(why)
        self.why = why
        self.scope = scope


def check(settings: ServerSettings) -> None:
    """Refuse settings by which tokens could not be told from others.

    Raises:
        ConfigError: an issuer without a resource, or an address that is neither https nor this machine.
    """
    if settings.issuer is None:
        return
    if settings.resource is None:
        raise ConfigError("server.issuer needs server.resource", hint="the address by which callers reach this server")
    for name, url in (("issuer", settings.issuer), ("resource", settings.resource)):
        if not _is_safe(url):
            raise ConfigError(f"server.{name} is {url!r}", hint="an https address, without a query")


def _is_safe(url: str) -> bool:
    if not URL.can_parse(url):
        return False
    parsed = URL(url)
    safe = parsed.protocol == "https:" or (parsed.protocol == "http:" and parsed.hostname in LOOPBACK)
    return safe and not (parsed.search or parsed.hash or parsed.username or parsed.password)


def metadata(settings: ServerSettings, path: str) -> bytes | None:
    """Return what stands at `path`: which resource this is, and who issues its tokens; None where nothing does."""
    places = {METADATA: "", METADATA + MCP: MCP}
    if settings.issuer is None or settings.resource is None or path not in places:
        return None
    told: dict[str, object] = {
        "resource": settings.resource.rstrip("/") + places[path],
        "authorization_servers": [settings.issuer],
        "bearer_methods_supported": ["header"],
        "resource_name": "wellread",
    }
    if settings.scopes:
        told["scopes_supported"] = list(settings.scopes)
    return json.dumps(told).encode("ascii")


def challenge(settings: ServerSettings, path: str, bad: BadToken | None = None) -> str:
    """Return the value of WWW-Authenticate (RFC 6750, section 3; RFC 9728, section 5.1)."""
    parts = ['Bearer realm="wellread"']
    if bad is not None:
        parts.append(f'error="{"insufficient_scope" if bad.scope else "invalid_token"}"')
    if settings.scopes:
        parts.append(f'scope="{" ".join(settings.scopes)}"')
    if settings.resource is not None and settings.issuer is not None:
        place = METADATA + (MCP if path.rstrip("/") == MCP else "")
        parts.append(f'resource_metadata="{settings.resource.rstrip("/")}{place}"')
    return ", ".join(parts)


def is_token(authorization: str | None) -> bool:
    """Tell a JWT, which has two dots, from a key of ours, which has none."""
    scheme, _, value = (authorization or "").partition(" ")
    return scheme.lower() == "bearer" and value.count(".") == 2


class Tokens:
    """Checks the tokens of one issuer."""

    def __init__(self, settings: ServerSettings, fetcher: Fetcher, clock: Clock) -> None:
        """Take the parts; nothing is fetched."""
        self._issuer = settings.issuer or ""
        base = (settings.resource or "").rstrip("/")
        self._audience = [base, f"{base}/", base + MCP]
        self._scopes = frozenset(settings.scopes)
        self._fetcher = fetcher
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._turn = anyio.Lock()

    async def caller(self, authorization: str) -> str:
        """Return a name for whose token this is, the same for all of theirs, which tells nobody who they are.

        Raises:
            BadToken: it is not the issuer's, not for this server, over, or lacks a scope.
            UnavailableError, UnreadableError, RefusedError: the issuer's keys cannot be had.
        """
        token = authorization.partition(" ")[2].strip()
        if len(token) > MAX_CHARS:
            raise BadToken("the token is too long")
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError as error:
            raise BadToken("this is no token") from error
        key = await self._key(str(head.get("kid") or ""))
        claims = self._claims(token, key)
        granted = claims.get("scope", "")
        missing = self._scopes - set(granted.split() if isinstance(granted, str) else ())
        if missing:
            raise BadToken("the token lacks a scope", scope=" ".join(sorted(missing)))
        return f"oauth-{hashlib.sha256(str(claims['sub']).encode('utf-8', 'replace')).hexdigest()[:16]}"

    def _claims(self, token: str, key: jwt.PyJWK) -> dict[str, Any]:  # Any: JSON of the issuer
        try:
            return jwt.decode(
                token, key, algorithms=ALGORITHMS, audience=self._audience, issuer=self._issuer, leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )  # fmt: skip
        except jwt.ExpiredSignatureError as error:
            raise BadToken("the token is over") from error
        except jwt.PyJWTError as error:
            raise BadToken("the token is not the issuer's, or not for this server") from error

    async def _key(self, kid: str) -> jwt.PyJWK:
        if kid in self._keys and not self._is_stale():
            return self._keys[kid]  # whoever has a good token waits for nobody who has none
        async with self._turn:
            if self._is_stale() or kid not in self._keys:
                await self._renew()
            if kid not in self._keys:
                raise BadToken("no key of the issuer has signed this token")
            return self._keys[kid]

    def _is_stale(self) -> bool:
        return self._fetched is None or self._clock.monotonic() - self._fetched > KEPT_S

    async def _renew(self) -> None:
        """Fetch the keys, unless that was tried just now; tokens that nobody knows must not keep the issuer busy."""
        now = self._clock.monotonic()
        if self._tried is None or now - self._tried > AGAIN_S:
            self._tried = now
            self._keys = await self._load()
            self._fetched = now
        elif self._is_stale():
            raise UnavailableError("the issuer's keys cannot be had now", hint="try again in half a minute")

    async def _load(self) -> dict[str, jwt.PyJWK]:
        """Fetch the issuer's keys, from where its own metadata says (RFC 8414; OpenID Connect Discovery)."""
        told = await self._metadata()
        place = told.get("jwks_uri")
        if told.get("issuer") != self._issuer or not isinstance(place, str) or not _is_safe(place.partition("?")[0]):
            raise UnreadableError(f"{self._issuer} does not say of itself where its keys are", url=self._issuer)
        try:
            found = jwt.PyJWKSet.from_dict(await self._json(place))
        except jwt.PyJWTError as error:
            raise UnreadableError(f"{place} holds no keys that can be used", url=place) from error
        return {key.key_id or "": key for key in found.keys if key.public_key_use in {None, "sig"}}

    async def _metadata(self) -> dict[str, Any]:  # Any: JSON of the issuer
        place, base = URL(self._issuer), self._issuer.rstrip("/")
        path = place.pathname.rstrip("/")
        try:
            return await self._json(f"{place.origin}/.well-known/oauth-authorization-server{path}")
        except UnreadableError:
            return await self._json(f"{base}/.well-known/openid-configuration")

    async def _json(self, url: str) -> dict[str, Any]:  # Any: the same
        answer = await self._fetcher.fetch(Request(url=url, user_asked=True))
        if answer.status >= 500:
            raise UnavailableError(f"{url} answered {answer.status}", url=url)
        try:
            told = json.loads(answer.body) if answer.status == 200 else None
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise UnreadableError(f"{url} is no JSON object", url=url)
        return told
