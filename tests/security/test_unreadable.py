"""Text that leaves a few grey pixels, but is too small or too faint for anybody to read, is not read here either."""

from __future__ import annotations

import pytest

from security.hiding import PLANTED, page
from security.test_hiding import everything_read


@pytest.mark.parametrize(
    "style",
    [
        "transform:scale(.1)",
        "transform:scale(.4) scale(.4)",
        "transform:matrix(.1,0,0,.1,0,0)",
        "transform:rotateX(80deg)",
        "scale:.1",
        "scale:10%",
        "transform:scale(.4);scale:.4",
        "zoom:.1",
        "zoom:20%",
        "font-size:6px;zoom:.5",
        "font-size:10px;transform:scale(.3)",
        "opacity:.1;filter:opacity(.1)",
        "filter:opacity(.1) opacity(.1)",
    ],
)
def test_text_made_tiny_or_faint_is_not_read(style: str) -> None:
    by_itself = page(f'<p style="{style}">{PLANTED}</p>')
    by_a_sheet = page(f"<div class=x><p>{PLANTED}</p></div>", f"<style>.x{{{style}}}</style>")
    for whole in (by_itself, by_a_sheet):
        assert PLANTED.split()[-1] not in everything_read(whole)


@pytest.mark.parametrize(
    "inner",
    [
        "<div style='zoom:.3'><p style='zoom:.3'>@</p></div>",
        "<div style='zoom:.4'><p style='font-size:8px'>@</p></div>",
        "<style>.x{zoom:.4}.x p{font-size:9px}</style><div class=x><p>@</p></div>",
        "<div style='transform:scale(.3)'><p style='transform:scale(.3)'>@</p></div>",
        "<div style='filter:opacity(.2)'><p style='filter:opacity(.2)'>@</p></div>",
        "<style>.x{filter:opacity(.2)}</style><div class=x><div class=x><p>@</p></div></div>",
    ],
)
def test_what_is_around_makes_text_smaller_and_fainter_still(inner: str) -> None:
    assert PLANTED.split()[-1] not in everything_read(page(inner.replace("@", PLANTED)))


def test_app_that_grows_to_twelve_times_its_first_text() -> None:
    window = "<div style='width:0;height:0;overflow:hidden;transform:scale(.08)'>"
    whole = (
        f"<html><body><script src=/a.js></script>{window}<main><h1>Tea</h1><p>{PLANTED * 30}</p></main></div></body>"
    )
    assert PLANTED in everything_read(whole)
