"""Refuses to serve without keys at an address that others can reach; loaded without the libraries of the server."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from wellread.sections import ServerSettings


def refuse_open(settings: ServerSettings) -> None:
    """Refuse to serve without keys on an interface that others can reach.

    Raises:
        ConfigError: not loopback, and neither keys nor an issuer.
    """
    if not settings.keys and not settings.issuer and not is_loopback(settings.host):
        raise ConfigError(
            f"server.host {settings.host} is reachable from other machines, but no keys are set",
            hint="create a key with `wellread serve --new-key NAME`, or listen on 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
