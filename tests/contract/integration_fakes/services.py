"""The fakes on one loopback server, the settings that lead there, and an assistant that talks with them."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from contract.integration_fakes import accounts, linear
from contract.integration_fakes.accounts import Accounts
from contract.integration_fakes.calendar import Calendar
from contract.integration_fakes.gmail import Gmail
from contract.integration_fakes.linear import Linear
from contract.provider_fakes.exchange import Asked, Reply, told
from contract.provider_fakes.server import serving
from talking import settings_in, talking
from wellread.sections import IntegrationSettings, ScheduleSettings
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator
    from pathlib import Path

    from talking import Talk
    from wellread.config import Settings

TOKEN_KEY = "words-that-encrypt-the-tokens-of-tests"
SECRETS = (accounts.CLIENT_SECRET, TOKEN_KEY, linear.KEY, "ya29.", "1//")


@dataclass
class Services:
    """Google and Linear, and what they were asked."""

    accounts: Accounts = field(default_factory=Accounts)
    linear: Linear = field(default_factory=Linear)
    faults: list[Reply] = field(default_factory=list)
    """Answered instead of the next calls of Google's APIs, in order."""
    asked: list[tuple[str, Asked]] = field(default_factory=list)
    after: Callable[[str, Asked], None] = lambda _part, _asked: None
    """Called after each answer is made."""
    port: int = 0

    def __post_init__(self) -> None:
        self.calendar = Calendar(self.accounts)
        self.gmail = Gmail(self.accounts)

    def decide(self, service: str, part: str, asked: Asked) -> Reply:
        self.asked.append((f"{service}/{part}", asked))
        if part in {"calendar", "gmail"} and self.faults:
            return self.faults.pop(0)
        answers = {
            "oauth": self.accounts.answer, "calendar": self.calendar.answer, "gmail": self.gmail.answer,
            "api": self.linear.answer,
        }  # fmt: skip
        answer = answers[part](asked) if part in answers else told({}, 404)
        self.after(part, asked)
        return answer

    def reset(self) -> None:
        """Forget what there was and what was asked; who is connected stays so."""
        self.calendar, self.gmail, self.linear = Calendar(self.accounts), Gmail(self.accounts), Linear()
        self.faults, self.asked, self.after = [], [], lambda _part, _asked: None

    def calls(self, part: str) -> list[Asked]:
        return [asked for name, asked in self.asked if name.endswith(f"/{part}")]

    def url(self, path: str) -> Address:
        return Address(f"http://127.0.0.1:{self.port}/{path}")

    def settings(self, folder: Path, *names: str, **given: Any) -> Settings:
        """Return settings with the keys of these integrations; `given` are settings of the section."""
        keys = {
            "google": {"google_client_id": accounts.CLIENT_ID, "google_client_secret": accounts.CLIENT_SECRET},
            "linear": {"linear": linear.KEY},
        }
        chosen = {key: Secret(value) for name in names or keys for key, value in keys[name].items()}
        urls = {f"google_{it}": self.url(f"google/{it}") for it in ("accounts", "oauth", "calendar", "gmail")}
        section: dict[str, Any] = {
            "keys": chosen,
            "urls": {**urls, "linear": self.url("linear/api/graphql")},
            "token_key": Secret(TOKEN_KEY),
            **given,
        }
        return replace(
            settings_in(folder),
            schedule=ScheduleSettings(timezone="Europe/Berlin"),
            integrations=IntegrationSettings(**section),
        )


@dataclass
class Town:
    """An assistant that is connected with the services, for many tests; each begins anew."""

    services: Services
    talk: Talk

    async def begin(self, *script: Any) -> Talk:
        """Return the talk with a conversation and a script of its own."""
        self.talk.model.script, self.talk.told = script, []
        self.talk.model.asked.clear()
        self.talk.conversation = await self.talk.assistant.open("test")
        return self.talk


@asynccontextmanager
async def town(folder: Path) -> AsyncGenerator[Town, None]:
    with services() as made:
        async with connected(made, folder, []) as talk:
            yield Town(made, talk)


@contextmanager
def services() -> Iterator[Services]:
    made = Services()
    with serving(made.decide) as (made.port, _):
        yield made


@asynccontextmanager
async def connected(
    made: Services, folder: Path, script: list[Any], *, scopes: str | None = None, **given: Any
) -> AsyncGenerator[Talk, None]:
    """Yield a talk whose user has connected Google, by a link that the tool gave and a yes in the browser."""
    settings = made.settings(folder, **given)
    async with talking(folder, script, settings=settings) as talk:
        tool = talk.assistant.parts.dispatch.tools["google_connect"]
        link = (await tool.run({})).text.split("open: ")[1].split("\n")[0]
        await tool.run({"redirect_url": made.accounts.consent(link, scopes=scopes)})
        yield talk
