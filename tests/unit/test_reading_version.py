"""What is kept must be read anew when pages are read differently, so a change of the reading raises its version."""

from __future__ import annotations

import hashlib
from pathlib import Path

from wellread import extract
from wellread.reading.read_result import READING_VERSION

SITE = Path(__file__).parents[2] / "examples" / "demo_site" / "pages"
PAGES = sorted(page for page in SITE.glob("*.html") if page.stem != "live-tides")  # which scripts build
READ_AS = (40, "f762474a5bde80f4")
"""The version, and a digest of what it makes of the demo's pages."""


def test_pages_that_are_read_differently_have_a_version_of_their_own() -> None:
    told = [extract(page.read_bytes(), url=f"http://www.tidewater.example/{page.stem}") for page in PAGES]
    seen = "\0".join(
        f"{page.text}\0{page.title}\0{page.byline}\0{page.author}\0{page.published_date}\0{page.posts}"
        f"\0{[(warning.code, warning.count) for warning in page.notices]}"
        for page in told
    )
    digest = hashlib.sha256(seen.encode()).hexdigest()[:16]
    assert (READING_VERSION, digest) == READ_AS, "raise READING_VERSION, and write both here"
