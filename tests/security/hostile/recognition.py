"""Pages that look like shops, references and threads: what is recognised by comparing parts of a page with others."""

from __future__ import annotations

from security.hostile.shapes import Builder, HostilePage, filled, repeat, sentence

_OFFER = (
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp",'
    '"offers":{"price":"12.00","priceCurrency":"EUR"}}</script>'
)
_MOST_OPTIONS = 7_000


def _product(fields: str, rest: str = "") -> str:
    return (
        f"<!DOCTYPE html><title>Lamp</title>{_OFFER}<h1>Lamp</h1><p>EUR 12.00</p>{rest}{fields}<p>{sentence(3, 60)}</p>"
    )


def _combined_choices(size_bytes: int) -> str:
    """Return choices each of whose options has an option of every other choice in it, the last one that is tried."""
    count = max(min(size_bytes // 24, _MOST_OPTIONS) // 15 - 7, 1)
    fields = [
        "".join(f"<option value=a>{number}x{option}z" for option in range(min(count + number, 490)))
        for number in range(15)
    ]
    return _product(
        "".join(
            f"<div><label for=f{number}>Kind {number}</label><select id=f{number}>{options}<option value=b>z</select></div>"
            for number, options in enumerate(fields)
        )
    )


def _long_label_of_choices(size_bytes: int) -> str:
    """Return up to 300 choices, before all of which the same long element stands."""
    count = min(size_bytes // 200, 300)
    fields = "".join(f"<select><option value=a>S{number}<option value=b>M{number}</select>" for number in range(count))
    label = repeat(size_bytes - len(_product(fields)), "<i></i>")
    return _product(f"<div>{fields}</div></div>", f"<div><div>{label}</div>")


def _nested_bars() -> Builder:
    def build(size_bytes: int) -> str:
        count = size_bytes // 33
        return f"<p>{sentence(1, 40)}</p><pre><code>{'x<span class=copy-button>y' * count}z{'</span>' * count}</code></pre>"

    return build


PAGES = (
    HostilePage(
        "header_tables",
        "HTML, The th element",
        "n tables have nothing but header cells, and none is followed by another table.",
        filled(lambda number: f"<table><tr><th>sea {number}<th>low {number}</table><p>{number}"),
    ),
    HostilePage(
        "titles_repeated",
        "HTML, The title element",
        "n lines repeat the title of a page that waits for its scripts, and n others wait.",
        lambda size_bytes: (
            "<!DOCTYPE html><title>Sea</title><script src=/a.js></script><p style=display:none>The text that scripts show"
            f" later: {sentence(2, 30)}</p><div id=root>{repeat(size_bytes, '<p>Sea</p><hr>')}</div>"
        ),
    ),
    HostilePage(
        "parameters_in_one_list",
        "HTML, The li element",
        "n items name a parameter and its type.",
        filled(lambda number: f"<li><b>a{number}</b> <i>int</i>", before="<ul>", after="</ul>"),
    ),
    HostilePage(
        "bars_in_bars_of_code",
        "HTML, The code element",
        "n buttons of a block of code lie in one another, with code between them.",
        _nested_bars(),
    ),
    HostilePage(
        "choices_of_combinations",
        "HTML, The select element",
        "15 choices of n options are combinations of one another.",
        _combined_choices,
    ),
    HostilePage(
        "choices_after_long_label",
        "HTML, The label element",
        "Up to 300 choices stand after one element of n others.",
        _long_label_of_choices,
    ),
)

FIXED = ()
