"""Reads documents made to choke their parsers, and prints what each costs, here and in the child process.

    python benchmarks/bombs.py [--timeout S] [--only WORD] [--json]

Each is read as `wellread.extract` reads it, printing included. CPU is of this process; peaks are resident memory, of
the child as far as it lived to be asked. The last line says what this process and its children still did afterwards,
while ordinary pages were read: it must be nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wellread.apps import local_reading
from wellread.apps.system_clock import SystemClock
from wellread.config import ExtractSettings
from wellread.errors import WellreadError
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.sandbox import SandboxedReader
from wellread.reading.snapshot_building import DocumentReader
from wellread.types import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROSE: Final = "<h1>Low water</h1><p>The pools lie dry at half past nine, and the wardens count what is in them.</p>"
TICKS: Final = os.sysconf("SC_CLK_TCK")


def pdf(*contents: bytes) -> bytes:
    """Make a PDF of compressed content streams."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, content in enumerate(contents):
        stream = zlib.compress(content, 9)
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {fonts} /Contents {5 + 2 * at} 0 R >>".encode(),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream),
        ]
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{tail}".encode()


def numbered(piece: str, count: int) -> str:
    return "".join(piece.format(n=n) for n in range(count))


HTML: Final[dict[str, Callable[[], str]]] = {
    "attributes on one tag": lambda: "<p " + numbered("a{n} ", 200_000) + ">" + PROSE,
    "quoted attributes": lambda: "<p x='<>' " + numbered("a{n}='>' ", 120_000) + ">" + PROSE,
    "options": lambda: PROSE + "<select>" + "<option>a" * 120_000,
    "options, mixed case": lambda: PROSE + "<select>" + "<oPtiOn>a" * 120_000,
    "nested lists": lambda: "<ul><li>" * 150_000 + PROSE,
    "divs, closed by others": lambda: PROSE + "<div></span>" * 120_000,
    "bold, closed by italics": lambda: PROSE + "<b></i>" * 200_000,
    "closers without openers": lambda: PROSE + "<div>" * 100_000 + "</span>" * 100_000,
    "closers across cells": lambda: PROSE + "<div><table><td></div></table>" * 60_000,
    "fonts left open": lambda: PROSE + numbered("<font c={n}><p>x", 60_000),
    "bold left open in cells": lambda: PROSE + numbered("<b c={n}><table><td></b></table>", 40_000),
    "styles in svg": lambda: PROSE + "<svg><style>" * 100_000,
    "bodies": lambda: numbered("<body a{n}=1>", 100_000) + PROSE,
    "nested media rules": lambda: f"<style>{'@media x{' * 15_000}{'.a{display:none}' * 10_000}</style>{PROSE * 9_000}",
    "utf-16": lambda: "\ufeff" + PROSE + "<div></span>" * 60_000,
    "spans of cells": lambda: PROSE + "<table>" + "<tr><td rowspan=200 colspan=200>x<td>y" * 30_000,
    "one wide row": lambda: PROSE + "<table><tr>" + "<td>w" * 200 + "<tr><td>x<td>y" * 80_000,
}
TEXT: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "emphasis in Markdown": ("text/markdown", lambda: "*a_ " * 400_000),
    "images in Markdown": ("text/markdown", lambda: "![[]()" * 300_000),
    "brackets in Markdown": ("text/markdown", lambda: "[" * 1_500_000),
    "blank lines": ("text/plain", lambda: "a\n\n" * 600_000),
    "tabs": ("text/plain", lambda: "\ta\t" * 600_000),
}
PDF: Final[dict[str, Callable[[], bytes]]] = {
    "PDF of letters": lambda: pdf(*(b"BT /F1 9 Tf " + b"(aaaaaaaaaaaaaaaaaaaa) Tj 0 -1 Td " * 60_000 + b"ET",) * 20),
    "PDF of objects": lambda: pdf(b"BT /F1 9 Tf (a) Tj ET " * 1_500_000),
    "PDF of boxes": lambda: pdf(b"0 0 1 1 re f " * 3_000_000),
}


def bombs() -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, media type and bytes of each."""
    for name, page in HTML.items():
        yield name, "text/html", page().encode("utf-16le" if name == "utf-16" else "utf-8")
    for name, (media_type, text) in TEXT.items():
        yield name, media_type, text().encode()
    for name, document in PDF.items():
        yield name, "application/pdf", document()


# ------------------------------------------------------------------------------------------- measuring


def read(shelter: SandboxedReader, media_type: str, body: bytes) -> str:
    response = Response(url="about:blank", status=200, headers=(("content-type", media_type),), body=body)
    try:
        page = local_reading.print_page(response, shelter)
    except WellreadError as error:
        return error.code
    return f"{len(page.text):,} characters"


def resident(pid: int, field: str) -> int:
    """Return a field of /proc/PID/status in MiB; 0 where there is none."""
    try:
        told = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in told.splitlines() if line.startswith(f"{field}:")), 0)


def children() -> set[int]:
    """Return the processes whose parent this one is."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended
        found |= {int(stat.parent.name)} if parent == os.getpid() else set()
    return found


def spent_elsewhere() -> float:
    """Return the CPU seconds of this process's other threads and of its children so far."""
    here = threading.get_native_id()
    tasks = [path for path in Path("/proc/self/task").glob("*/stat") if int(path.parent.name) != here]
    tasks += [Path(f"/proc/{pid}/stat") for pid in children()]
    total = 0.0
    for path in tasks:
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def watched(pids: set[int], peaks: list[int], ended: threading.Event) -> None:
    while not ended.wait(0.02):
        peaks.append(max((resident(pid, "VmHWM") for pid in children() - pids), default=0))


def measured(shelter: SandboxedReader, name: str, media_type: str, body: bytes) -> dict[str, Any]:
    peaks, ended = [0], threading.Event()
    watcher = threading.Thread(target=watched, args=(set(), peaks, ended))
    watcher.start()
    Path("/proc/self/clear_refs").write_text(
        "5", encoding="utf-8"
    )  # the peak counts from here (proc_pid_clear_refs(5))
    before = resident(os.getpid(), "VmRSS")
    wall, cpu = time.perf_counter(), time.thread_time()
    outcome = read(shelter, media_type, body)
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    grown = resident(os.getpid(), "VmHWM") - before
    ended.set()
    watcher.join()
    return {
        "name": name,
        "bytes": len(body),
        "wall_s": round(wall, 2),
        "cpu_s": round(cpu, 2),
        "grown_mb": grown,
        "child_mb": max(peaks),
        "outcome": outcome,
    }


def afterwards(shelter: SandboxedReader) -> dict[str, float]:
    """Read ordinary pages; return how long they took, and the CPU seconds that the other threads and children spent.

    The child that takes the place of a killed one starts meanwhile, so a busy stretch is measured again: work that
    goes on shows in every stretch.
    """
    for _ in range(3):
        began, before = time.perf_counter(), spent_elsewhere()
        for _ in range(150):
            read(shelter, "text/html", (PROSE * 100).encode())
        spent = {"wall_s": round(time.perf_counter() - began, 2), "elsewhere_s": round(spent_elsewhere() - before, 2)}
        if spent["elsewhere_s"] <= 0.02:
            break
    return spent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--only", default="", help="kinds whose name holds this")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    pool = local_reading.worker_pool(ExtractSettings(timeout_s=given.timeout))
    assert pool is not None
    shelter = SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), pool, suspects_only=True)
    read(shelter, "application/pdf", pdf(b""))  # so that the first one is not charged with the start
    rows = [measured(shelter, *bomb) for bomb in bombs() if given.only in bomb[0]]
    quiet = afterwards(shelter)
    pool.close()
    if given.json:
        json.dump({"rows": rows, "afterwards": quiet, "left": len(children())}, sys.stdout)
        return
    print(f"{'kind':26}{'bytes':>10}{'s':>7}{'CPU s here':>12}{'MiB grown':>11}{'MiB child':>11}  outcome")
    for row in rows:
        print(
            f"{row['name']:26}{row['bytes']:>10,}{row['wall_s']:>7.2f}{row['cpu_s']:>12.2f}"
            f"{row['grown_mb']:>11}{row['child_mb']:>11}  {row['outcome']}"
        )
    spent = f"{quiet['elsewhere_s']:.2f} s of CPU elsewhere"
    print(f"in {quiet['wall_s']:.1f} s afterwards: {spent}; {len(children())} children left")


if __name__ == "__main__":
    main()
