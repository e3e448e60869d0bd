"""Tokens of an OAuth issuer: what is its own and for this server is let in, and nothing that merely looks like it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from scenario import interfaces
from scenario.loopback import Server, serving, whole
from wellread.apps.build import Web
from wellread.apps.http import access_tokens, api_keys
from wellread.apps.http.exposure import refuse_open
from wellread.config import NetSettings
from wellread.errors import ConfigError
from wellread.sections import ServerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator
    from pathlib import Path

    import httpx2

RESOURCE = "https://pages.example"
PLACE = "/.well-known/oauth-authorization-server/realm"


@cache
def signer(name: str) -> Any:  # Any: keys of several kinds
    if name == "curve":
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(name: str) -> dict[str, Any]:  # Any: JSON
    algorithm = jwt.algorithms.ECAlgorithm if name == "curve" else jwt.algorithms.RSAAlgorithm
    told: dict[str, Any] = json.loads(algorithm.to_jwk(signer(name).public_key()))
    return told | {"kid": name, "use": "sig"}


@dataclass
class Issuer:
    """An issuer on loopback."""

    server: Server
    url: str = field(init=False)

    def __post_init__(self) -> None:
        """Serve its metadata and two keys."""
        self.url = self.server.url("/realm")
        self.says(issuer=self.url, jwks_uri=self.server.url("/keys"))
        self.shows("own", "curve")

    def says(self, **metadata: str) -> None:
        self.server.paths[PLACE] = whole(json.dumps(metadata).encode(), Content_Type="application/json")

    def shows(self, *names: str) -> None:
        body = json.dumps({"keys": [public(name) for name in names]}).encode()
        self.server.paths["/keys"] = whole(body, Content_Type="application/json")

    def token(self, *, key: str = "own", kid: str | None = None, algorithm: str = "RS256", **claims: object) -> str:
        now = int(time.time())
        told = {"iss": self.url, "aud": RESOURCE, "sub": "ada@shore.example", "exp": now + 60, "scope": "read more"}
        told = {name: value for name, value in (told | claims).items() if value is not None}
        return jwt.encode(told, signer(key), algorithm=algorithm, headers={"kid": kid or key})


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    async with serving() as server:
        yield Issuer(server)


@asynccontextmanager
async def client_of(issuer: Issuer, folder: Path, **server: Any) -> AsyncGenerator[httpx2.AsyncClient, None]:
    given = interfaces.settings(folder, issuer=issuer.url, resource=RESOURCE, **server)
    given = replace(given, net=NetSettings(allow_hosts=(f"127.0.0.1:{issuer.server.port}",)))
    async with interfaces.http(given, web=Web(given)) as client:
        yield client


async def asked(client: httpx2.AsyncClient, token: str) -> httpx2.Response:
    return await client.post("/v1/index/list", json={}, headers={"authorization": f"Bearer {token}"})


async def test_token_of_the_issuer_and_a_key_are_accepted(issuer: Issuer, tmp_path: Path) -> None:
    key, kept = api_keys.new_key("a")
    async with client_of(issuer, tmp_path, keys={"a": kept}, scopes=("read",)) as client:
        for aud in (RESOURCE, f"{RESOURCE}/", f"{RESOURCE}/mcp", ["https://other.example", RESOURCE]):
            assert (await asked(client, issuer.token(aud=aud))).status_code == 200, aud
        assert (await asked(client, issuer.token(key="curve", algorithm="ES256"))).status_code == 200
        assert (await asked(client, key)).status_code == 200
        assert (await asked(client, "wr_another")).status_code == 401
    assert issuer.server.asked() == [PLACE, "/keys"], "the keys are fetched once"


def forged(issuer: Issuer, how: str) -> str:
    """Return a token that is wrong in one way."""
    wrong: dict[str, Any] = {
        "over": {"exp": int(time.time()) - 60},
        "not yet": {"nbf": int(time.time()) + 600},
        "without an end": {"exp": None},
        "for another server": {"aud": "https://other.example"},
        "for nobody": {"aud": None},
        "of another issuer": {"iss": "https://evil.example"},
        "of nobody": {"sub": None},
        "signed by another": {"key": "other", "kid": "own"},
        "by a key that is not there": {"key": "other"},
    }
    if how in wrong:
        return issuer.token(**wrong[how])
    head, body, signature = issuer.token().split(".")
    if how == "unsigned":
        return f"{encoded({'alg': 'none', 'kid': 'own'})}.{body}."
    if how == "signed by the public key":
        pem = (
            signer("own")
            .public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        )
        head = encoded({"alg": "HS256", "kid": "own"})
        return f"{head}.{body}.{base64url(hmac.new(pem, f'{head}.{body}'.encode(), hashlib.sha256).digest())}"
    if how == "altered":
        claims = json.loads(base64.urlsafe_b64decode(body + "=="))
        return f"{head}.{encoded(claims | {'sub': 'root'})}.{signature}"
    return {"no token": "a.b.c", "too long": f"{head}.{body}{'A' * 9_000}.{signature}", "empty": ".."}[how]


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def encoded(data: dict[str, Any]) -> str:
    return base64url(json.dumps(data).encode())


FORGED = (
    "over", "not yet", "without an end", "for another server", "for nobody", "of another issuer", "of nobody",
    "signed by another", "by a key that is not there", "unsigned", "signed by the public key", "altered", "no token",
    "too long", "empty",
)  # fmt: skip


async def test_forged_token_is_refused_and_not_repeated(issuer: Issuer, tmp_path: Path) -> None:
    async with client_of(issuer, tmp_path) as client:
        for how in FORGED:
            token = forged(issuer, how)
            answer = await asked(client, token)
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized"), how
            assert 'error="invalid_token"' in answer.headers["www-authenticate"]
            assert "shore.example" not in answer.text + str(answer.headers)
    assert issuer.server.asked().count("/keys") == 1, "nobody can have the keys fetched again and again"


async def test_a_token_that_lacks_a_scope_is_told_which(issuer: Issuer, tmp_path: Path) -> None:
    async with client_of(issuer, tmp_path, scopes=("read", "pages")) as client:
        answer = await asked(client, issuer.token())
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
    assert 'scope="read pages"' in answer.headers["www-authenticate"]


async def test_whoever_has_none_is_led_to_the_issuer(issuer: Issuer, tmp_path: Path) -> None:
    async with client_of(issuer, tmp_path, scopes=("read",)) as client:
        for path, place in (("/v1/read", ""), ("/mcp", "/mcp")):
            answer = await client.post(path, json={})
            assert answer.status_code == 401
            found = f'resource_metadata="{RESOURCE}/.well-known/oauth-protected-resource{place}"'
            assert found in answer.headers["www-authenticate"]
            assert "error=" not in answer.headers["www-authenticate"]
            told = (await client.get(f"/.well-known/oauth-protected-resource{place}")).json()
            assert told == {
                "resource": RESOURCE + place,
                "authorization_servers": [issuer.url],
                "bearer_methods_supported": ["header"],
                "resource_name": "wellread",
                "scopes_supported": ["read"],
            }
    async with interfaces.http(interfaces.settings(tmp_path / "other")) as client:
        assert (await client.get("/.well-known/oauth-protected-resource")).status_code == 404


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example", "jwks_uri": "KEYS"},
        {"issuer": "URL"},
        {"issuer": "URL", "jwks_uri": "file:///k"},
    ],
)
async def test_issuer_without_an_address_of_keys(issuer: Issuer, tmp_path: Path, metadata: dict[str, str]) -> None:
    known = {"URL": issuer.url, "KEYS": issuer.server.url("/keys")}
    issuer.says(**{name: known.get(value, value) for name, value in metadata.items()})
    async with client_of(issuer, tmp_path) as client:
        answer = await asked(client, issuer.token())
    assert (answer.status_code, answer.json()["code"]) == (503, "no_issuer")


async def test_an_issuer_that_speaks_openid_connect_is_understood(issuer: Issuer, tmp_path: Path) -> None:
    issuer.server.paths["/realm/.well-known/openid-configuration"] = issuer.server.paths[PLACE]
    issuer.server.paths[PLACE] = whole(b"nothing here", "404 Not Found")
    async with client_of(issuer, tmp_path) as client:
        assert (await asked(client, issuer.token())).status_code == 200


@pytest.mark.parametrize(
    ("issuer", "resource"),
    [
        ("https://id.example", None),
        ("http://id.example", RESOURCE),
        ("https://id.example?a=1", RESOURCE),
        ("https://id.example", "http://pages.example"),
        ("nonsense", RESOURCE),
    ],
)
def test_settings_by_which_tokens_could_not_be_told_apart_are_refused(issuer: str, resource: str | None) -> None:
    with pytest.raises(ConfigError, match="server"):
        access_tokens.check(ServerSettings(issuer=issuer, resource=resource))


def test_an_open_interface_needs_keys_or_an_issuer() -> None:
    refuse_open(ServerSettings(host="0.0.0.0", issuer="https://id.example", resource=RESOURCE))
    with pytest.raises(ConfigError):
        refuse_open(ServerSettings(host="0.0.0.0"))
