"""What it costs to tell which text of a laid-out page can be seen."""

from __future__ import annotations

from functools import partial

from effort import work_grows_in_proportion
from wellread.browser.render.layout import ELEMENT, STYLES, TEXT, Drawn, Layout, LayoutBox, Node
from wellread.browser.render.layout_visibility import hidden_reasons

BOX = LayoutBox(0, 0, 100, 100)
STYLE = dict.fromkeys(STYLES, "") | {
    "opacity": "1",
    "visibility": "visible",
    "position": "static",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "background-image": "none",
    "text-shadow": "none",
    "color": "rgb(0, 0, 0)",
    "font-size": "16px",
}
SCROLLER = STYLE | {"overflow-x": "auto", "overflow-y": "auto"}
COVER = STYLE | {"background-color": "rgb(255, 255, 255)"}


def node(parent: int, kind: int, style: dict[str, str], order: int) -> Node:
    return Node(
        parent=parent, kind=kind, name="div" * (kind == ELEMENT), value="x", attributes={},
        drawn=Drawn(BOX, style, order, background="", ink=1.0), inner=-1, backend=order,
    )  # fmt: skip


def judge_texts_beside_nested_scrollers(depth: int) -> None:
    nodes = [node(-1, ELEMENT, STYLE, 0)]
    nodes += [node(parent, ELEMENT, SCROLLER, parent + 1) for parent in range(depth)]
    nodes += [node(depth, ELEMENT, COVER, depth + number) for number in range(60)]
    nodes += [node(0, TEXT, STYLE, 0) for _ in range(100)]
    reasons = hidden_reasons(Layout(nodes, 100, 100, ""))
    assert set(reasons[-100:]) == {"covered"}


def test_cost_of_nested_scrollers() -> None:
    work = judge_texts_beside_nested_scrollers
    assert work_grows_in_proportion(partial(work, 100), partial(work, 400))
