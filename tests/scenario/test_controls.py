"""Every kind of control that people work on the web is worked, and the page's own handler is what says so."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from controls import INNER, KINDS, NESTED, SAY, STYLE

if TYPE_CHECKING:
    from sites import Reading


@pytest.mark.parametrize("kind", KINDS)
def test_a_control_is_found_and_its_own_handler_gets_a_trusted_event(reading: Reading, kind: str) -> None:
    site, each = reading.site, KINDS[kind]
    other, third = site.url("", "app.example"), site.url("", "frames.second.example")
    site.pages["/inner"] = INNER
    site.pages["/nested"] = NESTED.replace("THIRD", third)
    site.pages["/hit"] = (200, {"Content-Type": "text/html"}, b"<title>hit</title>thanks")
    path = f"/control{list(KINDS).index(kind)}"
    site.pages[path] = f"<!DOCTYPE html><title>{kind}</title>{STYLE}{SAY}{each.html.replace('OTHER', other)}"
    before = len(site.asked)

    async def work() -> None:
        async with reading.web.browse(site.url(path)) as tab:
            await each.steps(tab)

    reading.run(work)
    hits = [unquote(asked.path[5:]) for asked in site.asked[before:] if asked.path.startswith("/hit?")]
    assert each.wanted in hits
