"""`wellread bot` as a process: it answers, tells its health, and stops gracefully; and the examples that start it."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from anyio import to_thread
from click.testing import CliRunner

from botapi import OWNER, TOKEN, exchange
from processes import started
from wellread.apps import assistant_requirements
from wellread.apps.assistant_doctor import checkup
from wellread.apps.bot_runtime import CALL_BYTES, application, run
from wellread.apps.cli import app
from wellread.apps.exit_codes import STATUS_BY_CODE
from wellread.assistant.channels.port import ChannelHealth
from wellread.assistant.channels.telegram.channel import SECRET_HEADER as SECRET
from wellread.config import load
from wellread.errors import Auth, ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from botapi import Exchange

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "bot"


def environment(line: Exchange, folder: Path) -> dict[str, str]:
    given = {name: value for name, value in os.environ.items() if not name.startswith("WELLREAD_")}
    return given | {
        "HOME": str(folder),
        "WELLREAD_CACHE_DIR": str(folder / "data"),
        "WELLREAD_MODELS_CHAT": "ollama:none",
        "WELLREAD_NET_CA_FILE": str(ROOT / "tests" / "security" / "authority.pem"),
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "WELLREAD_CHANNELS_USERS": f"telegram:{OWNER}",
        "WELLREAD_CHANNELS_URLS": f"telegram=http://127.0.0.1:{line.port}",
    }


def health(url: str) -> tuple[int, Any]:  # Any: JSON
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@asynccontextmanager
async def running(line: Exchange, folder: Path, **more: str) -> AsyncGenerator[Bot, None]:
    """Run the command as a process, until it is told to stop at the end of the block."""
    with started(
        [sys.executable, "-m", "wellread", "bot", "--port", "0"],
        env=environment(line, folder) | more, stderr=subprocess.PIPE, text=True, cwd=folder,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        bot, said = Bot(), list[str]()
        with anyio.fail_after(240):
            while not bot.url:
                said.append(await to_thread.run_sync(process.stderr.readline, abandon_on_cancel=True))
                found = re.search(r"health at (http://127\.0\.0\.1:\d+)/healthz", said[-1])
                assert said[-1], "".join(said)
                bot.url = found[1] if found else ""
        yield bot
        process.send_signal(signal.SIGTERM)
        said.append(await to_thread.run_sync(process.stderr.read, abandon_on_cancel=True))
        bot.code, bot.said = process.wait(), "".join(said)
    assert TOKEN.partition(":")[2] not in bot.said
    assert line.api.refusals == []


@dataclass
class Bot:
    """The command, as it is seen from outside."""

    url: str = ""
    said: str = ""
    code: int | None = None

    async def health(self) -> tuple[int, Any]:  # Any: JSON
        return await to_thread.run_sync(health, f"{self.url}/healthz", abandon_on_cancel=True)


async def test_the_bot_answers_tells_its_health_and_stops_when_told(tmp_path: Path) -> None:
    async with exchange() as line:
        async with running(line, tmp_path) as bot:
            line.api.say("/help")
            await line.api.answer()
            listening = {"working": True, "detail": "listening", "heard": 1, "ignored": 0}
            assert await bot.health() == (200, {"ok": True, "channels": {"telegram": listening}})
        assert bot.code == 0, bot.said


async def test_webhook_call_with_the_secret_is_answered_once(tmp_path: Path) -> None:
    hooks = {"WELLREAD_CHANNELS_HOOKS": "telegram=https://bot.example/hooks/telegram"}
    async with exchange() as line:
        async with (
            running(line, tmp_path, **hooks) as bot,
            httpx2.AsyncClient(base_url=bot.url, timeout=60) as telegram,
        ):
            await line.api.until(lambda: line.api.hook)
            assert line.api.hook is not None
            assert line.api.hook["url"] == "https://bot.example/hooks/telegram"
            sent, secret = line.api.say("/help"), line.api.hook["secret_token"]
            for header, wanted in (
                ({}, 401),
                ({SECRET: "guess"}, 401),
                ({SECRET: secret}, 200),
                ({SECRET: secret}, 200),
            ):
                done = await telegram.post("/hooks/telegram", json=sent, headers=header)
                assert done.status_code == wanted
            await telegram.post("/hooks/telegram", json=line.api.say("Hello", user=666), headers={SECRET: secret})
            await line.api.answer()
            called = {"working": True, "detail": "called by Telegram", "heard": 1, "ignored": 1}
            with anyio.fail_after(20):  # calls are answered before the command has read that its hook is set
                while (response := await bot.health())[0] == 503:
                    pass
            assert response == (200, {"ok": True, "channels": {"telegram": called}})
        assert bot.code == 0, bot.said
        assert len(line.api.texts()) == 1
        assert "getUpdates" not in [method for method, _ in line.api.calls]
        assert line.api.hook is not None, "while it is away, Telegram keeps what comes"


class Called:
    """A channel that is only called."""

    def __init__(self) -> None:
        self.state = ChannelHealth(working=False, detail="unreachable: gone", counts={"heard": 0})
        self.taken: list[bytes] = []

    def knows(self, headers: dict[str, str]) -> None:
        if headers.get("x-secret") != "s":
            raise Auth("this call does not come from the service")

    async def called(self, body: bytes) -> None:
        self.taken.append(body)


async def test_calls_reach_their_channel_and_health_tells_what_is_wrong() -> None:
    channel: Any = Called()
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(application({"post": channel})), base_url="http://x")
    async with client:
        told = await client.get("/healthz")
        assert (told.status_code, told.json()["ok"]) == (503, False)
        assert told.json()["channels"]["post"]["detail"] == "unreachable: gone"
        assert (await client.post("/hooks/post", content=b"{}")).status_code == 401
        assert (await client.post("/hooks/none", content=b"{}")).status_code == 404
        stranger = await client.post("/hooks/post", content=b"x" * (CALL_BYTES + 1))
        assert stranger.status_code == 401, "nothing of it was read"
        large = await client.post("/hooks/post", content=b"x" * (CALL_BYTES + 1), headers={"x-secret": "s"})
        assert large.status_code == STATUS_BY_CODE["too_large"].http_status
        assert (await client.post("/hooks/post", content=b"{}", headers={"x-secret": "s"})).status_code == 200
        assert (await client.get("/docs")).status_code == 404
    assert channel.taken == [b"{}"]


async def test_the_bot_listens_to_others_only_where_it_is_called(tmp_path: Path) -> None:
    settings = load(environ={"WELLREAD_CHANNELS_HOST": "0.0.0.0"}, flags={"cache.dir": str(tmp_path)})
    nothing: Any = None
    with pytest.raises(ConfigError, match=r"is reachable from other machines"):
        await run(settings, nothing, nothing, announce=print)


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ({}, ["no language model", "no channel is set", "models.chat", "channels.tokens", "channels.users"]),
        ({"channels.tokens": f"telegram={TOKEN}"}, ["no language model", "has no account of telegram", "telegram:ID"]),
        ({"models.chat": "ollama:none", "channels.users": "fax:7"}, ["no channel is set", "no channel 'fax'"]),
    ],
)
def test_all_that_the_bot_lacks_is_told_at_once(flags: dict[str, str], wanted: list[str], tmp_path: Path) -> None:
    given = [part for name, value in flags.items() for part in ("--set", f"{name}={value}")]
    told = CliRunner().invoke(app, ["--set", f"cache.dir={tmp_path}", *given, "bot"])
    assert told.exit_code == 3
    assert [it for it in wanted if it not in told.stderr] == []
    assert list(tmp_path.iterdir()) == [], "nothing was opened"


def test_extras_that_the_bot_lacks_are_told_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {"server": ("uvicorn",), "telegram": ("aiogram",)}
    monkeypatch.setattr(assistant_requirements, "missing", lambda extra: gone.get(extra, ()))
    settings = load(environ={"TELEGRAM_BOT_TOKEN": TOKEN}, flags={})
    with pytest.raises(ConfigError, match="uvicorn, aiogram missing; no language model is set; channels") as told:
        assistant_requirements.check_bot(settings)
    assert str(told.value.hint).startswith("pip install 'wellread[assistant,server,telegram]'; set models.chat")


def test_the_assistants_doctor_says_whether_telegram_is_set_up(tmp_path: Path) -> None:
    flags = {"cache.dir": str(tmp_path), "models.chat": "ollama:none"}
    bare = {it.name: it for it in checkup(load(environ={}, flags=flags))}
    assert bare["channels"].ok is None
    assert "docs/telegram.md" in bare["channels"].detail
    nobody = {it.name: it for it in checkup(load(environ={"TELEGRAM_BOT_TOKEN": TOKEN}, flags=flags))}
    assert nobody["channels"].ok is False
    assert "channels.users has no account of telegram" in nobody["channels"].detail
    ready = load(environ={"TELEGRAM_BOT_TOKEN": TOKEN, "WELLREAD_CHANNELS_USERS": "telegram:7"}, flags=flags)
    told = {it.name: it for it in checkup(ready)}["channels"]
    assert (told.ok, told.detail) == (True, "telegram, by asking, for 1 people")


# ------------------------------------------------------------------------------------------------ examples


def unit() -> configparser.ConfigParser:
    found = configparser.ConfigParser(strict=False)
    found.optionxform = str  # type: ignore[assignment,method-assign]  # names of systemd have capitals
    found.read_string((FOLDER / "wellread-bot.service").read_text(encoding="utf-8"))
    return found


def instructions() -> dict[str, str]:
    text = re.sub(r"(?m)^#.*\n", "", (FOLDER / "Containerfile").read_text(encoding="utf-8")).replace("\\\n", " ")
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in text.splitlines() if line.strip()}


def service() -> dict[str, Any]:  # Any: YAML
    told: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]["bot"]
    return told


def test_systemd_unit_has_no_privileges_and_time_to_stop() -> None:
    told = unit()["Service"]
    assert told["ExecStart"] == "/opt/wellread/bin/wellread bot"
    assert told["User"] == "wellread"
    assert int(told["TimeoutStopSec"]) > load(environ={}).channels.drain_s
    assert set(told["RestartPreventExitStatus"].split()) == {"2", "3"}
    text = (FOLDER / "wellread-bot.service").read_text(encoding="utf-8")
    load(environ=dict(re.findall(r"(?m)^Environment=(WELLREAD_\w+)=(\S+)", text)))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_has_nothing_to_say_of_the_unit() -> None:
    command = ["systemd-analyze", "verify", "--man=no", str(FOLDER / "wellread-bot.service")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "wellread-bot.service:" in line]
    assert [line for line in lines if "is not executable" not in line] == []


def test_bot_container_without_root_and_its_health_check() -> None:
    told = instructions()
    assert int(told["USER"]) > 0
    assert told["CMD"] == '["bot"]'
    path = re.search(r"http://127\.0\.0\.1:(\d+)/healthz", told["HEALTHCHECK"])
    assert path
    assert int(path[1]) == load(environ={}).channels.port
    limits = service()
    assert (limits["cap_drop"], limits["read_only"]) == (["ALL"], True)
    assert int(limits["stop_grace_period"].removesuffix("s")) > load(environ={}).channels.drain_s


def test_every_variable_of_the_composition_is_a_setting() -> None:
    given = {
        name: re.sub(r"\$\{\w+:[-?](.*?)\}", r"\1", str(value)) for name, value in service()["environment"].items()
    }
    settings = load(environ=given | {"TELEGRAM_BOT_TOKEN": TOKEN})
    assert settings.channels.users == ("telegram:ID",)
    assert settings.channels.tokens["telegram"].reveal() == TOKEN


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run(["hadolint", str(FOLDER / "Containerfile")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
