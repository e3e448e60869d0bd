"""Calls of PDFium that are made for every word and object of a page.

The functions of `pypdfium2.raw` convert each argument and let other threads run during each call, which takes longer
than the call. These take addresses as integers, and results are written into arrays of ours.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ADDRESS: Final = ctypes.c_void_p
_INT: Final = ctypes.c_int
_SIGNATURES: Final[dict[str, tuple[Any, ...]]] = {  # Any: ctypes types; the first is that of the result
    "FPDFText_CountChars": (_INT, _ADDRESS),
    "FPDFText_GetText": (_INT, _ADDRESS, _INT, _INT, _ADDRESS),
    "FPDFText_GetUnicode": (ctypes.c_uint, _ADDRESS, _INT),
    "FPDFText_GetTextObject": (_ADDRESS, _ADDRESS, _INT),
    "FPDFText_GetCharBox": (_INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFText_GetCharOrigin": (_INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS),
    "FPDFPage_CountObjects": (_INT, _ADDRESS),
    "FPDFPage_GetObject": (_ADDRESS, _ADDRESS, _INT),
    "FPDFFormObj_CountObjects": (_INT, _ADDRESS),
    "FPDFFormObj_GetObject": (_ADDRESS, _ADDRESS, ctypes.c_ulong),
    "FPDFPageObj_GetType": (_INT, _ADDRESS),
    "FPDFPageObj_GetMatrix": (_INT, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetBounds": (_INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetFillColor": (_INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFPageObj_HasTransparency": (_INT, _ADDRESS),
    "FPDFPageObj_GetClipPath": (_ADDRESS, _ADDRESS),
    "FPDFClipPath_CountPaths": (_INT, _ADDRESS),
    "FPDFPath_CountSegments": (_INT, _ADDRESS),
    "FPDFPath_GetDrawMode": (_INT, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFTextObj_GetFontSize": (_INT, _ADDRESS, _ADDRESS),
    "FPDFTextObj_GetTextRenderMode": (_INT, _ADDRESS),
}


@cache
def call(name: str) -> Callable[..., int]:
    """Return a function of PDFium that takes addresses as integers; an address that is null comes back as 0 or None."""
    import pypdfium2.raw as pdfium

    address = address_of(getattr(pdfium, name))
    function: Callable[..., int] = ctypes.PYFUNCTYPE(*_SIGNATURES[name])(address)
    return function


def address_of(pointer: Any) -> int:  # Any: a ctypes pointer or function
    """Return where a handle or a function of pypdfium2 is."""
    return ctypes.cast(pointer, _ADDRESS).value or 0
