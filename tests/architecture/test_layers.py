"""The layers hold, and the linters refuse every breach that is planted in a copy of the package."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from architecture import breaches
from architecture.sources import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = PYPROJECT["tool"]["importlinter"]["contracts"]
PACKAGE = ROOT / "src" / "wellread"


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with every forbidden import planted in it."""
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
def findings(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    root = tmp_path_factory.mktemp("findings")
    package = breaches.copy(root)
    for file, source, _ in breaches.SLIPS.values():
        breaches.plant(package, file, source)
    return breaches.ruff(root)


def test_imports_of_the_package(tmp_path: Path) -> None:
    breaches.copy(tmp_path)
    code, report = breaches.lint_imports(tmp_path)
    assert code == 0, report


@pytest.mark.parametrize("name", breaches.CROSSINGS)
def test_planted_import_is_refused(name: str, import_report: str) -> None:
    crossing = breaches.CROSSINGS[name]
    assert f"{crossing.contract} BROKEN" in import_report
    section = import_report.partition("Broken contracts")[2].partition(f"\n{crossing.contract}\n---")[2]
    section = section.partition("\n---")[0]
    assert crossing.seen_as in " ".join(section.split()), section


DRAWING = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("number", "contract"), [(0, breaches.LAYERS), (1, breaches.READ_PATH)])
def test_drawing_shows_the_layers_of_the_contract(number: int, contract: str) -> None:
    (layers,) = (each["layers"] for each in CONTRACTS if each["name"] == contract)
    assert layers_drawn(DRAWING.split("```")[2 * number + 1]) == [set(each.split(" | ")) for each in layers]


def layers_drawn(drawing: str) -> list[set[str]]:
    """Return the packages of each layer, top first: the names at the left, separated by dashes or bars."""
    found: list[set[str]] = []
    for line in drawing.splitlines():
        rooms = re.match(r"\s{1,20}(\| )?([a-z_]+(?: (?:-+|\|) [a-z_]+)*)(?:  | [a-z ]|$)", line)
        if rooms and rooms[1]:  # a layer that continues
            found[-1] |= set(re.findall("[a-z_]+", rooms[2]))
        elif rooms:
            found.append(set(re.findall("[a-z_]+", rooms[2])))
    return found


def test_drawing_with_a_layer_on_two_lines() -> None:
    drawing = "\n   a ---- b  words\n     |\n   c | d    words of it\n     | e_f\n   g      words\n"
    assert layers_drawn(drawing) == [{"a", "b"}, {"c", "d", "e_f"}, {"g"}]


def test_every_contract_has_a_planted_import() -> None:
    contracts = {contract["name"] for contract in CONTRACTS}
    assert {crossing.contract for crossing in breaches.CROSSINGS.values()} == contracts


@pytest.mark.parametrize("name", breaches.SLIPS)
def test_planted_finding_of_ruff_is_refused(name: str, findings: set[tuple[str, str]]) -> None:
    file, _, code = breaches.SLIPS[name]
    assert (file, code) in findings


def test_limits_of_the_linters() -> None:
    lint = PYPROJECT["tool"]["ruff"]["lint"]
    limits = lint["pylint"] | lint["mccabe"]
    assert lint["select"] == ["ALL"]
    assert limits == {
        "max-args": 8, "max-statements": 40, "max-branches": 12, "max-returns": 6, "max-complexity": 10,
    }  # fmt: skip
    assert PYPROJECT["tool"]["mypy"]["strict"] is True
    assert PYPROJECT["tool"]["coverage"]["report"]["fail_under"] >= 90
    pytest_options = PYPROJECT["tool"]["pytest"]["ini_options"]
    assert pytest_options["filterwarnings"][0] == "error"
    assert {
        "--strict-markers", "--strict-config", "--import-mode=importlib", "not live and not slow and not packaging",
    } <= set(pytest_options["addopts"])  # fmt: skip
    assert pytest_options["xfail_strict"] is True


def test_network_contract_covers_every_package_but_net() -> None:
    (contract,) = (each for each in CONTRACTS if each["name"] == breaches.NETWORK)
    packages = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    covered = packages - {"__init__", "__main__", "net"}
    assert set(contract["source_modules"]) == {f"wellread.{package}" for package in covered}


@pytest.mark.parametrize("gate", ["ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"])
def test_make_check_runs_every_gate(gate: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    check = makefile.partition("\ncheck:")[2].partition("\n\n")[0]
    assert gate in check


def test_continuous_integration_runs_check_and_test() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert {"make check", "make test"} <= set(script.splitlines())
