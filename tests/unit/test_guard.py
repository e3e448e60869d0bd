"""The guard's policy: which URLs and which addresses may be reached."""

from __future__ import annotations

import json
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.config import NetSettings
from wellread.errors import BlockedAddress, ConfigError, InvalidUrl, RefusedError
from wellread.net import guard
from wellread.net.guard import BAD_PORTS, Policy, Target, check_address, check_url, is_public

SECURITY = Path(__file__).parent.parent / "security"
DEFAULT = Policy()
HOP = "http://hop.example.com/to"
# What the text of a URL cannot tell: the namespace test follows these to their end.
TOLD_BY_THE_NETWORK = ("names of", "mixed", "aliases", "rebinding", "redirect twice", "redirect refresh", "robots")


def corpus(name: str) -> list[tuple[str, str]]:
    """Read (section, URL) pairs."""
    pairs: list[tuple[str, str]] = []
    section = ""
    for line in (SECURITY / name).read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            pairs.append((section, json.loads(line) if line.startswith('"') else line))
    return pairs


def base_of(section: str) -> str | None:
    return HOP if section.startswith("redirect") else None


# ------------------------------------------------------------------------------------- an oracle of its own


def public_4(number: int) -> bool:
    """Decide by octets, where the guard decides by ranges of integers."""
    a, b, c, d = number.to_bytes(4, "big")
    return not (
        a in {0, 10, 127}
        or a >= 224
        or (a == 100 and 64 <= b < 128)
        or (a == 169 and b == 254)
        or (a == 172 and b // 16 == 1)
        or (a == 198 and b in {18, 19})
        or (a, b) == (192, 168)
        or (a, b, c)
        in {(192, 0, 0), (192, 0, 2), (192, 31, 196), (192, 52, 193), (192, 88, 99), (192, 175, 48), (198, 51, 100)}
        or (a, b, c) == (203, 0, 113)
        or (a, b, c, d) == (168, 63, 129, 16)
    )


def public_6(number: int) -> bool:
    digits = f"{number:032x}"
    return (
        digits[0] in "23"
        and not (digits.startswith("2001") and digits[4:6] in {"00", "01"})
        and not digits.startswith(("20010db8", "2002", "3fff0"))
        and digits[16:24] not in {"00005efe", "02005efe"}
    )


EDGES_4 = [int(IPv4Address(text)) for text in ("0.0.0.0", "10.0.0.0", "127.0.0.1", "100.64.0.0", "169.254.169.254",
    "168.63.129.16", "172.16.0.0", "172.32.0.0", "192.0.0.192", "192.0.2.0", "192.88.99.0", "192.168.0.0",
    "198.18.0.0", "198.20.0.0", "198.51.100.0", "203.0.113.0", "224.0.0.0", "240.0.0.0",
    "255.255.255.255")]  # fmt: skip
EDGES_6 = [int(IPv6Address(text)) for text in ("::", "::1", "::ffff:7f00:1", "64:ff9b::a00:1", "64:ff9b:1::", "100::",
    "2000::", "2001::", "2001:200::", "2001:db8::", "2001:db9::", "2002:7f00:1::", "2003::", "3fff::", "3fff:1000::",
    "4000::", "fc00::", "fe80::", "fec0::", "ff02::1", "2606:4700::5efe:7f00:1")]  # fmt: skip


def near(edges: list[int], bits: int) -> st.SearchStrategy[int]:
    """Anything at all, or something close to where the answer changes."""
    close = st.builds(lambda edge, step: (edge + step) % 2**bits, st.sampled_from(edges), st.integers(-3, 3))
    return st.one_of(st.integers(0, 2**bits - 1), close)


numbers_4 = near(EDGES_4, 32)
# An IPv4 address in each place where IPv6 carries one, besides addresses of every other kind.
carried = st.builds(
    lambda number, place: place[0] | number << place[1],
    numbers_4,
    st.sampled_from([(0, 0), (0xFFFF << 32, 0), (0xFFFF << 48, 0), (0x64_FF9B << 96, 0), (0x64_FF9B_0001 << 80, 0),
        (0x2002 << 112, 80), (0x2001 << 112, 0), (0x2606_4700 << 96 | 0x5EFE << 32, 0)]),
)  # fmt: skip
numbers_6 = st.one_of(near(EDGES_6, 128), carried)


# ----------------------------------------------------------------------------------------------- private addresses


@settings(max_examples=500)
@given(numbers_4)
def test_private_ipv4_address_is_refused(number: int) -> None:
    """Property 1 of seed 001: a URL that leads to a private address is refused."""
    address = str(IPv4Address(number))
    assert is_public(address) == public_4(number)
    assert accepted(f"http://{address}/") == public_4(number)
    assert answered(address) == public_4(number)


@settings(max_examples=500)
@given(numbers_6)
def test_private_ipv6_address_is_refused(number: int) -> None:
    """Property 1 of seed 001: a URL that leads to a private address is refused."""
    address = str(IPv6Address(number))
    assert is_public(address) == public_6(number)
    assert accepted(f"http://[{address}]/") == public_6(number)
    assert answered(IPv6Address(number).exploded) == public_6(number)


WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")  # noqa: RUF001 - the point of it
radix = st.sampled_from(["{}", "{:#x}", "{:#X}", "0{:o}", "000{:o}", "0x000{:x}"])
odd_spellings = st.builds(
    lambda octets, count, forms, suffix, wide: spelled(octets, count, forms, suffix=suffix, wide=wide),
    numbers_4.map(lambda number: number.to_bytes(4, "big")),
    st.integers(1, 4),
    st.lists(radix, min_size=4, max_size=4),
    st.sampled_from(["", "."]),
    st.booleans(),
)


def spelled(octets: bytes, count: int, forms: list[str], *, suffix: str, wide: bool) -> str:
    """Write an address in 1 to 4 numbers, as inet_aton reads them."""
    parts = [*octets[: count - 1], int.from_bytes(octets[count - 1 :], "big")]
    host = ".".join(form.format(part) for form, part in zip(forms, parts, strict=False)) + suffix
    return host.translate(WIDE) if wide else host


@settings(max_examples=500)
@given(odd_spellings)
def test_private_address_in_any_spelling(host: str) -> None:
    """Property 1 of seed 001: a URL that leads to a private address is refused."""
    strict = host.isascii() and all(part.isdigit() and str(int(part)) == part for part in host.split("."))
    quad = strict and host.count(".") == 3
    assert accepted(f"http://{host}/") == (quad and public_4(int(IPv4Address(host))))


@settings(max_examples=300)
@given(
    st.text(max_size=40) | st.builds("http://{}{}".format, st.text(max_size=20), st.sampled_from(["", "/", ":80/x"]))
)
def test_accepted_url_has_one_reading(url: str) -> None:
    try:
        found = check_url(url, DEFAULT)
    except RefusedError:
        return
    assert all("!" <= char <= "~" for char in found.url + found.authority + found.path)
    assert found.path.startswith("/")
    assert found.url == f"{found.scheme}://{found.authority}{found.path}"
    assert check_url(found.url, DEFAULT) == found


def accepted(url: str) -> bool:
    try:
        check_url(url, DEFAULT)
    except RefusedError:
        return False
    return True


def answered(address: str, policy: Policy = DEFAULT, url: str = "http://name.example/") -> bool:
    """Say whether the guard lets an answer of the resolver pass."""
    try:
        check_address(address, check_url(url, policy), policy)
    except BlockedAddress:
        return False
    return True


# ------------------------------------------------------------------------------------------------ the corpora


def test_every_attack_that_its_text_gives_away_is_refused() -> None:
    attacks = [pair for pair in corpus("attacks.txt") if not pair[0].startswith(TOLD_BY_THE_NETWORK)]
    network = "evil.example"
    passed = [url for section, url in attacks if network not in url and _passes(url, base_of(section))]
    assert passed == []
    assert len(attacks) > 300


def test_every_honest_url_passes() -> None:
    honest = corpus("honest.txt")
    assert [url for section, url in honest if not _passes(url, base_of(section))] == []
    assert len(honest) > 50


def _passes(url: str, base: str | None) -> bool:
    try:
        check_url(url, DEFAULT, base=base)
    except RefusedError:
        return False
    return True


# --------------------------------------------------------------------------------------------------- parsing


def test_a_target_is_the_url_in_normalised_parts() -> None:
    found = check_url("HTTPS://Www.BÜCHER.example.:8443/a/../b c".replace(" ", "%20") + "?q=ä#part", DEFAULT)
    assert found == Target(
        "https",
        "www.xn--bcher-kva.example",
        8443,
        "/b%20c?q=%C3%A4",
        "https://www.xn--bcher-kva.example:8443/b%20c?q=%C3%A4",
    )
    assert found.authority == "www.xn--bcher-kva.example:8443"


@pytest.mark.parametrize(
    ("url", "authority", "host", "path"),
    [
        ("http://example.com", "example.com", "example.com", "/"),
        ("http://example.com:80?q", "example.com", "example.com", "/?q"),
        ("https://example.com:443/", "example.com", "example.com", "/"),
        ("https://example.com:80/", "example.com:80", "example.com", "/"),
        ("http://[2606:4700:0::1111]:8080/", "[2606:4700::1111]:8080", "2606:4700::1111", "/"),
    ],
)
def test_port_in_the_host_header(url: str, authority: str, host: str, path: str) -> None:
    found = check_url(url, DEFAULT)
    assert (found.authority, found.host, found.path) == (authority, host, path)


@pytest.mark.parametrize(
    ("place", "url"),
    [
        ("next", "http://example.com/a/next"),
        ("/x?y", "http://example.com/x?y"),
        ("?p=2", "http://example.com/a/b?p=2"),
        ("", "http://example.com/a/b"),
        ("//example.org/x", "http://example.org/x"),
        ("https://example.org/", "https://example.org/"),
    ],
)
def test_a_relative_reference_is_read_against_its_base(place: str, url: str) -> None:
    assert check_url(place, DEFAULT, base="http://example.com/a/b").url == url


@pytest.mark.parametrize("base", ["http://127.1/", "http://user@example.com/", "ftp://example.com/", "example.com"])
def test_a_base_is_checked_like_any_url(base: str) -> None:
    with pytest.raises(RefusedError):
        check_url("/x", DEFAULT, base=base)


@pytest.mark.parametrize(
    ("url", "error", "says", "hint"),
    [
        ("http://127.0.0.1/", BlockedAddress, "127.0.0.1 is not a public address", "net.allow_hosts"),
        ("http://0x7f.1/", BlockedAddress, "'0x7f.1' is another form of 127.0.0.1", "write 127.0.0.1"),
        ("http://010.8.8.8/", InvalidUrl, "'010.8.8.8' is another form of 8.8.8.8", "write 8.8.8.8"),
        (
            "http://example.com:22/",
            BlockedAddress,
            "port 22 of example.com belongs to another protocol",
            "use another port",
        ),
        (
            "http://example.com:81/",
            BlockedAddress,
            "port 81 of example.com is not allowed",
            "add 81 to net.allow_ports",
        ),
        ("http://nas.local/", BlockedAddress, "nas.local is a name of a local network", "net.allow_hosts"),
        ("example.com", InvalidUrl, "'example.com' is not a full URL", "write https://example.com"),
        ("ftp://example.com/", InvalidUrl, "does not begin with http:// or https://", "full URL"),
        ("http:///x", InvalidUrl, "has no host after exactly two slashes", "full URL"),
        ("http://me:pw@example.com/", InvalidUrl, "'***@example.com' in place of host:port", "passwords"),
        ("http://a b/", InvalidUrl, "has the character U+0020", "%20"),
        ("http://a..b/", InvalidUrl, "has the host 'a..b'", "full URL"),
        ("http://1.2.3.4.5/", InvalidUrl, "has a host or a port that cannot be read", "full URL"),
        ("http://example.com/" + "x" * 20_000, InvalidUrl, "has 20,019 characters, and 16,384 is the limit", ""),
    ],
)
def test_refusal_has_the_value_and_a_hint(url: str, error: type[RefusedError], says: str, hint: str) -> None:
    with pytest.raises(error) as caught:
        check_url(url, DEFAULT)
    assert says in caught.value.message
    assert hint in caught.value.hint
    assert len(caught.value.message) < 400


def test_control_characters_of_a_refused_url() -> None:
    with pytest.raises(InvalidUrl) as caught:
        check_url("http://example.com/\x1b[2J\ud800", DEFAULT)
    assert caught.value.message.isprintable()
    assert caught.value.url is not None
    assert caught.value.url.isprintable()


# --------------------------------------------------------------------------------------------------- answers


def test_a_refused_answer_names_the_host_and_the_address() -> None:
    asked = check_url("http://rebind.example/", DEFAULT)
    with pytest.raises(BlockedAddress, match=r"rebind\.example resolves to '10\.0\.0\.1', which is not a public"):
        check_address("10.0.0.1", asked, DEFAULT)


def test_a_public_answer_comes_back_in_canonical_form() -> None:
    asked = check_url("http://name.example/", DEFAULT)
    assert check_address("2606:4700:0:0::1111", asked, DEFAULT) == "2606:4700::1111"
    assert check_address("93.184.216.34", asked, DEFAULT) == "93.184.216.34"


@pytest.mark.parametrize(
    "junk", ["", "name.example", "1", "127.1", "0x7f.0.0.1", "8.8.8.8%lo", "2606:4700::1%eth0", "8.8.8.08"]
)
def test_what_is_no_strict_address_is_not_public(junk: str) -> None:
    assert not is_public(junk)
    assert not answered(junk)


# -------------------------------------------------------------------------------------------------- settings


def test_a_listed_address_is_reached_on_its_exact_port_only() -> None:
    policy = guard.read_policy(NetSettings(allow_hosts=("127.0.0.1:43210", "[::1]:8000")))
    assert check_url("http://127.0.0.1:43210/x", policy).port == 43_210
    assert check_url("http://[0::1]:8000/", policy).host == "::1"
    for url in (
        "http://127.0.0.1/",
        "http://127.0.0.1:8000/",
        "http://[::1]/",
        "http://127.0.0.2:43210/",
        "http://127.1:43210/",
    ):
        with pytest.raises(RefusedError):
            check_url(url, policy)


def test_a_listed_address_stands_for_no_other() -> None:
    policy = guard.read_policy(NetSettings(allow_hosts=("127.0.0.1:8000",)))
    assert answered("127.0.0.1", policy, "http://127.0.0.1:8000/")
    assert not answered("10.0.0.1", policy, "http://127.0.0.1:8000/")


def test_listed_name_of_private_and_link_local_addresses() -> None:
    policy = guard.read_policy(NetSettings(allow_hosts=("localhost:8000", "wiki.corp:80")))
    for address in ("127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "fd12::1", "100.64.0.1", "8.8.8.8"):
        assert answered(address, policy, "http://wiki.corp/")
        assert answered(address, policy, "http://localhost:8000/")
    for address in (
        "169.254.169.254",
        "100.100.100.200",
        "fd00:ec2::254",
        "fe80::1",
        "0.0.0.0",
        "::",
        "::7f00:1",
        "0.0.0.1",
    ):
        assert not answered(address, policy, "http://wiki.corp/")
    assert not answered("10.1.2.3", policy, "http://name.example/")


def test_listed_ports_open_and_ports_that_browsers_refuse_stay_shut() -> None:
    policy = guard.read_policy(NetSettings(allow_ports=(5000,)))
    assert check_url("http://example.com:5000/", policy).port == 5000
    assert check_url("http://example.com:8888/", policy).port == 8888
    assert guard.PORTS.isdisjoint(BAD_PORTS)
    for port in sorted(BAD_PORTS):
        with pytest.raises(BlockedAddress, match="belongs to another protocol"):
            check_url(
                f"http://example.com:{port}/",
                Policy(allow_hosts=frozenset({("example.com", port)}), ports=frozenset({port})),
            )


@pytest.mark.parametrize(
    "net",
    [
        NetSettings(allow_ports=(22,)),
        NetSettings(allow_ports=(70_000,)),
        NetSettings(allow_hosts=("127.0.0.1:6667",)),
        NetSettings(allow_hosts=("127.0.0.1",)),
        NetSettings(allow_hosts=("127.1:8000",)),
        NetSettings(allow_hosts=("http://127.0.0.1:8000",)),
        NetSettings(allow_hosts=("127.0.0.1:8000/x",)),
        NetSettings(allow_hosts=("::1:8000",)),
        NetSettings(allow_hosts=("10.0.0.0/8:80",)),
        NetSettings(allow_hosts=("*:80",)),
        NetSettings(allow_hosts=("user@localhost:80",)),
        NetSettings(allow_hosts=("localhost:99999",)),
    ],
)
def test_settings_that_open_too_much_or_cannot_be_read_are_refused(net: NetSettings) -> None:
    with pytest.raises(ConfigError, match=r"allow_hosts|cannot be allowed"):
        guard.read_policy(net)
