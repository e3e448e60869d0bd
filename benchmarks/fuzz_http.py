"""Fuzzes the HTTP API by its own OpenAPI with schemathesis, over the recorded site: no 5xx but 502, no schema broken.

    python benchmarks/fuzz_http.py ENV/bin/schemathesis [options of `schemathesis run`]

502 is the answer for a page that the recording lacks. Not checked: that whatever the schema allows is accepted, for a
URL and a cursor may be of the right shape and still name nothing. Sessions of the browser are opened on recorded pages,
and worked along the links of the OpenAPI; the extra `browser` and a Chromium are needed.
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
expected-statuses = ["2xx", "3xx", "4xx", 502]
[checks.positive_data_acceptance]
enabled = false
"""


def with_pages(root: str) -> dict[str, Any]:
    """Return the OpenAPI of a server, in which pages that are opened are of the recording: else no session ever is."""
    with urllib.request.urlopen(f"{root}/openapi.json") as answer:
        told: dict[str, Any] = json.load(answer)
    body = told["paths"]["/v1/browse"]["post"]["requestBody"]["content"]["application/json"]
    body["schema"]["properties"]["url"]["enum"] = [HOME, HOME + "faq"]
    body["example"] = {"url": HOME + "faq"}
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
