"""Access tokens of an OAuth issuer: the metadata of this server as a resource, and the check of a caller's token.

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
    """The token is not valid for this server; the message says why, and repeats nothing of it."""

    def __init__(self, why: str, *, scope: str = "") -> None:
        """Take the reason, and the missing scopes if they are the only fault."""
        super().__init__(why)
        self.why = why
        self.scope = scope


def check(settings: ServerSettings) -> None:
    """Refuse settings under which tokens could not be checked.

    Raises:
        ConfigError: an issuer without a resource, or an address that is neither https nor this machine.
    """
    if settings.issuer is None:
        return
    if settings.resource is None:
        raise ConfigError(
            "server.issuer needs server.resource", hint="set server.resource to the address of this server"
        )
    for name, url in (("issuer", settings.issuer), ("resource", settings.resource)):
        if not _is_safe(url.reveal()):
            raise ConfigError(f"server.{name} is {url!r}", hint="use an https address without a query")


def _is_safe(url: str) -> bool:
    if not URL.can_parse(url):
        return False
    parsed = URL(url)
    has_safe_scheme = parsed.protocol == "https:" or (parsed.protocol == "http:" and parsed.hostname in LOOPBACK)
    return has_safe_scheme and not (parsed.search or parsed.hash or parsed.username or parsed.password)


def metadata(settings: ServerSettings, path: str) -> bytes | None:
    """Return the metadata document at `path` (resource, issuer); None at every other path."""
    suffixes = {METADATA: "", METADATA + MCP: MCP}
    if settings.issuer is None or settings.resource is None or path not in suffixes:
        return None
    document: dict[str, object] = {
        "resource": settings.resource.reveal().rstrip("/") + suffixes[path],
        "authorization_servers": [settings.issuer.reveal()],
        "bearer_methods_supported": ["header"],
        "resource_name": "wellread",
    }
    if settings.scopes:
        document["scopes_supported"] = list(settings.scopes)
    return json.dumps(document).encode("ascii")


def challenge(settings: ServerSettings, path: str, token_error: BadToken | None = None) -> str:
    """Return the value of WWW-Authenticate (RFC 6750, section 3; RFC 9728, section 5.1)."""
    parts = ['Bearer realm="wellread"']
    if token_error is not None:
        code = "insufficient_scope" if token_error.scope else "invalid_token"
        parts.append(f'error="{code}"')
    if settings.scopes:
        parts.append(f'scope="{" ".join(settings.scopes)}"')
    if settings.resource is not None and settings.issuer is not None:
        path_of_metadata = METADATA
        if path.rstrip("/") == MCP:
            path_of_metadata += MCP
        parts.append(f'resource_metadata="{settings.resource.reveal().rstrip("/")}{path_of_metadata}"')
    return ", ".join(parts)


def is_token(authorization: str | None) -> bool:
    """Return whether the header holds a JWT, which has two dots, rather than a key of ours, which has none."""
    scheme, _, value = (authorization or "").partition(" ")
    return scheme.lower() == "bearer" and value.count(".") == 2


class TokenValidator:
    """A validator of the tokens of one issuer."""

    def __init__(self, settings: ServerSettings, fetcher: Fetcher, clock: Clock) -> None:
        """Take the parts; nothing is fetched."""
        self._issuer = settings.issuer.reveal() if settings.issuer else ""
        base = settings.resource.reveal().rstrip("/") if settings.resource else ""
        self._audience = [base, f"{base}/", base + MCP]
        self._scopes = frozenset(settings.scopes)
        self._fetcher = fetcher
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._turn = anyio.Lock()

    async def caller(self, authorization: str) -> str:
        """Return a name for the subject of the token, the same for all its tokens, without revealing the subject.

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
            raise BadToken("the token is not a JSON Web Token") from error
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
            raise BadToken("the token has expired") from error
        except jwt.PyJWTError as error:
            raise BadToken("the token is from another issuer or for another server") from error

    async def _key(self, kid: str) -> jwt.PyJWK:
        if kid in self._keys and not self._is_stale():
            return self._keys[kid]  # valid tokens do not wait for invalid ones
        async with self._turn:
            if self._is_stale() or kid not in self._keys:
                await self._renew()
            if kid not in self._keys:
                raise BadToken("the signature does not match a key of the issuer")
            return self._keys[kid]

    def _is_stale(self) -> bool:
        return self._fetched is None or self._clock.monotonic() - self._fetched > KEPT_S

    async def _renew(self) -> None:
        """Fetch the keys, unless that was tried just now: unknown tokens must not flood the issuer with requests."""
        now = self._clock.monotonic()
        if self._tried is None or now - self._tried > AGAIN_S:
            self._tried = now
            self._keys = await self._load()
            self._fetched = now
        elif self._is_stale():
            raise UnavailableError("the keys of the issuer are not available", hint="try again in half a minute")

    async def _load(self) -> dict[str, jwt.PyJWK]:
        """Fetch the issuer's keys from the address in its metadata (RFC 8414; OpenID Connect Discovery)."""
        issuer_metadata = await self._metadata()
        keys_url = issuer_metadata.get("jwks_uri")
        if (
            issuer_metadata.get("issuer") != self._issuer
            or not isinstance(keys_url, str)
            or not _is_safe(keys_url.partition("?")[0])
        ):
            raise UnreadableError(f"{self._issuer} does not declare the address of its keys", url=self._issuer)
        try:
            key_set = jwt.PyJWKSet.from_dict(await self._json(keys_url))
        except jwt.PyJWTError as error:
            raise UnreadableError(f"{keys_url} has no usable keys", url=keys_url) from error
        return {key.key_id or "": key for key in key_set.keys if key.public_key_use in {None, "sig"}}

    async def _metadata(self) -> dict[str, Any]:  # Any: JSON of the issuer
        issuer, base = URL(self._issuer), self._issuer.rstrip("/")
        path = issuer.pathname.rstrip("/")
        try:
            return await self._json(f"{issuer.origin}/.well-known/oauth-authorization-server{path}")
        except UnreadableError:
            return await self._json(f"{base}/.well-known/openid-configuration")

    async def _json(self, url: str) -> dict[str, Any]:  # Any: the same
        response = await self._fetcher.fetch(Request(url=url, user_asked=True))
        if response.status >= 500:
            raise UnavailableError(f"{url} answered {response.status}", url=url)
        try:
            document = json.loads(response.body) if response.status == 200 else None
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise UnreadableError(f"{url} is not a JSON object", url=url)
        return document
