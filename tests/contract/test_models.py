"""The real SDKs of four services against strict fakes of their wire formats: what is sent would be taken, what comes
is understood, and what goes wrong is told in our own errors.
"""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import pytest

from contract.model_fakes import DIALECTS, KEY, OpenAI, Service, called, said
from scenario.loopback import serving, whole
from talking import Deeds
from wellread.apps.build import Web, assistant
from wellread.assistant.turn_events import Heard
from wellread.config import CacheSettings, Settings
from wellread.errors import Auth, BlockedAddress, ConfigError, RateLimited, Timeout, TooLarge, Unreachable, Upstream
from wellread.net import endpoint_client
from wellread.sections import AssistantSettings, ModelSettings, RenderSettings
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from contract.model_fakes import Dialect
    from wellread.assistant.loop import Assistant
    from wellread.assistant.tool_types import Tool
    from wellread.assistant.turn_events import Event, Reply


@dataclass
class Line:
    """An assistant on one end of the wire, and a service on the other."""

    assistant: Assistant
    service: Service
    conversation: str
    heard: str = ""

    async def say(self, text: str = "Hello") -> Reply:
        return await self.assistant.hear(self.conversation, text, self._tell, author="owner")

    async def _tell(self, event: Event) -> None:
        self.heard += event.text if isinstance(event, Heard) else ""


@asynccontextmanager
async def line(
    folder: Path, dialect: Dialect, script: list[Any], *, tools: list[Tool] | None = None, **models: Any
) -> AsyncGenerator[Line, None]:
    async with serving() as server:
        service = Service(dialect)
        service.script = script
        server.anything = service
        given: dict[str, Any] = {"chat": f"{dialect.name}:{dialect.model}", "backoff_s": 0.0, "idle_s": 60.0} | models
        chosen = ModelSettings(
            keys={dialect.name: Secret(KEY)}, urls={dialect.name: Address(dialect.url(server.port))}, **given
        )
        settings = Settings(
            assistant=AssistantSettings(learn=False),  # which asks once more when the turn is over
            cache=CacheSettings(dir=folder),
            models=chosen,
            render=RenderSettings(enabled=False),
        )
        async with Web(settings) as web, assistant(settings, web, tools=tools or []) as home:
            ready = await home.owner()
            yield Line(ready, service, await ready.open("test"))
    assert service.wrong == []


@pytest.fixture(params=DIALECTS, ids=[each.name for each in DIALECTS])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    found: Dialect = request.param
    return found


async def test_an_answer_is_streamed_and_its_cost_is_entered(dialect: Dialect, tmp_path: Path) -> None:
    async with line(tmp_path, dialect, [said("The sea ", "is calm.")]) as wire:
        reply = await wire.say()
    assert reply.text == wire.heard == "The sea is calm."
    assert (reply.spent.input_tokens, reply.spent.output_tokens, reply.spent.requests) == (25, 15, 1)
    assert (reply.spent.cost_usd > 0) == (dialect.name != "ollama")


async def test_a_tool_is_called_and_its_answer_goes_back(dialect: Dialect, tmp_path: Path) -> None:
    deeds = Deeds(["low water at 9:30"], tainted=False)
    script = [[*said("Let me look."), called("look", '{"at": "harbour"}')], said("At half past nine.")]
    async with line(tmp_path, dialect, script, tools=deeds.tools) as wire:
        reply = await wire.say("When is low water?")
    assert deeds.done == [("look", {"at": "harbour"})]
    assert reply.text.endswith("At half past nine.")
    assert dialect.results(wire.service.bodies[1]) == ["low water at 9:30"]


async def test_two_calls_at_once_get_two_answers(dialect: Dialect, tmp_path: Path) -> None:
    deeds = Deeds(["one", "two"], tainted=False)
    script = [[called("look", '{"at": 1}', "a1"), called("look", '{"at": 2}', "a2")], said("Both.")]
    async with line(tmp_path, dialect, script, tools=deeds.tools) as wire:
        await wire.say()
    assert dialect.results(wire.service.bodies[1]) == ["one", "two"]


async def test_malformed_arguments_are_told_and_mended(dialect: Dialect, tmp_path: Path) -> None:
    script = [[called("web_read", '{"url": ')], [called("web_read", '{"url": "nowhere"}', "c2")], said("No such page.")]
    async with line(tmp_path, dialect, script) as wire:
        reply = await wire.say()
    first, second = dialect.results(wire.service.bodies[2])
    assert "send the call again" in first
    assert "invalid_url" in second
    assert reply.text == "No such page."


async def test_an_answer_of_a_given_shape_is_had(dialect: Dialect, tmp_path: Path) -> None:
    script = [[called("answer", '{"intent": "chat"}')], said("Just talk.")]
    async with line(tmp_path, dialect, script, intent=f"{dialect.name}:{dialect.model}") as wire:
        await wire.say()
    assert "tools" not in wire.service.bodies[1]
    assert len(wire.service.bodies) == 2


@pytest.mark.parametrize("failures", [[429, 429], [500], [503, 502]], ids=str)
async def test_a_passing_failure_is_outlasted(dialect: Dialect, failures: list[int], tmp_path: Path) -> None:
    async with line(tmp_path, dialect, [*failures, said("Here.")]) as wire:
        assert (await wire.say()).text == "Here."
    assert wire.service.asked == len(failures) + 1


@pytest.mark.parametrize(
    ("status", "error", "asked"), [(429, RateLimited, 3), (500, Upstream, 3), (401, Auth, 1), (404, ConfigError, 1)]
)
async def test_a_lasting_failure_is_one_of_ours_and_shows_no_key(
    dialect: Dialect, status: int, error: type[Exception], asked: int, tmp_path: Path
) -> None:
    async with line(tmp_path, dialect, [status] * 5) as wire:
        with pytest.raises(error) as raised:
            await wire.say()
    assert wire.service.asked == asked
    assert KEY not in f"{raised.value!r} {raised.value.__cause__!r}"


async def test_an_answer_that_breaks_off_is_kept_and_says_so(dialect: Dialect, tmp_path: Path) -> None:
    count = 5 if dialect.name == "anthropic" else 2
    async with line(tmp_path, dialect, []) as wire:
        wire.service.script = [wire.service.breaks_after(said("The sea", " is", " calm", " and", " grey."), count)]
        reply = await wire.say()
    assert reply.text == wire.heard
    assert reply.text in {"The sea", "The sea is", "The sea is calm"}
    assert len(reply.notes) >= 1
    assert wire.service.asked == 1


async def test_silence_has_an_end(dialect: Dialect, tmp_path: Path) -> None:
    async with line(tmp_path, dialect, [], idle_s=0.5, attempts=2) as wire:  # time for the request to arrive

        async def silent(stream: Any) -> None:
            with pytest.raises(anyio.EndOfStream):
                await stream.receive()

        wire.service.script = [silent, silent]
        with pytest.raises(Timeout):
            await wire.say()
    assert wire.service.asked == 2


async def test_an_answer_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_client, "MAX_BYTES", 10_000)
    async with line(tmp_path, OpenAI(), [said("calm " * 20_000)]) as wire:
        with pytest.raises(TooLarge):
            await wire.say()


async def test_a_reader_who_goes_away_leaves_what_could_have_been_used(tmp_path: Path) -> None:
    async with line(tmp_path, OpenAI(), [said("calm " * 100)]) as wire:
        with anyio.CancelScope() as scope:

            async def leave(_event: object) -> None:
                scope.cancel()
                await anyio.lowlevel.checkpoint()

            await wire.assistant.hear(wire.conversation, "Hello", leave, author="owner")
        used = await wire.assistant.parts.ledger.today()
    assert used.output_tokens == ModelSettings().max_tokens


async def test_half_a_call_is_no_call(dialect: Dialect, tmp_path: Path) -> None:
    deeds = Deeds(tainted=False)
    parts = [*said("Let me look.", " Now."), called("look", '{"at": "harbour"}')]
    count = {"anthropic": 8, "google": 2}.get(dialect.name, 5)
    async with line(tmp_path, dialect, [], tools=deeds.tools) as wire:
        wire.service.script = [wire.service.breaks_after(parts, count)]
        reply = await wire.say()
    assert deeds.done == []
    assert reply.text.startswith("Let me look.")
    assert reply.notes


async def test_another_model_answers_where_the_first_does_not(tmp_path: Path) -> None:
    script = [500, 500, 500, said("I stand in.")]
    async with line(tmp_path, _AnyModel(), script, fallback=("openai:gpt-4o-mini-2",)) as wire:
        assert (await wire.say()).text == "I stand in."
    assert [body["model"] for body in wire.service.bodies] == ["gpt-4o-mini"] * 3 + ["gpt-4o-mini-2"]


class _AnyModel(OpenAI):
    def check(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> None:
        self.model = body["model"]
        super().check(path, headers, body)


async def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    async with line(tmp_path, OpenAI(), []) as wire:

        async def away(stream: Any) -> None:
            await stream.send(whole(b"", "307 Temporary Redirect", Location="http://127.0.0.1:9/v1/chat/completions"))

        wire.service.script = [away]
        with pytest.raises((Upstream, Unreachable)):
            await wire.say()
    assert wire.service.asked == 1


async def test_a_provider_that_was_not_given_an_address_must_be_public(tmp_path: Path) -> None:
    settings = Settings(
        cache=CacheSettings(dir=tmp_path),
        models=ModelSettings(chat="openai:gpt-4o-mini", keys={"openai": Secret(KEY)}, backoff_s=0),
        render=RenderSettings(enabled=False),
    )

    class Rebound:
        async def resolve(self, _host: str, _port: int) -> list[str]:
            return ["127.0.0.1"]

    from wellread.apps.system_clock import SystemClock
    from wellread.net.endpoint_client import EndpointTimeouts, endpoint_client

    public = "https://api.openai.com/v1"
    async with endpoint_client(
        settings.net, EndpointTimeouts(clock=SystemClock()), public=[public], resolver=Rebound()
    ) as http:
        with pytest.raises(BlockedAddress):
            await http.get(public)
        with pytest.raises(BlockedAddress, match="not a host of the settings"):
            await http.get("https://example.com/")


@pytest.mark.parametrize(
    ("models", "told"),
    [
        ({"chat": "nobody:x"}, "is not a model"),
        ({"chat": "openai:"}, "is not a model"),
        ({"chat": "anthropic:claude"}, "there is no key"),
        ({}, "no language model is set"),
        ({"chat": "openai:x", "urls": {"openai": Address("ftp://a.example")}}, "is refused"),
    ],
)
async def test_a_model_that_cannot_be_asked_is_a_wrong_setting(
    models: dict[str, Any], told: str, tmp_path: Path
) -> None:
    settings = Settings(cache=CacheSettings(dir=tmp_path), models=replace(ModelSettings(), **models))
    async with Web(settings) as web:
        with pytest.raises(ConfigError, match=told):
            async with assistant(settings, web):
                pass


def test_the_fakes_refuse_what_the_services_refuse() -> None:
    for each in DIALECTS:
        with pytest.raises((ValueError, KeyError)):
            each.check("/", {}, json.loads('{"messages": [], "contents": [], "stream": true, "max_tokens": 1}'))
