"""The handshakes that open a tunnel through a proxy: CONNECT (RFC 9110 section 9.3.6), SOCKS5 (RFC 1928, RFC 1929)."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING

import anyio
import h11

from wellread.errors import ProxyFailed
from wellread.net.upstream_proxy import host_and_port

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import ByteStream

    from wellread.net.upstream_proxy import UpstreamProxy

_BROKEN = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, h11.ProtocolError)
_CREDENTIAL_HINT = "check the user name and password in the address of the proxy"
_CREDENTIAL_STATUSES = frozenset({401, 407})
"""tinyproxy answers 401 for a wrong password, where RFC 9110 has 407."""
_SOCKS, _NO_AUTHENTICATION, _PASSWORD, _CONNECT = 5, 0, 2, 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_SQUID_ERROR = re.compile(r"ERR_[A-Z_]{1,40}\b")
_STATUS_ERROR = re.compile(r"\berror=([a-z_]{1,40})\b")
_SOCKS_FAILURES = {
    1: "it failed",
    2: "its rules forbid this host",
    3: "the network is unreachable",
    4: "the host is unreachable, or has no address",
    5: "the host refused the connection",
    6: "the connection timed out",
    7: "it opens no connections",
    8: "it does not take this kind of address",
}
"""RFC 1928 section 6."""


async def open_tunnel(stream: ByteStream, proxy: UpstreamProxy, host: str, port: int) -> ByteStream:
    """Open a tunnel to `host` over a connection to `proxy`; the connection is closed where that fails.

    Raises:
        ProxyFailed: the proxy refuses, or breaks off.
    """
    try:
        if proxy.speaks_socks:
            await _socks_handshake(stream, proxy, host, port)
        else:
            await _connect_handshake(stream, proxy, host_and_port(host, port))
    except BaseException as error:
        await anyio.aclose_forcefully(stream)
        if isinstance(error, _BROKEN):
            raise ProxyFailed(f"the proxy {proxy.authority} closed the connection") from error
        raise
    return stream


def forwarding_failure(proxy: UpstreamProxy, status: int, headers: Sequence[tuple[bytes, bytes]]) -> ProxyFailed | None:
    """Return the error for the answer of a proxy that forwards plain HTTP, or None if the server answers.

    A proxy that cannot reach the server says so in Proxy-Status (RFC 9209) or X-Squid-Error; without these its answer
    looks like one of the server.
    """
    if status == 407:
        return _refusal(proxy, status, "the request")
    fields = {name.lower(): value.decode("latin-1")[:200] for name, value in headers}
    squid_error = _SQUID_ERROR.match(fields.get(b"x-squid-error", ""))
    status_error = _STATUS_ERROR.search(fields.get(b"proxy-status", ""))
    reason = ""  # a word of the standard and no text, since a site can send these fields, too
    if squid_error is not None:
        reason = squid_error[0]
    if status_error is not None:
        reason = status_error[1]
    if status < 500 or not reason:
        return None
    return ProxyFailed(f"the proxy {proxy.authority} cannot reach the server: {reason}", status=status)


def _refusal(proxy: UpstreamProxy, status: int, what: str) -> ProxyFailed:
    failure = ProxyFailed(f"the proxy {proxy.authority} answers {status} for {what}", status=status)
    if status in _CREDENTIAL_STATUSES:
        failure = ProxyFailed(
            f"the proxy {proxy.authority} does not accept the credential, or needs one ({status})",
            status=status,
            hint=_CREDENTIAL_HINT,
        )
    failure.retryable = status not in {403, *_CREDENTIAL_STATUSES}
    return failure


async def _connect_handshake(stream: ByteStream, proxy: UpstreamProxy, authority: str) -> None:
    headers = [(b"Host", authority.encode("ascii")), *proxy.authorization]
    client = h11.Connection(h11.CLIENT)
    await stream.send(client.send(h11.Request(method="CONNECT", target=authority, headers=headers)) or b"")
    client.send(h11.EndOfMessage())
    while True:
        event = client.next_event()
        if event is h11.NEED_DATA:
            client.receive_data(await stream.receive(65_536))
        elif isinstance(event, h11.Response):
            if 200 <= event.status_code < 300:
                return
            raise _refusal(proxy, event.status_code, authority)
        elif not isinstance(event, h11.InformationalResponse):
            raise ProxyFailed(f"the proxy {proxy.authority} does not use HTTP")


async def _socks_handshake(stream: ByteStream, proxy: UpstreamProxy, host: str, port: int) -> None:
    methods = bytes([_NO_AUTHENTICATION, _PASSWORD][: 1 + bool(proxy.username)])
    await stream.send(bytes([_SOCKS, len(methods)]) + methods)
    version, method = await _exactly(stream, 2)
    if version != _SOCKS:
        raise ProxyFailed(f"the proxy {proxy.authority} does not use SOCKS5")
    if method not in methods:
        raise _socks_credential_failure(proxy)
    if method == _PASSWORD:
        await _socks_sign_in(stream, proxy)
    await stream.send(bytes([_SOCKS, _CONNECT, 0]) + _socks_address(host) + port.to_bytes(2))
    _, reply, _, kind = await _exactly(stream, 4)
    if reply:
        reason = _SOCKS_FAILURES.get(reply, f"reply {reply}")
        raise ProxyFailed(f"the proxy {proxy.authority} cannot connect to {host}: {reason}")
    length = {_IPV4: 4, _IPV6: 16}.get(kind)
    if length is None:
        length = (await _exactly(stream, 1))[0]
    await _exactly(stream, length + 2)


async def _socks_sign_in(stream: ByteStream, proxy: UpstreamProxy) -> None:
    """Send user name and password (RFC 1929)."""
    parts = [proxy.username.encode(), proxy.password.encode()]
    await stream.send(b"\x01" + b"".join(bytes([len(part)]) + part for part in parts))
    _, status = await _exactly(stream, 2)
    if status:
        raise _socks_credential_failure(proxy)


def _socks_credential_failure(proxy: UpstreamProxy) -> ProxyFailed:
    failure = ProxyFailed(
        f"the proxy {proxy.authority} does not accept the credential, or needs one", hint=_CREDENTIAL_HINT
    )
    failure.retryable = False
    return failure


def _socks_address(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        return bytes([_NAME, len(name)]) + name
    return bytes([{4: _IPV4, 6: _IPV6}[address.version]]) + address.packed


async def _exactly(stream: ByteStream, count: int) -> bytes:
    """Receive so many bytes and no more: what follows belongs to the tunnel."""
    received = b""
    while len(received) < count:
        received += await stream.receive(count - len(received))
    return received
