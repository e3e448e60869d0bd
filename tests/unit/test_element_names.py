"""Naming the controls of a page costs in proportion to its size."""

from __future__ import annotations

from functools import partial

from effort import work_grows_in_proportion
from wellread.browser.browse.element_names import ElementNames
from wellread.browser.browse.page_tree import PageDocument, PageNode, PageState, PageTree
from wellread.browser.render.layout import ELEMENT, Layout, Node


def element(node_id: int, parent: int, document: PageDocument, attributes: dict[str, str]) -> PageNode:
    dom = Node(parent, ELEMENT, "div", "", attributes, drawn=None, inner=-1, backend=node_id + 1)
    return PageNode(node_id, parent, dom, document, node_id, None, None, "", 1.0, -1)


def comboboxes(count: int) -> PageTree:
    """Return a page with unnamed comboboxes beside one another."""
    document = PageDocument(Layout((), 1.0, 1.0, "frame"), "page", (0.0, 0.0))
    nodes = [element(0, -1, document, {})]
    nodes += [element(node_id, 0, document, {"role": "combobox"}) for node_id in range(1, count + 1)]
    children = [list(range(1, count + 1)), *([] for _ in range(count))]
    return PageTree(nodes, children, PageState([[document]], {}, 800, 600))


def test_names_of_many_comboboxes_cost_linear_time() -> None:
    def name_all(tree: PageTree) -> None:
        names = ElementNames(tree)
        assert not any(names.of(node) for node in tree.nodes)

    assert work_grows_in_proportion(partial(name_all, comboboxes(1_000)), partial(name_all, comboboxes(4_000)))
