"""Word documents and workbooks as zips of XML, written part by part: each test says what is in its file."""

from __future__ import annotations

import zipfile
from io import BytesIO
from xml.sax.saxutils import escape

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATED = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def zipped(parts: dict[str, str | bytes]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def related(*rows: tuple[str, str, str]) -> str:
    """Return a part of relationships: (id, kind, target); a target that is a URL lies outside."""
    told = "".join(
        f'<Relationship Id="{name}" Type="{R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if ':' in target else ''}/>"
        for name, kind, target in rows
    )
    return f'<Relationships xmlns="{_RELATED}">{told}</Relationships>'


def core(fields: str) -> str:
    return (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"{fields}</cp:coreProperties>"
    )


def docx(body: str, *, styles: str = "", more: dict[str, str | bytes] | None = None, links: str = "") -> bytes:
    """Return a Word document; `body`, `styles` and what else there is are written with the prefix `w`."""
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/></Types>',
            "_rels/.rels": related(("r1", "officeDocument", "word/document.xml")),
            "word/_rels/document.xml.rels": related(
                ("s", "styles", "styles.xml"),
                ("n", "numbering", "numbering.xml"),
                ("f", "footnotes", "footnotes.xml"),
                *((f"l{at}", "hyperlink", link) for at, link in enumerate(links.split())),
            ),
            "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
            "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>',
            **(more or {}),
        }
    )


def part(root: str, inside: str) -> str:
    return f'<w:{root} xmlns:w="{W}">{inside}</w:{root}>'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def xlsx(
    sheet: str, *, strings: str = "", styles: str = "", workbook: str = "", more: dict[str, str | bytes] | None = None
) -> bytes:
    """Return a workbook of one sheet, called Tides; `sheet` is the content of its <worksheet>.

    `workbook` follows the list of sheets, `more` adds parts or replaces them.
    """
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_TYPES}">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>'
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_SHEET}.sharedStrings+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEET}.worksheet+xml"/></Types>',
            "_rels/.rels": related(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/_rels/workbook.xml.rels": related(
                ("r1", "worksheet", "worksheets/sheet1.xml"),
                ("r2", "sharedStrings", "sharedStrings.xml"),
                ("r3", "styles", "styles.xml"),
            ),
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>'
            f'<sheet name="Tides" sheetId="1" r:id="r1"/></sheets>{workbook}</workbook>',
            "xl/styles.xml": f'<styleSheet xmlns="{S}">{styles}</styleSheet>',
            "xl/sharedStrings.xml": f'<sst xmlns="{S}">{strings}</sst>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{S}" xmlns:r="{R}">{sheet}</worksheet>',
            **(more or {}),
        }
    )


def formats(*codes: str) -> str:
    """Return the content of a style part: cell style 1 has the first number format, 2 the second, and so on."""
    numbered = [(164 + at, escape(code, {'"': "&quot;"})) for at, code in enumerate(codes)]
    listed = "".join(f'<numFmt numFmtId="{number}" formatCode="{code}"/>' for number, code in numbered)
    styles = "".join(f'<xf numFmtId="{number}" fontId="0" fillId="0"/>' for number, _ in numbered)
    return (
        f"<numFmts>{listed}</numFmts><fonts><font/></fonts><fills><fill/></fills>"
        f'<cellXfs><xf numFmtId="0" fontId="0" fillId="0"/>{styles}</cellXfs>'
    )


Value = str | int | float | bool | None


def cells(*rows: tuple[Value, ...], first_row: int = 1) -> str:
    """Return rows of a sheet: texts become inline strings, and a text that begins with `<c` is the XML of a cell."""
    written = []
    for number, row in enumerate(rows, first_row):
        inner = "".join(_cell(f"{chr(65 + at)}{number}", value) for at, value in enumerate(row) if value is not None)
        written.append(f'<row r="{number}">{inner}</row>')
    return "".join(written)


def _cell(place: str, value: Value) -> str:
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    if value is not None and value.startswith("<c"):
        return value.replace("<c", f'<c r="{place}"', 1)
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(value or "")}</t></is></c>'


P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SPACES = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"'


def pptx(*slides: str, more: dict[str, str | bytes] | None = None) -> bytes:
    """Return a presentation; a slide is the content of its shape tree, or a whole `<p:sld>`. `more` adds parts."""
    ids = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="r{at}"/>' for at in ids)
    parts: dict[str, str | bytes] = {
        "_rels/.rels": related(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {_SPACES}><p:sldIdLst>{listed}</p:sldIdLst>"
        '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": related(*((f"r{at}", "slide", f"slides/slide{at}.xml") for at in ids)),
    }
    for at, slide in enumerate(slides, 1):
        tree = f"<p:sld><p:cSld><p:spTree>{slide}</p:spTree></p:cSld></p:sld>"
        whole = slide if slide.startswith("<p:sld") else tree
        parts[f"ppt/slides/slide{at}.xml"] = whole.replace("<p:sld", f"<p:sld {_SPACES}", 1)
    return zipped({**parts, **(more or {})})


def shape(*paragraphs: str, kind: str = "", at: tuple[int, int] | None = None, about: str = "") -> str:
    """Return a shape with text; a paragraph that begins with `<` is its content. `kind` makes it a placeholder."""
    body = "".join(
        f"<a:p>{text if text.startswith('<') else f'<a:r><a:t>{escape(text)}</a:t></a:r>'}</a:p>" for text in paragraphs
    )
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    place = f'<a:xfrm><a:off x="{at[0]}" y="{at[1]}"/><a:ext cx="100" cy="100"/></a:xfrm>' if at else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"{about}/><p:cNvSpPr/><p:nvPr>{holder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{body}</p:txBody></p:sp>"
    )
