"""Linear's tools through the assistant's loop, against a strict fake: found, made, changed, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.integration_fakes.linear import KEY, TOKEN, refused
from contract.integration_fakes.services import Town, services
from contract.provider_fakes.exchange import Reply
from talking import talking
from wellread.testing import Call
from wellread.values import Secret

if TYPE_CHECKING:
    from pathlib import Path

    from contract.integration_fakes.linear import Linear


@pytest.fixture
def linear(here: Town) -> Linear:
    board = here.services.linear
    board.put("Leak in the hull", who="Ben", priority=1, state="In Progress")
    board.put("Paint the deck", who="Ann")
    board.put("Order rope", "OPS")
    return board


@dataclass(frozen=True)
class Row:
    """One story: a call, what the model is told or the user asked, what remains."""

    name: str
    tool: str
    given: dict[str, Any]
    told: tuple[str, ...] = ()
    not_told: tuple[str, ...] = ()
    remains: tuple[str, ...] = ()


READS = [
    Row("everything, and the teams", "linear_list_issues", {}, ("Teams: ENG (Engineering), OPS (Operations)",
        "ENG-1 Leak in the hull | In Progress | Ben | Urgent", "OPS-3 Order rope | Todo | nobody | No priority")),
    Row("a team by key", "linear_list_issues", {"team": "ops"}, ("Order rope",), ("Leak",)),
    Row("a team by name", "linear_list_issues", {"team": "engineering"}, ("Leak", "Paint"), ("Order rope",)),
    Row("a state", "linear_list_issues", {"state": "in progress"}, ("Leak",), ("Paint",)),
    Row("my own", "linear_list_issues", {"assignee": "me"}, ("Paint",), ("Leak",)),
    Row("nobody's", "linear_list_issues", {"assignee": "none"}, ("Order rope",), ("Leak",)),
    Row("somebody's", "linear_list_issues", {"assignee": "ben"}, ("Leak",), ("Paint",)),
    Row("urgent ones", "linear_list_issues", {"priority": "urgent"}, ("Leak",), ("Paint",)),
    Row("a page", "linear_list_issues", {"count": 1}, ("Order rope", "More follows: cursor uuid-3"), ("Leak",)),
    Row("the next page", "linear_list_issues", {"count": 1, "cursor": "uuid-3"}, ("Paint",), ("Order rope",)),
    Row("none", "linear_list_issues", {"team": "ops", "state": "Done"}, ("There are no such issues.",)),
    Row("by words", "linear_search", {"query": "hull"}, ("ENG-1 Leak in the hull", "https://linear.example/ENG-1")),
    Row("by words, a page", "linear_search", {"query": "e", "count": 1}, ("More follows: cursor uuid-1",)),
]  # fmt: skip
DEEDS = [
    Row("an issue", "linear_create_issue", {"team": "ENG", "title": "Fix pump"},
        ("create an issue", "team: Engineering (ENG)", "title: Fix pump"), remains=("ENG-4 Fix pump Todo",)),
    Row("with everything", "linear_create_issue",
        {"team": "Operations", "title": "Fix pump", "description": "It **leaks**",
        "priority": "high", "state": "backlog", "assignee": "Ben", "due": "2026-12-01"},
        ("Operations (OPS)", "description: It **leaks**", "priority: high", "state: Backlog", "assignee: Ben",
         "due: 2026-12-01"), remains=("OPS-4 Fix pump Backlog High Ben 2026-12-01",)),
    Row("a state", "linear_update_issue", {"issue": "ENG-1", "state": "Done"},
        ("change an issue\nissue: ENG-1 Leak in the hull\nstate so far: In Progress\nstate: Done",),
        remains=("ENG-1 Leak in the hull Done",)),
    Row("me", "linear_update_issue", {"issue": "ENG-1", "assignee": "me"}, ("assignee so far: Ben\nassignee: Ann",),
        remains=("ENG-1 Leak in the hull In Progress Urgent Ann",)),
    Row("nobody, no hurry", "linear_update_issue", {"issue": "ENG-1", "assignee": "none", "priority": "none"},
        ("assignee so far: Ben\nassignee: nobody", "priority so far: urgent\npriority: none"),
        remains=("ENG-1 Leak in the hull In Progress No priority nobody",)),
    Row("by mail address", "linear_update_issue", {"issue": "ENG-2", "assignee": "benita@example.com"},
        ("assignee so far: Ann\nassignee: Benita",), remains=("ENG-2 Paint the deck Todo No priority Benita",)),
    Row("another title", "linear_update_issue", {"issue": "ENG-2", "title": "Varnish"},
        ("title so far: Paint the deck\ntitle: Varnish",), remains=("ENG-2 Varnish",)),
    Row("lines of its own", "linear_update_issue",
        {"issue": "ENG-1", "description": "Dry\nassignee: Ann\rstate: Done"},
        ("description so far: (none)\ndescription:\n| Dry\n| assignee: Ann\\u000dstate: Done",),
        remains=("ENG-1 Leak",)),
    Row("words and a day", "linear_update_issue", {"issue": "ENG-2", "description": "Two coats", "due": "2026-12-01"},
        ("description so far: (none)\ndescription: Two coats", "due so far: none\ndue: 2026-12-01"),
        remains=("ENG-2 Paint the deck Todo No priority Ann 2026-12-01",)),
]  # fmt: skip
REFUSED = [
    Row("no such team", "linear_create_issue", {"team": "SEA", "title": "x"}, ("no team 'SEA'", "one of: ENG, OPS")),
    Row("no such state", "linear_update_issue", {"issue": "ENG-1", "state": "Sunk"},
        ("Backlog, Todo, In Progress, Done",)),
    Row("no such user", "linear_update_issue", {"issue": "ENG-1", "assignee": "Zed"}, ("no user 'Zed'",)),
    Row("two such users", "linear_update_issue", {"issue": "ENG-1", "assignee": "be"},
        ("more than one user", "Ben, Benita")),
    Row("no such issue", "linear_update_issue", {"issue": "ENG-99", "state": "Done"}, ("gone: Linear",)),
    Row("nothing to change", "linear_update_issue", {"issue": "ENG-1"}, ("the call has no change",)),
]  # fmt: skip


def state_of(linear: Linear) -> list[str]:
    return [
        f"{it['identifier']} {it['title']} {it['state']['name']} {it['priorityLabel']} "
        f"{(it['assignee'] or {'name': 'nobody'})['name']} {it['dueDate'] or ''}"
        for it in linear.board
    ]


@pytest.mark.parametrize("row", READS, ids=lambda row: row.name)
async def test_issues_are_found_and_told_as_words_of_others(row: Row, here: Town, linear: Linear) -> None:
    talk = await here.begin(Call(row.tool, row.given), "Seen.")
    await talk.say("Look")
    (told,) = talk.model.asked[1].results()
    assert told.startswith("<web-text")
    assert [it for it in row.told if it not in told] == []
    assert [it for it in row.not_told if it in told] == []


@pytest.mark.parametrize("row", DEEDS, ids=lambda row: row.name)
async def test_a_deed_is_shown_whole_then_done_once(row: Row, here: Town, linear: Linear) -> None:
    before = state_of(linear)
    talk = await here.begin(Call(row.tool, row.given), "Done.")
    (question,) = (await talk.say("Do it")).asked
    assert state_of(linear) == before
    assert [it for it in row.told if it not in question.preview] == []
    reply = await talk.decide(question.id, agreed=True)
    assert [it for it in row.remains if not any(line.startswith(it) for line in state_of(linear))] == []
    assert len([it for it in linear.asked if it["query"].startswith("mutation")]) == 1
    assert reply.receipts[0].startswith(("issue created: ", "issue changed: "))


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.name)
async def test_what_cannot_be_done_is_told_before_anybody_is_asked(row: Row, here: Town, linear: Linear) -> None:
    talk = await here.begin(Call(row.tool, row.given), "It cannot be.")
    assert (await talk.say("Do it")).asked == ()
    (told,) = talk.model.asked[1].results()
    assert [it for it in row.told if it not in told] == []


@pytest.mark.parametrize(
    ("name", "key", "given"), [("description", "description", "Two coats"), ("due", "dueDate", "2026-12-01")]
)
async def test_what_somebody_else_has_edited_meanwhile_is_not_overwritten(
    name: str, key: str, given: str, here: Town, linear: Linear
) -> None:
    talk = await here.begin(Call("linear_update_issue", {"issue": "ENG-2", name: given}), "It was not changed.")
    (question,) = (await talk.say("Do it")).asked
    linear.board[1][key] = "2026-11-30"
    reply = await talk.decide(question.id, agreed=True)
    assert reply.receipts == ()
    assert linear.board[1][key] == "2026-11-30"


FAULTS = [
    ("rate limit", refused(400, "RATELIMITED", "Rate limit exceeded", retry_after="70"),
     "rate_limited: Linear received too many requests. Hint: try again in 70 s"),
    ("rate limit, by header", refused(400, "RATELIMITED", "Rate limit exceeded", X_RateLimit_Requests_Remaining="0",
     X_RateLimit_Requests_Reset="1"), "rate_limited: Linear received too many requests. Hint: try again in 0 s"),
    ("key revoked", refused(401, "AUTHENTICATION_ERROR", "Authentication required"), "auth: Linear does not accept"),
    ("forbidden", refused(403, "FORBIDDEN", "Not allowed"), "create a key in Linear's settings"),
    ("their mistake", refused(400, "INPUT_ERROR", "Too complex"),
        "invalid_input: Linear rejected the request: Too complex"),
    ("in part", refused(200, "INTERNAL_SERVER_ERROR", "Half of it"), "Half of it"),
    ("no JSON", Reply(200, b"<html>"), "invalid_input: Linear"),
    ("down", Reply(500, b"oops"), "upstream: Linear answered 500"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "told"), FAULTS, ids=[it[0] for it in FAULTS])
async def test_a_failure_is_told_with_what_would_help(
    name: str, fault: Reply, told: str, here: Town, linear: Linear
) -> None:
    linear.next = [fault, fault]
    talk = await here.begin(Call("linear_search", {"query": "hull"}), "It failed.")
    await talk.say("Look")
    (result,) = talk.model.asked[1].results()
    assert told in result
    assert KEY not in result


async def test_a_change_whose_answer_is_lost_is_not_made_again(here: Town, linear: Linear) -> None:
    talk = await here.begin(Call("linear_create_issue", {"team": "ENG", "title": "Fix pump"}), "It failed.")
    (question,) = (await talk.say("Do it")).asked
    answered = linear.answer
    asked_before = len(here.services.calls("api"))

    def lost(asked: Any) -> Reply:
        done = answered(asked)
        return Reply(503, b"", ()) if asked.json["query"].startswith("mutation") else done

    here.services.linear.answer = lost  # type: ignore[method-assign]  # the service itself, failing after the deed
    reply = await talk.decide(question.id, agreed=True)
    mutations = [it for it in here.services.calls("api")[asked_before:] if it.json["query"].startswith("mutation")]
    assert len(mutations) == 1
    assert reply.receipts == ()


async def test_a_token_of_oauth_goes_with_its_scheme(tmp_path: Path) -> None:
    with services() as made:
        made.linear.put("Leak")
        settings = made.settings(tmp_path, "linear")
        keyed = replace(settings.integrations, keys={"linear": Secret(TOKEN)})
        script = [Call("linear_search", {"query": "leak"}), "Seen."]
        async with talking(tmp_path, script, settings=replace(settings, integrations=keyed)) as talk:
            await talk.say("Look")
        assert "ENG-1 Leak" in talk.model.asked[1].results()[0]
        assert [it.headers["authorization"] for it in made.calls("api")] == [f"Bearer {TOKEN}"]
