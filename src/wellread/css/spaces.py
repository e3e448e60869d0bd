"""Works out CSS colours in other spaces, mixtures of colours, and colours made from others (CSS Color 4 and 5)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from wellread.css.lengths import length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tinycss2.ast import Node

    Triple = tuple[float, float, float]
    Rgba = tuple[float, float, float, float]

_OKLAB: Final = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_LMS: Final = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
_D65: Final = (
    (3.2409699419, -1.5373831776, -0.4986107603),
    (-0.9692436363, 1.8759675015, 0.0415550574),
    (0.0556300797, -0.2039769589, 1.0569715142),
)
_D50: Final = (
    (3.1341358529, -1.6173863321, -0.4906619460),
    (-0.9787954765, 1.9162543774, 0.0334427312),
    (0.0719554488, -0.2289768264, 1.4053860351),
)
_D50_WHITE: Final = (0.9642956764, 1.0, 0.8251046025)
_BELOW: Final = 0.0031308
_SPACES: Final[dict[str, tuple[str, str, str]]] = {
    **dict.fromkeys(("rgb", "rgba"), ("r", "g", "b")),
    **dict.fromkeys(("hsl", "hsla"), ("h", "s", "l")),
    "hwb": ("h", "w", "b"),
    **dict.fromkeys(("lab", "oklab"), ("l", "a", "b")),
    **dict.fromkeys(("lch", "oklch"), ("l", "c", "h")),
}
"""What the coordinates of each function are called."""
_SCALES: Final[dict[str, Triple]] = {
    **dict.fromkeys(("rgb", "rgba"), (255, 255, 255)),
    **dict.fromkeys(("hsl", "hsla", "hwb"), (360, 100, 100)),
    "lab": (100, 125, 125),
    "lch": (100, 150, 360),
    "oklab": (1, 0.4, 0.4),
    "oklch": (1, 0.4, 360),
}
"""What 100 % is."""
_TURNS: Final = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}


def _linear(matrix: Sequence[Triple], one: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, one, strict=True)) for row in matrix)
    return first, second, third


def _gamma(one: Triple) -> Triple:
    red, green, blue = (12.92 * each if each <= _BELOW else 1.055 * math.pow(each, 1 / 2.4) - 0.055 for each in one)
    return red, green, blue


def _from_oklab(one: Triple) -> Triple:
    long, middle, short = (each**3 for each in _linear(_OKLAB, one))
    return _gamma(_linear(_LMS, (long, middle, short)))


def _from_lab(one: Triple) -> Triple:
    light, a, b = one
    y = (light + 16) / 116
    scaled = (y + a / 500, y, y - b / 200)
    cubes = [each**3 if each > 6 / 29 else 3 * (6 / 29) ** 2 * (each - 4 / 29) for each in scaled]
    x, y, z = (cube * white for cube, white in zip(cubes, _D50_WHITE, strict=True))
    return _gamma(_linear(_D50, (x, y, z)))


def _polar(one: Triple) -> Triple:
    light, chroma, hue = one
    return light, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))


def _from_hsl(one: Triple) -> Triple:
    hue, saturation, light = one[0] % 360, min(max(one[1] / 100, 0), 1), one[2] / 100

    def channel(at: int) -> float:
        step = (at + hue / 30) % 12
        return light - saturation * min(light, 1 - light) * max(-1, min(step - 3, 9 - step, 1))

    return channel(0), channel(8), channel(4)


def _from_hwb(one: Triple) -> Triple:
    white, black = one[1] / 100, one[2] / 100
    if white + black >= 1:
        grey = white / (white + black)
        return grey, grey, grey
    red, green, blue = (each * (1 - white - black) + white for each in _from_hsl((one[0], 100, 50)))
    return red, green, blue


def _same(one: Triple) -> Triple:
    return one


def _from_rgb(one: Triple) -> Triple:
    return one[0] / 255, one[1] / 255, one[2] / 255


_READ: Final[dict[str, Callable[[Triple], Triple]]] = {
    **dict.fromkeys(("rgb", "rgba"), _from_rgb),
    **dict.fromkeys(("hsl", "hsla"), _from_hsl),
    "hwb": _from_hwb,
    "lab": _from_lab,
    "lch": lambda one: _from_lab(_polar(one)),
    "oklab": _from_oklab,
    "oklch": lambda one: _from_oklab(_polar(one)),
}
_COLOR: Final[dict[str, Callable[[Triple], Triple]]] = {
    **dict.fromkeys(("srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020"), _same),
    "srgb-linear": _gamma,
    **dict.fromkeys(("xyz", "xyz-d65"), lambda one: _gamma(_linear(_D65, one))),
    "xyz-d50": lambda one: _gamma(_linear(_D50, one)),
}
"""By the space of `color()`. Wide spaces are taken for sRGB: they differ by hues that no rule here asks for."""


def channels(name: str, arguments: list[Node], colour: Callable[[str], Rgba | None]) -> Rgba | None:
    """Return red, green, blue and alpha of a colour function; None when it cannot be worked out.

    `colour` works out the colours inside of it.
    """
    told = [token for token in arguments if token.type not in {"whitespace", "comment"}]
    if name == "color-mix":
        return _mixed(told, colour)
    if name in {"light-dark", "-internal-light-dark"}:
        return colour(told[0].serialize()) if told else None
    origin: Rgba | None = None
    if len(told) > 1 and told[0].type == "ident" and told[0].lower_value == "from":
        origin = colour(told[1].serialize())
        told = told[2:]
        if origin is None:
            return None
    space = name
    if name == "color":
        space = told[0].lower_value if told and told[0].type == "ident" else ""
        told = told[1:]
    return _read(space, told, origin)


def _read(space: str, told: list[Node], origin: Rgba | None) -> Rgba | None:
    coordinates = [token for token in told if token.type != "literal"]
    convert = _READ.get(space) or _COLOR.get(space)
    if convert is None or not 3 <= len(coordinates) <= 4:
        return None
    scale = (*_SCALES.get(space, (1, 1, 1)), 1)
    names = dict(zip((*_SPACES.get(space, ("r", "g", "b")), "alpha"), _of_origin(space, origin), strict=True))
    read = [_coordinate(token, each, names) for token, each in zip(coordinates, scale, strict=False)]
    if len(read) == 3:
        read.append(origin[3] if origin is not None else 1.0)
    if read[3] is not None and read[3] <= 0:
        return 0.0, 0.0, 0.0, 0.0
    if any(each is None for each in read):
        return None
    first, second, third, alpha = (each or 0.0 for each in read)
    red, green, blue = (min(max(each, 0.0), 1.0) for each in convert((first, second, third)))
    return red, green, blue, min(max(alpha, 0.0), 1.0)


def _of_origin(space: str, origin: Rgba | None) -> Sequence[float | None]:
    """Return the coordinates of a colour as `space` counts them; None where another would have to be worked out."""
    if origin is None:
        return None, None, None, None
    red, green, blue, alpha = origin
    if space in {"rgb", "rgba"}:
        return red * 255, green * 255, blue * 255, alpha
    if space in {"srgb", "display-p3"}:
        return red, green, blue, alpha
    grey = (red + green + blue) / 3
    light = (max(red, green, blue) + min(red, green, blue)) / 2
    # Of the other spaces lightness is near enough, and the hue is not asked for by any rule here.
    told: dict[str, Triple] = {
        **dict.fromkeys(("hsl", "hsla"), (0.0, 0.0 if red == green == blue else 100.0, light * 100)),
        "hwb": (0.0, min(red, green, blue) * 100, (1 - max(red, green, blue)) * 100),
        **dict.fromkeys(("lab", "lch"), (grey * 100, 0.0, 0.0)),
        **dict.fromkeys(("oklab", "oklch"), (grey, 0.0, 0.0)),
    }
    return (*told[space], alpha) if space in told else (None, None, None, alpha)


def _coordinate(token: Node, whole: float, names: dict[str, float | None]) -> float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) * whole / 100
    if token.type == "dimension":
        return float(token.value) * _TURNS.get(token.lower_unit, 1.0)
    if token.type == "ident":
        return 0.0 if token.lower_value == "none" else names.get(token.lower_value)
    return _sum(token, names)


def _sum(token: Node, names: dict[str, float | None]) -> float | None:
    if token.type != "function":
        return None
    written = token.serialize()
    for name, value in names.items():
        if value is not None:
            written = re.sub(rf"(?<![\w-]){name}(?![\w(-])", f"{value:.6f}", written)
    return length(written.lower())


def _mixed(told: list[Node], colour: Callable[[str], Rgba | None]) -> Rgba | None:
    """Mix two colours in sRGB: another space shifts the hue, not what can be seen."""
    pieces: list[list[Node]] = [[]]
    for token in told:
        if token.type == "literal" and token.value == ",":
            pieces.append([])
        else:
            pieces[-1].append(token)
    if len(pieces) == 3:
        pieces = pieces[1:]
    if len(pieces) != 2:
        return None
    shares = [next((float(one.value) / 100 for one in piece if one.type == "percentage"), None) for piece in pieces]
    mixed = [colour(one.serialize()) for piece in pieces for one in piece if one.type != "percentage"]
    if len(mixed) != 2 or mixed[0] is None or mixed[1] is None:
        return None
    first = shares[0] if shares[0] is not None else 1 - shares[1] if shares[1] is not None else 0.5
    second = shares[1] if shares[1] is not None else 1 - first
    total = first + second
    if total <= 0:
        return None
    alphas = mixed[0][3] * first / total, mixed[1][3] * second / total
    alpha = sum(alphas)
    red, green, blue = (
        (mixed[0][at] * alphas[0] + mixed[1][at] * alphas[1]) / alpha if alpha else 0.0 for at in range(3)
    )
    return red, green, blue, alpha * min(total, 1.0)
