"""The evidence of a session: pictures, requests and console in a folder, without secrets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from scenario import browsing_interfaces as interfaces
from scenario.browsing_interfaces import ask
from wellread.apps.cli import app
from wellread.browser.browse.evidence_mask import EvidenceMask

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Site

SIGN_IN = """<title>Sign in</title><form action=/terms onsubmit="console.log('typed ' + p.value)">
<label>Name <input name=who></label><label>Word <input id=p name=w type=password></label>
<button type=button onclick="p.type = 'text'">Show</button><button>Enter</button></form>
<script>fetch('/api?access_token=zanzibar&q=boats', {headers: {Authorization: 'Bearer gibraltar'}})</script>"""
SECRETS = ("hunter 2&x", "hunter%202%26x", "hunter+2%26x", "zanzibar", "gibraltar")


def har_entries(folder: Path) -> dict[str, dict[str, Any]]:  # Any: HAR
    log = json.loads((folder / "network.har").read_text())["log"]
    assert log["version"] == "1.2"
    return {entry["request"]["url"]: entry for entry in log["entries"]}


def test_evidence_records_steps_without_secrets(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/in"] = SIGN_IN
    folder = tmp_path / "evidence"
    command = [*interfaces.options(harbour, tmp_path), "browse", harbour.url("/in"), "--evidence", str(folder)]
    steps = 'type 1 Ann; type 2 "hunter 2&x"; click Show; click Enter; click 99'
    assert CliRunner().invoke(app, [*command, "--do", steps]).exit_code == 4
    recorded = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    assert [step["action"] for step in recorded] == ["open", "type", "type", "click", "click", "click"]
    assert recorded[2]["element"] == '[2] password "Word"'
    assert recorded[3]["no_picture"] == "it would show a secret"
    assert recorded[5]["error"].startswith("invalid_input: there is no element [99]")
    pictures = [step["picture"] for step in recorded if "picture" in step]
    assert len(pictures) == 5
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in pictures)
    entries = har_entries(folder)
    assert entries[harbour.url("/in")]["response"]["status"] == 200
    assert entries[harbour.url("/terms?who=Ann&w=***")]["response"]["content"]["mimeType"].startswith("text/html")
    assert "log typed ***" in " ".join((folder / "console.log").read_text().split())
    texts = [file.read_text() for file in folder.iterdir() if file.suffix != ".png"]
    assert not [secret for secret in SECRETS for text in texts if secret in text]
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    again = CliRunner().invoke(app, [*command, "--do", "click 1"])
    assert (again.exit_code, "is not empty" in again.stderr) == (4, True)


async def test_callers_get_evidence_only_in_the_owners_folder(harbour: Site, tmp_path: Path) -> None:
    settings = interfaces.settings(harbour, tmp_path)
    page = {"url": harbour.url("/shop"), "evidence": True}
    async with interfaces.http(settings) as client:
        refused = await client.post("/v1/browse", json=page)
        assert (refused.status_code, refused.json()["hint"]) == (403, "set browse.evidence to a folder")
        assert (await client.post("/v1/browse", json=page | {"evidence": str(tmp_path)})).status_code == 400
    owned = replace(settings, browse=replace(settings.browse, evidence=tmp_path / "owned"))
    async with interfaces.http(owned) as client:
        session = (await ask(client, "", **page))["session"]
        await ask(client, "/close", session=session)
    (folder,) = (tmp_path / "owned").iterdir()
    assert harbour.url("/shop") in har_entries(folder)
    assert session.removeprefix("tab_") not in folder.name
    full = replace(owned, browse=replace(owned.browse, evidence_max_bytes=1))
    async with interfaces.http(full) as client:
        assert (await client.post("/v1/browse", json=page)).status_code == 403


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://ann:pw@host/a?q=1&code=77#access_token=t", "https://***@host/a?q=1&code=***#access_token=***"),
        ('sent {"user": "ann", "password": "a \\"b\\""}', 'sent {"user": "ann", "password": "***"}'),
        ("Authorization: Bearer abcdefghij", "Authorization: Bearer ***"),
        ("q=1 shown, zipcode=1234 stays", "q=1 shown, zipcode=1234 stays"),
        ("p4ss/word or p4ss%2Fword", "*** or ***"),
        ("https://host/?%70assword=x&PHPSESSID=y&page=2", "https://host/?%70assword=***&PHPSESSID=***&page=2"),
    ],
)
def test_mask_of_evidence(text: str, masked: str) -> None:
    mask = EvidenceMask()
    mask.add("p4ss/word")
    mask.add("a")  # too short: it occurs by chance
    assert mask.masked(text) == masked
