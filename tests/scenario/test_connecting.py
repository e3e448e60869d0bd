"""Access by OAuth: granted through a browser or by pasting, kept encrypted, renewed once, reported when it is over."""

from __future__ import annotations

import json
import re
import stat
from typing import TYPE_CHECKING, Any

import anyio
import keyring
import pytest
from keyring.backend import KeyringBackend
from sqlalchemy import text

from accounts import owned
from contract.integration_fakes.accounts import fault
from contract.integration_fakes.browser import granting, visit
from contract.integration_fakes.services import SECRETS, TOKEN_KEY, Services, connected, services
from talking import talking
from wellread.apps.assistant_database import assistant_store
from wellread.apps.build import integration_context
from wellread.apps.integration_setup import open_integrations
from wellread.apps.system_clock import SystemClock
from wellread.assistant.integrations import vault
from wellread.errors import Auth, ConfigError, InvalidInput
from wellread.testing import Call, FakeClock
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

    from wellread.assistant.integrations.oauth.grant import Grant

LOOK = Call("calendar_list_events", {"start": "2026-11-24"})


@pytest.fixture
def google() -> Iterator[Services]:
    with services() as made:
        yield made


@pytest.fixture
async def grant(google: Services, tmp_path: Path) -> AsyncGenerator[Grant, None]:
    async for made in granting(google, tmp_path):
        yield made


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def timed(google: Services, tmp_path: Path, clock: FakeClock) -> AsyncGenerator[Grant, None]:
    async for made in granting(google, tmp_path, clock):
        yield made


# ----------------------------------------------------------------------------------------- granted, or not


async def test_a_browser_that_comes_back_connects(google: Services, grant: Grant) -> None:
    status, headers, page = await visit(google.accounts.consent(await grant.link()))
    assert (status, "wellread is connected with google." in page) == (200, True)
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["referrer-policy"] == "no-referrer"
    assert grant.settled.is_set()
    assert await grant.token() in google.accounts.access


async def test_an_answer_counts_once(google: Services, grant: Grant) -> None:
    back = google.accounts.consent(await grant.link())
    assert (await visit(back))[0] == 200
    status, _, page = await visit(back)
    assert (status, "used before" in page) == (400, True)


async def test_a_wrong_state_changes_nothing_and_the_right_one_still_counts(google: Services, grant: Grant) -> None:
    back = google.accounts.consent(await grant.link())
    assert (await visit(re.sub("state=[^&]+", "state=" + "x" * 43, back)))[0] == 400
    assert (await visit(back.partition("?")[0]))[0] == 400
    assert len(google.accounts.codes) == 1
    assert (await visit(back))[0] == 200


async def test_a_no_is_told_and_ends_the_link(google: Services, grant: Grant) -> None:
    back = google.accounts.consent(await grant.link(), yes=False)
    status, _, page = await visit(back)
    assert (status, "access was not granted: access_denied" in page) == (400, True)
    assert grant.settled.is_set()
    assert grant.refused is not None
    assert await grant.granted() is None


async def test_what_a_page_sends_is_not_shown_again(google: Services, grant: Grant) -> None:
    state = re.findall("state=([^&]+)", await grant.link())[0]
    back = google.accounts.consent(await grant.link()).partition("?")[0]
    _, _, page = await visit(f"{back}?error=%3Cscript%3Ealert(1)%3C/script%3E&state={state}")
    assert "<script>" not in page


@pytest.mark.parametrize(
    ("path", "method", "host", "status"),
    [("/google", "POST", None, 405), ("/favicon.ico", "GET", None, 404), ("/google", "GET", "evil.example", 421)],
)
async def test_the_listener_takes_only_what_it_waits_for(
    path: str, method: str, host: str | None, status: int, google: Services, grant: Grant
) -> None:
    back = google.accounts.consent(await grant.link())
    there = back.partition("/google")[0] + path + "?" + back.partition("?")[2]
    assert (await visit(there, method=method, host=host))[0] == status
    assert await grant.granted() is None


async def test_a_link_waits_ten_minutes_and_no_longer(google: Services, timed: Grant, clock: FakeClock) -> None:
    back = google.accounts.consent(await timed.link())
    clock.advance(601)
    with pytest.raises(InvalidInput, match="has expired"):
        await timed.finish(back)


async def test_a_link_that_was_just_given_is_given_again(timed: Grant, clock: FakeClock) -> None:
    first = await timed.link()
    clock.advance(60)
    assert await timed.link() == first
    clock.advance(400)
    assert await timed.link() != first


async def test_a_port_that_is_taken_is_told(google: Services, grant: Grant) -> None:
    grant.port = google.port
    with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{google.port}"):
        await grant.link()


async def test_what_was_not_granted_is_told(google: Services, tmp_path: Path) -> None:
    only = "https://www.googleapis.com/auth/calendar.events"
    script = [Call("gmail_search", {"query": "x"}), "It may not."]
    async with connected(google, tmp_path, script, scopes=only) as talk:
        await talk.say("Any mail?")
    assert "auth: Gmail does not grant enough access. Hint: send the user this link" in talk.model.asked[1].results()[0]


# ------------------------------------------------------------------------------------- in the chat, and over


async def test_the_chat_connects_by_a_link_and_a_pasted_address(google: Services, tmp_path: Path) -> None:
    script: list[Any] = [Call("google_connect"), "Open it.", "", "It is done."]
    async with talking(tmp_path, script, settings=google.settings(tmp_path)) as talk:
        await talk.say("Connect my calendar")
        (told,) = talk.model.asked[1].results()
        link = re.findall(r"http\S+", told)[0]
        talk.model.script[2] = Call("google_connect", {"redirect_url": google.accounts.consent(link)})  # type: ignore[index]  # a list
        reply = await talk.say("Here it is")
    assert reply.receipts == ("google connected",)
    assert not any(secret in json.dumps([str(it) for it in talk.told]) for secret in SECRETS)


async def test_a_grant_that_is_over_is_reported_with_a_link_that_mends_it(google: Services, tmp_path: Path) -> None:
    script: list[Any] = [LOOK, "You must connect again.", LOOK, "Nothing is on."]
    async with connected(google, tmp_path, script) as talk:
        google.accounts.access.clear()
        google.accounts.refresh.clear()
        await talk.say("What is on?")
        (told,) = talk.model.asked[1].results()
        assert "auth: google: the connection is no longer accepted (invalid_grant)" in told
        link = re.findall(r"http://\S+/auth\?\S+", told)[0]
        assert (await visit(google.accounts.consent(link)))[0] == 200
        await talk.say("And now?")
    assert "There are no events." in talk.model.asked[3].results()[-1]


async def test_a_revoked_access_token_is_renewed_and_the_call_made_again(google: Services, tmp_path: Path) -> None:
    async with connected(google, tmp_path, [LOOK, "Nothing."]) as talk:
        google.accounts.access.clear()
        await talk.say("What is on?")
    assert "There are no events." in talk.model.asked[1].results()[0]
    assert google.accounts.renewals == 1


async def test_of_many_who_find_a_token_stale_one_renews_it(google: Services, timed: Grant, clock: FakeClock) -> None:
    await timed.finish(google.accounts.consent(await timed.link()))
    first = await timed.token()
    clock.advance(3_599)
    got: list[str] = []

    async def ask() -> None:
        got.append(await timed.token())

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(ask)
    assert len(set(got)) == 1
    assert got[0] != first
    assert google.accounts.renewals == 1


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (fault(401, "invalid_client"), "does not accept our client"),
        (fault(429, "rate_limit_exceeded"), "too many requests"),
        (fault(503, "temporarily_unavailable"), "503"),
    ],
)
async def test_a_token_endpoint_that_fails_is_told_without_secrets(
    reply: Any, told: str, google: Services, tmp_path: Path
) -> None:
    async with connected(google, tmp_path, [LOOK, "It failed."]) as talk:
        google.accounts.access.clear()
        google.accounts.broken = reply
        await talk.say("What is on?")
    (result,) = talk.model.asked[1].results()
    assert told in result
    assert not any(secret in result for secret in SECRETS)


# ------------------------------------------------------------------------------------------------ kept


def everything_below(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_tokens_lie_encrypted_in_the_store(google: Services, grant: Grant, tmp_path: Path) -> None:
    await grant.finish(google.accounts.consent(await grant.link()))
    token, kept = await grant.token(), await grant.granted()
    assert kept is not None
    database = assistant_store(google.settings(tmp_path))
    (row,) = await database.run(lambda session: list(session.execute(text("SELECT name, sealed FROM sealed"))))
    database.close()
    assert row.name == "google"
    assert token.encode() not in row.sealed
    stored = everything_below(tmp_path)
    assert not any(secret.encode() in stored for secret in (token, kept.refresh, TOKEN_KEY))
    assert not any(secret in repr((kept, grant.authority, grant)) for secret in SECRETS)


async def test_tokens_of_another_key_are_told_and_not_guessed(google: Services, grant: Grant, tmp_path: Path) -> None:
    await grant.finish(google.accounts.consent(await grant.link()))
    settings = google.settings(tmp_path, token_key=Secret("other words that are long enough"))
    database = assistant_store(settings)
    async with open_integrations(integration_context(settings, owned(database), SystemClock()), "google") as (ready,):
        assert ready.grant is not None
        with pytest.raises(Auth, match="encrypted with another key"):
            await ready.grant.token()
    database.close()


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's own
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, made = keyring.get_keyring(), Ring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_the_key_is_kept_in_the_keyring_where_there_is_one(ring: Ring, tmp_path: Path) -> None:
    made = vault.vault_key(None, tmp_path)
    assert (len(made), vault.vault_key(None, tmp_path), len(ring.kept)) == (32, made, 1)
    assert list(tmp_path.iterdir()) == []


def test_else_in_a_file_that_its_owner_alone_reads(tmp_path: Path) -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())  # type: ignore[no-untyped-call]  # the library's own
    try:
        made = vault.vault_key(None, tmp_path / "store")
        assert vault.vault_key(None, tmp_path / "store") == made
    finally:
        keyring.set_keyring(before)
    (file,) = (tmp_path / "store").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert made.hex() == file.read_text()


def test_a_key_file_that_is_none_and_words_too_short_are_told(tmp_path: Path) -> None:
    (tmp_path / "tokens.key").write_text("not a key")
    with pytest.raises(ConfigError, match="has no valid key"):
        vault.vault_key(None, tmp_path)
    with pytest.raises(ConfigError, match="fewer than 20"):
        vault.vault_key(Secret("short"), tmp_path)
