"""Short items below a heading, or at the end of a short page, stay with what is kept: half a list misleads."""

from __future__ import annotations

import pytest

import wellread

LEAD = (
    "This release repairs what broke in 2.3, and we recommend that everyone installs it this week, because two of the "
    "faults lose data."
)


def page(main: str) -> str:
    return f"<title>Notes</title><nav><a href='/'>Home</a></nav><main>{main}</main><footer>© 2026 Yard</footer>"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("<li>Login loop<li>Lost drafts (#412)", "<li>Dark mode<li>CSV export"),
        ("<li>Anmeldung<li>Verlorene Entwürfe", "<li>Dunkles Thema<li>Ausgabe als CSV"),
        ("<li>ログイン<li>下書きの消失", "<li>ダークモード<li>CSV"),
    ],
)
def test_headed_lists_of_a_short_page_are_whole(first: str, second: str) -> None:
    text = wellread.extract(
        page(f"<h1>Release 2.4</h1><p>{LEAD}</p><h2>A</h2><ul>{first}</ul><h2>B</h2><ul>{second}</ul>")
    ).text
    for item in (first + second).split("<li>")[1:]:
        assert f"- {item}" in text


def test_list_at_the_end_of_a_short_page() -> None:
    html = page(f"<h1>Yard</h1><p>{LEAD}</p><ul><li>rope bought</li><li>oil bought</li></ul>")
    assert "- rope bought\n- oil bought" in wellread.extract(html).text


def test_table_at_the_end_of_a_short_page() -> None:
    frame = "<table><tr><th></th><th>h</th></tr><tr><th>0</th><td>1</td></tr><tr><th>1</th><td>2</td></tr></table>"
    text = wellread.extract(page(f"<h1>Yard</h1><p>{LEAD}</p><p>{LEAD[:60]}.</p><div>{frame}</div>")).text
    assert "| 0 | 1 |\n| 1 | 2 |" in text


def test_short_linked_list_below_a_heading_stays_out() -> None:
    links = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("Archive", "Feeds", "Imprint"))
    text = wellread.extract(page(f"<h1>Yard</h1><p>{LEAD}</p><h2>Elsewhere</h2><ul>{links}</ul>")).text
    assert "Imprint" not in text


def test_table_of_one_column() -> None:
    table = (
        "<table><thead><tr><th>height</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>"
    )
    text = wellread.extract(page(f"<h1>Yard</h1><p>{LEAD}</p>{table}<p>{LEAD}</p>")).text
    assert "| height |\n| --- |\n| 1 |\n| 2 |" in text


def test_posts_whose_names_share_a_line_with_their_dates() -> None:
    said = [
        ("ropewalker", "My winch motor trips the breaker whenever it is cold. What should I measure first?"),
        ("bosun", "Measure the voltage at the motor terminals under load. If it falls, it is the cable."),
        ("kit", "It is 9.8 V under load, and the cable has 16 mm²."),
    ]
    posts = "".join(
        f"<article class=post><header><span class=username>{name}</span> <time datetime=2026-02-0{day}>Feb {day}, 2026"
        f"</time> <span>#{day}</span></header><div class=body><p>{text}</p></div></article>"
        for day, (name, text) in enumerate(said, 1)
    )
    html = f"<title>Winch trips the breaker</title><h1>Winch trips the breaker</h1><div>{posts}</div>"
    found = wellread.extract(html, url="https://docs.example/guide/winch")
    assert [(post.author, post.published_date) for post in found.posts] == [
        (name, f"2026-02-0{day}") for day, (name, _) in enumerate(said, 1)
    ]
