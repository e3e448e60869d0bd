"""Compares all links of saved pages with `document.links` of Chromium: recall, precision, and words.

    python benchmarks/link_recall.py --data DIR [--pages 30] [--seed 29] [--verbose]

DIR holds WCXB v1.0 (Murrough Foley, CC-BY-4.0): `html/NNNN.html.gz` and `ground-truth/NNNN.json`. The pages are drawn
by lot. The browser opens each at its own address, without scripts and without the network. The truth are the addresses
in `document.links` with http or https, without their fragments, and without links to places on the page. Printed are
the addresses that are missing and those that the browser does not have, over all links and over those that
`checkVisibility` finds visible.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from wellread.browser.browser_executable import find_executable
from wellread.extraction.html import MAX_LINKS, parse_page
from wellread.extraction.links import all_links
from wellread.net.media_types import decode

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LINKS = """() => [...document.links]
  .filter(link => !(link.getAttribute('href') || '').trim().startsWith('#') && /^https?:$/.test(link.protocol))
  .map(link => [link.href.split('#')[0], link.checkVisibility({visibilityProperty: true, opacityProperty: true})])"""


def sample(data: Path, count: int, seed: int) -> list[tuple[str, Path]]:
    pages = []
    for path in sorted((data / "ground-truth").glob("*.json")):
        url = json.loads(path.read_text("utf-8")).get("url")
        html = data / "html" / f"{path.stem}.html.gz"
        if url and html.exists():
            pages.append((url, html))
    return random.Random(seed).sample(pages, count)


def truth(tab: Page, url: str, body: bytes) -> tuple[set[str], set[str]]:
    """Return the addresses of all links, and of the visible ones."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request() and route.request.frame == tab.main_frame:
            route.fulfill(body=body, content_type="text/html")
        else:
            route.abort()

    tab.unroute_all()
    tab.route("**/*", answer)
    tab.goto(url, wait_until="domcontentloaded")
    rows = tab.evaluate(LINKS)
    return {address for address, _ in rows}, {address for address, is_visible in rows if is_visible}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    executable = find_executable(None, headed=False, own=None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable), args=["--no-sandbox"])
        tab = browser.new_context(java_script_enabled=False).new_page()
        for url, path in sample(options.data, options.pages, options.seed):
            body = gzip.decompress(path.read_bytes())
            declared, visible = truth(tab, url, body)
            found_links = all_links(parse_page(decode(body, None, html=True)[0]), url, max_links=MAX_LINKS)[0]
            found = {link.url for link in found_links}
            missing, extra = declared - found, found - declared
            counts.update(
                declared=len(declared),
                visible=len(visible),
                found=len(found),
                missing=len(missing),
                missing_visible=len(visible - found),
                extra=len(extra),
                without_words=sum(not link.text for link in found_links),
            )
            if options.verbose and (missing or extra):
                print(path.name, url, "\n  missing", sorted(missing)[:5], "\n  extra", sorted(extra)[:5])
        browser.close()
    print(f"{options.pages} pages, {counts['declared']:,} links, {counts['visible']:,} of them visible")
    print(f"recall {1 - counts['missing'] / counts['declared']:.4f}, missing {counts['missing']}")
    print(f"recall of visible links {1 - counts['missing_visible'] / counts['visible']:.4f}")
    print(f"precision {1 - counts['extra'] / counts['found']:.4f}, extra {counts['extra']}")
    print(f"links without words {counts['without_words']}")


if __name__ == "__main__":
    main()
