"""Every integration, by name: what it says of itself, the tools it gives, and that it is there only with its keys."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from accounts import owned
from contract.integration_fakes.services import SECRETS, Services, services
from talking import talking
from wellread import plugins
from wellread.apps.assistant_database import assistant_store
from wellread.apps.build import integration_context
from wellread.apps.integration_setup import list_integration_states, open_integrations
from wellread.apps.system_clock import SystemClock
from wellread.assistant.context import MAX_FIXED_TOKENS, ContextBuilder
from wellread.assistant.models.model_client import ModelQuestion, question_tokens
from wellread.assistant.tool_selection import SERVICE_OPENER_NAME
from wellread.assistant.tool_types import Effect
from wellread.errors import ConfigError
from wellread.sections import IntegrationSettings
from wellread.testing import Call
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from wellread.apps.integration_setup import OpenIntegration
    from wellread.assistant.integrations.integration import Integration
    from wellread.config import Settings

NAMES = plugins.names("integrations")
SEED = {
    "google": {
        "google_connect", "calendar_list_events", "calendar_create_event", "calendar_update_event",
        "calendar_delete_event", "gmail_search", "gmail_read", "gmail_draft", "gmail_send", "gmail_reply",
    },
    "linear": {"linear_create_issue", "linear_list_issues", "linear_update_issue", "linear_search"},
}  # fmt: skip
CHANGING = ("create", "update", "delete", "draft", "send", "reply")
DEFINED_TOKENS = 2_000
"""Most tokens that the definitions of all of them take in a request."""


@pytest.fixture
def made() -> Iterator[Services]:
    with services() as running:
        yield running


def load(name: str) -> Integration:
    found: Integration = plugins.load("integrations", name)()
    return found


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[dict[str, OpenIntegration], None]:
    database = assistant_store(settings)
    try:
        async with open_integrations(integration_context(settings, owned(database), SystemClock())) as ready:
            yield {it.integration.name: it for it in ready}
    finally:
        database.close()


@pytest.fixture
async def ready(made: Services, tmp_path: Path) -> AsyncGenerator[dict[str, OpenIntegration], None]:
    async with opened(made.settings(tmp_path)) as found:
        yield found


def test_the_suite_knows_every_integration() -> None:
    assert set(SEED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_whose_its_keys_and_addresses_are(name: str) -> None:
    found = load(name)
    assert found.name == name
    assert found.needs
    assert (Path(__file__).parents[2] / found.steps).is_file(), "ours are told in docs/"
    assert all(it == name or it.startswith(f"{name}_") for it in (*found.needs, *found.urls))
    assert all(url.startswith("https://") and not url.endswith("/") for url in found.urls.values())


@pytest.mark.parametrize("name", NAMES)
async def test_its_tools_are_those_of_the_table_and_sound(name: str, ready: dict[str, OpenIntegration]) -> None:
    tools = {it.name: it for it in ready[name].tools}
    assert set(tools) == SEED[name]
    for each in tools.values():
        Draft202012Validator.check_schema(dict(each.parameters))
        assert each.parameters["additionalProperties"] is False
        assert each.description


@pytest.mark.parametrize("name", NAMES)
async def test_what_changes_something_is_asked_for_and_can_say_what(
    name: str, ready: dict[str, OpenIntegration]
) -> None:
    for each in ready[name].tools:
        changes = any(word in each.name for word in CHANGING)
        assert (each.effect is Effect.WORLD) == changes, each.name
        assert not changes or each.preview or each.async_preview, each.name


@pytest.mark.parametrize("name", NAMES)
async def test_nothing_is_sent_and_no_secret_shown_until_a_tool_is_used(
    name: str, ready: dict[str, OpenIntegration], made: Services
) -> None:
    assert made.asked == []
    assert not any(secret in repr((ready[name], ready[name].integration)) for secret in SECRETS)


@pytest.mark.parametrize("name", NAMES)
async def test_it_is_there_with_its_keys_alone(name: str, made: Services, tmp_path: Path) -> None:
    async with opened(made.settings(tmp_path, name)) as found:
        assert set(found) == {name}


@pytest.mark.parametrize("name", NAMES)
async def test_it_is_not_there_without_all_of_its_keys(name: str, made: Services, tmp_path: Path) -> None:
    settings = made.settings(tmp_path, name)
    keys = settings.integrations.keys
    for gone in load(name).needs:
        fewer = {key: value for key, value in keys.items() if key != gone}
        async with opened(replace(settings, integrations=replace(settings.integrations, keys=fewer))) as found:
            assert found == {}


@pytest.mark.parametrize("name", NAMES)
async def test_a_private_address_that_nobody_named_is_refused(
    name: str, made: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = made.settings(tmp_path, name)
    inside = dict.fromkeys(load(name).urls, "http://169.254.169.254")
    monkeypatch.setattr(type(load(name)), "urls", inside)
    bare = IntegrationSettings(keys=settings.integrations.keys, token_key=settings.integrations.token_key)
    with pytest.raises(ConfigError, match="is refused"):
        async with opened(replace(settings, integrations=bare)):
            raise AssertionError("it must not open")


async def test_size_of_all_tool_definitions(made: Services, tmp_path: Path) -> None:
    settings = made.settings(tmp_path)
    everything = replace(settings.assistant, workspace=tmp_path / "desk", shell=True)
    async with talking(tmp_path, [], settings=replace(settings, assistant=everything)) as talk:
        dispatch = talk.assistant.parts.dispatch
    names = set().union(*SEED.values())
    ours = [it for it in dispatch.definitions(NAMES) if it.name in names]
    assert len(ours) == 14
    assert question_tokens(ModelQuestion(turn_id="", instructions="", messages=(), tools=ours)) <= DEFINED_TOKENS
    fixed = ContextBuilder("Wellread", "America/Argentina/Buenos_Aires").fixed(1_780_000_000_000, dispatch.tools)
    always = dispatch.definitions()
    assert question_tokens(ModelQuestion(turn_id="", instructions=fixed, messages=(), tools=always)) <= MAX_FIXED_TOKENS
    assert {it.name for it in always} & names == set()
    assert all(name in dispatch.tools[SERVICE_OPENER_NAME].description for name in names)


STRANGER = """
from wellread.assistant.tool_types import Tool, ToolResult

class Tides:
    name, needs, steps = "tides", ("tides",), "https://tides.example/keys"
    urls = {"tides": "https://tides.example", "tidesold": "https://old.example"}
    def authority(self, reach):
        return None
    def tools(self, reach, grant):
        async def run(given):
            return ToolResult(f"asked with {reach.keys['tides']}, has {', '.join(reach.keys)}, "
                f"at {', '.join(reach.urls.values())} in {reach.zone}", tainted=True)
        return [Tool("tides_look", "Look.", {"type": "object", "additionalProperties": False}, run)]
"""


async def test_integration_of_another_package_gets_only_its_own_values(
    made: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "site"
    folder = home / "wellread_tides-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: wellread-tides\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[wellread.integrations]\ntides = wellread_tides:Tides\n")
    (home / "wellread_tides.py").write_text(STRANGER)
    monkeypatch.syspath_prepend(str(home))
    settings = made.settings(tmp_path)
    keys = {name: Secret("s3cret") for name in ("tides", "tides_more", "tidesold_secret", "google_client_id")}
    urls = {"tides": Address("http://127.0.0.1:8000"), "tidesold": Address("http://127.0.0.1:8080")}
    keyed = replace(settings.integrations, keys=keys, urls=urls)
    settings = replace(settings, integrations=keyed)
    async with talking(tmp_path, [Call("tides_look"), "Seen."], settings=settings) as talk:
        await talk.say("Look")
    told = talk.model.asked[1].results()[0]
    assert "asked with ***, has tides, tides_more, at http://127.0.0.1:8000, https://old.example in Europe/Be" in told
    sys.modules.pop("wellread_tides")


async def test_doctor_reports_an_integration_that_cannot_be_loaded(
    made: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site" / "wellread_fax-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: wellread-fax\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[wellread.integrations]\nfax = no_such_module:Fax\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    settings = made.settings(tmp_path, "linear")
    keys: dict[str, Any] = {**settings.integrations.keys, "fax": Secret("x")}
    settings = replace(settings, integrations=replace(settings.integrations, keys=keys))
    database = assistant_store(settings)
    told = {
        it.name: it
        for it in await list_integration_states(integration_context(settings, owned(database), SystemClock()))
    }
    database.close()
    assert (told["fax"].ok, "no_such_module" in told["fax"].detail) == (False, True)
    assert (told["linear"].ok, told["google"].ok) == (True, None)
