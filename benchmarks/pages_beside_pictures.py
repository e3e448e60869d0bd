"""Draws a sample of saved pages, each as a picture beside its markdown, to be read by people.

    python benchmarks/pages_beside_pictures.py --data DIR --out FOLDER [--per-kind 20] [--seed 29] [--no-pictures]

DIR holds WCXB v1.0 (Murrough Foley, CC-BY-4.0): `html/NNNN.html.gz` and `ground-truth/NNNN.json`. Of every kind of page
but articles, as many are drawn as `--per-kind` says; the same seed draws the same pages. FOLDER gets `KIND-NNNN.png`
and `KIND-NNNN.md` for each. A page is shown as it was saved: without scripts, and without what lies elsewhere (most
style sheets and pictures), for nothing is loaded from the network. Pictures end at 6,000 pixels.

`--no-pictures` writes the markdown alone, which is enough to compare two versions of wellread on the same sample.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from wellread import extract
from wellread.browser.browser_executable import find_executable
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Route

_SEED = 29
_PER_KIND = 20
_LEFT_OUT = "article"
_WIDTH = 1_000
_VIEW_HEIGHT = 800
_MAX_HEIGHT = 6_000
_PICTURE_MS = 60_000
_SITE = "http://127.0.0.1/"


class SavedPage(NamedTuple):
    """A page of the set."""

    name: str
    kind: str
    url: str | None
    path: Path


def sample(data: Path, per_kind: int, seed: int) -> list[SavedPage]:
    """Return `per_kind` pages of each kind but articles, or all where there are fewer."""
    kinds: dict[str, list[SavedPage]] = defaultdict(list)
    for path in sorted((data / "ground-truth").glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        kind = truth["_internal"]["page_type"]["primary"]
        html = data / "html" / f"{path.stem}.html.gz"
        kinds[kind].append(SavedPage(path.stem, kind, truth.get("url"), html))
    del kinds[_LEFT_OUT]
    draw = random.Random(seed)
    return [page for _, pages in sorted(kinds.items()) for page in draw.sample(pages, min(per_kind, len(pages)))]


def markdown(page: SavedPage, body: bytes) -> str:
    """Return a page as `wellread extract` prints it, its notices first; the error where it cannot be read."""
    try:
        result = extract(body, url=page.url)
    except WellreadError as error:
        return f"({error.code}: {error})\n"
    notices = "".join(f"({notice.code}: {notice.detail})\n" for notice in result.notices)
    return f"({page.kind}, read as {result.page_type}: {result.title})\n{notices}\n{result.text}\n"


def write_pictures(pages: Sequence[SavedPage], out: Path) -> None:
    """Write a picture of each page."""
    bodies = {f"{_SITE}{page.name}": page.path for page in pages}

    def answer(route: Route) -> None:
        path = bodies.get(route.request.url)
        if path is None:
            route.abort()
        else:
            route.fulfill(body=gzip.decompress(path.read_bytes()), content_type="text/html")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_executable(None, headed=False, own=None))
        context = browser.new_context(
            java_script_enabled=False, viewport={"width": _WIDTH, "height": _VIEW_HEIGHT}, offline=True
        )
        tab = context.new_page()
        tab.route("**/*", answer)
        for page in pages:
            tab.goto(f"{_SITE}{page.name}", wait_until="domcontentloaded")
            tab.screenshot(
                path=out / f"{page.kind}-{page.name}.png",
                clip={"x": 0, "y": 0, "width": _WIDTH, "height": _MAX_HEIGHT},
                full_page=True,
                timeout=_PICTURE_MS,
            )
        browser.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--per-kind", type=int, default=_PER_KIND)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--no-pictures", action="store_true")
    return parser.parse_args()


def main() -> None:
    """Write markdown and pictures."""
    options = _arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    pages = sample(options.data, options.per_kind, options.seed)
    for page in pages:
        text = markdown(page, gzip.decompress(page.path.read_bytes()))
        (options.out / f"{page.kind}-{page.name}.md").write_text(text, encoding="utf-8")
    if not options.no_pictures:
        write_pictures(pages, options.out)
    print(f"{len(pages)} pages in {options.out}")


if __name__ == "__main__":
    main()
