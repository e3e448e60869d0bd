"""The container that `examples/` describes: what it sets exists, what it copies is there, and nobody is root in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from wellread.apps.extras import extras
from wellread.apps.http.exposure import refuse_open
from wellread.apps.http.request_guard import PUBLIC_PATHS
from wellread.config import load
from wellread.errors import ConfigError

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "container"
FILE = FOLDER / "Containerfile"
KNOWN = {
    "ARG",
    "FROM",
    "WORKDIR",
    "COPY",
    "RUN",
    "ENV",
    "USER",
    "VOLUME",
    "EXPOSE",
    "STOPSIGNAL",
    "HEALTHCHECK",
    "ENTRYPOINT",
    "CMD",
}
HASH = "alice=sha256:" + "0" * 64


def instructions() -> list[tuple[str, str]]:
    """Return each instruction and its words, continued lines joined."""
    text = re.sub(r"(?m)^#.*\n", "", FILE.read_text(encoding="utf-8")).replace("\\\n", " ")
    found = [line.partition(" ") for line in text.splitlines() if line.strip()]
    return [(name, re.sub(r"\s+", " ", words).strip()) for name, _, words in found]


def variables(words: str) -> dict[str, str]:
    return dict(re.findall(r"(WELLREAD_\w+)=(\S+)", words))


def service() -> dict[str, Any]:  # Any: YAML
    told: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]["wellread"]
    return told


def environment() -> dict[str, str]:
    """Return what is set when the composition runs, with a key given."""
    given = {name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", str(value)) for name, value in service()["environment"].items()}
    given["WELLREAD_SERVER_KEYS"] = HASH
    return variables(dict(instructions())["ENV"]) | given


def test_every_instruction_is_known_and_every_image_has_a_version() -> None:
    told = instructions()
    assert {name for name, _ in told} == KNOWN
    images = [words.split()[0] for name, words in told if name == "FROM"]
    assert all(re.fullmatch(r"python:\d+\.\d+-slim-\w+", image) for image in images)


def test_what_is_copied_is_in_the_checkout() -> None:
    for words in (words for name, words in instructions() if name == "COPY" and "--from" not in words):
        for each in words.split()[:-1]:
            assert (ROOT / each).exists(), each


def test_nobody_is_root_and_the_last_user_runs_the_server() -> None:
    told = instructions()
    names = [name for name, _ in told]
    assert int(dict(told)["USER"]) > 0
    assert "RUN" not in names[names.index("USER") :]
    assert dict(told)["CMD"] == '["serve"]'
    limits = service()
    assert (limits["cap_drop"], limits["read_only"]) == (["ALL"], True)


def test_container_variables_are_settings_and_need_a_key() -> None:
    settings = load(environ=environment())
    assert settings.server.host == "0.0.0.0"
    assert settings.cache.dir == Path("/data")
    refuse_open(settings.server)
    without = {name: value for name, value in environment().items() if name != "WELLREAD_SERVER_KEYS"}
    with pytest.raises(ConfigError):
        refuse_open(load(environ=without).server)


def test_container_health_check_needs_no_key() -> None:
    path = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", dict(instructions())["HEALTHCHECK"])
    assert path
    assert path[2] in PUBLIC_PATHS
    assert int(path[1]) == int(dict(instructions())["EXPOSE"]) == load(environ={}).server.port


def test_it_is_given_longer_to_stop_than_it_may_take() -> None:
    assert int(service()["stop_grace_period"].removesuffix("s")) > load(environ={}).server.drain_s


def test_replicas_of_the_cluster_share_their_state() -> None:
    """Each replica of the Compose file has valid settings, a name of its own, and servers that the file starts."""
    cluster = ROOT / "examples" / "cluster"
    services = yaml.safe_load((cluster / "compose.yaml").read_text(encoding="utf-8"))["services"]
    replicas = {name: entry for name, entry in services.items() if entry.get("image") == "wellread-cluster"}
    assert len(replicas) == 2
    upstreams = re.search(r"reverse_proxy (.+) \{", (cluster / "Caddyfile").read_text(encoding="utf-8"))
    assert upstreams
    assert upstreams[1].split() == [f"{name}:8765" for name in replicas]
    for name, entry in replicas.items():
        variables = {key: re.sub(r"\$\{\w+:[-?](.*?)\}", "x", text) for key, text in entry["environment"].items()}
        settings = load(environ={**variables, "WELLREAD_SERVER_KEYS": HASH})
        assert settings.shared.replica == name
        assert settings.shared.url is not None
        assert settings.shared.snapshots is not None
        for url in (settings.shared.url, settings.shared.snapshots):
            assert urlsplit(url.reveal()).hostname in services
        assert set(entry["build"]["args"]["EXTRAS"].split(",")) <= set(extras())
        assert [volume.partition(":")[0] for volume in entry["volumes"]] == [name]


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run(["hadolint", str(FILE)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
