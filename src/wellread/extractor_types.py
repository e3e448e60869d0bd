"""Media types that the built-in extractors read: each extractor is loaded when the first source of its types comes.

An extractor that is missing here, as those of other packages are, is loaded with the first source of any type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPEN_DOCUMENT: Final = "application/vnd.oasis.opendocument."
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."

MEDIA_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "archive": (
        "application/zip",
        "application/x-zip",
        "application/x-zip-compressed",
        "application/java-archive",
        "application/x-java-archive",
        "application/vnd.android.package-archive",
        "application/x-xpinstall",
        "application/x-tar",
        "application/tar",
        "application/x-gtar",
        "application/x-gtar-compressed",
        "application/x-compressed-tar",
        "application/x-tgz",
        "application/x-bzip-compressed-tar",
        "application/gzip",
        "application/x-gzip",
        "application/x-bzip2",
        "application/x-bzip",
        "application/x-xz",
        "application/zstd",
        "application/x-zstd",
    ),
    "docx": (f"{_OFFICE}wordprocessingml.document",),
    "epub": ("application/epub+zip",),
    "feed": (
        "application/atom+xml",
        "application/feed+json",
        "application/rdf+xml",
        "application/rss+xml",
        "application/xml",
        "text/xml",
    ),
    "html": (
        "text/html",
        "application/xhtml+xml",
    ),
    "image": (
        "image/png",
        "image/jpeg",
        "image/tiff",
        "image/webp",
        "image/bmp",
        "image/gif",
    ),
    "mail": (
        "message/rfc822",
        "message/global",
        "application/mbox",
    ),
    "markdown": (
        "text/markdown",
        "text/x-markdown",
        "text/x-web-markdown",
        "text/vnd.daringfireball.markdown",
    ),
    "notebook": ("application/x-ipynb+json",),
    "opendocument": (
        f"{_OPEN_DOCUMENT}text",
        f"{_OPEN_DOCUMENT}text-template",
        f"{_OPEN_DOCUMENT}text-master",
        f"{_OPEN_DOCUMENT}text-web",
        f"{_OPEN_DOCUMENT}text-flat-xml",
        f"{_OPEN_DOCUMENT}spreadsheet",
        f"{_OPEN_DOCUMENT}spreadsheet-template",
        f"{_OPEN_DOCUMENT}spreadsheet-flat-xml",
        f"{_OPEN_DOCUMENT}presentation",
        f"{_OPEN_DOCUMENT}presentation-template",
        f"{_OPEN_DOCUMENT}presentation-flat-xml",
        f"{_OPEN_DOCUMENT}graphics",
        f"{_OPEN_DOCUMENT}graphics-template",
        f"{_OPEN_DOCUMENT}graphics-flat-xml",
    ),
    "pdf": (
        "application/pdf",
        "application/x-pdf",
    ),
    "plain": (
        "application/javascript",
        "application/json",
        "application/ld+json",
        "application/manifest+json",
        "application/sql",
        "application/toml",
        "application/x-ndjson",
        "application/x-sh",
        "application/x-yaml",
        "application/yaml",
        "text/csv",
        "text/enriched",
        "text/plain",
        "text/tab-separated-values",
    ),
    "pptx": (
        f"{_OFFICE}presentationml.presentation",
        f"{_OFFICE}presentationml.slideshow",
        f"{_OFFICE}presentationml.template",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
        "application/vnd.ms-powerpoint.template.macroenabled.12",
    ),
    "rtf": (
        "application/rtf",
        "text/rtf",
    ),
    "xlsx": (
        f"{_OFFICE}spreadsheetml.sheet",
        f"{_OFFICE}spreadsheetml.template",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.template.macroenabled.12",
    ),
}
"""Media types by the name of the extractor's entry point."""
