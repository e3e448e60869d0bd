"""Turns the options that sign a read in into credentials, which are bound to their hosts."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from wellread.credentials import Credentials, StoredCookie
from wellread.errors import InvalidInput, reason_line
from wellread.net import credential_scope
from wellread.net.guard import parse_url
from wellread.net.schemeless_urls import candidate_urls
from wellread.net.transport import is_field

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FILE_BYTES: Final = 10_000_000


class SignInOptions(TypedDict, total=False):
    """The options that sign a read in; each secret goes only to its own hosts, also after redirects."""

    headers: Mapping[str, str] | None
    """Header fields for the origin of the URL: its scheme, host and port."""
    cookies: Mapping[str, str] | Path | None
    """Cookies for the host of the URL; or a file (cookies.txt, storage state of Playwright) that names their hosts."""
    auth: tuple[str, str] | None
    """User name and password for basic authentication at the origin of the URL."""
    bearer: str | None
    """A bearer token for the origin of the URL."""
    profile: str | None
    """The name of a profile of `wellread login`: its cookies and logins, each for its hosts."""


class ProfileSecrets(NamedTuple):
    """The parts of a profile that sign in over HTTP."""

    cookies: tuple[StoredCookie, ...]
    logins: tuple[tuple[str, str, str], ...]
    """Origin, user name and password."""
    id: str = ""
    """Another one after each sign-in, for it may be that of another person."""


class SignInReader:
    """Reads the options of a sign-in, with the profiles of this installation."""

    def __init__(self, identity_key: bytes, load_profile: Callable[[str], ProfileSecrets]) -> None:
        """Take the key of the hashes that keep identities apart, and the function that loads a profile."""
        self._identity_key = identity_key
        self._load_profile = load_profile

    def credentials(self, url: str | None, options: SignInOptions) -> Credentials | None:
        """Return the credentials for a read of `url`, None where no option gives any; blocks.

        Without a URL, the options must name their hosts.

        Raises:
            InvalidInput: an option has a wrong type or value, or there is no such profile; no message has a secret.
            InvalidUrl: `url` is not a URL.
        """
        check_sign_in(options)
        if not is_signed_in(options):
            return None
        origin = ""
        if url is not None:
            origin = credential_scope.origin_with_port(url)
        headers = tuple((options.get("headers") or {}).items()) + _authorization(options)
        cookies = _cookies(url or "", options.get("cookies"))
        profile = options.get("profile")
        loaded = ProfileSecrets((), ())
        if profile is not None:
            loaded = self._load_profile(profile)
        logins = tuple(
            (credential_scope.origin_with_port(login_origin), credential_scope.basic(name, password))
            for login_origin, name, password in loaded.logins
        )
        # A profile is one identity until its next sign-in: its cookies change with every visit.
        profile_parts = profile and [profile, loaded.id]
        parts: list[object] = [origin * bool(headers), headers, [_plain(cookie) for cookie in cookies], profile_parts]
        identity = self._identity(parts)
        return Credentials(
            identity=identity,
            origin=origin,
            headers=headers,
            cookies=loaded.cookies + cookies,
            logins=logins,
            profile=profile,
            profile_id=loaded.id,
            is_profile_alone=profile is not None and not headers and not cookies,
        )

    def _identity(self, parts: list[object]) -> str:
        return hmac.new(self._identity_key, json.dumps(parts).encode(), hashlib.sha256).hexdigest()


def is_signed_in(options: SignInOptions) -> bool:
    """Return whether any option signs in."""
    return any(options.get(name) for name in SignInOptions.__annotations__)


def names_hosts(options: SignInOptions) -> bool:
    """Return whether the options name their hosts themselves, so that they serve for URLs of several hosts."""
    has_values = any(options.get(name) for name in ("headers", "auth", "bearer"))
    return not has_values and not isinstance(options.get("cookies"), Mapping)


def check_same_origin(url: str, first_url: str) -> None:
    """Refuse a URL of another origin than the first of many, where secrets are given by value.

    Raises:
        InvalidInput: the origins differ.
        InvalidUrl: one is not a URL.
    """
    first, other = credential_scope.origin_with_port(first_url), credential_scope.origin_with_port(url)
    if first != other:
        raise InvalidInput(
            f"headers, cookies and logins are for {first}, but the URL is on {other}",
            url=url,
            hint="read it in another call, or use a file of cookies or a profile, which name their hosts",
        )


def check_sign_in(options: SignInOptions) -> None:
    """Check the types of the options.

    Raises:
        InvalidInput: a wrong type, or two ways to authenticate; no message has a value.
    """
    headers: object = options.get("headers")
    if headers is not None and not _is_texts(headers):
        raise InvalidInput("headers is not a mapping of names to texts", hint='such as {"X-Team": "tides"}')
    for name, text in (options.get("headers") or {}).items():
        if not is_field(name, text):
            raise InvalidInput(f"the header {name[:40]!r} has characters that are not allowed")
    cookies: object = options.get("cookies")
    if cookies is not None and not isinstance(cookies, Path) and not _is_texts(cookies):
        raise InvalidInput("cookies is neither a mapping of names to texts nor a Path", hint='such as {"id": "..."}')
    auth: object = options.get("auth")
    if auth is not None and not (isinstance(auth, tuple) and len(auth) == 2 and all(isinstance(t, str) for t in auth)):
        raise InvalidInput("auth is not a pair of texts", hint="use auth=(user, password)")
    for name in ("bearer", "profile"):
        secret: object = options.get(name)
        if secret is not None and not (isinstance(secret, str) and secret):
            raise InvalidInput(f"{name} is not a text")
    has_header = any(name.lower() == "authorization" for name in options.get("headers") or {})
    if sum([bool(options.get("auth")), bool(options.get("bearer")), has_header]) > 1:
        raise InvalidInput("auth, bearer and the header Authorization exclude each other", hint="use one of them")


def _is_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for pair in value.items() for text in pair)


def _authorization(options: SignInOptions) -> tuple[tuple[str, str], ...]:
    auth, bearer = options.get("auth"), options.get("bearer")
    if auth is not None:
        return (("Authorization", credential_scope.basic(*auth)),)
    if not bearer:
        return ()
    if not is_field("Authorization", bearer):
        raise InvalidInput("bearer has characters that are not allowed in a token")
    return (("Authorization", f"Bearer {bearer}"),)


def _cookies(url: str, cookies: Mapping[str, str] | Path | None) -> tuple[StoredCookie, ...]:
    if cookies is None:
        return ()
    # Loaded here: a read without cookies does not wait for it.
    from wellread.net import cookie_files

    if isinstance(cookies, Path):
        return cookie_files.parse_cookies(_file_text(cookies))
    target = parse_url(candidate_urls(url)[0])
    return tuple(
        cookie_files.cookie(name, text, domain=target.host, is_host_only=True, is_secure=target.scheme == "https")
        for name, text in cookies.items()
    )


def _file_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {reason_line(error)}") from error
    if len(content) > MAX_FILE_BYTES:
        raise InvalidInput(f"{path} is larger than {MAX_FILE_BYTES:,} bytes", hint="use a file of cookies")
    return content.decode("utf-8", "replace")


def _plain(cookie: StoredCookie) -> list[object]:
    return [cookie.name, cookie.value, cookie.domain, cookie.is_host_only, cookie.path, cookie.is_secure]
