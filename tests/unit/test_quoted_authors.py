"""Who is quoted in a post is said where the quotation is, and only there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import wellread

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXT = (
    "The old kettle of my aunt boils in four minutes, which is a minute faster than the new one from the shop in town.",
    "Mine takes five, but I live high up in the hills, where water boils earlier and tea never gets as hot as below.",
    "You could try to take the lime off first; a spoon of vinegar and an hour of patience will do for most of them.",
)


def _boxed(author: str, text: str) -> str:
    return f"<blockquote class=quote><div class=quote-title>{author} said:</div><div>{text}</div></blockquote>"


def _cited(author: str, text: str) -> str:
    return f"<blockquote><p class=cite>10 hours ago, {author} wrote: \u2191</p><p>{text}</p></blockquote>"


@pytest.mark.parametrize("quotation", [_boxed, _cited])
def test_author_of_quotation(quotation: Callable[[str, str], str]) -> None:
    bodies = [f"<p>{text}</p>" for text in _TEXT]
    bodies[1] = quotation("Ann", _TEXT[0][:60]) + bodies[1]
    bodies[2] = quotation("Bert", " ".join(_TEXT[1:2] * 8)) + bodies[2]
    posts = "".join(
        f"<article class=message><div class=user><a class=username href=/members/{name}>{name}</a></div>"
        f"<time datetime=2024-0{at}-02T10:00>Mar {at}, 2024</time><div class=message-body>{body}</div></article>"
        for at, (name, body) in enumerate(zip(("Ann", "Bert", "Cleo"), bodies, strict=True), 1)
    )
    page = f"<title>How fast does it boil?</title><main><h1>How fast does it boil?</h1>{posts}</main>"
    text = wellread.extract(page, url="https://forum.example/threads/boil").text
    quotations = re.findall(r"^> .*(?:said|wrote):.*(?:\n>.*)*", text, re.MULTILINE)
    assert all(_TEXT[0][:30] in said or _TEXT[1][:30] in said for said in quotations)
    assert sum(_TEXT[0][:30] in said for said in quotations) == 1
