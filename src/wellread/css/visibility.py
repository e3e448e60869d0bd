"""Judges what of an element a person can see, from its attributes, the page's own styles, and what it inherits."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.bounded_cache import MAX_REMEMBERED_CHARS, cached_calls
from wellread.css import colours, hints, media
from wellread.css.alarms import alarm
from wellread.css.animations import settled, shows_later
from wellread.css.boxes import filtered, is_basis_empty, is_cramping, is_pushed_out, room, shadow, share, sheer
from wellread.css.colours import UNKNOWN, Colour
from wellread.css.concealment import CLOSED, GONE, LEAST_OPACITY, UNDONE, Concealment, concealment, faded, is_clipping
from wellread.css.customs import UNTOLD
from wellread.css.declarations import declarations
from wellread.css.environment import AT_DESK, Customs, Where
from wellread.css.look import USUAL, Look, is_plain, veil
from wellread.css.properties import ALL_INITIAL, is_known, parsed, reset
from wellread.css.sheets import layered
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.step_counter import CHARS_PER_STEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.declarations import Declaration
    from wellread.css.index import Rule
    from wellread.css.properties import Pairs
    from wellread.css.sheets import StyleSheets

    Attributes = Mapping[str, str | None]
    Computed = dict[str, str | float | Colour | None]

TELLING: Final = word_set("style hidden aria-hidden bgcolor color popover text background dir mathcolor mathsize")
"""Attributes that can hide; an element without them, under no rule that hides, costs nothing."""
_SUSPECT: Final = lazy_pattern(
    r"none|hidden|collapse|opacity|font|clip|-\s*[\d.]|\d{4}|[2-9]\d\d%|\d(?!px)[a-z]|indent|color|background|transform|translate|scale|zoom"
    r"|filter|mask|box-s|overflow|bidi|attr\(|if\(|(?:display|visibility)\s*:[^;]*\(|var\(|calc\(|security|table-col|\\|(?:height|width|size)\s*:\s*[+-]?(?:0*[0-3](?:\D|$)|\.|0*e)"
    r"|letter-spacing|inset|/\*|--|rotate|offset|grid|basis|flex|contain|\ball\b|(?:top|left|right|bottom)\s*:\s*\d{3}|adjust|line-height|animation|shadow",
    re.IGNORECASE,
)
_PATH: Final = lazy_pattern(r"url\(\s*+[\"']?+\s*+#([^\"')\s]+)")
_FLEXES: Final = lazy_pattern(r"flex(?:-basis|-grow|\s*:)")
_MOST_WORK: Final = 150_000
"""Declarations that are weighed for one page, and rules that are looked through: each takes some 3 us. Honest pages
take some ten thousand."""
_ONE_STYLE: Final = 20
_ONE_DECLARATION: Final = 3
"""Steps."""
_HIGHEST: Final = 8
"""Levels up at which a background is looked for where other styles, unread, may lie between."""
_PICTURES: Final = "img, picture, video, canvas, svg, iframe, object"
_NEAR: Final = 4
_LONGEST_CLIMB: Final = 400
_MOST_CACHED: Final = 5_000
_LONGEST_UNSUSPECTED: Final = 2_000
"""Characters of a style: a longer one is weighed whatever it says."""
_CLEAR: Final = 0.1
_REPAINTED: Final = frozenset({"a", "mark", "button"})
_LINK: Final = Colour(0.0, 0.0, 0.93)


@cached_calls(_MOST_CACHED)
def _suspected(style: str) -> bool:
    """Tell whether a style may hide something."""
    return len(style) > _LONGEST_UNSUSPECTED or _SUSPECT.search(style) is not None


class _Trait(NamedTuple):
    """What is told of the same rules wherever they match."""

    varies: bool
    flexes: bool
    """Whether the box around, if it is flexible, has a say."""
    paints: bool
    windows: tuple[int, ...]
    """Which windows are to be looked at apart..."""
    doubts: tuple[bool, ...]
    """...and whether what holds perhaps is to be believed as well."""


_UNTRACED: Final = _Trait(varies=False, flexes=False, paints=False, windows=(media.BOTH,), doubts=(False,))
"""Stands for rules that are not looked at, for the page has asked for more work than any."""
_NO_RULES: Final[list[Rule]] = []
_READABLE: Final = 16.0
"""Text of this size is as good as any larger one: what is usual costs nothing further in."""


class Judge:
    """Says of each element of one page how it looks, given the look of its parent."""

    def __init__(self, sheets: StyleSheets) -> None:
        self.sheets = sheets
        self._active = bool(sheets)
        self._alike: dict[tuple[object, ...], Look] = {}
        self._grounds: dict[int, Colour | None] = {}
        self._pictured: dict[int, bool] = {}
        """By element, whether it holds a picture."""
        self._styles: dict[tuple[int, bool], Computed] = {}
        self._traits: dict[int, _Trait] = {}
        self._long_values: dict[tuple[str, str], Pairs | None] = {}
        """What values that are too long for the memo of `parsed` set: a rule with one may match every element."""
        self._customs = Customs(sheets)
        self._work = 0

    @property
    def is_cut(self) -> bool:
        """Whether the styles asked for more work than is done for one page, so that elements were taken for hidden."""
        return self._work > _MOST_WORK or self.sheets.is_cut

    def see(self, node: LexborNode, tag: str, attributes: Attributes, look: Look) -> Look:
        """Return the look of an element; the same object where nothing changes."""
        small = look.share < USUAL.share
        telling = look.veil is not None or small or (self.sheets.plain and not is_plain(look))
        ruled = self._active and (telling or (self.sheets.alarmed(tag, attributes) and self.sheets.threatens(node)))
        style = attributes.get("style") or ""
        if style and not ruled and look is USUAL and "hidden" not in attributes and not _suspected(style):
            style = ""
        presented = hints.presented(tag, attributes)
        boxed = look.flat or look.cramped or look.room is not None
        if not ruled and not style and not presented and not boxed and (look is USUAL or tag not in _REPAINTED):
            return look
        weigh = self._active and (ruled or boxed or "hidden" in attributes or any(map(alarm, style.split(";"))))
        rules = self.sheets.matching(node) if weigh else _NO_RULES
        alike, trait = not boxed, self._trait(rules)
        told = _told(style)
        scopes = self._scopes(node, trait) if alike and (trait.varies or "var(" in told) else ()
        flexed = alike and (trait.flexes or "flex" in told) and self._is_flexed(node)
        painted = bool(presented) or trait.paints or "color" in told or look.ink is not None or look.fill is not None
        behind = self._behind(node.parent, None) if alike and painted and look.ground is None else look.ground
        kind = (tag, "href" in attributes) if tag in _REPAINTED else None
        key = (kind, presented, id(rules), style, look, scopes, flexed, behind)
        known = self._alike.get(key) if alike else None
        if known is not None:
            return known
        seen = self._seen(node, attributes, look, style, rules)
        if alike and (seen.ground is look.ground or (seen.ground is behind and seen.veil is None)):
            if len(self._alike) > _MOST_CACHED:
                self._alike.clear()
            self._alike[key] = seen
        return seen

    def _scopes(self, node: LexborNode, trait: _Trait) -> tuple[int, ...]:
        """Tell apart elements to which custom properties give other values; scopes live as long as their page."""
        return tuple(id(self._customs.at(node, Where(*place))) for place in product(trait.windows, trait.doubts))

    def _trait(self, rules: list[Rule]) -> _Trait:
        known = self._traits.get(id(rules))
        if known is None:
            self._work += len(rules)
            known = self._traits[id(rules)] = _traced(rules) if self._work <= _MOST_WORK else _UNTRACED
        return known

    def _seen(self, node: LexborNode, attributes: Attributes, look: Look, style: str, rules: list[Rule]) -> Look:
        hidden: Look | None = None
        left = 0
        best: Look | None = None
        for window in (trait := self._trait(rules)).windows:
            if not window & look.windows:
                continue
            for wary in trait.doubts:
                css = self._computed(node, rules, Where(window, wary), attributes, style)
                one = self._dressed(node, attributes, look, css)
                if one.gone is not None or one.veil is not None:
                    hidden = hidden or one
                    break
            else:
                left |= window & look.windows
                best = best or one
        if best is None:
            return hidden or look
        made = best._replace(windows=left)
        if made.size >= _READABLE and made.share >= 1.0:
            made = made._replace(size=USUAL.size)
        return look if made == look else USUAL if made == USUAL else made

    def revealed(self, seen: Look, before: Look) -> Look:
        """Return a look with what scripts or readers undo undone, and nothing else."""
        shown = before.visible or seen.visible
        left, windows = before.opacity, before.windows
        made = seen._replace(gone=None, visible=shown, opacity=left, share=before.share, windows=windows)
        return made._replace(veil=veil(made, plain=self.sheets.plain))

    # ---------------------------------------------------------------------------------- the cascade

    def _computed(
        self, node: LexborNode, rules: Sequence[Rule], where: Where, attributes: Attributes, style: str
    ) -> Computed:
        css = hints.hinted(node.tag or "", attributes)
        if self._work > _MOST_WORK:
            css["display"] = "none"  # a style that is not read hides, rather than letting anything through
            return css
        before = self._work
        usual, important, strongest = layered(rules, where.window, wary=where.wary) if rules else ((), (), ())
        inline = declarations(style) if style else ()
        self._work += len(usual) + len(important) + len(strongest)
        if inline is None:
            css["display"] = "none"  # nor does one that cannot be read
            return css
        self._work += len(inline)
        apply = partial(self._apply, css, node, where)
        apply(usual, ruled=True)
        apply(one for one in inline if not one.important)
        apply(important, ruled=True)
        apply(strongest, ruled=True)
        apply(one for one in inline if one.important)
        if self.sheets.frames and ("animation" in css or "animation-name" in css):
            held = {one.name for one in (*inline, *important, *strongest) if one.important}
            rest = settled(css, self.sheets.frames)
            self._work += len(rest)
            apply((one for one in rest if one.name not in held), ruled=True)
            css["held opacity"] = float("opacity" in held)
        if "var color" in css and isinstance(css.get("background-color"), Colour):
            css["color"] = css["var color"]
            css["background-color"] = css.get("var background-color", css["background-color"])
        if css.get("background-color") == "currentcolor":
            css["background-color"] = css["color"] if isinstance(css.get("color"), Colour) else colours.BLACK
        self.sheets.counter.spend(_ONE_STYLE + _ONE_DECLARATION * (self._work - before))
        return css

    def _apply(
        self, css: Computed, node: LexborNode, where: Where, found: Iterable[Declaration], *, ruled: bool = False
    ) -> None:
        fades = ruled and self.sheets.scripted
        for name, value, _ in found:
            if not is_known(name) or (fades and (name == "opacity" or value.startswith("scale") or name == "scale")):
                continue
            if name == "all":
                css.clear()
                css.update(ALL_INITIAL if value == "initial" else {})
                continue
            told: str | None = value
            if "var(" in value:
                told = self._customs.at(node, where).filled(value)
                if told is not None and UNTOLD in told:
                    css["display"] = "none"  # as what cannot be read
                    continue
            for longhand, made in (self._parsed(name, told) if told is not None else reset(name)) or ():
                css[longhand] = made
                if told is not value and not self.sheets.plain and isinstance(made, Colour) and made.alpha >= _CLEAR:
                    # Sheets that are not read may set the property anew: believed where it meets its like.
                    css[longhand], css[f"var {longhand}"] = UNKNOWN, made

    def _parsed(self, name: str, value: str) -> Pairs | None:
        if len(value) <= MAX_REMEMBERED_CHARS:
            return parsed(name, value)
        key = (name, value)
        if key not in self._long_values:
            self.sheets.counter.spend(len(value) // CHARS_PER_STEP)
            self._long_values[key] = parsed(name, value)
        return self._long_values[key]

    # ------------------------------------------------------------------------------------- the look

    def _dressed(self, node: LexborNode, attributes: Attributes, look: Look, css: Computed) -> Look:
        tag = node.tag or ""
        gone = concealment(css) or self._squeezed(node, css, look)
        if gone is not None and gone.reason == "display:none" and "hidden" in attributes:
            gone = Concealment("hidden attribute", UNDONE)
        if gone is not None and gone.kind == CLOSED and self._grows(node, css):
            gone = None
        opacity, fades, kept = hints.opacity(css), self._fades_in(css), sheer(str(css.get("filter")))
        if gone is None and look.opacity * opacity * kept < LEAST_OPACITY and not fades:
            gone = Concealment(faded(css), UNDONE if opacity < LEAST_OPACITY else GONE)
        visibility = css.get("visibility")
        ink, fill = self._inks(tag, attributes, look, css)
        line = css.get("line-height")
        made = look._replace(
            gone=gone,
            visible=look.visible if visibility is None else visibility == "visible",
            opacity=look.opacity * (1.0 if fades else opacity * kept),
            size=hints.size(css.get("font-size"), look.size),
            share=look.share * share(css),
            ink=ink,
            fill=fill,
            shadow=shadow(told, ink or UNKNOWN) if isinstance(told := css.get("text-shadow"), str) else look.shadow,
            flat=look.flat if line is None else isinstance(line, float | int) and line <= 0,
            cramped=is_cramping(css),
            room=room(css),
            veil=None,
        )
        made = made._replace(ground=self._ground(node, css, made))
        return made._replace(veil=veil(made, plain=self.sheets.plain))

    def _inks(self, tag: str, attributes: Attributes, look: Look, css: Computed) -> tuple[Colour | None, Colour | None]:
        ink, fill = hints.ink(css, "color", look.ink), hints.ink(css, "-webkit-text-fill-color", look.fill)
        if css.get("-webkit-text-fill-color") == "currentcolor":
            fill = ink
        if tag == "a" and "href" in attributes and "color" not in css:
            ink = _LINK if self.sheets.plain else UNKNOWN
        if css.get("background-clip") == "text" and isinstance(css.get("background-color"), Colour):
            ink = fill = UNKNOWN  # letters cut out of the background
        image = css.get("filter")
        if isinstance(image, str) and image != "none" and (ink is not None or self.sheets.plain):
            ink = filtered(ink or colours.BLACK, image)
        return ink, fill

    def _squeezed(self, node: LexborNode, css: Computed, look: Look) -> Concealment | None:
        """Tell whether a path or the boxes around leave a box without room, where it cuts off what it does not hold."""
        path = _PATH.match(str(css.get("clip-path"))) if self.sheets.empty_paths else None
        if path is not None and path[1] in self.sheets.empty_paths:
            return Concealment("clip", GONE)
        if look.room is not None and is_pushed_out(css, look.room):
            return Concealment("clip", GONE)
        if not is_clipping(css):
            return None
        line = css.get("line-height")
        flat = look.flat and line is None and "height" not in css
        cramped = look.cramped and not any(isinstance(css.get(name), float | int) for name in ("width", "min-width"))
        if flat or cramped or (is_basis_empty(css) and self._is_flexed(node)):
            return Concealment("zero size", CLOSED)
        return None

    def _is_flexed(self, node: LexborNode) -> bool:
        return node.parent is not None and "flex" in str(self._style_of(node.parent, ruled=True).get("display"))

    def _grows(self, node: LexborNode, css: Computed) -> bool:
        """Tell whether a thin box is given the room that is left in a flexible box around it."""
        grows = css.get("flex-grow")
        return isinstance(grows, float | int) and grows > 0 and self._is_flexed(node)

    def _fades_in(self, css: Computed) -> bool:
        """Tell whether an animation that exists will show the element."""
        name = css.get("animation-name") or css.get("animation")
        if not isinstance(name, str) or name == "none" or css.get("held opacity"):
            return False
        known = shows_later(css, self.sheets.frames)
        return not self.sheets.plain if known is None else known

    # ----------------------------------------------------------------------------------- the ground

    def _ground(self, node: LexborNode, css: Computed, look: Look) -> Colour | None:
        """Return the colour behind the text of an element; None where nobody asks."""
        paint = look.fill or look.ink
        own = css.get("background-color")
        if paint is None and not (self.sheets.plain and isinstance(own, Colour)) and look.ground is None:
            return None
        if isinstance(own, Colour) and own.alpha:
            return own if own.alpha == 1.0 else UNKNOWN
        if look.ground is not None:
            return look.ground
        return self._behind(node.parent, paint)

    def _behind(self, node: LexborNode | None, paint: Colour | None) -> Colour | None:
        """Look up the page for the nearest background."""
        found = self._climbed(node)
        swallowed = paint is not None and found is not None and not colours.shows(paint, found)
        return UNKNOWN if swallowed and self._over_picture(node) else found

    def _climbed(self, node: LexborNode | None) -> Colour | None:
        """Return the nearest background, each element being asked once on a page without other styles."""
        plain = self.sheets.plain
        way: list[int] = []
        found: Colour | None = colours.WHITE if plain else None
        for _ in range(_LONGEST_CLIMB if plain else _HIGHEST):
            if node is None or node.tag is None or (not plain and node.tag in {"html", "body"}):
                break
            if node.mem_id in self._grounds:
                found = self._grounds[node.mem_id]
                break
            own = self._style_of(node).get("background-color")
            if isinstance(own, Colour) and own.alpha:
                found = own if own.alpha == 1.0 else UNKNOWN
                break
            way.append(node.mem_id)
            node = node.parent
        # Where other styles may lie between, how far an element is from the background decides.
        self._grounds.update(dict.fromkeys(way if plain else way[:1], found))
        return found

    def _over_picture(self, node: LexborNode | None) -> bool:
        """Tell whether text may lie on a picture beside it, as the words of a banner do."""
        placed = not self.sheets.plain
        for _ in range(_NEAR):
            if node is None or node.tag in {"body", "html", None}:
                return False
            placed = placed or self._style_of(node).get("position") in {"absolute", "fixed"}
            if node.mem_id not in self._pictured:
                self._pictured[node.mem_id] = node.css_first(_PICTURES) is not None
            if self._pictured[node.mem_id]:
                return placed
            node = node.parent
        return False

    def _style_of(self, node: LexborNode, *, ruled: bool = False) -> Computed:
        known = self._styles.get((node.mem_id, ruled))
        if known is None:
            attributes = node.attributes
            rules = self.sheets.matching(node) if self._active and (ruled or self.sheets.plain) else _NO_RULES
            known = self._computed(node, rules, AT_DESK, attributes, attributes.get("style") or "")
            self._styles[node.mem_id, ruled] = known
        return known


def _traced(rules: Sequence[Rule]) -> _Trait:
    whole = all(rule.windows == media.BOTH or rule.perhaps | rule.windows == media.BOTH for rule in rules)
    doubtful = any(rule.perhaps for rule in rules)
    told = " ".join(_told(rule.body) for rule in rules)
    return _Trait(
        varies="var(" in told,
        flexes=_FLEXES.search(told) is not None,
        paints="color" in told,
        windows=(media.BOTH,) if whole else (media.DESK, media.PHONE),
        doubts=(False, True) if doubtful else (False,),
    )


def _told(style: str) -> str:
    """Return a style in lower case; one with escapes may say all that depends on where it stands."""
    return style.lower() if "\\" not in style else "var( flex: color"
