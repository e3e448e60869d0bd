"""Times whole calls for `extraction.py`: bytes in, markdown with links and metadata out, one page after another."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wellread.errors import WellreadError
from wellread.extraction.html import HtmlExtractor
from wellread.net.media_types import decode
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def report(bodies: Iterable[bytes]) -> None:
    """Print CPU time per page; all tools read one page before the next, so that noise falls on all alike."""
    tools = _tools()
    spent: dict[str, list[float]] = {name: [] for name in tools}
    for body in bodies:
        for name, run in tools.items():
            began = time.process_time()
            run(body)
            spent[name].append((time.process_time() - began) * 1000)
    print("\nCPU time of a whole call, ms per page")
    for name, times in spent.items():
        ninth = statistics.quantiles(times, n=10)[-1]
        print(
            f"{name:40} median {statistics.median(times):8.2f}  mean {statistics.fmean(times):8.2f}  p90 {ninth:8.2f}"
        )


def peaks(bodies: Sequence[bytes]) -> None:
    """Print how much memory a process takes at most that reads all pages with one tool, what it has loaded included."""
    print("\nmost memory held by a process of its own, MB")
    for name in _tools():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(f"{name:40} {pool.apply(_peak, (name, bodies)):8.0f}")


def _peak(name: str, bodies: Sequence[bytes]) -> float:
    run = _tools()[name]
    for body in bodies:
        run(body)
    # Linux counts in ru_maxrss what the process that started this one held by then; VmHWM begins anew.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _tools() -> dict[str, Callable[[bytes], object]]:
    extractor = HtmlExtractor()

    def parse(body: bytes) -> object:
        return LexborHTMLParser(decode(body, None, html=True)[0])

    def ours(body: bytes) -> object:
        try:
            found = extractor.extract(Source(body=body, media_type="text/html", url="https://example.org/"))
        except WellreadError:
            return None
        return print_document(found.document, "markdown").text, found.metadata, found.links

    tools: dict[str, Callable[[bytes], object]] = {"bare parse (lexbor, decoding included)": parse, "wellread": ours}
    if find_spec("trafilatura"):
        import trafilatura

        def theirs(body: bytes) -> object:
            text = decode(body, None, html=True)[0]
            return trafilatura.extract(text, output_format="markdown", include_links=True, with_metadata=True)

        tools["trafilatura"] = theirs
    return tools
