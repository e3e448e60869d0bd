"""Fuzzes the HTTP API by its own OpenAPI with schemathesis, over the recorded site: no 5xx but 502 and 504, no breach.

    python benchmarks/fuzz_http.py ENV/bin/schemathesis [options of `schemathesis run`]

502 is the answer for a page that the recording lacks, 504 for words that were waited for and never came. Not checked:
that whatever the schema allows is accepted, for a URL and a cursor may be of the right shape and still name nothing.
Sessions of the browser are opened on recorded pages and worked along the links of the OpenAPI, though now and then with
another handle put in place of theirs, so that 404 after an opening is no finding; the extra `browser` and a Chromium
are needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

HOME = "http://www.tidewater.example/"
SITE = Path(__file__).parents[1] / "src" / "wellread" / "apps" / "demo_site.warc.gz"
SANDBOX = "true" if os.geteuid() else "false"
RULES = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 502, 504]
[checks.positive_data_acceptance]
enabled = false
[checks.ensure_resource_availability]
enabled = false
"""


def with_pages(root: str) -> dict[str, Any]:
    """Return the OpenAPI of a server, in which opened pages are of the recording, and waits are short."""
    with urllib.request.urlopen(f"{root}/openapi.json") as answer:
        told: dict[str, Any] = json.load(answer)
    body = told["paths"]["/v1/browse"]["post"]["requestBody"]["content"]["application/json"]
    body["schema"]["properties"]["url"]["enum"] = [HOME, HOME + "faq"]
    body["example"] = {"url": HOME + "faq"}
    waits = told["paths"]["/v1/browse/wait"]["post"]["requestBody"]["content"]["application/json"]
    waits["schema"]["properties"]["most_s"] |= {"maximum": 1, "default": 1}
    waits["schema"]["required"].append("most_s")
    waits["example"]["most_s"] = 1
    return told


def main() -> int:
    """Return schemathesis's exit code: 0 when nothing was found."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"cache.dir": folder, "search.providers": "local", "browser.sandbox": SANDBOX, "server.logs": "none"}
        settings = [word for name, value in chosen.items() for word in ("--set", f"{name}={value}")]
        command = [sys.executable, "-m", "wellread", *settings, "serve", "--port", "0", "--replay", str(SITE)]
        rules = Path(folder) / "schemathesis.toml"
        rules.write_text(RULES, encoding="utf-8")
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            root = server.stderr.readline().removeprefix("listening on ").strip()
            described = Path(folder) / "openapi.json"
            described.write_text(json.dumps(with_pages(root)), encoding="utf-8")
            fuzz = [sys.argv[1], "--config-file", str(rules), "run", str(described), "--url", root, *sys.argv[2:]]
            code = subprocess.run(fuzz, check=False, cwd=folder).returncode
            server.terminate()
    return code


if __name__ == "__main__":
    sys.exit(main())
