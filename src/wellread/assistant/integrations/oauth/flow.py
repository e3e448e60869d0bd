"""The authorization code flow in pure code: the link, the redirect, the token exchange, the tokens.

The authorization code grant of RFC 6749 with PKCE (RFC 7636, S256 only) and a redirect to loopback (RFC 8252).
"""

from __future__ import annotations

import hmac
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from authlib.common.security import generate_token
from authlib.oauth2.base import OAuth2Error
from authlib.oauth2.rfc6749.parameters import (
    parse_authorization_code_response,
    prepare_grant_uri,
    prepare_token_request,
)
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from wellread.errors import Auth, Consent, InvalidInput, RateLimited, Upstream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.integrations.service_client import ServiceResponse
    from wellread.errors import WellreadError
    from wellread.values import Secret

LINK_LIFETIME_MS = 600_000
"""How long a link may wait for its user."""
LEEWAY_MS = 60_000
"""A token with less life than this left is renewed before it is used."""
LINK_EXPIRED = "the link was used before or has expired"
_FAULTS = frozenset({"invalid_client", "unauthorized_client", "invalid_request", "unsupported_grant_type"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationServer:
    """An authorization server, our client there, and the scopes we ask for."""

    authorize_url: str
    token_url: str
    revoke_url: str
    client_id: str
    client_secret: Secret | None
    scopes: tuple[str, ...]
    extra: Mapping[str, str]
    """What the service wants in the link besides."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PendingLink:
    """An authorization link that waits for its redirect."""

    state: str
    verifier: str
    redirect_uri: str
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OAuthTokens:
    """The tokens of a grant."""

    access: str
    refresh: str
    until_ms: int
    scopes: tuple[str, ...]

    def lasts(self, now_ms: int) -> bool:
        """Tell whether the access token can be used now."""
        return now_ms < self.until_ms - LEEWAY_MS

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> OAuthTokens:  # Any: JSON that `asdict` made
        """Return the tokens that `to_json` stored."""
        return cls(**{**stored, "scopes": tuple(stored["scopes"])})


def authorization_link(authority: AuthorizationServer, redirect_uri: str, now_ms: int) -> tuple[str, PendingLink]:
    """Return a link for the user to open, and the values that its redirect is checked against."""
    pending = PendingLink(
        state=generate_token(43),
        verifier=generate_token(64),
        redirect_uri=redirect_uri,
        until_ms=now_ms + LINK_LIFETIME_MS,
    )
    link: str = prepare_grant_uri(
        authority.authorize_url,
        client_id=authority.client_id,
        response_type="code",
        redirect_uri=redirect_uri,
        scope=" ".join(authority.scopes),
        state=pending.state,
        code_challenge=create_s256_code_challenge(pending.verifier),
        code_challenge_method="S256",
        **authority.extra,
    )
    return link, pending


def authorization_code(redirected: str, pending: PendingLink | None, now_ms: int) -> str:
    """Return the code in the address that the user's browser was redirected to.

    Raises:
        InvalidInput: it is no such address, or not the one that is waited for.
        Consent: the user has said no.
    """
    try:
        parameters = parse_qs(urlsplit(redirected.strip()).query)
    except ValueError as error:
        raise InvalidInput("this is not the address of a web page", hint="copy the whole address line") from error
    state = parameters.get("state", [""])[0]
    if pending is None or now_ms > pending.until_ms or not hmac.compare_digest(state.encode(), pending.state.encode()):
        raise InvalidInput(LINK_EXPIRED, hint="open a new link")
    if "error" in parameters:
        raise Consent(f"access was not granted: {parameters['error'][0][:100]}", hint="open a new link to try again")
    try:
        return str(parse_authorization_code_response(redirected.strip())["code"])
    except OAuth2Error as error:
        raise InvalidInput("this address has no code", hint="copy the whole address line") from error


def exchange_form(authority: AuthorizationServer, granted: str, pending: PendingLink) -> bytes:
    """Return the form that exchanges a code for tokens."""
    return _form(
        authority,
        "authorization_code",
        code=granted,
        redirect_uri=pending.redirect_uri,
        code_verifier=pending.verifier,
    )


def renewal_form(authority: AuthorizationServer, tokens: OAuthTokens) -> bytes:
    """Return the form that renews an access token."""
    return _form(authority, "refresh_token", refresh_token=tokens.refresh)


def _form(authority: AuthorizationServer, grant_type: str, **fields: str) -> bytes:
    if authority.client_secret is not None:
        fields["client_secret"] = authority.client_secret.reveal()
    body: str = prepare_token_request(grant_type, client_id=authority.client_id, **fields)
    return body.encode()


def read_tokens(
    response: ServiceResponse, earlier: OAuthTokens | None, authority: AuthorizationServer, now_ms: int
) -> OAuthTokens:
    """Return the tokens in a response; fields that it leaves out stay as in `earlier`.

    Raises:
        Auth, RateLimited, Upstream: it holds none.
    """
    payload = response.json
    access, life_s = payload.get("access_token"), payload.get("expires_in", 3_600)
    if response.status != 200 or not isinstance(access, str) or not access:
        raise token_error(response)
    if str(payload.get("token_type", "bearer")).lower() != "bearer" or not isinstance(life_s, int | float):
        raise Upstream("the service sent an unexpected answer to the request for access", hint="")
    refresh = payload.get("refresh_token") or (earlier.refresh if earlier else "")
    if not refresh:
        raise Auth(
            "the service gave no refresh token",
            hint="remove the access of wellread in the settings of the service, and connect the service again",
        )
    scope, scopes = payload.get("scope"), authority.scopes
    if isinstance(scope, str):
        scopes = tuple(scope.split())
    elif earlier:
        scopes = earlier.scopes
    return OAuthTokens(
        access=access,
        refresh=str(refresh),
        until_ms=now_ms + round(life_s * 1_000),
        scopes=scopes,
    )


def token_error(response: ServiceResponse) -> WellreadError:
    """Return the error of a token endpoint (RFC 6749 section 5.2); its description may quote the request."""
    error = response.json.get("error")
    error_code = error if isinstance(error, str) else ""
    if response.status == 429:
        return RateLimited("the service received too many requests for access", retry_after_s=response.retry_after_s)
    if error_code == "invalid_grant":
        return Auth("the connection is no longer accepted (invalid_grant)", hint="connect the service again")
    if error_code in _FAULTS:
        return Auth(f"the service does not accept our client ({error_code})", hint="check the client id and secret")
    return Upstream(
        f"the service grants no access: {response.status} {error_code[:60]}".rstrip(), status=response.status
    )


def needs_new_grant(error: WellreadError) -> bool:
    """Tell whether an error means that the user has to grant access again."""
    return isinstance(error, Auth) and "invalid_grant" in error.message


def to_json(value: PendingLink | OAuthTokens) -> dict[str, Any]:  # Any: JSON
    """Return the JSON object under which it is stored."""
    return asdict(value)
