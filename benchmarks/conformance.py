"""Puts the MCP interface before @modelcontextprotocol/conformance: what passes, what fails, and what does not apply.

    npm install @modelcontextprotocol/conformance@0.2.0-alpha.12    # anywhere; 0.1 does not know 2026-07-28
    python benchmarks/conformance.py node_modules/.bin/conformance

Most scenarios ask for tools, prompts and resources that are made for the suite (`test_simple_text` and their like), or
for capabilities that this server does not declare: logging, completions, prompts, subscriptions, elicitation, sampling,
extensions. Those do not apply. Ends with exit code 1 where a check of a scenario that does has failed. Needs Node 22.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

from clients import HOME, target

REVISIONS = ("2025-11-25", "2026-07-28")
APPLY = {
    "server-initialize", "server-session-lifecycle", "server-stateless", "ping", "tools-list", "resources-list",
    "server-sse-multiple-streams", "dns-rebinding-protection", "sep-2164-resource-not-found", "caching",
    "http-header-validation",
}  # fmt: skip
FOREIGN = {"sep-2549-prompts-list-caching-hints": "prompts are not offered"}
"""Checks within them that ask for what is not declared; those which the suite itself calls untestable come on top."""
_RUN = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


def download(root: str) -> None:
    """Keep a file on the server, so that there is a resource to be read."""
    body = json.dumps({"url": HOME + "reports/petrel-count-2024.pdf"}).encode()
    asked = urllib.request.Request(f"{root}/v1/download", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        assert answer.status == 200


def checks(program: str, url: str, revision: str) -> dict[str, list[dict[str, Any]]]:
    """Run every scenario of a revision, and return the checks of each by its name."""
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
        found = {}
        for path in sorted(Path(folder).glob("*/checks.json")):
            named = _RUN.fullmatch(path.parent.name)
            assert named, path
            found[named[1]] = json.loads(path.read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"{program} ran nothing: {(done.stderr or done.stdout)[-400:]}")
    return found


def outcome(check: dict[str, Any]) -> str:
    """Return how a check ended: passed, failed, or does not apply."""
    if check["status"] == "FAILURE" and (check["id"] in FOREIGN or (check.get("details") or {}).get("untestable")):
        return "does not apply"
    return {"SUCCESS": "passed", "FAILURE": "failed", "WARNING": "failed"}.get(check["status"], "does not apply")


def shown(revision: str, found: dict[str, list[dict[str, Any]]]) -> int:
    """Print a line for each scenario that applies, and return how many checks have failed."""
    failed = 0
    for name in sorted(APPLY & set(found)):
        told = Counter(outcome(check) for check in found[name])
        failed += told["failed"]
        print(f"| {name} | {revision} | {told['passed']} | {told['failed']} | {told['does not apply']} |", flush=True)
        for check in found[name]:
            if outcome(check) == "failed":
                print(f"  {check['id']}: {check.get('errorMessage')}", file=sys.stderr)
    others = sorted(set(found) - APPLY)
    print(f"\n{revision}: {len(others)} scenarios do not apply: {', '.join(others)}\n")
    return failed


def main(program: str) -> int:
    """Run both revisions, and return the exit code."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder, target("http", folder) as (url,):
        download(url.removesuffix("/mcp"))
        for revision in REVISIONS:
            print("| scenario | revision | passed | failed | checks that do not apply |\n|---|---|---|---|---|")
            failed += shown(revision, checks(program, url, revision))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
