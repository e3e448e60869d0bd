"""Markdown as the printer writes it, to the words a person sees on the page: one line per block and table cell."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^(?P<lead>[ >\t]*(?:(?:[-*]|\d+[.)])[ ]+)*)(?P<fence>`{3,})[^`\n]*$", re.MULTILINE)
_BLOCK_SIGN = re.compile(
    r"\s*(?:(?:>|[-*](?=\s|$)|\d{1,9}[.)](?=\s|$)|\[\^[^\]\s]*\]:)\s*)*(?:#{1,6}\s+)?", re.MULTILINE
)
_LINE_OF_SIGNS = re.compile(r"[ >]*(?:-{3,}|\|(?:\s*:?-+:?\s*\|)+)\s*")
_LABEL = r"(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\])*\])*"
_SIGN = re.compile(r"[\\`\[*~<|]")
"""One of these is in every match of `_SPANS`."""
_SPANS = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    rf"|!?\[(?P<label>{_LABEL})\]\((?:[^()\s]++|\([^()\s]*+\))*+\)"
    r"|(?P<note>\[\^[^\]\s]*\])"
    r"|(?P<mark>\*+|~~|</?su[bp]>)"
    r"|(?P<cell> ?\| ?|<br>)",
    re.DOTALL,
)


def plain(markdown: str) -> str:
    """Return the words of `markdown`: no signs of blocks, links, emphasis or escapes, code as it stands.

    A footnote reference and a border between cells end a line, because on the page the words do not run on there.
    """
    out: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        opened = _FENCE.match(line)
        if fence:
            if line.lstrip(" >") == fence:
                fence = ""
            else:
                out.append(line.strip())
        elif opened:
            fence = opened["fence"]
        elif not _is_line_of_signs(line):
            out.append(_inline(_unsigned(line), table=line.lstrip(" >").startswith("|")))
    lines = "\n".join(words for text in out for part in text.split("\n") if (words := " ".join(part.split())))
    return lines.encode("utf-8", "replace").decode("utf-8")


def _is_line_of_signs(line: str) -> bool:
    return ("---" in line or "|" in line) and _LINE_OF_SIGNS.fullmatch(line) is not None


def _unsigned(line: str) -> str:
    signs = _BLOCK_SIGN.match(line)
    if signs is None:
        return line
    return line[signs.end() :]


def _inline(text: str, *, table: bool) -> str:
    if _SIGN.search(text) is None:
        return text

    def shown(match: re.Match[str]) -> str:
        if match["escaped"]:
            return match["escaped"]
        if match["code"]:
            code = match["code"]
            return code.replace("\\|", "|") if table else code
        if match["label"] is not None:
            return _inline(match["label"], table=table)
        if match["cell"] and not table:
            return match["cell"]
        if match["cell"] or match["note"]:
            return "\n"
        return ""

    return _SPANS.sub(shown, text)
