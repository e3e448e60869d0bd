"""Stands between a client and a server over stdio, and writes down every message with its direction.

python tee.py FILE COMMAND...
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TextIO

# Clients hand on no variables but a few, so that the server's own are set here.
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src")}


def copy(source: IO[bytes], sink: IO[bytes], log: TextIO, sender: str) -> None:
    """Hand on line by line until the source ends."""
    for line in source:
        log.write(json.dumps({"from": sender, "message": json.loads(line)}, ensure_ascii=False) + "\n")
        log.flush()
        sink.write(line)
        sink.flush()
    sink.close()


def main() -> None:
    """Run the server until the client goes away."""
    with (
        Path(sys.argv[1]).open("w", encoding="utf-8") as log,
        subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        upstream = threading.Thread(target=copy, args=(sys.stdin.buffer, server.stdin, log, "client"), daemon=True)
        upstream.start()
        copy(server.stdout, sys.stdout.buffer, log, "server")


main()
