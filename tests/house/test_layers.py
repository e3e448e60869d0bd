"""The house stands on its layers, and the gates that guard them see every crossing that is planted."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from house import breaches
from house.sources import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with every crossing and every slip planted in it."""
    root = tmp_path_factory.mktemp("breached")
    package = breaches.copy(root)
    for crossing in breaches.CROSSINGS.values():
        breaches.plant(package, crossing.file, crossing.source)
    for file, source in breaches.EXTRA.items():
        breaches.plant(package, file, source)
    return root


@pytest.fixture(scope="module")
def import_report(breached: Path) -> str:
    return breaches.lint_imports(breached)[1]


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    root = tmp_path_factory.mktemp("slips")
    package = breaches.copy(root)
    for file, source, _ in breaches.SLIPS.values():
        breaches.plant(package, file, source)
    return breaches.ruff(root)


def test_no_layer_is_crossed(tmp_path: Path) -> None:
    breaches.copy(tmp_path)
    code, report = breaches.lint_imports(tmp_path)
    assert code == 0, report


@pytest.mark.parametrize("name", breaches.CROSSINGS)
def test_a_planted_crossing_is_refused(name: str, import_report: str) -> None:
    crossing = breaches.CROSSINGS[name]
    assert f"{crossing.contract} BROKEN" in import_report
    section = import_report.partition("Broken contracts")[2].partition(f"\n{crossing.contract}\n---")[2]
    section = section.partition("\n---")[0]
    assert crossing.seen_as in " ".join(section.split()), section


DRAWING = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("number", "contract"), [(0, breaches.LAYERS), (1, breaches.STAIRS)])
def test_the_drawing_of_the_house_shows_the_floors_of_the_contract(number: int, contract: str) -> None:
    (floors,) = (each["layers"] for each in PYPROJECT["tool"]["importlinter"]["contracts"] if each["name"] == contract)
    assert floors_drawn(DRAWING.split("```")[2 * number + 1]) == [set(each.split(" | ")) for each in floors]


def floors_drawn(drawing: str) -> list[set[str]]:
    """Return the rooms of each floor, top first: what stands at the left, beside one another by dashes or bars."""
    found: list[set[str]] = []
    for line in drawing.splitlines():
        rooms = re.match(r"\s{1,20}(\| )?([a-z_]+(?: (?:-+|\|) [a-z_]+)*)(?:  | [a-z ]|$)", line)
        if rooms and rooms[1]:  # a floor that goes on
            found[-1] |= set(re.findall("[a-z_]+", rooms[2]))
        elif rooms:
            found.append(set(re.findall("[a-z_]+", rooms[2])))
    return found


def test_a_drawing_is_read_floor_by_floor() -> None:
    drawing = "\n   a ---- b  words\n     |\n   c | d    words of it\n     | e_f\n   g      words\n"
    assert floors_drawn(drawing) == [{"a", "b"}, {"c", "d", "e_f"}, {"g"}]


def test_every_contract_is_proven_able_to_break() -> None:
    contracts = {contract["name"] for contract in PYPROJECT["tool"]["importlinter"]["contracts"]}
    assert {crossing.contract for crossing in breaches.CROSSINGS.values()} == contracts


@pytest.mark.parametrize("name", breaches.SLIPS)
def test_a_planted_slip_is_refused(name: str, slips: set[tuple[str, str]]) -> None:
    file, _, code = breaches.SLIPS[name]
    assert (file, code) in slips


def test_the_limits_are_the_ones_agreed_on() -> None:
    lint = PYPROJECT["tool"]["ruff"]["lint"]
    limits = lint["pylint"] | lint["mccabe"]
    assert lint["select"] == ["ALL"]
    assert limits == {
        "max-args": 6, "max-statements": 30, "max-branches": 10, "max-returns": 6, "max-complexity": 10,
    }  # fmt: skip
    assert PYPROJECT["tool"]["mypy"]["strict"] is True
    assert PYPROJECT["tool"]["coverage"]["report"]["fail_under"] >= 90
    pytest_options = PYPROJECT["tool"]["pytest"]["ini_options"]
    assert pytest_options["filterwarnings"][0] == "error"
    assert {"--strict-markers", "--strict-config"} <= set(pytest_options["addopts"])


@pytest.mark.parametrize("gate", ["ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"])
def test_make_check_runs_every_gate(gate: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    check = makefile.partition("\ncheck:")[2].partition("\n\n")[0]
    assert gate in check


def test_continuous_integration_runs_both_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert {"make check", "make test"} <= set(script.splitlines())
