"""Decodes the bytes of a text: by byte order mark, then header, then declaration in the document, then a guess."""

from __future__ import annotations

import codecs
import re

import webencodings  # type: ignore[import-untyped]  # the package has no annotations

from wellread.lazy_pattern import lazy_pattern

_ASCII = lazy_pattern(rb"[\x00-\x7f]+")
MAX_PRESCAN = 4_096
"""The HTML Standard asks for 1,024 bytes; pages with long first comments need more."""
MAX_SAMPLE = 65_536
MAX_DAMAGE = 0.005
"""Share of characters on which an announced encoding may fail, as on cut pages; beyond it, it is not the one."""

_LEAST_ZEROS = 0.01
"""Share of zeros in UTF-16: one ASCII character in fifty. Bytes of all values in turn have less."""

_ASCII_WITH_ZEROS = lazy_pattern(rb"[\x00\t\n\r -~]+")
"""Cyrillic in UTF-16 has control bytes, other scripts have bytes beyond ASCII."""
_COMMENT = lazy_pattern(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = lazy_pattern(rb"<meta[\s/][^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]+)", re.IGNORECASE)
_XML = lazy_pattern(rb"\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9_:.+-]+)", re.IGNORECASE)
_JAPANESE_ESCAPE = lazy_pattern(rb"\x1b(?:\$[@B]|\([JB])")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))

# The possible guesses, likeliest first: the WHATWG encodings that charset-normalizer knows.
_GUESSES = (
    *("cp1252", "cp1251", "cp1250", "gb18030", "cp932", "euc_jp", "cp949", "big5", "iso8859_2", "cp1253", "cp1254"),
    *("cp1255", "cp1256", "cp874", "koi8_r", "koi8_u", "iso8859_5", "iso8859_7", "cp1257", "cp1258", "cp866"),
)
_LABELS = {"cp949": "euc-kr", "cp932": "shift_jis", "cp874": "windows-874"}


def decode(body: bytes, charset: str | None, *, html: bool) -> tuple[str, str]:
    """Return the text and the WHATWG name of its encoding. Never raises; undecodable bytes become U+FFFD.

    `charset` is the label from the Content-Type header; `html` also believes a meta element.
    The order is that of the HTML Standard, section "Determining the character encoding". Two lies are seen through: an
    announced single-byte encoding over valid UTF-8, and an announced encoding that fails on more than 0.5 %.
    """
    for bom, name in _BOMS:
        if body.startswith(bom):
            return _decoded(body[len(bom) :], name), name
    utf8 = _utf8(body)
    announced = [name for name in (_whatwg_name(charset), _declared_name(body, html=html)) if name is not None]
    for name in announced:
        if utf8 is not None and not body.isascii() and (_is_single_byte(name) or _has_much_non_ascii(body)):
            return utf8, "utf-8"
        text = utf8 if utf8 is not None and name == "utf-8" else _decoded(body, name)
        if name == "utf-8" and utf8 is None and text.replace("\ufffd", "").isascii():
            continue  # not one character beyond ASCII is UTF-8
        if text.count("\ufffd") <= max(1, len(text) * MAX_DAMAGE):
            return text, name
    guess = _guess(body, is_utf8=utf8 is not None)
    return utf8 if utf8 is not None and guess == "utf-8" else _decoded(body, guess), guess


def _whatwg_name(label: str | None) -> str | None:
    """Return the WHATWG name for a label; the unsafe ones that the Encoding Standard replaces count as none."""
    if not label:
        return None
    encoding = webencodings.lookup(label.strip("\"' \t"))
    if encoding is None or encoding.name == "replacement":
        return None
    return str(encoding.name)


def _declared_name(body: bytes, *, html: bool) -> str | None:
    start = body[:MAX_PRESCAN]
    match = _XML.match(start)
    if match is None and html:
        match = _META.search(_COMMENT.sub(b"", start))
    if match is None:
        return None
    name = _whatwg_name(match[1].decode("ascii"))
    # A declaration that can be read as ASCII does not stand in UTF-16 (the HTML Standard, prescan).
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(name or "", name)


def _decoded(body: bytes, name: str) -> str:
    encoding = webencodings.lookup(name)
    assert encoding is not None
    return str(encoding.codec_info.decode(body, "replace")[0])


def _is_single_byte(name: str) -> bool:
    return name.startswith(("windows-", "iso-8859-", "koi8-", "x-mac-")) or name in {"ibm866", "macintosh"}


def _has_much_non_ascii(body: bytes) -> bool:
    """Return whether so many bytes are beyond ASCII that they cannot be UTF-8 by chance, whatever else is announced."""
    return len(_ASCII.sub(b"", body[:MAX_SAMPLE])) >= 24


def _utf8(body: bytes) -> str | None:
    """Return the text if the bytes are UTF-8, but for a character that a cut may have torn at the end."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        text = decoder.decode(body)
    except UnicodeDecodeError:
        return None
    if decoder.getstate()[0]:
        return f"{text}\ufffd"
    return text


def _guess(body: bytes, *, is_utf8: bool) -> str:
    unmarked = detect_utf16(body[:MAX_PRESCAN])
    if unmarked is not None:
        return unmarked
    if is_utf8:
        return "iso-2022-jp" if body.isascii() and _JAPANESE_ESCAPE.search(body[:MAX_SAMPLE]) else "utf-8"
    return _best_guess(_sample(body))


def detect_utf16(start: bytes) -> str | None:
    """Know UTF-16 without a mark: it begins with an ASCII character, as markup does, and its zeros keep to one side.

    There they are many: spaces, signs and markup are ASCII in every language. ASCII with a few zeros is no UTF-16, in
    which every other byte of ASCII is zero: exports of databases have zeros in a name.
    """
    even, odd = start[0::2].count(0), start[1::2].count(0)
    if len(start) < 4 or not start[0] + start[1] or start[0] * start[1] or even + odd < len(start) * _LEAST_ZEROS:
        return None
    if (even + odd) * 3 < len(start) and _ASCII_WITH_ZEROS.fullmatch(start):
        return None
    if start[1] == 0 and even <= odd // 8:
        return "utf-16le"
    if start[0] == 0 and odd <= even // 8:
        return "utf-16be"
    return None


def _sample(body: bytes) -> bytes:
    """Return a piece that is quick to judge, cut where no character can be torn, with markup taken out."""
    sample = body[:MAX_SAMPLE]
    if len(body) > MAX_SAMPLE:
        sample = sample[: max(sample.rfind(b"<"), sample.rfind(b"\n"), sample.rfind(b" "), MAX_SAMPLE // 2)]
    return re.sub(rb"<[^<>\x80-\xff]*>", b" ", sample)


def _best_guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # 10 ms to import, and few pages need it

    matches = from_bytes(sample, cp_isolation=list(_GUESSES))
    # Weighed on samples in 14 languages: its own order takes French for Polish and Japanese for Korean.
    best = max(
        matches, key=lambda match: (match.coherence - 2 * match.chaos, -_GUESSES.index(match.encoding)), default=None
    )
    label = "windows-1252" if best is None else _LABELS.get(best.encoding, best.encoding.replace("_", "-"))
    return _whatwg_name(label.replace("iso8859", "iso-8859")) or "windows-1252"
