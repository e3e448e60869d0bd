"""Secrets in settings: no command, `repr` or error shows them, in whichever part of an address they are."""

from __future__ import annotations

import json
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from warm import run
from wellread.config import load, setting_names, setting_type
from wellread.values import Address, AddressOrCommand, Secret

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "Canary7"
ADDRESSES = (
    f"https://anna:{CANARY}@service.example/v1",
    f"https://{CANARY}@service.example/v1",
    f"https://service.example/mcp?token={CANARY}",
    f"https://service.example/mcp?version=2;{CANARY}",
    f"https://anna:{CANARY}@service.example/mcp?mail=a@{CANARY}",
    f"https://service.example/v1?mail=a@{CANARY}#{CANARY}",
    f"https://service.example/services/T1/{CANARY}{'abcd' * 5}",
    f"postgresql://anna:pw@service.example/x?password={CANARY}&sslmode=require",
    f"host=service.example password={CANARY}",
)
COMMANDS = (f"npx server --key {CANARY}", f"TOKEN={CANARY} npx server", f"https:/anna:{CANARY}@service.example mcp")


def kind(hint: object) -> type[Secret] | None:
    """Return the kind of secret that a setting holds, alone or in a table; None for other settings."""
    for part in (hint, *typing.get_args(hint)):
        if isinstance(part, type) and issubclass(part, Secret):
            return part
    return None


SECRET_SETTINGS = {name: setting_type(name) for name in setting_names() if kind(setting_type(name)) is not None}


def variables(text: str) -> dict[str, str]:
    """Return `text` in each setting that can hold it, as variables of the environment."""
    return {
        f"WELLREAD_{name.replace('.', '_').upper()}": (
            json.dumps({"openai": text}) if typing.get_origin(hint) is Mapping else text
        )
        for name, hint in SECRET_SETTINGS.items()
        if text not in COMMANDS or kind(hint) is not Address
    }


def test_settings_that_hold_secrets() -> None:
    words = ("url", "key", "secret", "token", "prox", "connect", "upstream", "mcp", "issuer", "hooks", "credentials")
    named = {name for name in setting_names() if any(word in name.partition(".")[2] for word in words)}
    # Numbers, switches, names, and hashes of keys.
    harmless = {name for name in named - set(SECRET_SETTINGS) if setting_type(name) in (int, float, bool)}
    assert named - set(SECRET_SETTINGS) - harmless == {
        *("net.proxy_dns", "server.keys", "server.mcp_answers", "server.mcp_tools", "assistant.mcp_reads")
    }


@pytest.mark.parametrize("text", [*ADDRESSES, *COMMANDS])
def test_repr_of_settings(text: str) -> None:
    settings = load(environ=variables(text))
    assert settings.assistant.mcp["openai"].reveal() == text
    assert CANARY not in repr(settings)


def test_address_without_secrets_is_shown_whole() -> None:
    for url in (
        "https://service.example:8443/v1beta/openai",
        "sqlite:////tmp/folder-of-2026-long-name-1/x.db",
        "direct",
    ):
        assert str(Address(url)) == str(AddressOrCommand(url)) == url
    shown = str(Address("postgresql://anna:pw@service.example/x?sslmode=require&password=pw"))
    assert shown == "postgresql://***@service.example/x?sslmode=require&password=***"


@pytest.mark.parametrize("command", [("config",), ("config", "--json"), ("doctor", "--offline")])
@pytest.mark.parametrize("text", [ADDRESSES[0], ADDRESSES[2], COMMANDS[0]])
def test_commands_that_show_settings(tmp_path: Path, text: str, command: tuple[str, ...]) -> None:
    ended = run(*command, home=tmp_path, variables=variables(text) | {"WELLREAD_MODELS_CHAT": "openai:tides"})
    assert "openai" in ended.out
    assert CANARY.lower() not in (ended.out + ended.err).lower()


@pytest.mark.parametrize(
    ("setting", "text", "command"),
    [
        ("models.urls", "ftp://127.0.0.1/v1?key=Canary7", "chat hello"),
        ("assistant.mcp", "127.0.0.1/v1?key=Canary7", "chat hello"),
        ("search.urls", "127.0.0.1/v1?key=Canary7", "search tides"),
        ("search.urls", "http://127.0.0.1/ v1?key=Canary7", "search tides"),
        ("embed.url", "ftp://127.0.0.1/v1?key=Canary7", "gather tides"),
        ("shared.url", "127.0.0.1/v1?key=Canary7", "doctor --offline"),
        ("shared.url", "redis://127.0.0.1:1/v1?key=Canary7", "read https://tides.example/"),
        ("shared.snapshots", "postgresql://127.0.0.1:1/v1?key=Canary7", "read https://tides.example/"),
        ("net.proxies", "127.0.0.1/v1?key=Canary7", "read https://tides.example/"),
        ("server.issuer", "http://tides.example/v1?key=Canary7", "serve --port 1"),
    ],
)
def test_errors_about_an_address(tmp_path: Path, setting: str, text: str, command: str) -> None:
    names = {"search.urls": "searxng", "net.proxies": "*"}
    is_table = typing.get_origin(SECRET_SETTINGS[setting]) is Mapping
    value = json.dumps({names.get(setting, "openai"): text}) if is_table else text
    given = {
        "WELLREAD_SEARCH_PROVIDERS": "searxng" if setting == "search.urls" else "local",
        "WELLREAD_MODELS_CHAT": "openai:tides" if setting == "models.urls" else "ollama:tides",
        "WELLREAD_EMBED_SERVICE": "openai" if setting == "embed.url" else "",
        "WELLREAD_SERVER_RESOURCE": "https://tides.example",
        f"WELLREAD_{setting.replace('.', '_').upper()}": value,
    }
    ended = run(*command.split(), home=tmp_path, folder=tmp_path, variables=given)
    assert CANARY.lower() not in (ended.out + ended.err).lower()
    assert "Traceback" not in ended.err
