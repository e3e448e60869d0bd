"""Every failure of wellread, as one tree by the caller's next step.

    WellreadError
    ├─ ConfigError           fix the settings
    ├─ PluginError           fix or remove the plugin
    ├─ InvalidUsage          the command was used wrongly; see its help
    ├─ RefusedError          do not retry: the same request will always be refused
    │  ├─ InvalidUrl         not a URL that can be fetched
    │  ├─ InvalidCursor      the cursor is damaged, or its snapshot is gone
    │  ├─ InvalidInput       an argument or a file is not what it must be
    │  ├─ BlockedAddress     the address is not public
    │  ├─ Robots             the site's robots.txt forbids this page
    │  ├─ Budget             a limit of the caller is used up
    │  └─ Consent            the user has not agreed
    ├─ UnavailableError      retry later, or fix what the message names
    │  ├─ Timeout            the deadline passed
    │  ├─ Unreachable        no name, no route, no TLS, or the connection broke
    │  │  └─ ProxyFailed     the proxy of the settings does not answer, or refuses
    │  ├─ RateLimited        too many requests; wait for retry_after_s
    │  ├─ Upstream           the server failed; status is its HTTP status
    │  ├─ Auth               a key or a login is missing or wrong
    │  ├─ Quota              the plan is used up
    │  ├─ BrowserFailed      no browser, or it crashed or hung
    │  ├─ SharedStateFailed  the server of shared.url does not answer
    │  ├─ WrongReplica       the browser session is at another replica
    │  └─ Unrecorded         the recording being replayed lacks this URL
    └─ UnreadableError       read something else
       ├─ TooLarge           more bytes than the limit
       ├─ Unsupported        no extractor for this kind of content
       ├─ Challenge          a CAPTCHA or a bot check instead of the content
       ├─ Empty              nothing to read was found
       ├─ Gone               the page does not exist (404, 410)
       └─ RedirectLoop       redirects never end

Exit codes, HTTP status and MCP errors derive from `code` in one table in `wellread.apps.exit_codes`.
"""

from __future__ import annotations

import re
from typing import Literal, Self

_BEFORE_HOST = re.compile(r"\A(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2})?([^/?#]*)")
_QUOTATION = re.compile(r"b?['\"\u2018\u201c<\n]|bytearray")
_MAX_REASON_CHARS = 150
_HOST_PORT = re.compile(r"[^:@]*(?::[0-9]*)?")


def without_password(url: str) -> str:
    """Return `url` with `***` for its user name and password; any other text unchanged.

    A password may hold the very characters that end the host, so whatever could be one goes, up to the last @.
    """
    match = _BEFORE_HOST.match(url)
    at_sign = url.rfind("@")
    if match is None or at_sign < match.start(2) or _HOST_PORT.fullmatch(match[2]):
        return url
    return f"{url[: match.start(2)]}***{url[at_sign:]}"


def first_error(error: Exception) -> Exception:
    """Return the first of the errors that a group of tasks ended with."""
    return first_error(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


def without_quotations(message: str) -> str:
    """Return the message of a library up to where it quotes the file that it has read: names, tags and bytes.

    A file could speak in the voice of wellread by them.
    """
    return _QUOTATION.split(message, maxsplit=1)[0].strip(" :,(=")[:_MAX_REASON_CHARS]


SIMILAR_NAMES = "similar names: "
"""Begins a hint with names of the members of an archive, which are quoted where a model reads them."""


def reason_line(error: Exception) -> str:
    """Return the first line of the message of `error`, or of the driver's error in it; its class where it has none.

    An error of the system gives its sentence alone: `str` adds a number and a path, which the messages here name.
    """
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, FileExistsError):
        return "a file of this name exists"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return (str(cause).splitlines() or [type(cause).__name__])[0][:200]


class WellreadError(Exception):
    """The base of all failures, with a code, a message and a hint."""

    code = "error"
    retryable = False
    default_hint = ""
    owner_detail = ""
    """Addresses of the owner's network, and causes with them: for logs and the command line, not for callers."""

    def __init__(
        self, message: str, *, url: str | None = None, hint: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.url = url
        self.hint = self.default_hint if hint is None else hint
        if self.hint:
            self.add_note(f"Hint: {self.hint}")  # a line of the traceback (PEP 678)
        self.status = status
        """The HTTP status of the answer that failed, where there was one."""

    def fields(self) -> dict[str, object]:
        """Return the facts of the failure by name, as every interface and every output file has them."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "url": self.url,
            "retryable": self.retryable,
        }


class ConfigError(WellreadError):
    """A setting is unknown or has an invalid value."""

    code = "config"
    default_hint = "run `wellread config` to see every setting, its value and its source"


class PluginError(WellreadError):
    """A plugin could not be loaded or broke its contract."""

    code = "plugin"
    default_hint = "run `wellread doctor` to list the installed plugins"


class InvalidUsage(WellreadError):
    """A command was used wrongly: an unknown command or option, or an invalid value."""

    code = "usage"


class RefusedError(WellreadError):
    """The request is refused; the same request will always be refused."""

    code = "refused"


class InvalidUrl(RefusedError):
    """The text is not an http or https URL that can be fetched."""

    code = "invalid_url"
    default_hint = "use a full URL, such as https://example.com/page"


class InvalidCursor(RefusedError):
    """The cursor is damaged, or the snapshot it continues has been evicted."""

    code = "invalid_cursor"
    default_hint = "read the page again from the start, and use its new cursor"


class InvalidInput(RefusedError):
    """An argument or an input file is not valid."""

    code = "invalid_input"
    element_state: Literal["", "missing", "vanished"] = ""
    """Of an element of a page: nothing fits its words or selector, or it is no longer on the page."""


class BlockedAddress(RefusedError):
    """The target is, resolves to, or redirects to an address that is not public."""

    code = "blocked_address"
    default_hint = "to allow a private address, set net.allow_hosts=HOST:PORT"


class Robots(RefusedError):
    """The site's robots.txt forbids this page to agents."""

    code = "robots"
    default_hint = "if a person asked for this page, use --user-asked, or read(..., user_asked=True)"


class Budget(RefusedError):
    """A limit of the caller is used up."""

    code = "budget"


class Consent(RefusedError):
    """The user has not agreed to this action."""

    code = "consent"


class UnavailableError(WellreadError):
    """The operation is not possible now: try again later, or fix the cause in the message."""

    code = "unavailable"
    retryable = True

    def __init__(
        self,
        message: str,
        *,
        url: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        if hint is None and retry_after_s is not None:
            hint = f"try again in {retry_after_s:.0f} s"
        super().__init__(message, url=url, hint=hint, status=status)
        self.retry_after_s = retry_after_s
        """Seconds after which the server asks to be tried again, where it said so."""


class Timeout(UnavailableError):
    """The deadline passed before the work was done."""

    code = "timeout"
    default_hint = "raise fetch.timeout_s, or try again later"

    def __init__(
        self, message: str, *, url: str | None = None, hint: str | None = None, limit_s: float | None = None
    ) -> None:
        super().__init__(message, url=url, hint=hint)
        self.limit_s = limit_s
        """The limit that was passed, in seconds."""


class Unreachable(UnavailableError):
    """The name does not resolve, nothing answers there, TLS failed, or the connection broke."""

    code = "unreachable"
    default_hint = "check the spelling of the host, and the network connection"


class ProxyFailed(Unreachable):
    """The proxy of the settings does not answer, refuses the credential, or cannot reach the server."""

    code = "proxy"
    default_hint = "check net.proxy and net.proxies, and whether the proxy runs"

    def fields(self) -> dict[str, object]:
        """Return the facts of the failure, with the HTTP status of the proxy."""
        return super().fields() | {"status": self.status}


class RateLimited(UnavailableError):
    """The server asks for fewer requests; `retry_after_s` is its own figure where it gave one."""

    code = "rate_limited"

    def fields(self) -> dict[str, object]:
        """Return the facts of the failure, with the seconds to wait."""
        return super().fields() | {"retry_after_s": self.retry_after_s}


class Upstream(UnavailableError):
    """The server answered with a failure; `status` is its HTTP status, where there was one."""

    code = "upstream"

    def __init__(
        self,
        message: str,
        *,
        url: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, url=url, hint=hint, status=status, retry_after_s=retry_after_s)
        # RFC 9110 section 15: a 4xx answer stays the same until the request changes; 408 and 425 invite a retry, as
        # does a server that says when. 501 and 505 are about what it can do at all.
        fails_for_now = status is None or (status >= 500 and status not in {501, 505}) or status in {408, 425}
        self.retryable = fails_for_now or retry_after_s is not None

    def fields(self) -> dict[str, object]:
        """Return the facts of the failure, with the HTTP status."""
        return super().fields() | {"status": self.status}


class Auth(UnavailableError):
    """A key or a login is missing or was not accepted."""

    code = "auth"
    retryable = False


class Quota(UnavailableError):
    """The plan behind the key is used up."""

    code = "quota"
    retryable = False


class BrowserFailed(UnavailableError):
    """No browser could be started or reached, or it crashed or hung, also on a second try."""

    code = "browser_failed"
    default_hint = "run `wellread doctor` to see which browser is used"
    is_lost = False
    """Whether a browser that was started ended or hung, so that another one may do better."""


class SharedStateFailed(UnavailableError):
    """The server of `shared.url` does not answer, so that no pace, quota or lease can be kept."""

    code = "shared_state"
    default_hint = "check shared.url, and whether its server runs"


class WrongReplica(UnavailableError):
    """The browser session is at another replica of the service; `replica` is the name of that one."""

    code = "wrong_replica"
    retryable = False

    def __init__(self, message: str, *, url: str | None = None, hint: str | None = None, replica: str = "") -> None:
        super().__init__(message, url=url, hint=hint)
        self.replica = replica

    def fields(self) -> dict[str, object]:
        """Return the facts of the failure, with the name of the replica."""
        return super().fields() | {"replica": self.replica}


class Unrecorded(UnavailableError):
    """The recording being replayed has no answer for this URL."""

    code = "unrecorded"
    retryable = False
    default_hint = "read a recorded page; the command `wellread read URL --record FILE` records another one"


class UnreadableError(WellreadError):
    """The page was fetched, but cannot be read; read another page."""

    code = "unreadable"


class TooLarge(UnreadableError):
    """More bytes than the limit allows, on the wire, decoded, or in headers."""

    code = "too_large"
    default_hint = "raise fetch.max_bytes"

    def __init__(
        self, message: str, *, url: str | None = None, hint: str | None = None, limit_bytes: int | None = None
    ) -> None:
        super().__init__(message, url=url, hint=hint)
        self.limit_bytes = limit_bytes
        """The limit that was passed, in bytes, where it counts bytes."""


class Unsupported(UnreadableError):
    """No extractor reads this kind of content."""

    code = "unsupported"

    @classmethod
    def damaged(cls, name: str, kind: str, reason: object, *, url: str | None = None) -> Self:
        """Return the error for a damaged file: its name, the kind of file it should be, and the damage."""
        hint = "download the file again, or open it in the program that created it and save it again"
        if isinstance(reason, Exception):
            reason = without_quotations(str(reason)) or type(reason).__name__
        return cls(f"{name} is damaged ({kind}): {reason}", url=url, hint=hint)


class Challenge(UnreadableError):
    """A CAPTCHA, login wall or bot check stands before the content."""

    code = "challenge"
    default_hint = "open the page in a browser, or read another source"


class Empty(UnreadableError):
    """The page has no text that a person could read."""

    code = "empty"
    default_hint = "read another source, or open the page in a browser"
    scripted = False
    """Whether the page has scripts that may show something in a browser."""
    failed_requests = ""
    """The requests of the rendered page that failed, with hints; empty if none did."""


class Gone(UnreadableError):
    """The server says that the page does not exist (404 or 410), or an archive lacks the requested member."""

    code = "gone"
    default_hint = "check the address, or search for the new address of the page"


class RedirectLoop(UnreadableError):
    """The redirects never end: a loop, or more hops than the limit."""

    code = "redirect_loop"
