"""Frozen dataclasses of the project beside those of the standard library."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from wellread.frozen import frozen
from wellread.types import SiteMapEntry


@frozen
class Boat:
    name: str
    masts: int = 1
    log: bytes = field(default=b"", repr=False)
    seen_at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ship:
    name: str
    masts: int = 1
    log: bytes = field(default=b"", repr=False)
    seen_at: float = field(default=0.0, compare=False)


@frozen
class Fleet:
    boats: list[str] = field(default_factory=list)
    flag: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "flag", self.flag.upper())


@frozen
class Named:
    name: str

    def __repr__(self) -> str:
        return "***"


def test_text_equality_and_hash_are_those_of_dataclasses() -> None:
    values: list[dict[str, Any]] = [  # Any: of each field
        {"name": "Tern"},
        {"name": "Tern", "masts": 2},
        {"name": "Tern", "log": b"x"},
        {"name": "A", "seen_at": 3},
    ]
    boats, ships = ([kind(**value) for value in values] for kind in (Boat, Ship))
    assert [repr(boat) for boat in boats] == [repr(ship).replace("Ship", "Boat") for ship in ships]
    assert [[boat == other for other in boats] for boat in boats] == [
        [ship == other for other in ships] for ship in ships
    ]
    assert [hash(boat) for boat in boats] == [hash(ship) for ship in ships]
    assert Boat(name="Tern", seen_at=1) == Boat(name="Tern", seen_at=2)
    ship: object = Ship(name="Tern")
    assert Boat(name="Tern") != ship


def test_object_cannot_be_changed_and_has_no_other_attributes() -> None:
    boat = Boat(name="Tern")
    for name in ("name", "crew"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(boat, name, "x")
    with pytest.raises(TypeError, match="positional"):
        Boat("Tern")  # type: ignore[call-arg]  # what is tested
    assert not hasattr(boat, "__dict__")


def test_copies_are_equal() -> None:
    entry = SiteMapEntry(url="http://tide.example/")
    assert pickle.loads(pickle.dumps(entry)) == copy.deepcopy(entry) == replace(entry) == entry
    assert replace(entry, url="http://x.example/") != entry
    assert [column.name for column in fields(Boat)] == ["name", "masts", "log", "seen_at"]


def test_own_text_stays() -> None:
    assert repr(Named(name="secret")) == "***"
    assert Named(name="a") == Named(name="a")


def test_defaults_are_made_for_each_object() -> None:
    first, second = Fleet(flag="kos"), Fleet(flag="kos")
    assert first == second
    assert first.boats is not second.boats
    assert (first.boats, first.flag, Fleet(flag="", boats=["Tern"]).boats) == ([], "KOS", ["Tern"])


@pytest.mark.parametrize(("values", "names"), [({}, "'flag'"), ({"flag": "", "crew": 1}, "'crew'")])
def test_wrong_arguments_are_refused_by_name(values: dict[str, Any], names: str) -> None:  # Any: of each field
    with pytest.raises(TypeError, match=f"Fleet.__init__.*{names}"):
        Fleet(**values)


def test_signature_is_that_of_dataclasses() -> None:
    assert str(inspect.signature(Boat)) == str(inspect.signature(Ship)).removesuffix(" -> None")
    assert str(inspect.signature(Fleet)) == "(*, boats: 'list[str]' = Ellipsis, flag: 'str')"
