"""Compares host names with domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def is_within(host: str, domains: Iterable[str]) -> bool:
    """Return whether a host is one of the domains or a subdomain of one: `evilgoogle.com` is not within google.com."""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
