"""TLS: which certificates are trusted, and what a connection that fails says."""

from __future__ import annotations

import os
import socket
import ssl
from typing import TYPE_CHECKING

import httpcore2

from wellread.errors import ConfigError, Unreachable

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.config import NetSettings


def trust(ca_file: Path | None) -> ssl.SSLContext:
    """Return the TLS context of connections: it trusts the system's store, or the certificates in `ca_file`.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        if ca_file is None:
            return httpcore2.default_ssl_context()
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:
        source = ca_file or "the system's store"
        hint = "net.ca_file, or the variable SSL_CERT_FILE, must name a file of PEM certificates"
        raise ConfigError(f"no certificates can be read from {source}: {failure_reason(error)}", hint=hint) from error


def trusted_certificates(net: NetSettings) -> int:
    """Count the authorities that connections will trust; none means that no TLS connection can be made.

    Raises:
        ConfigError: net.ca_file cannot be read.
    """
    return trust(net.ca_file).cert_store_stats()["x509_ca"]


def tls_failure(host: str | None, error: BaseException) -> Unreachable:
    """Return the error for a TLS handshake with `host` that failed."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return Unreachable(f"no TLS connection to {host}: {failure_reason(error)}")
    failure = Unreachable(
        f"the certificate of {host} is not trusted: {error.verify_message}",
        hint="if you trust the certificate, add its issuer to the file of net.ca_file",
    )
    failure.retryable = False
    return failure


def failure_reason(error: BaseException) -> str:
    """Return the system's own reason: `All connection attempts failed` hides it in its cause."""
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    if isinstance(cause, OSError) and cause.errno and not isinstance(cause, (ssl.SSLError, socket.gaierror)):
        return os.strerror(cause.errno)
    silent = "no answer in time" if isinstance(cause, TimeoutError) else "the other side closed the connection"
    return getattr(cause, "strerror", None) or str(cause) or silent
