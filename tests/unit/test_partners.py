"""What says nothing without its partner is kept with it: names and values, panels and what opens them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.scored import kept_by_rules
from wellread.extraction.html import PageVisibility, parse_page

if TYPE_CHECKING:
    from wellread.types import PageType

PROSE = "The pump was tried before dawn, and nobody in the house had slept well, for the wind kept rising."


def told(page: str, *lost: str, kind: PageType = "product") -> list[str]:
    """Return what tidying keeps of a page of which all is kept but the lines `lost`."""
    seen = PageVisibility(parse_page(page), page).walked()
    kept = kept_by_rules(seen, [leaf.words not in lost for leaf in seen.leaves], kind)
    return [leaf.words for leaf, keep in zip(seen.leaves, kept, strict=True) if keep]


@pytest.mark.parametrize(("lost", "kind", "kept"), [("Bore:", "product", True), ("8 cm", "product", True),
                                                    ("8 cm", "forum", False)])  # fmt: skip
def test_a_name_and_its_value_stay_together_unless_they_are_of_users(lost: str, kind: PageType, kept: bool) -> None:
    page = f"<p>{PROSE}</p><dl><dt>Bore:</dt><dd>8 cm</dd><dt>Lift:</dt><dd>9 m</dd></dl>"
    assert (lost in told(page, lost, kind=kind)) is kept


@pytest.mark.parametrize(("controls", "kept"), [("p1", True), ("elsewhere", False)])
def test_what_opens_a_panel_that_is_kept_is_kept(controls: str, kept: bool) -> None:
    button = f"<button aria-expanded=false aria-controls={controls}>Care of the valve</button>"
    page = f"<p>{PROSE}</p><div>{button}<div id=p1><p>Twice a year: {PROSE}</p></div></div>"
    assert ("Care of the valve" in told(page, "Care of the valve")) is kept


ASIDE = "Readers of this paper run the kit at home, and tell us what came of it."
CODE = "<div class=group><span>bash</span><button>Copy</button><pre>kit run --once</pre></div>"


@pytest.mark.parametrize(
    ("lead", "kept"),
    [
        ("<p>Or run the exercises of a chapter:</p>", True),
        ("<p>Advertisement</p>", False),
        ("<h4>Exercises</h4>", False),
    ],
)
def test_code_amid_kept_text_is_kept_with_the_line_above_it(lead: str, kept: bool) -> None:
    line = lead.partition(">")[2].partition("<")[0]
    page = f"<div><p>{PROSE}</p>{lead}{CODE}<p>See below</p><p>{PROSE}</p></div>"
    found = told(page, line, "bash", "kit run --once", "See below", kind="article")
    assert "kit run --once" in found
    assert (line in found) is kept


@pytest.mark.parametrize("page", [
    f"<main><p>{PROSE}</p></main><aside><p>{ASIDE}</p>{CODE}<p>See below</p></aside><main><p>{PROSE}</p></main>",
    f"<main><p>{PROSE}</p><p>Run it</p>{CODE}<p>See below</p></main>",
], ids=["aside", "end"])  # fmt: skip
def test_code_beside_or_below_the_text_is_not_kept_by_it(page: str) -> None:
    found = told(page, ASIDE, "Run it", "bash", "kit run --once", "See below", kind="documentation")
    assert "kit run --once" not in found


@pytest.mark.parametrize(
    "items",
    [
        "<p>Next: <a href=/b>The well</a></p><p>See also: <a href=/c>The mill</a></p>",
        "<ul><li>Next: <a href=/b>The well</a><li>See also: <a href=/c>The mill</a></ul>",
    ],
)
@pytest.mark.parametrize("lost", ["Next: The well", "See also: The mill"])
def test_items_of_a_short_list_stay_together(items: str, lost: str) -> None:
    lines = told(f"<main><p>{PROSE}</p><p>{PROSE}</p>{items}</main>", lost, kind="documentation")
    assert lines[-2:] == ["Next: The well", "See also: The mill"]
