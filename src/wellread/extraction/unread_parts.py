"""Writes notices of a document's parts that are not text: pictures, charts, embedded objects; each is counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PICTURE: Final = "picture"
MEDIA: Final = "film or sound"
CHART: Final = "chart"
_PICTURES: Final = frozenset({PICTURE, MEDIA})


def notices(counts: Mapping[str, int]) -> Iterator[Notice]:
    """Yield a notice for pictures, films and sounds, one for charts, and one for all else. `counts` is by kind."""
    pictures = {kind: count for kind, count in counts.items() if kind in _PICTURES and count}
    objects = {kind: count for kind, count in counts.items() if kind not in _PICTURES and kind != CHART and count}
    if pictures:
        detail = f"not read, except alternative texts: {_listed(pictures)}"
        yield Notice("pictures_left_out", detail, sum(pictures.values()))
    if counts.get(CHART):
        yield Notice("charts_left_out", "charts are not read, except their titles", counts[CHART])
    if objects:
        detail = f"parts without text that can be read were left out: {_listed(objects)}"
        yield Notice("objects_left_out", detail, sum(objects.values()))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in sorted(counts.items()))
