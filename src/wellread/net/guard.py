"""Decides which URLs and addresses may be reached: pure policy, no sockets, no names resolved.

Two questions are answered here and nowhere else. `check_url`: may this text be fetched, and as what request?
`check_address`: may this address, one answer of the resolver, be dialled for that request? Both are decided on own
tables of integers. `ipaddress.is_global` is not asked: it calls NAT64, 6to4, IPv4-compatible and multicast addresses
global (measured on CPython 3.11: 61 to 196 of 1,101 attacks passed guards built on it).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple

from ada_url import URL, HostType

from wellread.bounded_cache import cached_calls
from wellread.errors import BlockedAddress, ConfigError, InvalidUrl, RefusedError, without_password
from wellread.frozen import frozen
from wellread.lazy_pattern import lazy_pattern
from wellread.net.schemeless_urls import is_file_name

if TYPE_CHECKING:
    from wellread.config import NetSettings

POLICY_VERSION = 1
"""Part of every cache key: what an older policy let through is not served under a newer one."""

MAX_URL_CHARS = 16_384
MAX_SHOWN_CHARS = 200
MAX_PORT = 65_535
SCHEMES = {"http": 80, "https": 443}
PORTS = frozenset({80, 443, 8080, 8443, 3000, 8000, 8888})

# The Fetch Standard, section "Port blocking": ports of other protocols, which an HTTP request could be made to speak.
# fmt: off
BAD_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})
# fmt: on

_CACHED_READINGS = 256
"""URLs and addresses whose parts are cached; what they may be used for is decided anew each time."""

# An address as numbers: the version, then the value. The version keeps 0.0.0.1 and ::1 apart.
Number = tuple[int, int]
Ranges = tuple[tuple[Number, Number], ...]


def _number(address: IPv4Address | IPv6Address) -> Number:
    return address.version, int(address)


def _ranges(*networks: str) -> Ranges:
    """Return each CIDR block as its first and its last address."""
    blocks = [ip_network(network) for network in networks]
    return tuple((_number(block.network_address), _number(block.broadcast_address)) for block in blocks)


# In IPv6 only global unicast is handed out (RFC 4291 section 2.4); so loopback, mapped, compatible, translated
# (64:ff9b::/96, 64:ff9b:1::/48), unique local, link-local, site-local and multicast addresses all fall outside.
UNICAST = _ranges("0.0.0.0/0", "2000::/3")

# The IANA Special-Purpose Address Registries (RFC 6890 and successors), multicast, and the one address outside them
# that a cloud answers on.
SPECIAL = _ranges(
    "0.0.0.0/8",  # this network
    "10.0.0.0/8",  # private
    "100.64.0.0/10",  # carrier-grade NAT; Alibaba's metadata 100.100.100.200
    "127.0.0.0/8",  # loopback
    "168.63.129.16/32",  # Azure's wire server
    "169.254.0.0/16",  # link-local; metadata of most clouds
    "172.16.0.0/12",  # private
    "192.0.0.0/24",  # protocol assignments; Oracle's metadata 192.0.0.192
    "192.0.2.0/24",  # documentation
    "192.31.196.0/24",  # AS112
    "192.52.193.0/24",  # AMT
    "192.88.99.0/24",  # 6to4 relays, deprecated
    "192.168.0.0/16",  # private
    "192.175.48.0/24",  # AS112
    "198.18.0.0/15",  # benchmarking
    "198.51.100.0/24",  # documentation
    "203.0.113.0/24",  # documentation
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved, broadcast
    "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4: an IPv4 address in disguise
    "3fff::/20",  # documentation
)
# RFC 5214 section 6.1: these interface identifiers make a tunnel to the IPv4 address in the last 32 bits.
ISATAP = frozenset({0x00005EFE, 0x02005EFE})

# The addresses that a listed *name* may have besides public ones. Never link-local and never a cloud's metadata: for
# these, the address itself must be listed.
PRIVATE = _ranges(
    "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"
)
METADATA = _ranges("100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32")

# RFC 6761, RFC 6762 appendix G, RFC 8375, ICANN's .internal; then names on which clouds and clusters serve their keys.
LOCAL_NAMES = (
    *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa"),
    *("svc", "metadata.goog", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com"),
)

_LOCAL_SUFFIXES = tuple(f".{name}" for name in LOCAL_NAMES)

_UNSAFE = lazy_pattern(r"[\x00-\x20\x7f-\x9f\\\ud800-\udfff]|\s")
_BLANKS = " \t\r\n\f\u00a0\u200b\u2060\u3000\ufeff"
_WRAPPERS = dict(zip("<\"'`(\u201c\u2018\u00ab", ">\"'`)\u201d\u2019\u00bb", strict=True))
"""Delimiters around a URL in a text: RFC 3986 appendix C, Markdown, quotation marks."""
_MARKDOWN_LINK = lazy_pattern(r"\[[^\[\]]{0,500}\]\(\s{0,9}([^\s()]{1,4000})\s{0,9}\)")
_SCHEME = lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = lazy_pattern(r"//([^/?#]+)")
_NAMED = lazy_pattern(r"[A-Za-z0-9][^/?#]{0,250}\.")
"""A possible beginning of a URL whose scheme was left out; a path begins with a dot or a slash."""
_HOST_PORT = lazy_pattern(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:%@]+)(?::[0-9]{0,5})?")
# RFC 1123 section 2.1: no top-level domain begins with a digit, so what looks like a number is no name.
_NAME = lazy_pattern(r"(?=.{1,253}\Z)(?:[a-z0-9_-]{1,63}\.)*(?=.{1,63}\Z)[a-z](?:[a-z0-9-]*[a-z0-9])?")
_LISTED = lazy_pattern(r"[^/?#]+:[0-9]{1,5}")


class Target(NamedTuple):
    """A URL that may be asked for, in parts; the request is built from these, never from the text that was given."""

    scheme: str
    host: str
    """ASCII, lower case, no trailing dot; an IPv6 address without brackets."""
    port: int
    path: str
    """Path and query, never empty."""
    url: str
    """Normalised, without fragment."""

    @property
    def authority(self) -> str:
        """Return the value of the Host header."""
        return _authority(self.scheme, self.host, self.port)


@frozen
class Policy:
    """The hosts and ports that the settings allow besides the public web."""

    allow_hosts: frozenset[tuple[str, int]] = frozenset()
    """Exact host and port; also opens a port that `ports` lacks."""
    ports: frozenset[int] = PORTS

    def lists(self, check_url: Target) -> bool:
        """Return whether the user named exactly this host and port."""
        return (check_url.host, check_url.port) in self.allow_hosts


def read_policy(net: NetSettings) -> Policy:
    """Read the policy from the settings.

    Raises:
        ConfigError: an entry of allow_hosts is not host:port, or a port is one that nobody may open.
    """
    listed = frozenset(_listed(entry) for entry in net.allow_hosts)
    for port in (*net.allow_ports, *(port for _, port in listed)):
        if port in BAD_PORTS or port > MAX_PORT:
            raise ConfigError(
                f"port {port} cannot be allowed, because it belongs to another protocol; web browsers refuse it, too",
                hint="remove the port from net.allow_ports and net.allow_hosts, and use another port",
            )
    return Policy(allow_hosts=listed, ports=PORTS | frozenset(net.allow_ports))


def check_url(url: str, read_policy: Policy, *, base: str | None = None) -> Target:
    """Decide whether `url`, taken relative to `base`, may be asked for, as far as its text tells.

    Raises:
        InvalidUrl: it is no http or https URL, or is written so that two parsers could read it differently.
        BlockedAddress: the host is a local name or an address that is not public, or the port is not open.
    """
    parsed = _read(url, base)
    if _address(parsed.host) is not None:
        check_address(parsed.host, parsed, read_policy)
    elif not read_policy.lists(parsed) and _is_local_name(parsed.host):
        raise BlockedAddress(f"{parsed.host} is a name of a local network or of a cloud service", url=parsed.url)
    _check_port(parsed, read_policy)
    return parsed


def parse_url(url: str) -> Target:
    """Return `url` in parts, whatever its host and port; nothing is permitted by that.

    Raises:
        InvalidUrl: as `check_url`.
    """
    return _read(url, None)


def check_address(address: str, check_url: Target, read_policy: Policy) -> str:
    """Return `address` in canonical form if it may be dialled for `check_url`.

    Raises:
        BlockedAddress: it is not public, and the settings do not list the target.
    """
    ip = _address(address)
    if ip is not None and (_is_public(ip) or (read_policy.lists(check_url) and _fits_listing(ip, check_url))):
        return str(ip)
    name = f"{address} is" if address == check_url.host else f"{check_url.host} resolves to {address[:60]!r}, which is"
    raise BlockedAddress(f"{name} not a public address", url=check_url.url)


def is_public(address: str) -> bool:
    """Return whether `address` is a public unicast address; False for anything that is no address."""
    ip = _address(address)
    return ip is not None and _is_public(ip)


# ------------------------------------------------------------------------------------------- addresses


@cached_calls(_CACHED_READINGS)
def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Read a strict literal: no zone, no short forms, no leading zeros (RFC 3986 section 3.2.2)."""
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None


def _within(address: IPv4Address | IPv6Address, ranges: Ranges) -> bool:
    number = _number(address)
    return any(first <= number <= last for first, last in ranges)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    tunnel = address.version == 6 and int(address) >> 32 & 0xFFFF_FFFF in ISATAP
    return _within(address, UNICAST) and not _within(address, SPECIAL) and not tunnel


def _fits_listing(address: IPv4Address | IPv6Address, check_url: Target) -> bool:
    """A listed literal is that address and no other; a listed name may be any private address."""
    if _address(check_url.host) is not None:
        return str(address) == check_url.host
    return _within(address, PRIVATE) and not _within(address, METADATA)


def _is_local_name(host: str) -> bool:
    return "." not in host or f".{host}".endswith(_LOCAL_SUFFIXES)


# ------------------------------------------------------------------------------------------------ URLs


@cached_calls(_CACHED_READINGS)
def _read(url: str, base: str | None) -> Target:
    """Parse by the WHATWG URL Standard, and refuse URLs that it would repair: the next parser may differ.

    Each step of a request asks about the same URL, and each call of the library lets go of the interpreter's lock.
    """
    for text in (url, base or ""):
        _check_characters(text)
    written = _written_host(url, relative=base is not None) or _written_host(base or "", relative=False)
    try:
        full_url = url
        if base is not None:
            # Relative to a base, the library forgets to say that a host is an address (ada-url 4.0): parsed twice.
            full_url = URL(url, base).href
        parsed = URL(full_url)
    except ValueError as error:
        raise _invalid(url, "has a host or a port that cannot be read") from error
    scheme = parsed.protocol.removesuffix(":")
    host = _host(parsed, written, url)
    port = int(parsed.port) if parsed.port else SCHEMES[scheme]
    path = parsed.pathname + parsed.search
    return Target(scheme, host, port, path, f"{scheme}://{_authority(scheme, host, port)}{path}")


def trim_url(url: str) -> str:
    """Return `url` without the remains of pasting: blanks, brackets or quotes around it, a Markdown link.

    For what a caller gives; the guard itself refuses blanks, which parsers treat in different ways.
    """
    text = url.strip(_BLANKS)
    link = _MARKDOWN_LINK.fullmatch(text[:MAX_URL_CHARS])
    if link is not None:
        return link[1]
    closing = _WRAPPERS.get(text[:1])
    if closing is not None and len(text) > 1 and text.endswith(closing):
        text = text[1:-1].strip(_BLANKS)
    return text


def _check_characters(text: str) -> None:
    if len(text) > MAX_URL_CHARS:
        raise _invalid(text, f"has {len(text):,} characters, and {MAX_URL_CHARS:,} is the limit")
    unsafe = _UNSAFE.search(text)
    if unsafe:
        hint = "percent-encode spaces (%20) and backslashes (%5C), and leave out control characters"
        raise _invalid(text, f"has the character U+{ord(unsafe[0]):04X}, which a URL cannot contain", hint)


def _completion(url: str) -> str | None:
    """Return the hint that completes a URL without a scheme; None for text that begins with no host."""
    if is_file_name(url):
        return f"this looks like the name of a file; if it is a host, write https://{_plain(url)}"
    if _NAMED.match(url):
        return f"write https://{_plain(url)}"
    return None


def _written_host(url: str, *, relative: bool) -> str:
    """Return the host as it is written, empty where a relative reference has none."""
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() not in SCHEMES:
        raise _invalid(url, "does not begin with http:// or https://")
    if not scheme and not relative:
        raise _invalid(url, "is not a full URL", _completion(url))
    remainder = url[scheme.end() :] if scheme else url
    if not scheme and not remainder.startswith("//"):
        return ""
    authority = _AUTHORITY.match(remainder)
    if authority is None:
        raise _invalid(url, "has no host after exactly two slashes")
    host = _HOST_PORT.fullmatch(authority[1])
    if host is None:
        hint = "leave out user names, passwords, zones and percent-encoding before the path"
        # A password with a slash in it: its first half stands here, without the @ by which it would be known.
        is_cut_password = "@" not in authority[1] and without_password(url) != url
        raise _invalid(url, f"has {'***' if is_cut_password else _shown(authority[1])} in place of host:port", hint)
    return host[1]


def _host(parsed: URL, written: str, url: str) -> str:
    """Return the parser's host, provided it is the one that was written."""
    host = parsed.hostname
    if parsed.host_type == HostType.IPV6:
        return str(IPv6Address(host[1:-1]))
    if parsed.host_type == HostType.IPV4:
        if host != written:
            kind = InvalidUrl if is_public(host) else BlockedAddress
            raise kind(f"{_shown(written)} is another form of {host}", url=_plain(url), hint=f"write {host}")
        return host
    # UTS 46 maps some characters to dots and drops others; as many labels must come out as went in.
    has_same_labels = host == written.lower() if written.isascii() else host.count(".") == written.count(".")
    is_numeric = written.rstrip(".").rpartition(".")[2].isnumeric()  # digits of scripts that UTS 46 leaves alone
    host = host.removesuffix(".")
    if not has_same_labels or is_numeric or not _NAME.fullmatch(host):
        raise _invalid(url, f"has the host {_shown(written)}, which cannot be a name on the web")
    return host


def _check_port(check_url: Target, read_policy: Policy) -> None:
    if check_url.port in BAD_PORTS:
        message, hint = "belongs to another protocol; web browsers refuse it, too", "use another port"
    elif check_url.port not in read_policy.ports and not read_policy.lists(check_url):
        message, hint = "is not allowed", f"to allow the port, add {check_url.port} to net.allow_ports"
    else:
        return
    raise BlockedAddress(f"port {check_url.port} of {check_url.host} {message}", url=check_url.url, hint=hint)


def _listed(entry: str) -> tuple[str, int]:
    try:
        if _LISTED.fullmatch(entry):
            parsed = _read(f"http://{entry}/", None)
            return parsed.host, parsed.port
    except RefusedError as error:
        raise ConfigError(f"net.allow_hosts: {error.message}") from error
    raise ConfigError(
        f"net.allow_hosts: {entry!r} is not host:port", hint="use HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000"
    )


def _authority(scheme: str, host: str, port: int) -> str:
    if ":" in host:
        host = f"[{host}]"
    if port == SCHEMES[scheme]:
        return host
    return f"{host}:{port}"


def _invalid(url: str, message: str, hint: str | None = None) -> InvalidUrl:
    return InvalidUrl(f"{_shown(url)} {message}", url=_plain(url), hint=hint)


def _shown(text: str) -> str:
    """Quote text from outside as it may be printed: short, and no control character reaches a terminal."""
    safe_text = without_password(text)
    return repr(safe_text if len(safe_text) <= MAX_SHOWN_CHARS else safe_text[:MAX_SHOWN_CHARS] + "...")


def _plain(url: str) -> str:
    return _shown(url)[1:-1]
