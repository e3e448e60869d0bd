"""Figures about the source that may only fall, and the command that stores lower ones.

    PYTHONPATH=src:tests python -m architecture.ratchets [--raise]     (or `make ratchets`)

For each top-level package of `src/wellread` (modules beside the packages are `(top)`):

- `empty_names_percent`: of all names that are bound (assignments, loops, `with`, `as`, parameters), the share that is
  one of EMPTY; as a part of a longer name (`found_pages`) such a word does not count
- `conditionals_per_1000_lines`: conditional expressions (`a if b else c`) per 1,000 lines

For the whole: class names and module names that are defined in more than one file.

The stored figures are in ratchets.toml, one to a line. Git merges that file by union (.gitattributes), so that two
branches never conflict in it; where a merge leaves a figure twice, the lower one counts, because figures only fall.

Tolerance: a share moves when unrelated lines come or go, so a package may have MARGIN of its stored figure, or one
finding, more than is stored before the test fails, and twice that less before the test asks to store the lower figure.
This cannot accumulate, because the stored figure never rises by itself. Counts rise by none.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from architecture.sources import ROOT, modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from architecture.sources import Module

STORE = ROOT / "tests" / "architecture" / "ratchets.toml"
COMMAND = "make ratchets"
EMPTY = {
    "told", "said", "one", "ones", "kept", "found", "seen", "given", "asked", "wanted", "it", "each", "thing", "made",
    "whole", "rest", "left", "held", "known", "own",
}  # fmt: skip
MARGIN = 0.01
NEW_PACKAGE = {"empty_names_percent": 0.3, "conditionals_per_1000_lines": 12.0}
"""What a package without a stored figure may have: the most of the projects in which the figures were measured."""

HEADER = f"""\
# Figures that may only fall (ratchets.py says what they are). Lower them with `{COMMAND}`, also after a merge.
"""


@dataclass(frozen=True)
class Figure:
    """A number of findings, and for a share the number of things they were found in, per `scale`."""

    findings: int
    size: int = 0
    scale: int = 0

    @property
    def rate(self) -> float:
        """The figure as it is stored, rounded up to one decimal."""
        if not self.scale:
            return self.findings
        return math.ceil(10 * self.scale * self.findings / max(self.size, 1)) / 10

    def findings_at(self, rate: float) -> float:
        """Return how many findings the stored figure `rate` allows at the present size."""
        return rate * self.size / self.scale if self.scale else rate

    def margin(self, rate: float) -> float:
        """Return how many findings more than `rate` allows are tolerated."""
        return max(1.0, MARGIN * self.findings_at(rate)) if self.scale else 0.0


# ---------------------------------------------------------------------------------------------- measure


def measure(source: Iterable[Module]) -> dict[str, Figure]:
    """Return every figure by its key in ratchets.toml."""
    packages: defaultdict[str, list[Module]] = defaultdict(list)
    for module in source:
        packages[_package(module)].append(module)
    figures: dict[str, Figure] = {}
    for package, members in sorted(packages.items()):
        figures |= _package_figures(package, members)
    everything = [module for members in packages.values() for module in members]
    return figures | {
        "whole.class_names_with_several_homes": Figure(len(_several_homes(_classes(everything)))),
        "whole.module_names_with_several_homes": Figure(len(_several_homes(_stems(everything)))),
    }


def _package(module: Module) -> str:
    """Return the top-level package: src/wellread/net/guard.py -> net, src/wellread/types.py -> (top)."""
    package, slash, _ = module.path.removeprefix("src/wellread/").partition("/")
    return package if slash else "(top)"


def _package_figures(package: str, members: list[Module]) -> dict[str, Figure]:
    names = [name for module in members for name in bound_names(module)]
    empty = sum(1 for name in names if name.strip("_") in EMPTY)
    lines = sum(len(module.lines) for module in members)
    conditionals = sum(isinstance(node, ast.IfExp) for module in members for node in module.nodes)
    return {
        f'"{package}".empty_names_percent': Figure(empty, len(names), 100),
        f'"{package}".conditionals_per_1000_lines': Figure(conditionals, lines, 1000),
    }


def bound_names(module: Module) -> list[str]:
    """Return every name that is bound in `module`, once for each place that binds it."""
    names = []
    for node in module.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            names.append(node.name)
    return names


def _classes(source: Iterable[Module]) -> Iterable[tuple[str, str]]:
    for module in source:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                yield node.name.lstrip("_"), module.path


def _stems(source: Iterable[Module]) -> Iterable[tuple[str, str]]:
    for module in source:
        stem = module.path.rpartition("/")[2].removesuffix(".py")
        if stem not in {"__init__", "__main__"}:
            yield stem, module.path


def _several_homes(homes: Iterable[tuple[str, str]]) -> list[str]:
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for name, path in homes:
        paths[name].add(path)
    return [name for name, files in paths.items() if len(files) > 1]


# ---------------------------------------------------------------------------------------------- compare


def findings(figures: Mapping[str, Figure], stored: Mapping[str, float]) -> list[str]:
    """Return a sentence for each figure that has risen, or that has fallen without being stored."""
    changes = [_change(key, figure, _bound(key, stored), stored=key in stored) for key, figure in figures.items()]
    gone = [
        f"{key} is stored, but its package is gone: run `{COMMAND}`" for key in sorted(stored.keys() - figures.keys())
    ]
    return [change for change in changes if change] + gone


def _change(key: str, figure: Figure, bound: float, *, stored: bool) -> str:
    allowed, margin = figure.findings_at(bound), figure.margin(bound)
    if figure.findings > allowed + margin:
        return (
            f"{key} has risen from {bound} to {figure.rate}, by about {math.ceil(figure.findings - allowed)} findings:"
            f" mend them. Where only lines without findings were deleted, `{COMMAND} RAISE=--raise` stores the new"
            " figure, and the commit says why"
        )
    if stored and figure.rate < bound and figure.findings < allowed - 2 * margin:
        return f"{key} has fallen from {bound} to {figure.rate}: store the lower figure by `{COMMAND}`"
    return ""


def _bound(key: str, stored: Mapping[str, float]) -> float:
    return stored.get(key, NEW_PACKAGE.get(key.rpartition(".")[2], 0.0))


# ------------------------------------------------------------------------------------------------ store

_LINE = re.compile(r'(?P<key>(?:whole|"[^"]++")\.\w++) = (?P<rate>[\d.]++)')


def parse(text: str) -> dict[str, float]:
    """Return the stored figures; of a key that a merge has left twice, the lower figure."""
    stored: dict[str, float] = {}
    for line in text.splitlines():
        if match := _LINE.fullmatch(line):
            rate = float(match["rate"])
            stored[match["key"]] = min(rate, stored.get(match["key"], rate))
    return stored


def lowered(figures: Mapping[str, Figure], stored: Mapping[str, float], *, may_rise: bool = False) -> dict[str, float]:
    """Return what to store: the lower of measured and stored figure, or with `may_rise` the measured one."""
    if may_rise:
        return {key: figure.rate for key, figure in figures.items()}
    return {key: min(figure.rate, _bound(key, stored)) for key, figure in figures.items()}


def formatted(stored: Mapping[str, float]) -> str:
    """Return the text of ratchets.toml."""
    return HEADER + "".join(f"{key} = {rate:g}\n" for key, rate in stored.items())


def main(arguments: list[str]) -> None:
    """Rewrite ratchets.toml with lower figures, or with `--raise` with the measured ones."""
    stored = parse(STORE.read_text(encoding="utf-8"))
    figures = measure(modules("src"))
    STORE.write_text(formatted(lowered(figures, stored, may_rise="--raise" in arguments)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
