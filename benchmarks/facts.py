"""Facts of 103 made pages: right, wrong and missed, by wellread and by extruct.

    python benchmarks/facts.py                              # wellread
    python benchmarks/facts.py --extruct /path/to/python    # a Python that has extruct, beside it

The truth is in `tests/fact_pages.py` and was written before the reader. A fact is one value under its path in an item
of one syntax; lists have no order. Extruct has no tables and no Twitter cards.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

import fact_pages  # noqa: E402 - the folder of the tests is on the path now
import wellread  # noqa: E402 - as above
from scored_facts import FactScore, facts, score  # noqa: E402 - as above
from wellread.apps.local_reading import local_reader  # noqa: E402 - as above
from wellread.reading.fact_collection import fact_tables  # noqa: E402 - as above
from wellread.types import Response  # noqa: E402 - as above

EXTRUCT = """
import json, sys, time, extruct
from w3lib.html import get_base_url
out = []
for page in json.load(sys.stdin):
    began = time.perf_counter()
    found, failed = {}, []
    for syntax in ("json-ld", "microdata", "rdfa", "opengraph"):
        try:
            found |= extruct.extract(page["html"], base_url=get_base_url(page["html"], page["url"]), syntaxes=[syntax])
        except Exception as error:
            failed.append(f"{syntax}: {type(error).__name__}")
    out.append({"found": found, "failed": failed, "seconds": time.perf_counter() - began})
json.dump(out, sys.stdout)
"""


def short(name: str) -> str:
    """Return a name without the vocabulary of schema.org."""
    return name.replace("http://schema.org/", "").replace("https://schema.org/", "").removeprefix("schema:")


def normal(part: Any) -> Any:
    """Return JSON-LD of extruct in the form of the truth."""
    if isinstance(part, list):
        return [normal(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    if "@value" in part:
        return part["@value"]
    plain = {short(name): normal(inner) for name, inner in part.items() if name != "@context"}
    if "@type" in plain:
        kinds = plain["@type"] if isinstance(plain["@type"], list) else [plain["@type"]]
        plain["@type"] = [short(str(kind)) for kind in kinds]
        if len(plain["@type"]) == 1:
            plain["@type"] = plain["@type"][0]
    return plain


def split(syntax: str, node: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the items of a document of linked data."""
    if "@graph" in node:
        return [item for inner in node["@graph"] for item in split(syntax, inner)]
    kinds = node.get("@type", "")
    if isinstance(kinds, list):
        return [(syntax, kinds[0], node)]
    return [(syntax, kinds, {name: part for name, part in node.items() if name != "@type"})]


def of_microdata(part: Any) -> Any:
    """Return microdata of extruct in the form of the truth."""
    if isinstance(part, list):
        return [of_microdata(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    kinds = part.get("type", "")
    plain = {short(name): of_microdata(inner) for name, inner in part.get("properties", {}).items()}
    if "id" in part:
        plain["@id"] = part["id"]
    return {"@type": [short(kind) for kind in kinds] if isinstance(kinds, list) else short(kinds), **plain}


def of_rdfa(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the nodes of RDFa that no other node has, with those that they refer to in their places."""
    by_id = {node["@id"]: node for node in nodes}
    inner = {
        part["@id"]
        for node in nodes
        for name, parts in node.items()
        if isinstance(parts, list) and name != "@type"
        for part in parts
        if isinstance(part, dict) and part.get("@id") in by_id and part["@id"] != node["@id"]
    }

    def placed(node: dict[str, Any], level: int) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, parts in node.items():
            if name == "@id":
                if not parts.startswith("_:"):
                    plain["@id"] = parts
                continue
            if name == "@type":
                plain["@type"] = parts
                continue
            plain[name] = [
                placed(by_id[part["@id"]], level + 1)
                if part.get("@id") in by_id and level < 20
                else part.get("@value", part.get("@id"))
                for part in parts
            ]
        return plain

    tops = [node for node in nodes if node["@id"] not in inner and "@type" in node]
    return [normal(placed(node, 0)) for node in tops]


def of_extruct(found: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return what extruct has found, in the form of the truth."""
    items = [
        item for node in found.get("json-ld", []) if isinstance(node, dict) for item in split("json-ld", normal(node))
    ]
    items += [item for node in found.get("microdata", []) for item in split("microdata", of_microdata(node))]
    items += [item for node in of_rdfa(found.get("rdfa", [])) for item in split("rdfa", node)]
    for graph in found.get("opengraph", []):
        names: dict[str, Any] = defaultdict(list)
        for name, content in graph["properties"]:
            names[name].append(content)
        items.append(("open_graph", names.get("og:type", [""])[0], dict(names)))
    return items


def flat_open_graph(counter: Counter[Any]) -> Counter[Any]:
    """Return facts in which the parts of images are named as in the page: extruct keeps no structure."""
    return Counter(
        (syntax, kind, path.replace(".url", "").replace(".", ":") if syntax == "open_graph" else path, text)
        for syntax, kind, path, text in counter.elements()
    )


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extruct", help="a Python that has extruct")
    parser.add_argument("--verbose", action="store_true", help="print what is wrong or missed")
    options = parser.parse_args()
    pages = fact_pages.all_pages()
    scores: dict[tuple[str, str], FactScore] = defaultdict(FactScore)
    seconds: dict[str, float] = defaultdict(float)
    others = ask_extruct(options.extruct, pages) if options.extruct else []
    for number, page in enumerate(pages):
        began = time.perf_counter()
        own = wellread.extract(page.html, url=fact_pages.URL)
        seconds["wellread"] += time.perf_counter() - began
        assert not page.is_cut or any(notice.code == "structured_data_cut" for notice in own.notices), page.name
        found: dict[str, Any] = {"wellread": own.structured_data}
        if others:
            found["extruct"] = of_extruct(others[number]["found"])
            seconds["extruct"] += others[number]["seconds"]
        for reader, items in found.items():
            add_scores(scores, reader, page, flat_open_graph(facts(items)), verbose=options.verbose)
    tables = table_score(pages)
    print(f"{len(pages)} pages")
    for (reader, group), result in sorted(scores.items()):
        print(f"{reader:10} {group:12} right {result.right:4}  wrong {result.wrong:4}  missed {result.missed:4}")
    print(f"wellread   tables       right {tables.right:4}  wrong {tables.wrong:4}  missed {tables.missed:4}")
    for reader, total in seconds.items():
        print(f"{reader:10} {total:.2f} s")
    for number, other in enumerate(others):
        if other["failed"]:
            print(f"extruct fails on {pages[number].name}: {', '.join(other['failed'])}")


def add_scores(
    scores: dict[tuple[str, str], FactScore],
    reader: str,
    page: fact_pages.FactPage,
    found: Counter[Any],
    *,
    verbose: bool,
) -> None:
    """Add the scores of a reader on a page; of hostile pages only a part is known, so nothing there is wrong."""
    truth = flat_open_graph(facts(page.items))
    for syntax in ("json-ld", "microdata", "rdfa", "open_graph", "twitter"):
        wanted = Counter({fact: count for fact, count in truth.items() if fact[0] == syntax})
        given = Counter({fact: count for fact, count in found.items() if fact[0] == syntax})
        result = score(wanted, given)
        group = syntax
        if page.is_cut:
            group, result = "hostile", result._replace(wrong=0)
        scores[reader, group] = scores[reader, group].plus(result)
        if verbose and (result.wrong or result.missed):
            print(reader, page.name, "missed", wanted - given, "wrong", given - wanted if result.wrong else "")


def table_score(pages: list[fact_pages.FactPage]) -> FactScore:
    """Return the score of the cells of all tables."""
    total = FactScore()
    for page in pages:
        if page.is_cut:
            continue
        response = Response(url=fact_pages.URL, status=200, headers=(), body=page.html.encode())
        document = local_reader(suspects_only=True).read_blocking(response, url=fact_pages.URL).snapshot
        found, _ = fact_tables(document.extraction.document)
        total = total.plus(
            score(
                cells([(table.header, table.rows) for table in page.tables]),
                cells([(list(table.columns), [list(row) for row in table.rows]) for table in found]),
            )
        )
    return total


def cells(tables: list[tuple[list[str], list[list[str]]]]) -> Counter[Any]:
    """Return the cells of tables with their places and columns."""
    return Counter(
        ("table", str(number), f"{row_number}.{column}", text)
        for number, (header, rows) in enumerate(tables)
        for row_number, row in enumerate([header, *rows])
        for column, text in enumerate(row)
    )


def ask_extruct(python: str, pages: list[fact_pages.FactPage]) -> list[dict[str, Any]]:
    """Return what extruct finds on each page; a hostile page has a process of its own, which may be killed."""
    usual = [page for page in pages if not page.is_cut]
    answers = dict(zip([page.name for page in usual], ask_process(python, usual, timeout_s=120), strict=True))
    for page in pages:
        if page.is_cut:
            [answers[page.name]] = ask_process(python, [page], timeout_s=20)
    return [answers[page.name] for page in pages]


def ask_process(python: str, pages: list[fact_pages.FactPage], *, timeout_s: float) -> list[dict[str, Any]]:
    """Return what extruct finds on pages, in one process."""
    task = json.dumps([{"html": page.html, "url": fact_pages.URL} for page in pages])
    try:
        done = subprocess.run(
            [python, "-c", EXTRUCT], input=task, capture_output=True, text=True, check=True, timeout=timeout_s
        )
    except subprocess.TimeoutExpired:
        return [{"found": {}, "failed": [f"killed after {timeout_s:g} s"], "seconds": timeout_s} for _ in pages]
    answer: list[dict[str, Any]] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    main()
