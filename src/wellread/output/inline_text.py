"""Print spans as inline markdown, text or HTML; characters of the page never pass for markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from itertools import groupby, islice
from operator import and_, eq, itemgetter
from typing import TYPE_CHECKING
from urllib.parse import quote

from wellread.lazy_pattern import lazy_pattern
from wellread.types import Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Plain integers: an IntFlag takes twenty times as long to combine.
_STRONG, _EM, _CODE, _STRIKE = (int(style) for style in (Style.STRONG, Style.EM, Style.CODE, Style.STRIKE))
_SUP, _SUB, _MATH = (int(style) for style in (Style.SUP, Style.SUB, Style.MATH))
_IMAGE, _NOTE = int(Style.IMAGE), int(Style.NOTE)
_MARKED_STYLES = _CODE | _SUP | _SUB | _MATH | _IMAGE | _NOTE
"""Styles whose markdown begins with a mark of the printer."""
_VERBATIM_STYLES = _MATH | _CODE | _NOTE
"""Styles in which a `$` needs no escape."""
# Each alternative begins with its character: then `re` looks for these alone, in a tenth of the time.
_ESCAPED = lazy_pattern(
    r"\\(?=[\x00!-/:-@\[-`{-~])"  # a backslash that would escape what follows
    r"|`"
    r"|\*(?:(?=[^\s])|(?<=[^\s]\*))"  # an asterisk that could open or close emphasis
    r"|_(?:(?<![^\W_]_)(?=[^\s])|(?<=[^\s]_)(?![^\W_]))"  # an underscore, but not inside a word (snake_case)
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#|[A-Za-z][A-Za-z0-9]*;)"
    r"|~(?:(?=~)|(?<=~~))"
    r"|\[(?=\^)"  # only the printer writes footnote references
    r"|\](?=[(\[:])"
    r"|!(?=\[)"
    r"|\$(?:(?=\$)|(?<=\$\$))",  # where formulas are rendered, `$$` can end inside a code span and set its content free
)
_DOLLAR = "\x00"
"""Placeholder of a `$` of the page that must be escaped, in a line that holds a `$` of a formula or of code."""
_BARE_DOLLAR = lazy_pattern(r"((?<!\\)(?:\\\\)*)\$")
"""A `$` that no backslash escapes, after the backslashes that escape one another."""
DESTINATION_MARK, END_MARK = "\x01", "\x02"
"""Marks in a link, after its label and before its last character. Pages hold none: control characters are removed."""
_ALONE = lazy_pattern(r"(?<!\S)[*_](?!\S)")
"""A mark that opens and closes nothing, unless markup is put beside it."""
_ALONE_AT_EDGE = lazy_pattern(r"^[*_](?!\S)|(?<!\S)[*_]$")
_ESCAPED_IN_LINK = lazy_pattern(rf"{_ESCAPED.pattern}|\[|\]")
_LINE_START = lazy_pattern(
    r"(?=[-+*](?:\s|$)|\#{1,6}(?:\s|$)|>|=+\s*$|\[(?:[^\\\]]|\\.)*\]:|[-|:][-|:\s]*$|([_*])(?:\s*+\1)*\s*$)"
    r"|(?<!\d)\d{1,9}(?=[.)](?:\s|$))"
)
_CODE_RUNS = lazy_pattern(r"`+")
_PLAIN_URL = lazy_pattern(r"[\w\-.~:/?#@!$'*+,=%&]*", re.ASCII)
"""A URL that is its own destination, as most are: without a `;`, no `&` begins an entity."""
# Brackets have a meaning in one place, around the number of a host.
_URL_UNSAFE = lazy_pattern(r"(^https?://\[[\da-f:.]+\])|[\s\x00-\x1f\x7f<>\"\\`|\[\]]", re.IGNORECASE)
_MAIL = lazy_pattern(r"mailto:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", re.ASCII | re.IGNORECASE)
_ENTITY = lazy_pattern(r"&(?=#?\w+;)")
# Not possessive: before Python 3.11.5 a possessive group keeps half of a repetition that fails (gh-106052).
_PAIRED = lazy_pattern(r"[^()]*(?:\([^()]*\)[^()]*)*")
_PAUSES = lazy_pattern(r"(?<=[^\W_])[:;,.?]{1,3}$")
_JOINING = frozenset("]~!<&\\")
"""Last characters of a piece that can become markup with the first one of the next piece."""
_EMPHASIS = ((_STRONG, "**"), (_EM, "*"), (_STRIKE, "~~"))
_HTML_TAGS = ((_STRONG, "strong"), (_EM, "em"), (_STRIKE, "del"), (_SUP, "sup"), (_SUB, "sub"), (_CODE, "code"))
_EXPONENT = lazy_pattern(r"[-+\u2212]?\d+")


LinkPrinter = Callable[[str, str], str]
"""Prints a link of a label, which is markdown, and an address. Its first sign is `[`, and its last `)` or `]`."""
_FormatKey = Callable[[Span], tuple[int, str | None]]
_format: _FormatKey = itemgetter(1, 2)  # style and address, twice as fast as by name


def _markdown_format(span: Span) -> tuple[int, str | None]:
    # The format of code leaves its other styles out: backticks of neighbours would run together, and code break out.
    _, style, href = span
    if not style & _CODE or style & _IMAGE:
        return style, href
    if href and is_printed_link(href):
        return _CODE, href
    return _CODE, None


def visible(spans: Iterable[Span], *, images: bool, format_of: _FormatKey = _format) -> list[Span]:
    """Return the spans that are printed, with neighbours of the same format joined."""
    printed_spans: list[Span] = []
    for span in spans:
        text, style, href = span
        if style & _IMAGE:
            if images and (text or href):
                printed_spans.append(span)
        elif text:
            printed_spans.append(span)
    if len(printed_spans) > 1:
        formats = list(map(format_of, printed_spans))
        if any(map(eq, formats, islice(formats, 1, None))):
            return _joined(printed_spans, format_of)
    return printed_spans


def _joined(spans: Iterable[Span], format_of: _FormatKey) -> list[Span]:
    joined_spans: list[Span] = []
    for span_format, group in groupby(spans, key=format_of):
        run = list(group)
        if len(run) == 1 or span_format[0] & (_IMAGE | _NOTE | _MATH):
            joined_spans.extend(run)
        else:
            style = reduce(and_, (span.style for span in run))
            joined_spans.append(run[0]._replace(text="".join(span.text for span in run), style=style))
    return joined_spans


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
        spans = list(map(_unlinked, spans))
    if len(spans) == 1 and not spans[0].style and spans[0].href is None:
        line = _escape(spans[0].text)  # most lines are one plain span
    else:
        line = _markdown_line(_markdown_spans(spans, images=images, bold=bold), link)
    if in_table:
        return line.replace("|", "\\|")
    return line


def _unlinked(span: Span) -> Span:
    if span.style & _IMAGE:
        return span
    return span._replace(href=None)


def _markdown_spans(spans: Sequence[Span], *, images: bool, bold: bool) -> list[Span]:
    """Return the spans to print, with a placeholder for each `$` of the page where formulas or code hold a `$`."""
    printed_spans = visible(spans, images=images, format_of=_markdown_format)
    styles = 0
    for _, style, _ in printed_spans:
        styles |= style
    if not styles:
        return printed_spans  # as in most lines
    if not bold:
        printed_spans = list(map(_without_bold, printed_spans))
    if styles & _MATH or (styles & _CODE and any(style & _CODE and "$" in text for text, style, _ in printed_spans)):
        printed_spans = list(map(_with_dollar_placeholders, printed_spans))
    return printed_spans


def _without_bold(span: Span) -> Span:
    if span.style & _STRONG:
        return span._replace(style=span.style & ~_STRONG)
    return span


def _with_dollar_placeholders(span: Span) -> Span:
    if span.style & _VERBATIM_STYLES:
        return span
    return span._replace(text=span.text.replace("$", _DOLLAR))


def _markdown_line(spans: Sequence[Span], link: LinkPrinter | None) -> str:
    joiner = _Joiner()
    end = 0
    while end < len(spans):
        start, (_, style, href) = end, spans[end]
        end += 1
        while end < len(spans) and spans[end].href == href and not (spans[end].style ^ style) & _IMAGE:
            end += 1
        following = _first_character(spans[end], href=spans[end].href) if end < len(spans) else ""
        joiner.add(_markdown_run(spans[start:end], href, joiner.last(), following, link))
    return joiner.text().replace(_DOLLAR, "\\$")


def _markdown_run(run: Sequence[Span], href: str | None, before: str, after: str, link: LinkPrinter | None) -> str:
    if run[0].style & _IMAGE:
        return "".join(f"![{_self_contained(_escape(span.text, linked=True))}]({_url(href)})" for span in run)
    if link is None or href is None or not is_printed_link(href):
        return _styled(run, _EMPHASIS, before, after)
    inner = _styled(run, _EMPHASIS, "[", "]", linked=True)
    label = " ".join(inner.split())
    if not label:
        return inner
    printed_link = link(_self_contained(label), _url(href))
    if label == inner:
        return printed_link
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    return f"{lead}{printed_link}{trail}"


def _styled(
    spans: Sequence[Span], marks: Sequence[tuple[int, str]], before: str, after: str, *, linked: bool = False
) -> str:
    """Wrap runs that share a style, the first of `marks` outermost."""
    if len(spans) == 1:
        return _styled_span(spans[0], marks, before, after, linked=linked)  # most runs are one span
    joiner = _Joiner()
    if not marks or not any(span.style for span in spans):
        for span in spans:
            joiner.add(_markdown_leaf(span, linked=linked))
        return joiner.text()
    flag, mark = marks[0]
    offset = 0
    for has_style, group in groupby(spans, key=lambda span: span.style & flag):
        run = list(group)
        offset += len(run)
        following = _first_character(spans[offset]) if offset < len(spans) else after
        previous = joiner.last() or before
        wrapped = None
        if has_style:
            wrapped = _wrapped(_styled(run, marks[1:], "", "", linked=linked), mark, previous, following)
        joiner.add(wrapped or _styled(run, marks[1:], previous, following, linked=linked))
    return joiner.text()


def _styled_span(span: Span, marks: Sequence[tuple[int, str]], before: str, after: str, *, linked: bool) -> str:
    if not span.style:
        return _escaped_words(span, linked=linked)
    applied = [mark for mark in marks if span.style & mark[0]]
    for index, (_, mark) in enumerate(applied):  # a mark that cannot be used is left out, and the next is outermost
        if wrapped := _wrapped(_styled_span(span, applied[index + 1 :], "", "", linked=linked), mark, before, after):
            return wrapped
    return _markdown_leaf(span, linked=linked)


def _first_character(span: Span, *, href: str | None = None) -> str:
    """Return the first character of a span in markdown, or `[` for any mark of the printer."""
    if (span.style & _MARKED_STYLES and "]:" not in span.text) or (href and is_printed_link(href)):
        return "["
    return span.text[:1]


class _Joiner:
    """Joins pieces of inline markdown so that no markup arises where they meet."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def text(self) -> str:
        return "".join(self._pieces)

    def last(self) -> str:
        """Return the last character so far."""
        if self._pieces:
            return self._pieces[-1][-1]
        return ""

    def add(self, piece: str) -> None:
        if not piece:
            return
        before = self._pieces[-1] if self._pieces else " "
        last, following = before[-1], piece[0]
        if last not in _JOINING:
            pass  # most pieces
        elif (last == "]" and following in "(:") or last == following == "~":  # `~~` could end struck out text
            piece = f"\\{piece}"
        elif (
            f"{last}{following}" == "!["
            or (last == "<" and (following.isalpha() or following in "/!?"))
            or (last == "&" and (following.isalpha() or following == "#"))
            or (last == "\\" and not following.isalnum() and _self_contained(before) != before)
        ):
            self._pieces[-1] = f"{before[:-1]}\\{last}"
        self._pieces.append(piece)


def _wrapped(inner: str, mark: str, before: str, after: str) -> str | None:
    """Put `mark` around `inner`; return None where CommonMark's flanking rules would not take it for a mark."""
    core = inner.strip()
    if not core:
        return None
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    opens = core[0].isalnum() or lead or not before.isalnum()
    closes = core[-1].isalnum() or trail or not after.isalnum()
    pauses = None if closes else _PAUSES.search(core)
    if pauses:  # `Note:` in bold, and no space: the colon is left outside
        core, trail, closes = core[: pauses.start()], pauses[0], True
    clash = (before == mark[0] and not lead) or (mark == "~~" and "~" in {core[0], core[-1]})
    if not opens or not closes or clash:
        return None
    return f"{lead}{mark}{_self_contained(core)}{mark}{trail}"


def _self_contained(piece: str) -> str:
    """Return markdown whose last backslash does not escape the next character."""
    if piece.endswith("\\") and (len(piece) - len(piece.rstrip("\\"))) % 2:
        return f"{piece}\\"
    return piece


def _markdown_leaf(span: Span, *, linked: bool) -> str:
    style = span.style
    if style & _CODE and linked and "]:" in span.text:
        # `[...]:` at the start of a line defines a reference, code or not (CommonMark, 4.7): no link would be left.
        return _escape(span.text, linked=True)
    if style & _CODE:
        return _code(span.text)
    if style & _MATH:
        return f"${_tex(span.text, linked=linked)}$"
    if style & _NOTE:
        return f"[^{note_label(span.text)}]"
    text = _escaped_words(span, linked=linked)
    if style & (_SUP | _SUB) and text.strip():
        return _tagged(text, "sup" if style & _SUP else "sub")
    return text


def _escaped_words(span: Span, *, linked: bool) -> str:
    text = _escape(span.text, linked=linked)
    if "*" in text or "_" in text:
        pattern = _ALONE if span.style & (_STRONG | _EM) else _ALONE_AT_EDGE
        return pattern.sub(_with_backslash, text)
    return text


def _tagged(text: str, tag: str) -> str:
    # A tag on a line of its own would begin an HTML block, in which nothing is escaped (CommonMark, 4.6).
    lead_length = 0
    if "\n" in text:
        lead_length = len(text) - len(text.lstrip())
    return f"{text[:lead_length]}<{tag}>{_self_contained(text[lead_length:])}</{tag}>"


def _escape(text: str, *, linked: bool = False) -> str:
    """Escape the characters that would be read as inline markup, and no others."""
    return (_ESCAPED_IN_LINK if linked else _ESCAPED).sub(_with_backslash, text)


def _with_backslash(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def escape_line_start(line: str) -> str:
    """Escape a start that would make the line a heading, a list, a quote, a rule, a table or a definition."""
    if line[:1].isalpha():
        return line  # most lines
    match = _LINE_START.match(line)
    if match is None:
        return line
    return f"{match.group()}\\{line[match.end() :]}"


def _code(text: str) -> str:
    text = " ".join(text.split("\n")).strip()
    if not text:
        return " "
    fence = code_fence(text, 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def code_fence(text: str, min_length: int) -> str:
    """Return a run of backticks longer than any in `text`, and at least `min_length` long."""
    longest = max((len(run) for run in _CODE_RUNS.findall(text)), default=0)
    return "`" * max(min_length, longest + 1)


def _tex(text: str, *, linked: bool) -> str:
    text = " ".join(text.split()).replace("](", "] (").replace("]:", "] :").replace("[^", "[ ^")
    text = _BARE_DOLLAR.sub(r"\1\\$", text.replace("`", "'"))
    if linked:
        text = text.replace("[", "\\lbrack ").replace("]", "\\rbrack ")
    return re.sub(r"<(?=[A-Za-z/!?])", r"\\lt ", text)


def note_label(text: str) -> str:
    """Return a footnote label without the characters that would end it."""
    return re.sub(r"[\s\[\]^`\\|<>]+", "", text) or "note"


def _url(href: str | None) -> str:
    """Return a URL as a link's destination: parentheses may stand in it in pairs (CommonMark 0.31, 6.3)."""
    if href is None or _PLAIN_URL.fullmatch(href):
        return href or ""
    url = _URL_UNSAFE.sub(lambda match: match[1] or quote(match[0], safe=""), href)
    url = _ENTITY.sub("&amp;", url)
    if _PAIRED.fullmatch(url):
        return url
    return url.replace("(", "%28").replace(")", "%29")


# ----------------------------------------------------------------------------------------------- text


def text(spans: Sequence[Span], *, images: bool) -> str:
    """Return the text without marks; newlines are line breaks."""
    pieces: list[str] = []
    for span in spans:
        if span.style & _IMAGE and not images:
            continue
        if span.style & _SUP and _EXPONENT.fullmatch(span.text) and pieces and pieces[-1][-1:].isalnum():
            pieces.append("^")  # 10 to the minus 3 must not read as 10-3
        pieces.append(f"[{span.text}]" if span.style & _NOTE else span.text)
    return "".join(pieces)


# ----------------------------------------------------------------------------------------------- HTML


def markup(spans: Sequence[Span], *, images: bool) -> str:
    """Return spans as escaped inline HTML with no attributes but href, src and alt."""
    import html  # here, because its table of entities takes 2 ms, and Markdown needs none

    pieces: list[str] = []
    for (href, image), group in groupby(
        visible(spans, images=images), key=lambda span: (span.href, span.style & _IMAGE)
    ):
        if image:
            pieces.extend(f'<img src="{html.escape(href or "")}" alt="{html.escape(span.text)}">' for span in group)
            continue
        inner = "".join(_markup_leaf(span) for span in group)
        if href and is_printed_link(href) and inner.strip():
            inner = f'<a href="{html.escape(href)}">{inner}</a>'
        pieces.append(inner)
    return " ".join("".join(pieces).replace("\n", "<br>").split())


def is_printed_link(href: str) -> bool:
    """Tell whether a link leads to the web or is a bare mail address: no other link is printed."""
    return href[:8].lower().startswith(("http://", "https://")) or _MAIL.fullmatch(href) is not None


def _markup_leaf(span: Span) -> str:
    import html  # here, for the same reason

    style = span.style
    if style & _NOTE:
        return f"<sup>[{html.escape(span.text, quote=False)}]</sup>"
    inner = html.escape(span.text, quote=False)
    if style & _MATH:
        inner = f"${inner}$"
    if not inner.strip():
        return inner
    for flag, tag in reversed(_HTML_TAGS):
        if style & flag:
            inner = f"<{tag}>{inner}</{tag}>"
    return inner
