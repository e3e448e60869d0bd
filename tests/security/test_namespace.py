"""The default policy on a machine where every address is local: nothing that is not public is ever dialled."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from security.namespaces import way_in

SCRIPT = Path(__file__).parent / "private_internet.py"


@cache
def report() -> dict[str, Any]:  # Any: JSON
    way = way_in()
    done = subprocess.run([*way, sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=90)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)  # Any: JSON
    return told


def test_the_watch_on_the_wire_sees_connections_to_private_addresses() -> None:
    assert report()["watch_works"]


def test_no_attack_connects_to_a_private_address() -> None:
    assert report()["attacks"] >= 300
    assert report()["breaches"] == []


def test_no_honest_url_is_refused_and_each_gives_its_page() -> None:
    assert report()["honest"] >= 50
    assert report()["honest_without_a_page"] == {}


def test_names_of_private_addresses_are_refused_with_the_reason() -> None:
    outcomes = report()["outcomes"]
    for section in ("names of private addresses", "mixed answers", "aliases", "robots"):
        assert set(outcomes[section]) == {"refused: blocked_address"}, section
    assert outcomes["rebinding"]["refused: blocked_address"] > 0
