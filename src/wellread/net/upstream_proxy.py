"""The proxies of the settings: their addresses and credentials, and which of them a host is reached through. Pure."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from wellread.errors import ConfigError, InvalidUrl
from wellread.net import guard

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.config import NetSettings

SCHEMES = ("http", "https", "socks5", "socks5h")
DIRECT_WORD = "direct"
ENVIRONMENT_WORD = "environment"
MAX_SOCKS_BYTES = 255
"""Bytes of a user name or a password (RFC 1929 section 2)."""

_HINT = "use http://host:port, https://host:port or socks5h://host:port, with user:password@ before the host if needed"
_PATTERN_HINT = "use a host, *.domain, an address, a network such as 10.0.0.0/8, or *, with :port or http:// if needed"
_PORT = re.compile(r"[0-9]{1,5}")
_LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamProxy:
    """The address of a proxy of the settings, and the credential for it."""

    scheme: str
    host: str
    port: int
    username: str = field(default="", repr=False)
    """Empty for a proxy without sign-in."""
    password: str = field(default="", repr=False)
    resolves_names: bool = True
    """Whether the proxy gets names; otherwise names are resolved and checked here, and it gets addresses."""
    ca_file: Path | None = None

    @property
    def authority(self) -> str:
        """Return host and port, as errors name the proxy."""
        return host_and_port(self.host, self.port)

    @property
    def uses_tls(self) -> bool:
        """Return whether the connection to the proxy itself is encrypted."""
        return self.scheme == "https"

    @property
    def speaks_socks(self) -> bool:
        """Return whether it is a SOCKS5 proxy."""
        return self.scheme.startswith("socks5")

    @property
    def authorization(self) -> list[tuple[bytes, bytes]]:
        """Return the header field that signs in to an HTTP proxy, if there is a credential (RFC 7617)."""
        if not self.username:
            return []
        pair = f"{self.username}:{self.password}".encode()
        return [(b"Proxy-Authorization", b"Basic " + base64.b64encode(pair))]

    def forwards(self, scheme: str) -> bool:
        """Return whether a request is sent to the proxy itself instead of through a tunnel.

        Many HTTP proxies open tunnels to port 443 alone. A proxy that gets addresses needs a tunnel, since it would
        replace the name in Host by the address.
        """
        return scheme == "http" and not self.speaks_socks and self.resolves_names


def host_and_port(host: str, port: int) -> str:
    """Return `host:port`, with an IPv6 address in brackets."""
    if ":" in host:
        return f"[{host}]:{port}"
    return f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The hosts that an entry of `net.proxies` is for."""

    scheme: str
    """Empty for both."""
    suffix: str
    """A host, `.domain` for its subdomains, or empty for any."""
    network: IPv4Network | IPv6Network | None
    port: int | None

    def matches(self, scheme: str, host: str, port: int) -> bool:
        if self.scheme not in {"", scheme} or self.port not in {None, port}:
            return False
        if self.network is not None:
            return _is_within(host, self.network)
        if not self.suffix or self.suffix == host:
            return True
        return self.suffix.startswith(".") and host.endswith(self.suffix)

    @property
    def precision(self) -> tuple[bool, bool, int, bool, bool]:
        """Order patterns: a host before a network before a domain, a longer domain before a shorter one."""
        is_host = bool(self.suffix) and not self.suffix.startswith(".")
        return is_host, self.network is not None, len(self.suffix), self.port is not None, bool(self.scheme)


@dataclass(frozen=True, slots=True)
class ProxyRoutes:
    """Which proxy each host is reached through; the most precise pattern decides."""

    entries: tuple[tuple[_Pattern, UpstreamProxy | None], ...] = ()
    covers_loopback: bool = False
    """Whether `*` stands for loopback, too; else it is reached directly, unless an entry names it."""

    def proxy_for(self, scheme: str, host: str, port: int) -> UpstreamProxy | None:
        """Return the proxy for a host, or None for a direct connection."""
        matching = [entry for entry in self.entries if entry[0].matches(scheme, host, port)]
        if not self.covers_loopback and _is_loopback(host):
            matching = [entry for entry in matching if entry[0].suffix or entry[0].network]
        if not matching:
            return None
        return max(matching, key=lambda entry: entry[0].precision)[1]


DIRECT = ProxyRoutes()


def read_routes(net: NetSettings) -> ProxyRoutes:
    """Read `net.proxy` and `net.proxies`.

    Raises:
        ConfigError: an entry is not a proxy or not a pattern.
    """
    texts = {pattern: address.reveal() for pattern, address in net.proxies.items()}
    if net.proxy and "*" not in texts:
        texts["*"] = net.proxy.reveal()
    if texts.get("*") == ENVIRONMENT_WORD:
        hint = "build the settings with wellread.config.load(), or name the proxy"
        raise ConfigError("net.proxy is 'environment', but the environment was not read", hint=hint)
    entries = [(_pattern(pattern), _proxy(text, pattern, net)) for pattern, text in texts.items()]
    if not any(proxy for _, proxy in entries):
        return DIRECT
    return ProxyRoutes(tuple(entries))


def session_routes(url: str, net: NetSettings) -> ProxyRoutes:
    """Return the routes of a browser session with a proxy of its own, or `direct`.

    Raises:
        ConfigError: it is not a proxy.
    """
    return only_through(_proxy(url, None, net))


def only_through(proxy: UpstreamProxy | None) -> ProxyRoutes:
    """Return routes that lead to every host through `proxy`."""
    return ProxyRoutes(((_pattern("*"), proxy),), covers_loopback=True)


def _proxy(text: str, pattern: str | None, net: NetSettings) -> UpstreamProxy | None:
    if text.strip() in {"", DIRECT_WORD}:
        return None
    place = f"net.proxies: the entry of {pattern!r}"
    if pattern is None:
        place = "the proxy of the session"
    elif pattern == "*":
        place = "net.proxy"
    return parse_proxy(text, place, resolves_names=net.proxy_dns == "proxy", ca_file=net.ca_file)


def parse_proxy(text: str, place: str, *, resolves_names: bool, ca_file: Path | None = None) -> UpstreamProxy:
    """Read `scheme://user:password@host:port`; `place` names the setting in the error.

    `socks5` resolves names here and `socks5h` at the proxy, as for curl; for the others `resolves_names` decides.

    Raises:
        ConfigError: it is something else. The message does not repeat it, since it may have a password.
    """
    failure = ConfigError(f"{place} is not a proxy address", hint=_HINT)
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise failure from None  # the cause has the text
    if (
        parts.scheme not in SCHEMES
        or not host
        or not port
        or parts.path not in {"", "/"}
        or parts.query
        or parts.fragment
    ):
        raise failure
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    is_socks = parts.scheme.startswith("socks5")
    if is_socks:
        resolves_names = parts.scheme == "socks5h"
    if is_socks and max(len(username.encode()), len(password.encode())) > MAX_SOCKS_BYTES:
        raise ConfigError(f"{place}: a user name or password of SOCKS5 has at most {MAX_SOCKS_BYTES} bytes")
    return UpstreamProxy(
        scheme=parts.scheme,
        host=host,
        port=port,
        username=username,
        password=password,
        resolves_names=resolves_names,
        ca_file=ca_file,
    )


def _pattern(text: str) -> _Pattern:
    scheme, separator, remainder = text.strip().lower().rpartition("://")
    if separator and scheme not in guard.SCHEMES:
        raise _bad_pattern(text)
    network = _network(remainder)
    if network is not None:
        return _Pattern(scheme, "", network, None)
    port = None
    if not remainder.endswith("]") and ":" in remainder:
        remainder, _, digits = remainder.rpartition(":")
        if not _PORT.fullmatch(digits):
            raise _bad_pattern(text)
        port = int(digits)
    network = _network(remainder.strip("[]"))
    if network is not None:
        return _Pattern(scheme, "", network, port)
    if remainder == "*":
        return _Pattern(scheme, "", None, port)
    is_domain = remainder.startswith("*.")
    try:
        host = guard.parse_url(f"http://{remainder.removeprefix('*.')}/").host
    except InvalidUrl:
        raise _bad_pattern(text) from None
    return _Pattern(scheme, f".{host}" if is_domain else host, None, port)


def _bad_pattern(text: str) -> ConfigError:
    if "@" in text:  # an address of a proxy, perhaps with its password
        return ConfigError("net.proxies: an entry is not a pattern of hosts", hint=_PATTERN_HINT)
    return ConfigError(f"net.proxies: {text[:100]!r} is not a pattern of hosts", hint=_PATTERN_HINT)


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _is_within(host: str, network: IPv4Network | IPv6Network) -> bool:
    try:
        return ip_address(host) in network
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    is_local_name = host == "localhost" or host.endswith(".localhost")
    return is_local_name or any(_is_within(host, network) for network in _LOOPBACK)
