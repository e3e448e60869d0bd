"""Pages of evasions.txt: a sentence hidden in ways that ask for the whole cascade, or shown in ways like them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from security.hiding import PLANTED, page

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKUP: Final = (
    '<section class=w id=s><h2 class=h>Cups</h2><p class="x y" id=i data-k="v one" lang=en>@</p><p class=z>Jugs</p>'
    "</section>"
)
_PAIRS: Final = (
    ("display:none", "display:block"),
    ("visibility:hidden", "visibility:visible"),
    ("font-size:0", "font-size:16px"),
)
_SENTENCE: Final = re.compile("@(?![a-z-])")
_HIDES: Final = re.compile(r"\bH\b")
_SHOWS: Final = re.compile(r"\bS\b")
_PAIRED: Final = ("cascade", "honest sheets")
"""Sections whose sheets are tried with each pair of declarations."""
_LONG: Final = (f".x{{{';' * 300}H}}", "x,".join(["q"] * 260) + ",.x{H}")


def _sections() -> Iterator[tuple[str, str]]:
    section = ""
    for line in (Path(__file__).parent / "evasions.txt").read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif line and not line.startswith("# "):
            yield section, line
    yield from (("selectors", line) for line in _LONG)


def evasions() -> Iterator[tuple[str, str]]:
    """Yield name and page for each way of hiding."""
    for section, line in _sections():
        if not section.startswith("honest"):
            yield from _pages(section, line)


def counterparts() -> Iterator[tuple[str, str]]:
    """Yield name and page for each way of showing."""
    for section, line in _sections():
        if section.startswith("honest"):
            yield from _pages(section, line)


def _pages(section: str, line: str) -> Iterator[tuple[str, str]]:
    kind = section.removeprefix("honest ")
    name = line[-90:]
    if kind == "whole":
        yield name, page(PLANTED.join(_SENTENCE.split(line)))
    elif kind == "inks":
        yield f"color:{name}", page(f"<p style='color:{line}'>{PLANTED}</p>")
        yield f".x{{color:{name}}}", _over_markup(f".x{{color:{line}}}")
    elif kind.startswith("styles"):
        quoted = line.replace("&", "&amp;").replace('"', "&quot;")
        yield name, page(f'<p style="{quoted}">{PLANTED}</p>')
        if kind == "styles":
            yield f".x{{{name}}}", page(f"<div class=x><p>{PLANTED}</p></div>", f"<style>.x{{{line}}}</style>")
    else:
        for hides, shows in _PAIRS if section in _PAIRED else _PAIRS[:1]:
            sheet = _SHOWS.sub(shows, _HIDES.sub(hides, line))
            yield f"{name} {hides}", _over_markup(sheet)


def _over_markup(sheet: str) -> str:
    return page(PLANTED.join(_SENTENCE.split(_MARKUP)), f"<style>{sheet}</style>")
