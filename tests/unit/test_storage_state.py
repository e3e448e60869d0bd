"""Storage states are checked, merged entry by entry, cut to hosts, and described without their values."""

from __future__ import annotations

from typing import Any

import pytest

from wellread.browser.storage_state import (
    MergeVersions,
    is_web,
    limited_to_hosts,
    merge_states,
    record_key,
    seen_by,
    summary,
    validated,
    with_entries,
    with_unknown,
)

SITE = "https://shop.example"
NOW = 1_700_000_000.0


def cookie(name: str, text: str = "1", **fields: Any) -> dict[str, Any]:  # Any: JSON
    return {
        "name": name, "value": text, "domain": "shop.example", "path": "/", "expires": -1,
        "httpOnly": True, "secure": True, "sameSite": "Lax", **fields,
    }  # fmt: skip


def state(*cookies: dict[str, Any], local: dict[str, str] | None = None, databases: Any = ()) -> dict[str, Any]:
    rows = [{"name": name, "value": text} for name, text in (local or {}).items()]
    site: dict[str, Any] = {"origin": SITE, "localStorage": rows}
    if databases:
        site["indexedDB"] = list(databases)
    return {"cookies": list(cookies), "origins": [site] if rows or databases else []}


def database(*records: dict[str, Any], version: int = 1, **store: Any) -> dict[str, Any]:
    layout = {"name": "tokens", "indexes": [], "autoIncrement": False, **store}
    return {"name": "auth", "version": version, "stores": [{**layout, "records": list(records)}]}


def merge(begun: dict[str, Any], mine: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    return merge_states(MergeVersions(loaded=begun, begun=begun, mine=mine, stored=stored), now_s=NOW)


def values(merged_state: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["value"] for row in merged_state["cookies"]}


def records(merged_state: dict[str, Any]) -> dict[Any, Any]:
    (site,) = merged_state["origins"]
    (kept,) = site["indexedDB"]
    return {row.get("key"): row["value"] for row in kept["stores"][0]["records"]}


def test_a_session_that_changed_nothing_keeps_all_of_others() -> None:
    assert values(merge(state(), state(), state(cookie("sid")))) == {"sid": "1"}
    old, new = state(cookie("sid", "old")), state(cookie("sid", "new"))
    assert values(merge(old, old, new)) == {"sid": "new"}


def test_changes_of_both_sessions_stay_in_either_order() -> None:
    begun = state(cookie("a"), cookie("b"), local={"x": "1", "y": "1"})
    first = state(cookie("a", "2"), cookie("b"), local={"x": "2", "y": "1"})
    second = state(cookie("a"), cookie("b", "2"), local={"x": "1", "y": "2", "z": "2"})
    for one_end, other_end in ((first, second), (second, first)):
        after = merge(begun, other_end, merge(begun, one_end, begun))
        assert values(after) == {"a": "2", "b": "2"}
        assert {row["name"]: row["value"] for row in after["origins"][0]["localStorage"]} == {
            "x": "2",
            "y": "2",
            "z": "2",
        }


def test_of_two_changes_of_a_cookie_the_later_end_is_kept() -> None:
    assert values(merge(state(cookie("sid")), state(cookie("sid", "mine")), state(cookie("sid", "theirs")))) == {
        "sid": "mine"
    }


def test_a_deletion_counts_for_what_the_session_had_seen() -> None:
    begun = state(cookie("sid", "old"), local={"x": "1"})
    assert merge(begun, state(), begun) == {"cookies": [], "origins": []}
    renewed = state(cookie("sid", "new"), cookie("other"), local={"x": "1"})
    assert values(merge(begun, state(), renewed)) == {"sid": "new", "other": "1"}


def test_cookies_of_a_name_differ_by_domain_path_and_partition() -> None:
    same = (cookie("n", "1"), cookie("n", "2", path="/a"), cookie("n", "3", domain=".example"),
            cookie("n", "4", partitionKey="https://top.example"))  # fmt: skip
    assert len(merge(state(), state(*same), state(cookie("n", "9")))["cookies"]) == 4


def test_a_cookie_that_the_browser_shortens_is_not_changed() -> None:
    loaded, begun = state(cookie("sid", expires=NOW + 9e8)), state(cookie("sid", expires=NOW + 3e7))
    stored = state(cookie("sid", "renewed", expires=NOW + 9e8))
    after = merge_states(MergeVersions(loaded=loaded, begun=begun, mine=begun, stored=stored), now_s=NOW)
    assert values(after) == {"sid": "renewed"}
    gone = merge_states(MergeVersions(loaded=loaded, begun=begun, mine=state(), stored=loaded), now_s=NOW)
    assert values(gone) == {}


def test_cookies_whose_time_is_over_go() -> None:
    assert values(merge(state(), state(cookie("new")), state(cookie("old", expires=NOW - 1)))) == {"new": "1"}


def test_records_of_a_database_are_merged_one_by_one() -> None:
    empty = state(databases=[database()])
    token = state(databases=[database({"key": "tok", "value": "I1"})])
    assert records(merge(state(), empty, token)) == {"tok": "I1"}
    other = state(databases=[database({"key": "id", "value": "7"})])
    assert records(merge(empty, other, token)) == {"tok": "I1", "id": "7"}
    assert records(merge(token, empty, token)) == {}
    assert merge(token, state(), token)["origins"] == []


def test_a_database_deleted_while_another_adds_to_it_keeps_that() -> None:
    token = {"key": "tok", "value": "I1"}
    before, after = state(databases=[database(token)]), state(databases=[database(token, {"key": "new", "value": "2"})])
    assert records(merge(before, state(), after)) == {"new": "2"}


@pytest.mark.parametrize(
    ("mine", "stored"),
    [
        (database({"key": "a", "value": 1}, version=2), database({"key": "b", "value": 2})),
        (
            database({"value": {"id": {"ref": 1}}}, keyPath="id"),
            database({"valueEncoded": {"o": [{"k": "id", "v": {"ref": 1}}]}}, keyPath="id"),
        ),
        (
            database({"key": 1, "value": {"mail": "a"}}, indexes=[{"name": "mail", "keyPath": "mail", "unique": True}]),
            database({"key": 2, "value": {"mail": "a"}}, indexes=[{"name": "mail", "keyPath": "mail", "unique": True}]),
        ),
    ],
    ids=["another version", "keys unknown", "unique index"],
)
def test_what_cannot_be_merged_by_records_is_kept_whole(mine: dict[str, Any], stored: dict[str, Any]) -> None:
    after = merge(state(), state(databases=[mine]), state(databases=[stored]))
    assert after["origins"][0]["indexedDB"] == [mine]
    unchanged = merge(state(databases=[mine]), state(databases=[mine]), state(databases=[stored]))
    assert unchanged["origins"][0]["indexedDB"] == [stored]


def test_the_key_of_a_record_stands_apart_or_in_its_value() -> None:
    assert record_key({"key": 3, "value": "x"}, {}) == record_key({"key": 3, "value": "y"}, {})
    assert record_key({"value": {"user": {"id": 3}}}, {"keyPath": "user.id"}) == "[3]"
    encoded = {"o": [{"k": "id", "v": 3}, {"k": "at", "v": {"d": "2026-01-01"}}]}
    assert record_key({"valueEncoded": encoded}, {"keyPath": "id"}) == "[3]"
    assert record_key({"value": {"a": 1, "b": 2}}, {"keyPathArray": ["a", "b"]}) == "[1, 2]"
    assert record_key({"value": "text"}, {"keyPath": "id"}) is None


def test_what_was_written_between_is_the_ground_of_later_changes() -> None:
    begun = state(cookie("a"), cookie("b"))
    versions = MergeVersions(loaded=begun, begun=begun, mine=state(cookie("a", "2"), cookie("b")), stored={})
    others = state(cookie("a"), cookie("b", "theirs"), cookie("c"))
    written = merge_states(MergeVersions(loaded=begun, begun=begun, mine=versions.mine, stored=others), now_s=NOW)
    ground = seen_by(versions, written)
    assert values(ground) == {"a": "2", "b": "1"}
    later = MergeVersions(loaded=ground, begun=versions.mine, mine=state(), stored=written)
    assert values(merge_states(later, now_s=NOW)) == {"b": "theirs", "c": "1"}


def test_what_could_not_be_collected_counts_as_unchanged() -> None:
    before = state(cookie("a"), local={"x": "1"}, databases=[database({"key": 1, "value": 1})])
    only_cookies = with_unknown(state(cookie("a", "2")), before, databases_only=False)
    assert only_cookies["origins"] == before["origins"]
    without_databases = with_unknown(state(local={"x": "2"}), before, databases_only=True)
    (site,) = without_databases["origins"]
    assert (site["localStorage"][0]["value"], site["indexedDB"]) == ("2", before["origins"][0]["indexedDB"])
    assert with_unknown(state(), before, databases_only=True)["origins"][0]["localStorage"] == []


def test_an_import_goes_before_what_is_there() -> None:
    assert values(with_entries(state(cookie("a"), cookie("b")), state(cookie("a", "2")))) == {"a": "2", "b": "1"}


def test_only_what_a_host_gets_is_left() -> None:
    everything = {
        "cookies": [cookie("own"), cookie("wide", domain=".example"), cookie("sub", domain="pay.shop.example"),
                    cookie("parent", domain="example"), cookie("bank", domain=".bank.example")],
        "origins": [{"origin": each, "localStorage": []} for each in (SITE, "https://bank.example")],
        "httpCredentials": [{"origin": "https://bank.example", "username": "u", "password": "p"}],
    }  # fmt: skip
    part = limited_to_hosts(everything, ["shop.example"])
    assert set(values(part)) == {"own", "wide", "sub"}
    assert [row["origin"] for row in part["origins"]] == [SITE]
    assert "httpCredentials" not in part


@pytest.mark.parametrize(
    "wrong",
    [
        [], {"cookies": {}}, {"cookies": [{"name": "sid"}]}, {"cookies": [cookie("a", expires="soon")]},
        {"cookies": [cookie("a", sameSite="lax")]}, {"origins": [{"localStorage": []}]},
        {"origins": [{"origin": SITE, "localStorage": [{"name": 1, "value": "hush"}]}]},
        {"origins": [{"origin": SITE, "indexedDB": [{"name": "d", "stores": [{}]}]}]},
        {"httpCredentials": [{"origin": SITE, "username": "ann"}]},
    ],
)  # fmt: skip
def test_what_is_no_state_is_refused_without_its_values(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"^[a-zA-Z ,]+$") as caught:
        validated(wrong)
    assert "hush" not in str(caught.value)


def test_what_is_no_web_site_is_left_out() -> None:
    origins = [SITE, "chrome-extension://abc", "file://", "https://a@b", "https://shop.example/path", "http://[::1]:80"]
    rows = [{"origin": each, "localStorage": []} for each in origins]
    assert [row["origin"] for row in validated({"origins": rows})["origins"]] == [SITE, "http://[::1]:80"]
    assert not is_web("https://shop.example:0")


def test_a_summary_has_names_hosts_and_times_alone() -> None:
    described = summary(
        {
            **state(cookie("sid", "hush-1", expires=NOW), local={"token": "hush-2"},
                    databases=[database({"key": "hush-3", "value": "hush-4"})]),
            "httpCredentials": [{"origin": "http://nas.example:81", "username": "hush-5", "password": "hush-6"}],
        }
    )  # fmt: skip
    assert "hush" not in repr(described)
    assert described.hosts == ("shop.example", "nas.example")
    assert described.cookies[0].expires == "2023-11-14T22:13:20Z"
    assert (described.origins[0].local_storage, described.origins[0].databases) == (("token",), ("auth",))
    assert summary(state(cookie("a"))).cookies[0].expires is None
    assert summary(state(cookie("a", expires=1e18))).cookies[0].expires == "9999-12-31T23:59:59Z"
