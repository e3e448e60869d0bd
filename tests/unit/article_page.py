"""An article of three paragraphs, with something between the first two of them."""

from __future__ import annotations

from wellread import extract

URL = "https://coast.example/walks/flats"
BEFORE = (
    "The old pump house stands at the end of a lane that nobody has paved since the war, and the people who look after "
    "it meet there every second Saturday of the month to oil what moves and paint what does not."
)
AFTER = (
    "In the first year they replaced the roof, in the second the windows, and only in the third did anyone dare "
    "to open "
    "the valve chamber below the floor, where the water had stood since the summer of the flood."
)
LAST = (
    "A grant from the water board paid for a new bearing; the rest of the money came from a sale of plants and "
    "from two "
    "concerts in the yard, at which the whistle was sounded for the first time in sixty years."
)


def page(inner: str, *, head: str = "", tail: str = "") -> str:
    return (
        f"<html lang=en><head><title>A walk on the flats</title></head><body><header><a "
        f"href='/'>Coast</a></header><main>"
        f"<article><h1>A walk on the "
        f"flats</h1>{head}<p>{BEFORE}</p>{inner}<p>{AFTER}</p><p>{LAST}</p></article>{tail}</main>"
        f"<footer><a href='/terms'>Terms</a></footer></body></html>"
    )


def read(html: str, *, images: bool = True) -> str:
    return extract(html, url=URL, images=images).text
