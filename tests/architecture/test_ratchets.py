"""The figures about the source do not rise, and planted findings make them rise."""

from __future__ import annotations

import tomllib

import pytest

from architecture import ratchets
from architecture.ratchets import Figure
from architecture.sources import Module, modules


def module(path: str, source: str) -> Module:
    return Module(f"src/wellread/{path}", source)


def test_no_figure_rises() -> None:
    stored = ratchets.parse(ratchets.STORE.read_text(encoding="utf-8"))
    findings = ratchets.findings(ratchets.measure(modules("src")), stored)
    assert not findings, "\n".join(findings)


def test_the_figures_of_a_package() -> None:
    source = "def f(told, *, page):\n    return page if told else 1\n"
    figures = ratchets.measure([module("net/a.py", source), module("top.py", "each: int = 1\nx = 2\n")])
    assert figures['"net".empty_names_percent'] == Figure(1, 2, 100)
    assert figures['"net".conditionals_per_1000_lines'] == Figure(1, 2, 1000)
    assert figures['"(top)".empty_names_percent'].rate == 50.0


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("one = 1\n", ["one"]),
        ("for _it in x:\n    pass\n", ["_it"]),
        ("with x as held:\n    pass\n", ["held"]),
        ("try:\n    x\nexcept ValueError as said:\n    pass\n", ["said"]),
        ("match x:\n    case [*rest]:\n        pass\n    case known:\n        pass\n", ["rest", "known"]),
        ("(left := 1)\n", ["left"]),
        ("def f(own, /, *kept, **asked): ...\n", ["own", "kept", "asked"]),
    ],
)
def test_bound_names(source: str, names: list[str]) -> None:
    assert sorted(ratchets.bound_names(Module("x.py", source))) == sorted(names)


def test_names_with_several_homes() -> None:
    source = [module("net/a.py", "class Answer: ..."), module("web/a.py", "class _Answer: ...\nclass Other: ...")]
    figures = ratchets.measure(source)
    assert figures["whole.class_names_with_several_homes"].findings == 1
    assert figures["whole.module_names_with_several_homes"].findings == 1


KEY = '"net".empty_names_percent'
COUNT = "whole.class_names_with_several_homes"


@pytest.mark.parametrize(
    ("key", "figure", "stored", "said"),
    [
        (KEY, Figure(12, 100, 100), {KEY: 10.0}, "has risen"),
        (KEY, Figure(11, 100, 100), {KEY: 10.0}, ""),
        (KEY, Figure(8, 100, 100), {KEY: 10.0}, ""),
        (KEY, Figure(7, 100, 100), {KEY: 10.0}, "make ratchets"),
        (KEY, Figure(1021, 10_000, 100), {KEY: 10.0}, "has risen"),
        (KEY, Figure(979, 10_000, 100), {KEY: 10.0}, "make ratchets"),
        (COUNT, Figure(6), {COUNT: 5.0}, "has risen"),
        (COUNT, Figure(4), {COUNT: 5.0}, "make ratchets"),
        (COUNT, Figure(5), {COUNT: 5.0}, ""),
        (KEY, Figure(3, 100, 100), {}, "has risen"),
        (KEY, Figure(0, 100, 100), {}, ""),
    ],
)
def test_change_of_a_figure(key: str, figure: Figure, stored: dict[str, float], said: str) -> None:
    findings = ratchets.findings({key: figure}, stored)
    assert len(findings) == bool(said)
    assert said in "".join(findings)


def test_stored_figure_of_a_deleted_package() -> None:
    assert "make ratchets" in ratchets.findings({}, {KEY: 10.0})[0]


def test_command_only_lowers() -> None:
    figures = {KEY: Figure(12, 100, 100), COUNT: Figure(4)}
    stored = {KEY: 10.0, COUNT: 5.0, '"gone".empty_names_percent': 1.0}
    assert ratchets.lowered(figures, stored) == {KEY: 10.0, COUNT: 4}
    assert ratchets.lowered(figures, stored, may_rise=True) == {KEY: 12.0, COUNT: 4}


def test_file_after_a_merge() -> None:
    text = ratchets.formatted({KEY: 10.0, COUNT: 5})
    assert ratchets.parse(text + text.replace("10", "9.5")) == {KEY: 9.5, COUNT: 5}
    assert tomllib.loads(text)["net"] == {"empty_names_percent": 10}
