"""Calls of PDFium that are made for every word and object of a page.

The functions of `pypdfium2.raw` convert each argument to its declared type and let other threads run during each call,
which takes longer than the call. The functions of `call` take addresses as integers. Those of `batch_call` declare no
types at all: ctypes passes an integer as a C int and a `pointer` as it is, and `ResultTable` makes the pointers to
results once per process. FPDFText_GetCharBox takes .31 us so, and .71 us by `call` (CPython 3.11).
"""

from __future__ import annotations

import ctypes
import math
from collections import deque
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import DTypeLike, NDArray

    Pointer = Any  # the type that ctypes passes without a conversion has no public name

_ADDRESS: Final = ctypes.c_void_p
_INT: Final = ctypes.c_int
_SIGNATURES: Final[dict[str, tuple[Any, ...]]] = {  # Any: ctypes types; the first is that of the result
    "FPDFText_CountChars": (_INT, _ADDRESS),
    "FPDFText_GetText": (_INT, _ADDRESS, _INT, _INT, _ADDRESS),
    "FPDFText_GetUnicode": (ctypes.c_uint, _ADDRESS, _INT),
    "FPDFPage_CountObjects": (_INT, _ADDRESS),
    "FPDFFormObj_CountObjects": (_INT, _ADDRESS),
    "FPDFFormObj_GetObject": (_ADDRESS, _ADDRESS, ctypes.c_ulong),
    "FPDFPageObj_HasTransparency": (_INT, _ADDRESS),
    "FPDFPageObj_GetClipPath": (_ADDRESS, _ADDRESS),
    "FPDFClipPath_CountPaths": (_INT, _ADDRESS),
    "FPDFPath_CountSegments": (_INT, _ADDRESS),
    "FPDFPath_GetDrawMode": (_INT, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFFont_GetFlags": (_INT, _ADDRESS),
    "FPDFFont_GetBaseFontName": (ctypes.c_size_t, _ADDRESS, _ADDRESS, ctypes.c_size_t),
}
_BATCH_RESULTS: Final[dict[str, Any]] = {  # Any: ctypes types; arguments are integers of C and pointers only
    "FPDFText_GetTextObject": _ADDRESS,
    "FPDFText_GetCharBox": _INT,
    "FPDFText_GetCharOrigin": _INT,
    "FPDFText_HasUnicodeMapError": _INT,
    "FPDFPage_GetObject": _ADDRESS,
    "FPDFPageObj_GetType": _INT,
    "FPDFPageObj_GetMatrix": _INT,
    "FPDFPageObj_GetBounds": _INT,
    "FPDFPageObj_GetFillColor": _INT,
    "FPDFTextObj_GetFontSize": _INT,
    "FPDFTextObj_GetTextRenderMode": _INT,
    "FPDFTextObj_GetFont": _ADDRESS,
}
ANYWHERE: Final = (-math.inf, -math.inf, math.inf, math.inf)
_RESULTS: Final[dict[str, tuple[tuple[float, ...], DTypeLike, bool]]] = {
    "FPDFText_GetCharBox": ((0.0, 0.0, 0.0, 0.0), np.float64, False),
    "FPDFText_GetCharOrigin": ((0.0, 0.0), np.float64, False),
    "FPDFPageObj_GetMatrix": ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), np.float32, True),
    "FPDFPageObj_GetBounds": (ANYWHERE, np.float32, False),
    "FPDFPageObj_GetFillColor": ((0, 0, 0, 255), np.uint32, False),
    "FPDFTextObj_GetFontSize": ((0.0,), np.float32, False),
}
"""The row of a failed call, the type of its fields, and whether they are one struct."""
_BATCH: Final = 1_024
"""Rows of a table; more are read in turns."""

pointer: Callable[[int], Pointer] = _ADDRESS.from_param
"""Return an address in the form that functions of `batch_call` take."""


@cache
def call(name: str) -> Callable[..., int]:
    """Return a function of PDFium that takes addresses as integers; a null address is returned as 0 or None."""
    function: Callable[..., int] = ctypes.PYFUNCTYPE(*_SIGNATURES[name])(_function_address(name))
    return function


@cache
def batch_call(name: str) -> Callable[..., int | None]:
    """Return a function of PDFium that takes C integers and pointers only; null comes back as None."""
    function: Callable[..., int | None] = ctypes.PYFUNCTYPE(_BATCH_RESULTS[name])(_function_address(name))
    return function


def _function_address(name: str) -> int:
    import pypdfium2.raw as pdfium

    return address_of(getattr(pdfium, name))


def address_of(handle: Any) -> int:  # Any: a ctypes pointer or function
    """Return the address of a handle or a function of pypdfium2."""
    return _ADDRESS.from_buffer(handle).value or 0  # ctypes.cast would make a ring of references


class ResultTable:
    """A table for the results of a function of PDFium, a row for each call."""

    def __init__(self, name: str, default: Sequence[float], dtype: DTypeLike, *, is_struct: bool = False) -> None:
        """Make the pointers to all fields, or to the beginning of each row if the function fills a struct.

        `default` is the row of a failed call.
        """
        self._function = batch_call(name)
        self._default = np.array(default, dtype)
        self._rows: NDArray[Any] = np.empty((_BATCH, len(default)), dtype)  # Any: floats or integers
        row_bytes, field_bytes = self._rows.strides
        first = self._rows.ctypes.data
        starts = range(first, first + _BATCH * row_bytes, row_bytes)
        fields = range(1 if is_struct else len(default))
        self._pointers = [[pointer(start + field * field_bytes) for start in starts] for field in fields]

    def filled(self, *arguments: Iterable[Any], count: int) -> NDArray[np.float64]:  # Any: integers and pointers
        """Call the function with each of `count` tuples of arguments; return a row of its results for each."""
        batches = []
        iterators = [iter(argument) for argument in arguments]
        for start in range(0, count, _BATCH):
            size = min(_BATCH, count - start)
            self._rows[:size] = self._default
            deque(map(self._function, *(islice(iterator, size) for iterator in iterators), *self._pointers), maxlen=0)
            batches.append(self._rows[:size].astype(np.float64))
        if len(batches) == 1:
            return batches[0]
        return np.concatenate([np.empty((0, len(self._default))), *batches])


@cache
def result_table(name: str) -> ResultTable:
    """Return the table of a function, which is made once: callers hold the lock that guards PDFium."""
    default, dtype, is_struct = _RESULTS[name]
    return ResultTable(name, default, dtype, is_struct=is_struct)
