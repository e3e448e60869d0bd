"""A layout as the browser tells it becomes HTML that holds what is seen and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from wellread.browser.render.html_writer import MAX_DEPTH, visible_html
from wellread.browser.render.layout import STYLES, LayoutBox, layouts

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAIN = {
    "display": "block", "visibility": "visible", "opacity": "1", "position": "static", "font-size": "16px",
    "color": "rgb(0, 0, 0)", "-webkit-text-fill-color": "rgb(0, 0, 0)", "background-color": "rgba(0, 0, 0, 0)",
    "background-image": "none", "background-clip": "border-box", "text-shadow": "none", "overflow-x": "visible",
    "overflow-y": "visible", "clip": "auto", "clip-path": "none", "color-scheme": "normal",
    "-webkit-text-security": "none",
}  # fmt: skip
LONG = "The tide comes twice a day and leaves the pools full. " * 6


class Told:
    """Builds an answer of the browser, node by node."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.nodes: dict[str, list[Any]] = {  # Any: the protocol's own shape
            name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "attributes", "backendNodeId")
        }
        self.layout: dict[str, list[Any]] = {  # Any: the protocol's own shape
            name: []
            for name in (
                *("nodeIndex", "bounds", "styles", "paintOrders", "blendedBackgroundColors", "textColorOpacities"),
            )
        }

    def number(self, text: str) -> int:
        self.strings.append(text)
        return len(self.strings) - 1

    def add(
        self,
        parent: int,
        name: str,
        value: str = "",
        *,
        seen: bool = True,
        attributes: Sequence[str] = (),
        **style: str,
    ) -> int:
        index = len(self.nodes["nodeType"])
        kind = 3 if name == "#text" else 9 if name == "#document" else 1
        row = (parent, kind, self.number(name), self.number(value), [self.number(each) for each in attributes], index)
        for key, cell in zip(self.nodes, row, strict=True):
            self.nodes[key].append(cell)
        if seen:
            styles = {**PLAIN, **{key.replace("_", "-"): each for key, each in style.items()}}
            box = [10, 10 + index * 20, 300, 18]
            drawn = (index, box, [self.number(styles[each]) for each in STYLES], 1, -1, 1)
            for key, cell in zip(self.layout, drawn, strict=True):
                self.layout[key].append(cell)
        return index

    def done(self) -> dict[str, Any]:  # Any: the protocol's own shape
        nodes = {**self.nodes, "contentDocumentIndex": {"index": [], "value": []}}
        return {
            "strings": self.strings,
            "documents": [
                {
                    "nodes": nodes,
                    "layout": self.layout,
                    "contentWidth": 1280,
                    "contentHeight": 1e6,
                    "frameId": self.number("F"),
                }
            ],
        }


def body() -> tuple[Told, int]:
    told = Told()
    root = told.add(-1, "#document")
    html = told.add(root, "HTML")
    return told, told.add(html, "BODY")


def test_undrawn_elements_beside_little_and_enough_text() -> None:
    for around, marked in ((LONG, True), ("Short.", False)):
        told, inside = body()
        told.add(told.add(inside, "P"), "#text", around)
        shut = told.add(inside, "DIV", seen=False, attributes=("class", "panel", "style", "x", "hidden", ""))
        told.add(shut, "#text", "Shut away.", seen=False)
        page = visible_html(layouts(told.done()))
        assert ('<div class="panel" style="display:none">Shut away.</div>' in page.html) is marked
        assert ("Shut away." in page.html) is marked
        assert page.hidden == (0 if marked else 1)


def test_data_about_the_page_is_kept_and_cannot_leave_its_element() -> None:
    told, inside = body()
    told.add(told.add(inside, "P"), "#text", LONG)
    data = told.add(inside, "SCRIPT", seen=False, attributes=("type", "application/ld+json"))
    told.add(data, "#text", '{"a": "</script><p>Obey.</p>"}', seen=False)
    code = told.add(inside, "SCRIPT", seen=False)
    told.add(code, "#text", "go()", seen=False)
    tree = LexborHTMLParser(visible_html(layouts(told.done())).html)
    assert [script.text() for script in tree.css("script")] == ['{"a": "<\\/script><p>Obey.<\\/p>"}']
    assert len(tree.css("p")) == 1


def test_text_in_a_colour_of_css_color_4_on_a_dark_background() -> None:
    for ink, shows in (("oklch(0.97 0 0)", True), ("lab(20 0 0)", False), ("color(xyz var(--x))", True)):
        told, inside = body()
        dark = told.add(inside, "DIV", background_color="lab(20 0 0)")
        told.add(told.add(dark, "P"), "#text", LONG, _webkit_text_fill_color=ink)
        assert ("The tide" in visible_html(layouts(told.done())).html) is shows, ink


def test_a_page_that_is_too_deep_is_cut_and_says_so() -> None:
    told, inside = body()
    for _ in range(MAX_DEPTH + 50):
        inside = told.add(inside, "DIV")
    told.add(inside, "#text", "Far below.")
    page = visible_html(layouts(told.done()))
    assert page.cut
    assert "Far below." not in page.html


names = st.sampled_from(["DIV", "P", "A", "XMP", "PLAINTEXT", "TEXTAREA", "TITLE", "MY-EL", "SVG", 'a"b', "IMG", "LI"])
texts = st.text(st.sampled_from("<>&\"'/=- ab\n\0\ud800é"), max_size=30)
attributes = st.lists(
    st.tuples(st.sampled_from(["class", "onclick", "href", 'x"y', "style", "title"]), texts), max_size=3
)


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 20), names, attributes, texts, st.booleans()), max_size=15))
def test_no_page_can_write_itself_an_element_that_it_does_not_have(
    rows: list[tuple[int, str, list[tuple[str, str]], str, bool]],
) -> None:
    told, inside = body()
    told.add(told.add(inside, "P"), "#text", LONG)
    elements = [inside]
    for above, name, pairs, text, seen in rows:
        flat = [part for pair in pairs for part in pair]
        index = told.add(elements[above % len(elements)], name, attributes=flat)
        if name != "IMG":
            elements.append(index)
        told.add(index, "#text", f"{text}<script>Obey()</script>", seen=seen, opacity="1")
    html = visible_html(layouts(told.done())).html
    tree = LexborHTMLParser(html.encode("utf-8", "replace").decode())
    assert tree.css("script") == []
    assert all("onclick" not in node.attributes for node in tree.css("*"))


@given(st.tuples(*[st.floats(0, 100)] * 4), st.tuples(*[st.floats(0, 100)] * 4))
def test_what_two_boxes_share_lies_in_both(one: tuple[float, ...], two: tuple[float, ...]) -> None:
    shared = LayoutBox(*one).within(LayoutBox(*two))
    assert shared.width >= 0
    assert shared.height >= 0
    if shared.width and shared.height:
        assert LayoutBox(*one).covers(shared)
        assert LayoutBox(*two).covers(shared)


def test_film_and_choice_on_a_rendered_page() -> None:
    told = Told()
    root = told.add(-1, "#document", seen=False)
    body = told.add(told.add(root, "HTML"), "BODY")
    told.add(told.add(body, "P"), "#text", LONG)
    film = told.add(body, "VIDEO", attributes=["controls", ""])
    told.add(film, "SOURCE", seen=False, attributes=["src", "/film.mp4"])
    told.add(told.add(film, "P", seen=False), "#text", "Your browser plays no films.", seen=False)
    told.add(body, "VIDEO", seen=False, attributes=["src", "/unseen.mp4"])
    choice = told.add(body, "SELECT", attributes=["name", "size"])
    for name in ("S", "M"):
        told.add(told.add(choice, "OPTION", seen=False), "#text", name, seen=False)
    told.add(body, "IFRAME", seen=False, attributes=["src", "https://t.example/pixel"])
    html = visible_html(layouts(told.done())).html
    assert '<source src="/film.mp4">' in html
    assert '<select name="size"><option>S</option><option>M</option></select>' in html
    for unseen in ("plays no films", "unseen.mp4", "t.example"):
        assert unseen not in html
