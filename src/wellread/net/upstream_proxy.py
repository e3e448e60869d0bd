"""The user's own proxy, behind ours: it gets CONNECT for addresses that the guard has checked, never for names."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import anyio
import h11

from wellread.errors import ConfigError, Unreachable

if TYPE_CHECKING:
    from anyio.abc import ByteStream

    from wellread.ports import Dialler, Resolver

_HINT = "use http://host:port or http://user:password@host:port"


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """The address of the user's proxy, and our credential for it."""

    host: str
    port: int
    credential: str | None = field(default=None, repr=False)
    """user:password."""


def parse_upstream(url: str) -> UpstreamProxy:
    """Read `http://user:password@host:port`.

    Raises:
        ConfigError: it is something else.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigError("browser.upstream is not a proxy address", hint=_HINT) from error
    if parts.scheme != "http" or not host or not port:
        raise ConfigError("browser.upstream is not a proxy address", hint=_HINT)
    if not parts.username:
        return UpstreamProxy(host, port)
    return UpstreamProxy(host, port, f"{unquote(parts.username)}:{unquote(parts.password or '')}")


async def through(proxy: UpstreamProxy, address: str, port: int, resolver: Resolver, dialler: Dialler) -> ByteStream:
    """Connect to the literal `address` by way of `proxy`, which the user chose and which no guard checks.

    Raises:
        Unreachable: the proxy does not answer, or will not connect.
    """
    try:
        addresses = await resolver.resolve(proxy.host, proxy.port)
        stream = await dialler.dial(addresses[0], proxy.port)
    except (OSError, IndexError) as error:
        raise Unreachable(f"the proxy {proxy.host} port {proxy.port} does not answer: {error}") from error
    try:
        await _ask(stream, proxy, f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
    except BaseException as error:
        await anyio.aclose_forcefully(stream)
        if isinstance(error, (OSError, anyio.BrokenResourceError, anyio.EndOfStream, h11.ProtocolError)):
            raise Unreachable(f"the proxy {proxy.host} port {proxy.port} closed the connection") from error
        raise
    return stream


async def _ask(stream: ByteStream, proxy: UpstreamProxy, authority: str) -> None:
    headers = [("Host", authority)]
    if proxy.credential:
        headers.append(("Proxy-Authorization", "Basic " + base64.b64encode(proxy.credential.encode()).decode()))
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
            raise Unreachable(f"the proxy {proxy.host} port {proxy.port} answers {event.status_code} for {authority}")
        elif not isinstance(event, h11.InformationalResponse):
            raise Unreachable(f"the proxy {proxy.host} port {proxy.port} does not use HTTP")
