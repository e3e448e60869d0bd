"""OpenDocument files, packed and flat, written part by part: each test says what is in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unit.office import zipped

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "form": "urn:oasis:names:tc:opendocument:xmlns:form:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "manifest": "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
    "math": "http://www.w3.org/1998/Math/MathML",
}
NAMESPACES = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in _NAMES.items())
_ELEMENTS = {"text": "text", "spreadsheet": "spreadsheet", "presentation": "presentation", "graphics": "drawing"}
_TYPE = "application/vnd.oasis.opendocument."


def _body(inside: str, kind: str) -> str:
    """Return the body; text alone is put into the first cell or on the first page of the other kinds."""
    if inside.startswith("<text:p"):
        cell = f"<table:table-row><table:table-cell>{inside}</table:table-cell></table:table-row>"
        box = f"<draw:page><draw:frame><draw:text-box>{inside}</draw:text-box></draw:frame></draw:page>"
        inside = {"text": inside, "spreadsheet": f'<table:table table:name="One">{cell}</table:table>'}.get(kind, box)
    return f"<office:body><office:{_ELEMENTS[kind]}>{inside}</office:{_ELEMENTS[kind]}></office:body>"


def odf(
    inside: str,
    *,
    kind: str = "text",
    styles: str = "",
    common_styles: str = "",
    masters: str = "",
    meta: str = "",
    files: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Return a file; `styles` are automatic, `common_styles` have names for people, `masters` are master pages."""
    return zipped(
        {
            "mimetype": f"{_TYPE}{kind}",
            "content.xml": f"<office:document-content {NAMESPACES}><office:automatic-styles>{styles}"
            f"</office:automatic-styles>{_body(inside, kind)}</office:document-content>",
            "styles.xml": f"<office:document-styles {NAMESPACES}><office:styles>{common_styles}</office:styles>"
            f"<office:master-styles>{masters}</office:master-styles></office:document-styles>",
            "meta.xml": f"<office:document-meta {NAMESPACES}><office:meta>{meta}</office:meta></office:document-meta>",
            "META-INF/manifest.xml": f"<manifest:manifest {NAMESPACES}/>",
            **(files or {}),
        }
    )


def flat(inside: str, *, kind: str = "text", styles: str = "") -> bytes:
    """Return a file as flat XML."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {NAMESPACES} office:mimetype="{_TYPE}{kind}">'
        f"<office:automatic-styles>{styles}</office:automatic-styles>{_body(inside, kind)}</office:document>"
    ).encode()


def text_style(name: str, properties: str, *, family: str = "text", parent: str = "") -> str:
    """Return a style with text properties."""
    parent_name = f' style:parent-style-name="{parent}"' if parent else ""
    return (
        f'<style:style style:name="{name}" style:family="{family}"{parent_name}>'
        f"<style:text-properties {properties}/></style:style>"
    )


def span(text: str, style: str) -> str:
    """Return a run of text in a style."""
    return f'<text:span text:style-name="{style}">{text}</text:span>'
