"""Sends webhooks that their receiver can verify: signed as Standard Webhooks asks, through the one client.

Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from wellread.errors import BlockedAddress, ConfigError, Upstream
from wellread.net import guard
from wellread.types import Request
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.config import NetSettings
    from wellread.ports import Clock, Fetcher

TIMEOUT_S: Final = 15.0


def signature(secret: Secret, message_id: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a message: `v1,` and the HMAC-SHA256 of id, time and body in base64."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(secret.reveal().encode(), signed, hashlib.sha256).digest()).decode()


def require_secret(secret: Secret | None) -> Secret:
    """Return the secret that webhooks are signed with.

    Raises:
        ConfigError: none is set.
    """
    if secret is None:
        raise ConfigError("webhooks are signed, and there is no secret for that", hint="set net.webhook_secret")
    return secret


def check_host(url: str, net: NetSettings, *, opened_hosts: tuple[str, ...]) -> None:
    """Refuse a webhook of a caller to a host that `net.allow_hosts` opens for reads and `opened_hosts` lacks.

    Raises:
        BlockedAddress: so it is.
        ConfigError: an entry of `opened_hosts` is not host:port.
        InvalidUrl: `url` is no http or https URL.
    """
    target = guard.parse_url(url)
    opened = guard.read_policy(replace(net, allow_hosts=opened_hosts))
    if guard.read_policy(net).lists(target) and not opened.lists(target):
        hint = "the owner of the server can name the host in server.webhook_hosts"
        raise BlockedAddress(f"webhooks may not be posted to {target.authority}", url=target.url, hint=hint)


def secret_of_caller(secret: Secret, caller: str) -> Secret:
    """Return the secret of one caller of a server, derived from the server's: no caller can sign as another."""
    digest = hmac.new(secret.reveal().encode(), f"caller:{caller}".encode(), hashlib.sha256).hexdigest()
    return Secret(digest)


async def send_webhook(
    fetcher: Fetcher,
    clock: Clock,
    url: str,
    message: Mapping[str, object],
    *,
    message_id: str,
    secret: Secret | None,
) -> None:
    """Post a message as JSON, once. The guard decides whether the address may be reached.

    `message_id` is the same for each attempt to send one message, so that a receiver can tell a repetition.

    Raises:
        ConfigError: `net.webhook_secret` is not set.
        RefusedError: the address may not be reached.
        UnavailableError: the receiver cannot be reached, or answers with another status than 2xx.
    """
    key = require_secret(secret)
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    timestamp = str(int(clock.now().timestamp()))
    headers = (
        ("Content-Type", "application/json"),
        ("webhook-id", message_id),
        ("webhook-timestamp", timestamp),
        ("webhook-signature", signature(key, message_id, timestamp, body)),
    )
    request = Request(
        url=url, method="POST", headers=headers, body=body, follow=False, resend_body=False, timeout_s=TIMEOUT_S
    )
    response = await fetcher.fetch(request)
    if not 200 <= response.status < 300:
        raise Upstream(f"the webhook {url} answered {response.status}", url=url, status=response.status)
