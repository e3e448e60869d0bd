"""Plugins are found by entry points of real distributions, and a broken one is named."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from wellread import plugins
from wellread.errors import PluginError

if TYPE_CHECKING:
    from pathlib import Path

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with one extractor, the way pip leaves it on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(distribution: str, name: str, value: str) -> None:
        folder = tmp_path / f"{distribution}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[wellread.extractors]\n{name} = {value}\n")

    return install


def test_the_built_in_extractors_are_found() -> None:
    assert {"html", "plain", "pdf"} <= set(plugins.names("extractors"))


def test_a_strangers_plugin_is_loaded_in_the_same_way(install: Install) -> None:
    install("stranger", "abacus", "decimal:Decimal")
    assert "abacus" in plugins.names("extractors")
    assert plugins.load("extractors", "abacus").__name__ == "Decimal"


def test_what_is_installed_while_we_run_is_found(install: Install) -> None:
    before = plugins.names("extractors")
    install("stranger", "abacus", "decimal:Decimal")
    assert set(plugins.names("extractors")) == {*before, "abacus"}


def test_entry_points_are_those_of_importlib_metadata(install: Install) -> None:
    install("Odd.Name", "abacus", " decimal : Decimal [extra]")
    install("other", "pencil", "json.decoder:JSONDecoder.decode")
    for kind in plugins.KINDS:
        assert plugins.names(kind) == tuple(sorted(entry_points(group=f"wellread.{kind}").names))
    for name in ("abacus", "pencil"):
        (point,) = entry_points(group="wellread.extractors", name=name)
        assert plugins.load("extractors", name) == point.load()


def test_first_of_two_distributions_of_one_name_counts(install: Install, tmp_path: Path) -> None:
    later = tmp_path / "later"
    folder = later / "Odd.Name-2.0.egg-info"
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_text("[wellread.extractors]\npencil = json:loads\n")
    install("odd_name", "abacus", "decimal:Decimal")
    sys.path.append(str(later))
    try:
        assert {"abacus", "pencil"}.intersection(plugins.names("extractors")) == {"abacus"}
    finally:
        sys.path.remove(str(later))


def test_plugin_in_a_zip_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "stranger.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("stranger-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
        file.writestr("stranger-1.0.dist-info/entry_points.txt", "[wellread.extractors]\nabacus = decimal:Decimal\n")
    monkeypatch.syspath_prepend(str(archive))
    assert plugins.load("extractors", "abacus").__name__ == "Decimal"


def test_names_come_sorted() -> None:
    assert list(plugins.names("extractors")) == sorted(plugins.names("extractors"))


def test_an_unknown_name_is_told_which_names_there_are() -> None:
    with pytest.raises(PluginError, match=r"no plugin named 'htlm' among wellread\.extractors; installed: .*html"):
        plugins.load("extractors", "htlm")


def test_an_unknown_kind_is_told_which_kinds_there_are() -> None:
    with pytest.raises(
        PluginError,
        match="no plugin kind 'extractor'; known: channels, embedders, extractors, integrations, providers, stores",
    ):
        plugins.names("extractor")


@pytest.mark.parametrize("value", ["no_such_module:Thing", "decimal:NoSuchThing"])
def test_a_plugin_that_cannot_be_loaded_is_named(install: Install, value: str) -> None:
    install("stranger", "broken", value)
    with pytest.raises(PluginError, match=r"plugin 'broken' of wellread\.extractors failed to load"):
        plugins.load("extractors", "broken")


def test_a_plugin_whose_module_breaks_is_named(install: Install, tmp_path: Path) -> None:
    (tmp_path / "breaks_on_import.py").write_text("raise ZeroDivisionError('no')\n")
    install("stranger", "broken", "breaks_on_import:Thing")
    with pytest.raises(PluginError, match="ZeroDivisionError"):
        plugins.load("extractors", "broken")


def test_two_plugins_of_one_name_are_refused_rather_than_one_chosen(install: Install) -> None:
    install("stranger", "twin", "decimal:Decimal")
    install("other", "twin", "fractions:Fraction")
    assert plugins.names("extractors").count("twin") == 1
    with pytest.raises(PluginError, match="decimal:Decimal and fractions:Fraction"):
        plugins.load("extractors", "twin")
