"""Addresses of archive members: `https://example.com/files.zip!/docs/report.pdf`.

The `!/` form is that of `jar:` URLs in Java and of Artifactory. It is read as a member only where the part before it is
named like an archive; every other URL is taken literally, and so is one with `%21` for the exclamation mark. A
download link such as `https://example.com/get?id=5` is not named like an archive: its members are addressed by the
fragment `#archive-member=NAME`, which is never sent to the server.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote, unquote

SUFFIXES: Final = (
    *(".zip", ".jar", ".war", ".ear", ".whl", ".apk", ".xpi", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst"),
    *(".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z", ".rar"),
)
"""Names of archives. Those of 7-Zip and RAR are not read; they are here so that the error is about the archive."""

_SEPARATOR: Final = "!/"
_FRAGMENT: Final = "#archive-member="
_SAFE: Final = "/!$&'()*+,;=:@~"


class ArchiveUrl(NamedTuple):
    """The URL of an archive, and the member in it; an empty name stands for the list of members."""

    url: str
    member: str


def split(url: str) -> ArchiveUrl:
    """Return the archive and the member that `url` addresses; the member of every other URL is empty."""
    address, fragment, member = url.partition(_FRAGMENT)
    if fragment:
        return ArchiveUrl(address, unquote(member))
    path_end = min((at for at in (url.find("?"), url.find("#")) if at >= 0), default=len(url))
    path, query_and_fragment = url[:path_end], url[path_end:]
    separator = path.find(_SEPARATOR)
    while separator >= 0:
        if path[:separator].lower().endswith(SUFFIXES):
            return ArchiveUrl(path[:separator] + query_and_fragment, unquote(path[separator + len(_SEPARATOR) :]))
        separator = path.find(_SEPARATOR, separator + 1)
    return ArchiveUrl(url, "")


def join(url: str, member: str) -> str:
    """Return the address of a member of the archive at `url`: the inverse of `split`. No member gives `url` itself."""
    if not member or url.startswith("about:"):
        return url
    name = quote(member, safe=_SAFE, errors="replace")
    path_end = min((at for at in (url.find("?"), url.find("#")) if at >= 0), default=len(url))
    joined = f"{url[:path_end]}{_SEPARATOR}{name}{url[path_end:]}"
    if split(joined) == ArchiveUrl(url, member):
        return joined
    return f"{url.partition('#')[0]}{_FRAGMENT}{name}"


def has_fragment_form(url: str) -> bool:
    """Tell whether `url` names a member in its fragment, because its path is not named like an archive."""
    return _FRAGMENT in url


def named_like_archive(url: str) -> bool:
    """Tell whether the path of `url` ends like the name of an archive."""
    return url.partition("#")[0].partition("?")[0].lower().endswith(SUFFIXES)
