"""What we lean on is declared, pinned, needed, and free to ship."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from typing import TYPE_CHECKING

import pytest

from architecture.sources import ROOT, Module, modules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from importlib.metadata import PackageMetadata

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
RUNTIME: list[str] = PROJECT["project"]["dependencies"] + [
    need for extra in EXTRAS.values() for need in extra if not need.startswith("wellread[")
]
DEVELOPMENT: list[str] = PROJECT["dependency-groups"]["dev"]
VIRAL = re.compile(r"\b(?:A?GPL|GNU (?:Affero )?General Public)", re.IGNORECASE)


def name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return normal(found[0])


def normal(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def imported(sources: Iterable[Module]) -> Iterator[str]:
    """Yield the top-level packages that are imported, for use or for types."""
    for module in sources:
        for node in module.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


def distributions(packages: Iterable[str], declared: Collection[str] = ()) -> set[str]:
    """Return who brings the packages; of several who share a name, one that is declared."""
    known = packages_distributions()
    foreign = set(packages) - sys.stdlib_module_names - {"wellread"}
    found = [[normal(each) for each in known.get(package) or [package]] for package in foreign]
    return {next((each for each in names if each in declared), names[0]) for names in found}


def licence(about: PackageMetadata) -> str:
    """Return what a distribution says of its licence: an expression (PEP 639), or classifiers, or words."""
    if "License-Expression" in about:
        return str(about["License-Expression"])
    classifiers = [line for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    return " ".join(classifiers) or " ".join(about.get_all("License") or [])[:200]


def closure(wanted: Iterable[str]) -> set[str]:
    """Return the distributions that come along with `wanted`, as far as they are installed here."""
    seen: set[str] = set()
    queue = [name(each) for each in wanted]
    while queue:
        each = queue.pop()
        if each in seen:
            continue
        try:
            needs = distribution(each).requires or []
        except PackageNotFoundError:
            continue
        seen.add(each)
        queue += [name(need) for need in needs if "extra ==" not in need]
    return seen


def test_imports_and_declared_dependencies_agree() -> None:
    declared = {name(each) for each in RUNTIME}
    used = distributions(imported(modules("src")), declared)
    assert used - declared == set(), "imported, but only there by luck"
    assert declared - used == set(), "declared, but never imported"


@pytest.mark.parametrize("requirement", RUNTIME + DEVELOPMENT)
def test_a_library_is_asked_for_by_its_floor_alone(requirement: str) -> None:
    assert re.fullmatch(r"[\w.-]+(\[\w+(,\w+)*\])?>=[\d.]+", requirement)


def test_the_lock_file_pins_everything_and_names_no_place_to_get_it() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"[\w.-]+==[\w.]+( ;.*)?$", line) for line in lines)
    assert {name(each) for each in RUNTIME + DEVELOPMENT} <= {name(line) for line in lines}


def test_nothing_we_ship_with_binds_its_users() -> None:
    bound = {each: told for each in closure(RUNTIME) if VIRAL.search(told := licence(distribution(each).metadata))}
    assert bound == {}


@pytest.mark.parametrize(
    "told", ["GPL-3.0-or-later", "AGPL-3.0", "License :: OSI Approved :: GNU General Public License v2"]
)
def test_a_binding_licence_is_seen(told: str) -> None:
    assert VIRAL.search(told)


def test_an_import_that_nobody_declared_is_seen() -> None:
    assert distributions(imported([Module("x.py", "import json, numpy.linalg\nfrom wellread import net")])) == {"numpy"}
