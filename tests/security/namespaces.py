"""How tests get a network of their own: namespaces, where the system allows them."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

import pytest

WAYS = (["unshare", "--net", "--mount"], ["unshare", "--user", "--map-root-user", "--net", "--mount"])


def probed(way: list[str]) -> str:
    """Say why this way to a network of one's own is shut; empty when it is open."""
    tried = subprocess.run(
        [
            *way,
            "sh",
            "-c",
            "ip link set lo up && ip route add local 0.0.0.0/1 dev lo && mount --bind /etc/hosts /etc/hosts",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return tried.stderr.strip() or f"exit status {tried.returncode}" if tried.returncode else ""


@cache
def way_in() -> list[str]:
    """Return the command that opens the namespaces; skip where there is none, fail where there must be one."""
    missing = [tool for tool in ("unshare", "ip", "mount") if shutil.which(tool) is None]
    reasons = [f"{' and '.join(missing)} missing"] if missing else [probed(way) for way in WAYS]
    if "" in reasons:
        return WAYS[reasons.index("")]
    why = f"no network namespace can be had here: {'; '.join(reasons)}"
    if "CI" in os.environ:
        pytest.fail(f"{why}; in CI this test must run")
    pytest.skip(why)
