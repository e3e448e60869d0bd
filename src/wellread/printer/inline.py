"""Spans to one string of markdown, text or HTML; a page's own characters can never pass for markup."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import reduce
from itertools import groupby
from operator import and_, itemgetter
from typing import TYPE_CHECKING
from urllib.parse import quote

from wellread.types import Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Plain integers: an IntFlag takes twenty times as long to combine.
_STRONG, _EM, _CODE, _STRIKE = (int(style) for style in (Style.STRONG, Style.EM, Style.CODE, Style.STRIKE))
_SUP, _SUB, _MATH = (int(style) for style in (Style.SUP, Style.SUB, Style.MATH))
_IMAGE, _NOTE = int(Style.IMAGE), int(Style.NOTE)
_SIGNED = _CODE | _SUP | _SUB | _MATH | _IMAGE | _NOTE
"""What begins with a sign of ours."""
_OWN = _MATH | _CODE | _NOTE
_SPECIAL = re.compile(r"[\\`*_<&~\[\]!$]")
_ESCAPED = re.compile(
    r"\\(?=[\x00!-/:-@\[-`{-~])"  # a backslash that would escape what follows
    r"|`"
    r"|(?<![^\s])\*(?=[^\s])|(?<=[^\s])\*"  # an asterisk that could open or close emphasis
    r"|(?<![^\W_])_(?=[^\s])|(?<=[^\s])_(?![^\W_])"  # an underscore, but not inside a word (snake_case)
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#|[A-Za-z][A-Za-z0-9]*;)"
    r"|~(?=~)|(?<=~)~"
    r"|\[(?=\^)"  # footnote references are ours alone
    r"|\](?=[(\[:])"
    r"|!(?=\[)"
    r"|\$(?=\$)|(?<=\$)\$",  # where formulas are set, what `$$` opens can end in code, and free what is in that
)
_DOLLAR = "\x00"
"""Stands for a `$` of the page's own, to be escaped, in a line that holds other `$`: a formula's, or within code."""
_BARE_DOLLAR = re.compile(r"((?<!\\)(?:\\\\)*)\$")
"""A `$` that no backslash escapes, after the backslashes that escape one another."""
DESTINATION_MARK, END_MARK = "\x01", "\x02"
"""Stand in marked links where the label ends and before the last sign. No page holds them: controls are removed."""
_ALONE = re.compile(r"(?<!\S)[*_](?!\S)")
"""A mark that opens and closes nothing, unless markup is put beside it."""
_ALONE_AT_EDGE = re.compile(r"^[*_](?!\S)|(?<!\S)[*_]$")
_ESCAPED_IN_LINK = re.compile(rf"{_ESCAPED.pattern}|[\[\]]")
_LINE_START = re.compile(
    r"(?=[-+*](?:\s|$)|\#{1,6}(?:\s|$)|>|=+\s*$|\[(?:[^\\\]]|\\.)*\]:|[-|:][-|:\s]*$|([_*])(?:\s*+\1)*\s*$)"
    r"|(?<!\d)\d{1,9}(?=[.)](?:\s|$))"
)
_CODE_RUNS = re.compile(r"`+")
# Brackets have a meaning in one place, around the number of a host.
_URL_UNSAFE = re.compile(r"(^https?://\[[\da-f:.]+\])|[\s\x00-\x1f\x7f<>\"\\`|\[\]]", re.IGNORECASE)
_MAIL = re.compile(r"mailto:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", re.ASCII | re.IGNORECASE)
_ENTITY = re.compile(r"&(?=#?\w+;)")
# Not possessive: before Python 3.11.5 a possessive group keeps half of a repetition that fails (gh-106052).
_PAIRED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")
_PAUSES = re.compile(r"(?<=[^\W_])[:;,.?]{1,3}$")
_EMPHASIS = ((_STRONG, "**"), (_EM, "*"), (_STRIKE, "~~"))
_HTML_TAGS = ((_STRONG, "strong"), (_EM, "em"), (_STRIKE, "del"), (_SUP, "sup"), (_SUB, "sub"), (_CODE, "code"))
_EXPONENT = re.compile(r"[-+\u2212]?\d+")


LinkPrinter = Callable[[str, str], str]
"""Prints a link of a label, which is markdown, and an address. Its first sign is `[`, and its last `)` or `]`."""
_Looks = Callable[[Span], tuple[int, str | None]]
_look: _Looks = itemgetter(1, 2)  # style and address, twice as fast as by name


def _look_in_markdown(span: Span) -> tuple[int, str | None]:
    # Code wears no other style for its neighbours: their backticks would run together, and what is in them break out.
    _, style, href = span
    if style & _CODE and not style & _IMAGE:
        return _CODE, href if href and leads_out(href) else None
    return style, href


def visible(spans: Iterable[Span], *, images: bool, look_of: _Looks = _look) -> list[Span]:
    """Return the spans that will be printed, neighbours of the same look joined."""
    wanted: list[Span] = []
    alike, before = False, None
    for span in spans:
        picture = span.style & _IMAGE
        if (images and (span.href or span.text)) if picture else span.text:
            wanted.append(span)
            look = look_of(span)
            alike, before = alike or look == before, look
    return _joined(wanted, look_of) if alike else wanted


def _joined(spans: Iterable[Span], look_of: _Looks) -> list[Span]:
    kept: list[Span] = []
    for look, group in groupby(spans, key=look_of):
        run = list(group)
        if len(run) == 1 or look[0] & (_IMAGE | _NOTE | _MATH):
            kept.extend(run)
        else:
            style = reduce(and_, (span.style for span in run))
            kept.append(run[0]._replace(text="".join(span.text for span in run), style=style))
    return kept


# ------------------------------------------------------------------------------------------- markdown


def inline_link(label: str, address: str) -> str:
    """Print a link with its address in place."""
    return f"[{label}]({address})"


def marked_inline_link(label: str, address: str) -> str:
    """Print a link with its address in place, between marks."""
    return f"[{label}{DESTINATION_MARK}]({address}{END_MARK})"


def markdown(
    spans: Sequence[Span],
    *,
    images: bool,
    in_table: bool = False,
    bold: bool = True,
    link: LinkPrinter | None = inline_link,
) -> str:
    """Return spans as inline markdown; newlines are line breaks. `bold=False` leaves STRONG out (headings).

    Where `link` is None, links are printed as their labels alone.
    """
    if link is None:
        spans = [span if span.style & _IMAGE else span._replace(href=None) for span in spans]
    if len(spans) == 1 and not spans[0].style and spans[0].href is None:
        told = _escape(spans[0].text)  # as most are
        return told.replace("|", "\\|") if in_table else told
    shown = visible(spans, images=images, look_of=_look_in_markdown)
    if not bold:
        shown = [span._replace(style=span.style & ~_STRONG) for span in shown]
    if any(span.style & _MATH or (span.style & _CODE and "$" in span.text) for span in shown):
        shown = [it if it.style & _OWN else it._replace(text=it.text.replace("$", _DOLLAR)) for it in shown]
    out = _Seam()
    at = 0
    for (href, _), group in groupby(shown, key=lambda span: (span.href, span.style & _IMAGE)):
        run = list(group)
        at += len(run)
        after = _first(shown[at], linked=shown[at].href) if at < len(shown) else ""
        out.add(_markdown_run(run, href, out.last(), after, link))
    told = out.text().replace(_DOLLAR, "\\$")
    return told.replace("|", "\\|") if in_table else told


def _markdown_run(run: list[Span], href: str | None, before: str, after: str, link: LinkPrinter | None) -> str:
    if run[0].style & _IMAGE:
        return "".join(f"![{_closed(_escape(span.text, linked=True))}]({_url(href)})" for span in run)
    if link is None or href is None or not leads_out(href):
        return _styled(run, _EMPHASIS, before, after)
    inner = _styled(run, _EMPHASIS, "[", "]", linked=True)
    label = " ".join(inner.split())
    if not label:
        return inner
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    return f"{lead}{link(_closed(label), _url(href))}{trail}"


def _styled(
    spans: Sequence[Span], marks: Sequence[tuple[int, str]], before: str, after: str, *, linked: bool = False
) -> str:
    """Wrap runs that share a style, the first of `marks` outermost."""
    if len(spans) == 1:
        return _dressed(spans[0], marks, before, after, linked=linked)  # as mostly
    out = _Seam()
    if not marks or not any(span.style for span in spans):
        for span in spans:
            out.add(_markdown_leaf(span, linked=linked))
        return out.text()
    flag, mark = marks[0]
    at = 0
    for on, group in groupby(spans, key=lambda span: span.style & flag):
        run = list(group)
        at += len(run)
        following = _first(spans[at]) if at < len(spans) else after
        previous = out.last() or before
        told = _wrapped(_styled(run, marks[1:], "", "", linked=linked), mark, previous, following) if on else None
        out.add(told or _styled(run, marks[1:], previous, following, linked=linked))
    return out.text()


def _dressed(span: Span, marks: Sequence[tuple[int, str]], before: str, after: str, *, linked: bool) -> str:
    worn = [mark for mark in marks if span.style & mark[0]] if span.style else []
    for at, (_, mark) in enumerate(worn):  # what cannot be worn is left out, and the next stands at the edge
        if told := _wrapped(_dressed(span, worn[at + 1 :], "", "", linked=linked), mark, before, after):
            return told
    return _markdown_leaf(span, linked=linked)


def _first(span: Span, *, linked: str | None = None) -> str:
    """Return the character that a span begins with in markdown, or `[` for any sign of ours."""
    signed = (span.style & _SIGNED and "]:" not in span.text) or (linked and leads_out(linked))
    return "[" if signed else span.text[:1]


class _Seam:
    """Joins pieces of inline markdown so that no markup arises where they meet."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def text(self) -> str:
        return "".join(self._pieces)

    def last(self) -> str:
        """Return the last character so far."""
        return self._pieces[-1][-1] if self._pieces else ""

    def add(self, piece: str) -> None:
        if not piece:
            return
        before, following = self._pieces[-1] if self._pieces else " ", piece[0]
        last = before[-1]
        if (last == "]" and following in "(:") or last == following == "~":  # which may end what is struck out
            piece = f"\\{piece}"
        elif (
            f"{last}{following}" == "!["
            or (last == "<" and (following.isalpha() or following in "/!?"))
            or (last == "&" and (following.isalpha() or following == "#"))
            or (last == "\\" and not following.isalnum() and _closed(before) != before)
        ):
            self._pieces[-1] = f"{before[:-1]}\\{last}"
        self._pieces.append(piece)


def _wrapped(inner: str, mark: str, before: str, after: str) -> str | None:
    """Put `mark` around `inner`; nothing where CommonMark's flanking rules would not see it."""
    core = inner.strip()
    if not core:
        return None
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    opens = core[0].isalnum() or lead or not before.isalnum()
    closes = core[-1].isalnum() or trail or not after.isalnum()
    if not closes and (rest := _PAUSES.search(core)):  # `Note:` in bold, and no space: the colon is left outside
        core, trail, closes = core[: rest.start()], rest[0], True
    clash = (before == mark[0] and not lead) or (mark == "~~" and "~" in {core[0], core[-1]})
    if not opens or not closes or clash:
        return None
    return f"{lead}{mark}{_closed(core)}{mark}{trail}"


def _closed(told: str) -> str:
    """Return markdown that does not escape what comes next."""
    return f"{told}\\" if told.endswith("\\") and (len(told) - len(told.rstrip("\\"))) % 2 else told


def _markdown_leaf(span: Span, *, linked: bool) -> str:
    style = span.style
    # `[...]:` at the start of a line defines a reference, code or not (CommonMark, 4.7): no link would be left.
    if style & _CODE:
        return _escape(span.text, linked=True) if linked and "]:" in span.text else _code(span.text)
    if style & _MATH:
        return f"${_tex(span.text, linked=linked)}$"
    if style & _NOTE:
        return f"[^{note_label(span.text)}]"
    text = _escape(span.text, linked=linked)
    if "*" in text or "_" in text:
        text = (_ALONE if style & (_STRONG | _EM) else _ALONE_AT_EDGE).sub(r"\\\g<0>", text)
    if style & (_SUP | _SUB) and text.strip():
        tag = "sup" if style & _SUP else "sub"
        # A tag that has a line for itself would make a block of it, in which nothing is escaped (CommonMark, 4.6).
        lead = text[: len(text) - len(text.lstrip())] if "\n" in text else ""
        return f"{lead}<{tag}>{_closed(text[len(lead) :])}</{tag}>"
    return text


def _escape(text: str, *, linked: bool = False) -> str:
    """Escape what would be read as inline markup, and no more."""
    if not _SPECIAL.search(text):
        return text
    return (_ESCAPED_IN_LINK if linked else _ESCAPED).sub(r"\\\g<0>", text)


def line_start(line: str) -> str:
    """Escape what would make a line of text a heading, a list, a quote, a rule, a table or a definition."""
    found = _LINE_START.match(line)
    return line if found is None else f"{found.group()}\\{line[found.end() :]}"


def _code(text: str) -> str:
    text = " ".join(text.split("\n")).strip()
    fence = fence_for(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text else " "


def fence_for(text: str, least: int) -> str:
    """Return a run of backticks longer than any in `text`, and at least `least` long."""
    longest = max((len(run) for run in _CODE_RUNS.findall(text)), default=0)
    return "`" * max(least, longest + 1 if longest >= least else least)


def _tex(text: str, *, linked: bool) -> str:
    text = " ".join(text.split()).replace("](", "] (").replace("]:", "] :").replace("[^", "[ ^")
    text = _BARE_DOLLAR.sub(r"\1\\$", text.replace("`", "'"))
    text = text.replace("[", "\\lbrack ").replace("]", "\\rbrack ") if linked else text
    return re.sub(r"<(?=[A-Za-z/!?])", r"\\lt ", text)


def note_label(text: str) -> str:
    """Return a footnote label without what would end it."""
    return re.sub(r"[\s\[\]^`\\|<>]+", "", text) or "note"


def _url(href: str | None) -> str:
    """Return a URL as a link's destination: parentheses may stand in it in pairs (CommonMark 0.31, 6.3)."""
    told = _URL_UNSAFE.sub(lambda found: found[1] or quote(found[0], safe=""), href or "")
    told = _ENTITY.sub("&amp;", told)
    return told if _PAIRED.fullmatch(told) else told.replace("(", "%28").replace(")", "%29")


# ----------------------------------------------------------------------------------------------- text


def text(spans: Sequence[Span], *, images: bool) -> str:
    """Return the words alone; newlines are line breaks."""
    out: list[str] = []
    for span in spans:
        if span.style & _IMAGE and not images:
            continue
        if span.style & _SUP and _EXPONENT.fullmatch(span.text) and out and out[-1][-1:].isalnum():
            out.append("^")  # 10 to the minus 3 must not read as 10-3
        out.append(f"[{span.text}]" if span.style & _NOTE else span.text)
    return "".join(out)


# ----------------------------------------------------------------------------------------------- HTML


def markup(spans: Sequence[Span], *, images: bool) -> str:
    """Return spans as escaped inline HTML with no attributes but href, src and alt."""
    out: list[str] = []
    for (href, image), group in groupby(
        visible(spans, images=images), key=lambda span: (span.href, span.style & _IMAGE)
    ):
        if image:
            out.extend(f'<img src="{html.escape(href or "")}" alt="{html.escape(span.text)}">' for span in group)
            continue
        inner = "".join(_markup_leaf(span) for span in group)
        out.append(
            f'<a href="{html.escape(href)}">{inner}</a>' if href and leads_out(href) and inner.strip() else inner
        )
    return " ".join("".join(out).replace("\n", "<br>").split())


def leads_out(href: str) -> bool:
    """Tell whether a link leads to the web, or is an address for mail and no more: no other is printed."""
    return href[:8].lower().startswith(("http://", "https://")) or _MAIL.fullmatch(href) is not None


def _markup_leaf(span: Span) -> str:
    style = span.style
    if style & _NOTE:
        return f"<sup>[{html.escape(span.text, quote=False)}]</sup>"
    inner = html.escape(f"${span.text}$" if style & _MATH else span.text, quote=False)
    if not inner.strip():
        return inner
    for flag, tag in reversed(_HTML_TAGS):
        if style & flag:
            inner = f"<{tag}>{inner}</{tag}>"
    return inner
