"""A strict fake of Google's OAuth 2.0 endpoints, PKCE included, and the user who says yes or no in a browser."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from contract.provider_fakes.exchange import Reply, told

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Asked

CLIENT_ID = "1234-abc.apps.example"
CLIENT_SECRET = "GOCSPX-not-so-secret-000"
LINK = {
    "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
    "access_type", "prompt",
}  # fmt: skip
EXCHANGE = {"grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"}
REFRESH = {"grant_type", "refresh_token", "client_id", "client_secret"}


def fault(status: int, error: str) -> Reply:
    return told({"error": error, "error_description": "Bad Request"}, status)


@dataclass
class Accounts:
    """Grants, tokens, and what became of them."""

    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh: dict[str, str] = field(default_factory=dict)
    """Refresh token -> scopes."""
    access: dict[str, str] = field(default_factory=dict)
    """Access token -> scopes."""
    life_s: int = 3_599
    renewals: int = 0
    broken: Reply | None = None
    """What the token endpoint answers to everything."""

    def consent(self, link: str, *, yes: bool = True, scopes: str | None = None) -> str:
        """Do what Google and the user do with a link; return where the browser is sent."""
        given = dict(parse_qsl(urlsplit(link).query, strict_parsing=True))
        assert set(given) == LINK
        assert (given["response_type"], given["client_id"]) == ("code", CLIENT_ID)
        assert (given["code_challenge_method"], given["access_type"]) == ("S256", "offline")
        assert re.fullmatch(r"[\w-]{43}", given["code_challenge"])
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/google", given["redirect_uri"])
        assert len(given["state"]) >= 32
        if not yes:
            return f"{given['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': given['state']})}"
        code = f"4/{secrets.token_hex(12)}"
        self.codes[code] = {**given, "scope": scopes or given["scope"]}
        back = {"state": given["state"], "code": code, "scope": self.codes[code]["scope"], "authuser": "0"}
        return f"{given['redirect_uri']}?{urlencode(back)}"

    def answer(self, asked: Asked) -> Reply:
        if self.broken is not None:
            return self.broken
        form = asked.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        if asked.method != "POST" or not form or asked.path not in {"/token", "/revoke"}:
            return fault(400, "invalid_request")
        return self._revoke(asked.form) if asked.path == "/revoke" else self._token(asked.form)

    def _token(self, form: dict[str, str]) -> Reply:
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return fault(401, "invalid_client")
        if form["grant_type"] == "authorization_code" and set(form) == EXCHANGE:
            return self._exchange(form)
        if form["grant_type"] == "refresh_token" and set(form) == REFRESH:
            return self._renew(form["refresh_token"])
        return fault(400, "invalid_request")

    def _exchange(self, form: dict[str, str]) -> Reply:
        begun = self.codes.pop(form["code"], None)
        digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if begun is None or begun["redirect_uri"] != form["redirect_uri"] or begun["code_challenge"] != digest:
            return fault(400, "invalid_grant")
        assert 43 <= len(form["code_verifier"]) <= 128
        refresh = f"1//{secrets.token_hex(12)}"
        self.refresh[refresh] = begun["scope"]
        return self._granted(begun["scope"], refresh_token=refresh)

    def _renew(self, token: str) -> Reply:
        self.renewals += 1
        return self._granted(self.refresh[token]) if token in self.refresh else fault(400, "invalid_grant")

    def _granted(self, scope: str, **more: str) -> Reply:
        token = f"ya29.{secrets.token_hex(12)}"
        self.access[token] = scope
        return told({"access_token": token, "expires_in": self.life_s, "scope": scope, "token_type": "Bearer", **more})

    def _revoke(self, form: dict[str, str]) -> Reply:
        if set(form) != {"token"} or form["token"] not in self.refresh:
            return fault(400, "invalid_token")
        del self.refresh[form["token"]]
        self.access.clear()
        return told({})

    def may(self, asked: Asked, scope: str) -> Reply | None:
        """Return the refusal of an API whose `scope` the token of a request lacks."""
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.access:
            return failed(401, "authError", "Invalid Credentials", "global")
        if not any(f"https://www.googleapis.com/auth/{it}" in self.access[token].split() for it in scope.split()):
            return failed(403, "insufficientPermissions", "Insufficient Permission", "global")
        return None


def failed(status: int, reason: str, message: str, domain: str = "calendar", **headers: str) -> Reply:
    """Return an error in the form of Google's APIs."""
    errors = [{"domain": domain, "reason": reason, "message": message}]
    return told({"error": {"errors": errors, "code": status, "message": message}}, status, **headers)
