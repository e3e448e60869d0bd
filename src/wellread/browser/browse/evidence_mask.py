"""Masks secrets in the evidence of a session: in URLs, header fields, console messages and page texts."""

from __future__ import annotations

import json
import re
from typing import Final
from urllib.parse import quote, quote_plus, unquote

from wellread.errors import without_password
from wellread.net.recording import SECRET

MASK: Final = "***"
MIN_SECRET_CHARS: Final = 4
"""Shorter texts occur by chance, so they are masked only as the value of a parameter."""
_PARAMETER: Final = re.compile(r"([?&#;])([^?=&#;\s\"'<>]{1,100})=([^&#;\s\"'<>]+)")
_JSON_FIELD: Final = re.compile(r'"([^"\\]{1,60})"(\s{0,3}:\s{0,3})"((?:[^"\\]|\\.)+)"')
_AUTHORIZATION: Final = re.compile(r"\b(Bearer|Basic)(\s{1,3})[\w.~+/=-]{8,}", re.IGNORECASE)
_URL: Final = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_SECRET_PARAMETERS: Final = frozenset(
    {"code", "otp", "pass", "passwd", "passphrase", "pin", "pwd", "sid", "sig", "ticket", "jwt"}
    | {"cvv", "cvc", "phpsessid", "jsessionid", "sessid", "xsrf", "csrf", "xsrf-token", "csrf-token", "csrftoken"}
    | {"assertion", "samlresponse", "samlrequest", "state", "nonce"}
)
"""Names that SECRET does not match: of OAuth 2.0, SAML and signed URLs, and short forms of "password"."""


def is_secret_name(name: str) -> bool:
    """Return whether the value of a header field or a parameter of this name may be a secret."""
    plain_name = unquote(name).lower()
    return plain_name in _SECRET_PARAMETERS or SECRET.search(plain_name) is not None


class EvidenceMask:
    """Replaces secrets by `***`: values of parameters with such names, and texts that were typed into masked fields."""

    def __init__(self) -> None:
        """Begin without typed secrets."""
        self.secrets: set[str] = set()
        self._spellings: tuple[str, ...] = ()
        """Of all secrets, the longest first."""

    def add(self, text: str) -> None:
        """Mask a secret from now on, also percent-encoded and as JSON has it."""
        if len(text) < MIN_SECRET_CHARS:
            return
        self.secrets.add(text)
        spellings = {text, quote(text, safe=""), quote(text), quote_plus(text), json.dumps(text)[1:-1]}
        self._spellings = tuple(sorted({*self._spellings, *spellings}, key=len, reverse=True))

    def masked(self, text: str) -> str:
        """Return `text` without secrets."""
        for secret in self._spellings:
            text = text.replace(secret, MASK)
        text = _URL.sub(lambda match: without_password(match[0]), text)
        text = _PARAMETER.sub(_masked_parameter, text)
        text = _JSON_FIELD.sub(_masked_field, text)
        return _AUTHORIZATION.sub(rf"\1\2{MASK}", text)

    def masked_value(self, name: str, text: str) -> str:
        """Return the value of a header field or a parameter without secrets."""
        if is_secret_name(name):
            return MASK
        return self.masked(text)


def _masked_parameter(match: re.Match[str]) -> str:
    if not is_secret_name(match[2]):
        return match[0]
    return f"{match[1]}{match[2]}={MASK}"


def _masked_field(match: re.Match[str]) -> str:
    if not is_secret_name(match[1]):
        return match[0]
    return f'"{match[1]}"{match[2]}"{MASK}"'
