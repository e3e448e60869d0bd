"""Binds the sockets of a server: its address is taken before its libraries are loaded, or the error says why not."""

from __future__ import annotations

import errno
import os
import socket

from wellread.errors import ConfigError, reason_line

ServerSocket = socket.socket


def bound_sockets(host: str, port: int) -> list[ServerSocket]:
    """Return a socket bound to each address of `host`, those of IPv4 first; port 0 is any free one.

    Raises:
        ConfigError: no address can be taken.
    """
    sockets: list[ServerSocket] = []
    unavailable: OSError | None = None
    try:
        records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, protocol, _, address in sorted(dict.fromkeys(records), key=_ipv6_last):
            try:
                sockets.append(_bound(socket.socket(family, socket.SOCK_STREAM, protocol), address))
            except OSError as error:
                if error.errno not in _NO_FAMILY:
                    raise
                unavailable = error
        if unavailable is not None and not sockets:
            raise unavailable
    except OSError as error:
        close_all(sockets)
        raise cannot_listen(host, port, error) from error
    return sockets


_NO_FAMILY = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""A system without IPv6 may still have a name with an address of it, such as `localhost`."""


def _ipv6_last(record: tuple[object, ...]) -> bool:
    return record[0] == socket.AF_INET6


def _bound(unbound: ServerSocket, address: tuple[object, ...]) -> ServerSocket:
    try:
        if os.name == "posix":  # elsewhere it would let two servers have one port
            unbound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if unbound.family == socket.AF_INET6:
            unbound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        unbound.bind(address)
    except OSError:
        unbound.close()
        raise
    return unbound


def close_all(sockets: list[ServerSocket]) -> None:
    """Close sockets; those that are closed already stay so."""
    for bound in sockets:
        bound.close()


def cannot_listen(host: str, port: int, reason: OSError) -> ConfigError:
    """Return the error of an address that cannot be taken, for the reason that the system gives."""
    if reason.errno == errno.EADDRINUSE:
        cause, hint = "another program listens there", "choose another port with --port"
    elif reason.errno == errno.EACCES:
        cause, hint = "this user may not use the port", "choose a port above 1023 with --port"
    else:
        cause, hint = reason_line(reason), "name an address of this machine with --host"
    return ConfigError(f"cannot listen on {host}:{port}: {cause}", hint=hint)
