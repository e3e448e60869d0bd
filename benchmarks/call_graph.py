"""Counts the source files and functions of wellread that one `wellread.extract` of a page with a table calls.

    python benchmarks/call_graph.py [--files]

Whoever changes how pages are read has to read these files: the fewer, the better. A first call imports and loads
everything; then `sys.setprofile` counts what a second one calls, generators and comprehensions included. The packages
css, seen and segmentation are counted apart: they find out what a person sees of a page, whatever is read of it then.
`--files` lists the other files with the number of their functions that were called.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import wellread

if TYPE_CHECKING:
    from types import FrameType

SEEN = ("css", "seen", "segmentation")
"""Packages that are counted apart."""
READ = ("extraction", "metadata")
PAGE = """<html lang="en"><head><title>The bridge at noon - The Daily</title></head><body>
<header><nav><a href="/">Home</a> <a href="/news">News</a></nav></header>
<main><article><h1>The bridge at noon</h1>
<p>By <a rel="author" href="/a/ann">Ann Lee</a>, <time datetime="2024-05-06">6 May 2024</time></p>
<p>The bridge was closed at noon because of the wind, the city said, and it will not open before the next evening.</p>
<table><tr><th>Day</th><th>Wind</th></tr><tr><td>Monday</td><td>90 km/h</td></tr>
<tr><td>Tuesday</td><td>70 km/h</td></tr></table>
<p>Drivers are asked to take the tunnel, which is free of charge until Thursday, and to expect delays of an hour.</p>
</article></main><footer>Contact</footer></body></html>"""


def functions_called(page: str) -> Counter[str]:
    """Return the number of functions by the file, relative to the package, that holds them."""
    root = f"{Path(wellread.__file__).parent}/"
    called: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(root):
            called.add((frame.f_code.co_filename.removeprefix(root), frame.f_code.co_firstlineno))

    wellread.extract(page)
    sys.setprofile(note)
    try:
        wellread.extract(page)
    finally:
        sys.setprofile(None)
    return Counter(file for file, _ in called)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", action="store_true", help="list the files")
    called = functions_called(PAGE)
    outside = {file: count for file, count in called.items() if not file.startswith(tuple(f"{name}/" for name in SEEN))}
    reading = {file: count for file, count in outside.items() if file.startswith(tuple(f"{name}/" for name in READ))}
    groups = {"all": called, f"outside {', '.join(SEEN)}": outside, f"in {', '.join(READ)}": reading}
    for label, files in groups.items():
        print(f"{label}: {len(files)} files, {sum(files.values())} functions")
    if parser.parse_args().files:
        for file, count in sorted(outside.items()):
            print(f"{count:5} {file}")


if __name__ == "__main__":
    main()
