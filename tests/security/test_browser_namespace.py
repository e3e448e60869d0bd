"""The browser on a machine where every address is local: besides its gate it begins nothing and sends nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from security.namespaces import way_in
from sites import need_browser

TESTS = Path(__file__).parents[1]


def test_a_browser_of_ours_begins_nothing_but_connections_to_its_gate() -> None:
    need_browser()
    done = subprocess.run(
        [*way_in(), sys.executable, "-m", "security.private_browser"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=TESTS,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["watch_works"]
    assert report["breaches"] == []
    assert report["attacks"] >= 25
    assert report["pages_seen"] >= report["attacks"] * 0.8
    assert report["refused"] >= 10
    assert report["public"] > 0
