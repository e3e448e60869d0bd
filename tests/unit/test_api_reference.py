"""References of programming interfaces keep each parameter, and each signature, in one piece."""

# ruff: noqa: E501 - markup as generators write it

from __future__ import annotations

import pytest

import wellread

TEXT = "Send one message to one number, and wait for the answer of the network that delivers it to whoever owns it."


def read(body: str) -> str:
    return wellread.extract(
        f"<title>Send - Kit Docs</title><main><article><h1>Send a message</h1><p>{TEXT}</p><h2>Body</h2>{body}<p>{TEXT} "
        "Each of these is charged on its own.</p></article></main>",
        url="https://docs.kit.example/api-reference/send",
    ).text


PARAMETERS = {
    "mintlify": "<div class=field><div><div>to</div><div>string</div><div>required</div></div><div><p>{}</p></div></div>",
    "readme": "<div class=Param><div class=Param-header><label class=Param-name>to</label><div class=Param-type>string</div>"
    "<span class=Param-required>required</span></div><div><p>{}</p></div></div>",
    "scalar": "<ul><li><div class=heading><div class=name>to</div><div class=detail><span>string</span></div><div>required"
    "</div></div><div class=description><p>{}</p></div></li></ul>",
    "code": "<section><header><div><code>to</code></div><div>string</div><div>required</div></header><p>{}</p></section>",
    "optional_first": "<div><div><div>to</div><div>array of strings</div><div>required</div><div>max 10</div></div><p>{}</p></div>",
}


@pytest.mark.parametrize("field", PARAMETERS.values(), ids=PARAMETERS)
def test_parameter_in_one_piece(field: str) -> None:
    text = read(field.format("The number in E.164, such as +15550142."))
    line = next(line for line in text.splitlines() if "required" in line)
    assert line.index("to") < line.index("string") < line.index("required")
    assert f"{line}\n\n" in text
    assert text.split(f"{line}\n")[1].strip().startswith("The number in E.164")


ADJACENT = {
    "heading": "<ul><li><h5><span>amount</span><span>integer</span><span>Required</span></h5><p>What to charge for.</p></li></ul>",
    "spans": "<ul><li><span><strong>amount</strong><span>integer</span><i></i><span>Required</span></span><p>What to charge for."
    "</p></li></ul>",
}


@pytest.mark.parametrize("field", ADJACENT.values(), ids=ADJACENT)
def test_parameter_whose_pieces_touch(field: str) -> None:
    assert "amount integer Required" in read(field).replace("*", "")


def test_short_boxes_that_are_no_parameter() -> None:
    text = read("<div><div>Mon</div><div>Tue</div><div>Wed</div></div>")
    assert "Mon Tue" not in text


SIGNATURES = {
    "public final class Clock extends Object": "<div class=type-signature><span>public final class </span><span>Clock"
    "</span><span>extends <a href=/o>Object</a></span></div>",
    "open(depth: number): void": "<div class=tsd-signature><span>open</span><span>(</span><span>depth</span>: <a href=/n>"
    "number</a>): void</div>",
    "int strlen( string $text )": "<div class='methodsynopsis dc-description'><span class=type>int</span> <strong>strlen"
    "</strong>( <span>string</span> <code>$text</code> )</div>",
    "fun open(depth: Int): Boolean": "<div class='symbol monospace signature'>fun <a href=/open>open</a>(depth: Int): Boolean"
    "</div>",
}


@pytest.mark.parametrize(("expected", "signature"), SIGNATURES.items())
def test_signature_in_one_line(expected: str, signature: str) -> None:
    assert f"\n`{expected}`\n" in read(
        f"<section>{signature}<p>A clock that tells the level of the water.</p></section>"
    )


def test_signature_of_a_person_stays_prose() -> None:
    assert "`" not in read("<div class=signature>Public relations, Maud Lowe (press office)</div>")


def test_method_summary_in_columns() -> None:
    cells = [
        ("double", "level(Instant when)", "Returns the level."),
        ("static Clock", "of(String harbour)", "Makes a clock."),
    ]
    names = ("col-first", "col-second", "col-last")
    head = "".join(
        f"<div class='table-header {name}'>{text}</div>"
        for name, text in zip(names, ("Type", "Method", "Text"), strict=True)
    )
    rows = "".join(
        f"<div class='{name} {parity}'><code>{text}</code></div>"
        for row, parity in zip(cells, ("even-row", "odd-row"), strict=True)
        for name, text in zip(names, row, strict=True)
    )
    text = read(f"<section><h2>Method Summary</h2><div class=summary-table>{head}{rows}</div></section>")
    assert "## Method Summary" in text
    for word in ("Type", "Method", "Text", "double", "static Clock", "Makes a clock."):
        assert word in text
