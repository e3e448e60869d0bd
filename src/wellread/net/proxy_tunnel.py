"""The handshakes that open a tunnel through a proxy: CONNECT (RFC 9110 section 9.3.6), SOCKS5 (RFC 1928, RFC 1929)."""

from __future__ import annotations

import logging
import re
from ipaddress import ip_address
from typing import TYPE_CHECKING

import anyio
import h11

from wellread.errors import ProxyFailed
from wellread.net.upstream_proxy import host_and_port

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anyio.abc import ByteStream

    from wellread.net.upstream_proxy import UpstreamProxy

_log = logging.getLogger(__name__)

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
            raise proxy_failure(proxy, "closed the connection") from error
        raise
    return stream


def forwarding_failure(proxy: UpstreamProxy, status: int, headers: Sequence[tuple[bytes, bytes]]) -> ProxyFailed | None:
    """Return the error for the answer of a proxy that forwards plain HTTP, or None if the server answers.

    A proxy that cannot reach the server says so in Proxy-Status (RFC 9209) or X-Squid-Error; without these its answer
    looks like one of the server.
    """
    fields = {name.lower(): value.decode("latin-1")[:200] for name, value in headers}
    if status == 407 or (status == 401 and _is_tinyproxy(proxy, fields)):
        return _credential_failure(proxy, status)
    squid_error = _SQUID_ERROR.match(fields.get(b"x-squid-error", ""))
    status_error = _STATUS_ERROR.search(fields.get(b"proxy-status", ""))
    reason = ""  # a word of the standard and no text, since a site can send these fields, too
    if squid_error is not None:
        reason = squid_error[0]
    if status_error is not None:
        reason = status_error[1]
    if status < 500 or not reason:
        return None
    return proxy_failure(proxy, f"cannot reach the server: {reason}", status=status)


def _is_tinyproxy(proxy: UpstreamProxy, fields: Mapping[bytes, str]) -> bool:
    """Return whether tinyproxy itself answers, which refuses a wrong credential by 401.

    The answer of a server behind it has Via (RFC 9110 section 7.6.3), also where that names tinyproxy as its software.
    """
    return bool(proxy.username) and fields.get(b"server", "").startswith("tinyproxy/") and b"via" not in fields


def proxy_failure(
    proxy: UpstreamProxy, text: str, *, detail: str = "", hint: str | None = None, status: int | None = None
) -> ProxyFailed:
    """Return the error of a proxy, and log it: "the proxy does not answer".

    Its address, and `detail`, are for the owner: they are in the log and in `owner_detail`, and not in the message,
    which callers of a server see.
    """
    failure = ProxyFailed(f"the proxy {text}", hint=hint, status=status)
    failure.owner_detail = proxy.authority
    if detail:
        failure.owner_detail += f": {detail}"
    _log.info("the proxy %s (%s)", text, failure.owner_detail)
    return failure


def _refusal(proxy: UpstreamProxy, status: int, target: str) -> ProxyFailed:
    if status in _CREDENTIAL_STATUSES:
        return _credential_failure(proxy, status)
    failure = proxy_failure(proxy, f"answers {status} for {target}", status=status)
    failure.retryable = status != 403
    return failure


def _credential_failure(proxy: UpstreamProxy, status: int | None = None) -> ProxyFailed:
    text = "does not accept the credential, or needs one"
    if status is not None:
        text += f" ({status})"
    failure = proxy_failure(proxy, text, hint=_CREDENTIAL_HINT, status=status)
    failure.retryable = False
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
            raise proxy_failure(proxy, "does not use HTTP")


async def _socks_handshake(stream: ByteStream, proxy: UpstreamProxy, host: str, port: int) -> None:
    methods = bytes([_NO_AUTHENTICATION, _PASSWORD][: 1 + bool(proxy.username)])
    await stream.send(bytes([_SOCKS, len(methods)]) + methods)
    version, method = await _exactly(stream, 2)
    if version != _SOCKS:
        raise proxy_failure(proxy, "does not use SOCKS5")
    if method not in methods:
        raise _credential_failure(proxy)
    if method == _PASSWORD:
        await _socks_sign_in(stream, proxy)
    await stream.send(bytes([_SOCKS, _CONNECT, 0]) + _socks_address(host) + port.to_bytes(2))
    _, reply, _, kind = await _exactly(stream, 4)
    if reply:
        reason = _SOCKS_FAILURES.get(reply, f"reply {reply}")
        raise proxy_failure(proxy, f"cannot connect to {host}: {reason}")
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
        raise _credential_failure(proxy)


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
