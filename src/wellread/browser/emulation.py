"""What the pages of one session are told about the device and its user: mobile, time zone, colours, language."""

from __future__ import annotations

import re
import zoneinfo
from typing import Any, Final, Literal, TypedDict

from wellread.errors import InvalidInput

ColorScheme = Literal["light", "dark"]


class Emulation(TypedDict, total=False):
    """Options of a session; what is left out is as the settings and the browser have it."""

    mobile: bool
    """A phone: a small window, touch, and the User-Agent header of Chrome on Android."""
    timezone: str | None
    """A name of the tz database, such as Europe/Oslo."""
    color_scheme: ColorScheme | None
    locale: str | None
    """A language tag (BCP 47), such as nb-NO."""


_LOCALE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
_PHONE_AGENT: Final = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36"
)


def emulated(emulation: Emulation, *, version: str) -> dict[str, Any]:  # Any: as the driver has its options
    """Return the driver's options of a context; `version` is that of the browser.

    Raises:
        InvalidInput: there is no such time zone, colour scheme or language.
    """
    options: dict[str, Any] = {}  # Any: the same
    if emulation.get("mobile"):
        options |= {**_PHONE, "user_agent": _PHONE_AGENT % version.partition(".")[0]}
    if timezone := emulation.get("timezone"):
        if timezone not in zoneinfo.available_timezones():
            raise InvalidInput(f"there is no time zone {timezone[:60]!r}", hint="use a name such as Europe/Oslo")
        options["timezone_id"] = timezone
    if color_scheme := emulation.get("color_scheme"):
        if color_scheme not in {"light", "dark"}:
            raise InvalidInput(f"{color_scheme[:60]!r} is not a colour scheme", hint="use light or dark")
        options["color_scheme"] = color_scheme
    if locale := emulation.get("locale"):
        if not _LOCALE.fullmatch(locale):
            raise InvalidInput(f"{locale[:60]!r} is not a language", hint="use a language tag such as nb-NO")
        options["locale"] = locale
    return options
