"""The HTTP API through real uvicorn on loopback: operations, events, problems, limits, and what operators ask."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from parts import replace_parts
from scenario.interfaces import FAQ, LONG, PDF, QUESTION, http, settings
from wellread import Web
from wellread.apps.http import api_keys
from wellread.apps.operations.page_registry import PAGES
from wellread.apps.operations.registry import OPERATIONS
from wellread.testing import DictWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import httpx2


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with http(settings(tmp_path)) as client:
        yield client


async def ask(client: httpx2.AsyncClient, path: str, **arguments: object) -> dict[str, Any]:  # Any: JSON
    answer = await client.post(path, json=arguments)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert isinstance(told, dict)
    return told


def events(text: str) -> list[tuple[str, dict[str, Any]]]:  # Any: JSON
    told = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        told.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return told


async def test_every_operation_answers_as_its_openapi_says(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    answers = {
        "/v1/index/add": await ask(client, "/v1/index/add", url=FAQ),
        "/v1/index/list": await ask(client, "/v1/index/list"),
        "/v1/search": await ask(client, "/v1/search", query="lamp"),
        "/v1/read": await ask(client, "/v1/read", url=FAQ, include=["links", "structured_data"]),
        "/v1/read/many": await ask(client, "/v1/read/many", urls=[FAQ, "nope"]),
        "/v1/gather": await ask(client, "/v1/gather", question=QUESTION, include=["pages"]),
        "/v1/answer": await ask(client, "/v1/answer", question=QUESTION, include=["gathered"]),
        "/v1/research": await ask(client, "/v1/research", question=QUESTION, include=["findings"]),
        "/v1/facts": await ask(client, "/v1/facts", url=FAQ, selectors={"title": "h1"}),
        "/v1/find": await ask(client, "/v1/find", url=FAQ, pattern="lamp"),
        "/v1/download": await ask(client, "/v1/download", url=PDF),
        "/v1/map": await ask(client, "/v1/map", url=FAQ),
        "/v1/crawl/pages": await ask(client, "/v1/crawl/pages", url=FAQ, limit=2),
        "/v1/watch": await ask(client, "/v1/watch", action="add", url=FAQ),
        "/v1/index/remove": await ask(client, "/v1/index/remove", url=FAQ),
    }
    assert set(answers) == {operation.path for operation in OPERATIONS if operation not in PAGES}
    for path, answer in answers.items():
        said = paths[path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        Draft202012Validator(said).validate(answer)
        example = paths[path]["post"]["requestBody"]["content"]["application/json"]
        Draft202012Validator(example["schema"]).validate(example["example"])
    assert (tmp_path / "downloads" / answers["/v1/download"]["name"]).read_bytes().startswith(b"%PDF")


async def test_a_gather_streams_hits_pages_and_passages_before_the_whole(client: httpx2.AsyncClient) -> None:
    for url in (FAQ, LONG):
        await ask(client, "/v1/index/add", url=url)
    answer = await client.post("/v1/gather", json={"question": QUESTION}, headers={"accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer.text)
    names = [name for name, _ in told]
    assert names[:3] == ["hits", "page", "page"]
    assert set(names[3:-1]) == {"passage"}
    assert names[-1] == "done"
    assert [data for name, data in told if name == "passage"] == told[-1][1]["passages"]
    assert {data["url"] for name, data in told if name == "page"} == {FAQ, LONG}


async def test_answer_and_research_stream_their_steps(client: httpx2.AsyncClient) -> None:
    await ask(client, "/v1/index/add", url=FAQ)
    sse = {"accept": "text/event-stream"}
    told = events((await client.post("/v1/answer", json={"question": QUESTION}, headers=sse)).text)
    names = [name for name, _ in told]
    assert (names[:2], set(names[2:-1]), names[-1]) == (["hits", "page"], {"passage"}, "done")
    assert told[-1][1]["claims"]
    told = events((await client.post("/v1/research", json={"question": QUESTION}, headers=sse)).text)
    queries = told[0][1]["queries"]
    assert [name for name, _ in told] == ["plan", *["finding"] * len(queries), "done"]
    assert [fields["query"] for _, fields in told[1:-1]] == queries
    assert told[-1][1] == await ask(client, "/v1/research", question=QUESTION) | {"plan": told[0][1]}


async def test_research_with_a_journal_is_continued(tmp_path: Path) -> None:
    keys = {name: api_keys.new_key(name) for name in ("ann", "bo")}
    hashes = {name: key_hash for name, (_, key_hash) in keys.items()}
    headers = {name: {"authorization": f"Bearer {key}"} for name, (key, _) in keys.items()}
    call = {"question": QUESTION, "journal": "lamp", "include": ["findings"]}
    reports = []
    for caller in ("ann", "ann", "bo"):
        async with http(settings(tmp_path, keys=hashes)) as client:  # a server that has started again
            client.headers.update(headers[caller])
            await ask(client, "/v1/index/add", url=FAQ)
            reports.append(await ask(client, "/v1/research", **call))
    assert reports[0] == reports[1]  # the times of the searches included: none was done again
    assert reports[2]["text"] == reports[0]["text"]
    assert reports[2]["findings"] != reports[0]["findings"]
    async with http(settings(tmp_path, keys=hashes)) as client:
        for changed, reason in (({"question": "Why?"}, "is about"), ({"journal": "../lamp"}, "not a name")):
            answer = await client.post("/v1/research", json=call | changed, headers=headers["ann"])
            assert answer.status_code == 400
            assert reason in answer.json()["detail"]
            assert str(tmp_path) not in answer.text
        callers = list((tmp_path / "research").iterdir())
        for folder in callers:
            for number in range(60):
                (folder / f"old-{number}").mkdir()
        answer = await client.post("/v1/research", json=call | {"journal": "new"}, headers=headers["ann"])
        assert answer.status_code == 200
        assert sorted(len(list(folder.iterdir())) for folder in callers) == [50, 61]


@pytest.mark.parametrize("limit", [{"time_s": 121}, {"pages": 21}, {"tokens": 50_001}])
async def test_research_above_the_caps_of_the_owner(client: httpx2.AsyncClient, limit: dict[str, int]) -> None:
    [name] = limit
    answer = await client.post("/v1/research", json={"question": QUESTION} | limit)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert f"research.max_{name}" in answer.json()["hint"]


async def test_research_in_dollars_needs_prices_of_the_server(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v1/research", json={"question": QUESTION, "max_usd": 0.5})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert "models.input_usd" in answer.json()["hint"]


async def test_many_urls_are_read_and_streamed_in_order(client: httpx2.AsyncClient) -> None:
    asked = {"urls": [FAQ, "http://127.0.0.1/", LONG], "max_length": 300}
    whole = await ask(client, "/v1/read", **asked)
    assert [result["url"] for result in whole["results"]] == asked["urls"]
    assert (whole["failed"], whole["results"][1]["error"]["code"]) == (1, "blocked_address")
    assert "net.allow_hosts" not in whole["results"][1]["error"]["hint"]
    answer = await client.post("/v1/read", json=asked, headers={"accept": "text/event-stream"})
    told = events(answer.text)
    assert [name for name, _ in told] == ["result"] * 3 + ["done"]
    assert [data["url"] for _, data in told[:-1]] == asked["urls"]
    assert told[0][1]["page"].keys() == whole["results"][0]["page"].keys()
    assert told[-1][1] == {"count": 3, "failed": 1}
    refusals: list[dict[str, Any]] = [{"urls": []}, {"urls": [FAQ] * 51}, {"urls": FAQ}, {"urls": [FAQ], "url": FAQ}]
    for wrong in refusals:
        refused = await client.post("/v1/read", json=wrong, headers={"accept": "text/event-stream"})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")


async def test_a_stream_that_fails_before_it_began_is_a_plain_problem(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v1/gather", json={"question": ""}, headers={"accept": "text/event-stream"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_input"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/v1/read", {"url": "http://127.0.0.1/"}, 403, "blocked_address"),
        ("/v1/read", {"url": "ftp://a.example/"}, 400, "invalid_url"),
        ("/v1/read", {"url": FAQ + "-none"}, 502, "unrecorded"),
        ("/v1/read", {"url": FAQ, "cursor": "!"}, 400, "invalid_cursor"),
        ("/v1/read", {"url": FAQ, "max_length": 0}, 400, "invalid_input"),
        ("/v1/read", {"url": "\ud800"}, 400, "invalid_input"),
        ("/v1/read", [], 400, "invalid_input"),
        ("/v1/index/list", {"cursor": "x"}, 400, "invalid_input"),
        ("/v1/nothing", {}, 404, "not_found"),
    ],
)
async def test_a_failure_is_a_problem_with_status_code_and_hint(
    client: httpx2.AsyncClient, path: str, body: object, status: int, code: str
) -> None:
    sent = json.dumps(body).encode()
    answer = await client.post(path, content=sent, headers={"content-type": "application/json", "x-request-id": "r-1"})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["status"]) == (status, code, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["hint"]
    assert problem["request_id"] == answer.headers["x-request-id"] == "r-1"


@pytest.mark.parametrize("body", [b"", b"{", b'{"url": NaN}', b"[" * 100_000, b"\xff"])
async def test_a_body_that_is_no_json_is_refused(client: httpx2.AsyncClient, body: bytes) -> None:
    answer = await client.post("/v1/read", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


async def test_an_index_is_listed_in_pieces(client: httpx2.AsyncClient) -> None:
    for url in (FAQ, LONG):
        await ask(client, "/v1/index/add", url=url)
    first = await ask(client, "/v1/index/list", limit=1)
    second = await ask(client, "/v1/index/list", limit=1, cursor=first["cursor"])
    assert (first["urls"], second["urls"], second["cursor"]) == ([FAQ], [LONG], None)


async def test_operators_learn_how_the_server_is_doing(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    assert (await client.get("/readyz")).status_code == 200
    await ask(client, "/v1/read", url=FAQ)
    await client.post("/v1/read", json={"url": "http://127.0.0.1/"})
    counted = (await client.get("/metrics")).text
    assert 'wellread_operations_total{code="ok",operation="web_read"} 1.0' in counted
    assert 'wellread_operations_total{code="blocked_address",operation="web_read"} 1.0' in counted
    assert "wellread_operations_running 0.0" in counted


async def test_every_answer_carries_a_request_id(client: httpx2.AsyncClient) -> None:
    first, second = [(await client.get("/healthz")).headers["x-request-id"] for _ in range(2)]
    assert first != second
    forged = await client.get("/healthz", headers={"x-request-id": "a b"})
    assert forged.headers["x-request-id"] != "a b"


async def test_lists_of_a_hostile_page_are_cut_and_the_page_says_so(tmp_path: Path) -> None:
    links = "".join(
        f'<p>Pool <a href="/pool/{number}">number {number}</a> lies dry at low water.</p>' for number in range(1_500)
    )
    web = doctored(tmp_path, f"<main><h1>Pools</h1>{links}</main>")
    async with http(settings(tmp_path), web=web) as client:
        page = await ask(client, "/v1/read", url="http://a.example/", include=["links"])
    assert len(page["links"]) == 1_000
    assert "list_cut" in {notice["code"] for notice in page["notices"]}


async def test_default_size_of_an_answer_in_every_script(tmp_path: Path) -> None:
    paragraphs = "<p>潮が引くと灯台の下に三つの池が現れる。番人は毎日その高さを帳面に書きとめる。</p>" * 800
    web = doctored(tmp_path, f"<main><h1>潮</h1>{paragraphs}</main>")
    async with http(settings(tmp_path), web=web) as client:
        first = await ask(client, "/v1/read", url="http://a.example/")
        second = await ask(client, "/v1/read", url="http://a.example/", cursor=first["cursor"])
    assert 15_000 < len(first["text"].encode()) < 21_100
    assert second["start"] == len(first["text"])


def doctored(folder: Path, html: str) -> Web:
    """Return a web in which every address has this page."""
    web = Web(settings(folder))
    replace_parts(web, fetcher=DictWeb({"http://a.example/": html}))
    return web


async def test_the_openapi_leads_from_the_opening_of_a_session_to_its_steps(tmp_path: Path) -> None:
    async with http(settings(tmp_path)) as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
    links = paths["/v1/browse"]["post"]["responses"]["200"]["links"]
    assert {operation.name for operation in PAGES} - {"browse_url"} == set(links)
    assert links["page_click"]["requestBody"] == {"session": "$response.body#/session"}
    assert paths["/v1/read"]["post"]["responses"]["200"]["links"] == {}
