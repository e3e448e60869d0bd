"""The options of a read, and the check of their values at run time."""

from __future__ import annotations

from typing import TypedDict, get_args

from wellread.documents import archive_urls
from wellread.errors import InvalidInput
from wellread.net.guard import trim_url
from wellread.types import Format, LinkStyle, Mode, Render


class ReadOptions(TypedDict, total=False):
    """The options of `read` besides the URL."""

    format: Format
    """markdown (default), text or html."""
    max_length: int | None
    """Most characters to return; cut at a block border, never mid-word. None returns the rest of the document."""
    max_tokens: int | None
    """Most tokens to return, by an estimate from above that holds for any model; where both are given, both hold."""
    links: LinkStyle
    """inline (default), reference (numbered, addresses at the end of the piece) or none; of markdown alone."""
    cursor: str | None
    """Where the last piece ended; its snapshot, format, images and links go on."""
    mode: Mode
    """balanced (default), precision (article body only) or recall (when in doubt, keep)."""
    images: bool
    """Print the images of the content as links, with their captions; off by default."""
    fresh: bool
    """Fetch again even when a fresh copy is kept; the new copy is kept."""
    user_asked: bool
    """A person asked for this very page: robots.txt, which addresses crawlers, does not bind."""
    render: Render
    """auto (default): in the browser where HTTP reads too little; always; never."""
    member: str | None
    """The file in an archive (ZIP, tar) that is read, by its name in the list that the archive itself gives."""


def check_options(options: ReadOptions) -> None:
    """Check the options of `read` at run time.

    Raises:
        InvalidInput: an option that does not exist, or a value that it cannot have.
    """
    choices = {
        "format": get_args(Format),
        "mode": get_args(Mode),
        "render": get_args(Render),
        "links": get_args(LinkStyle),
    }
    for name, value in options.items():
        if name not in ReadOptions.__annotations__:
            options_are = ", ".join(sorted(ReadOptions.__annotations__))
            raise InvalidInput(f"read has no option {name!r}", hint=f"its options are {options_are}")
        if name in choices and value not in choices[name]:
            raise InvalidInput(f"{value!r} is no {name}", hint="one of " + ", ".join(choices[name]))
    member: object = options.get("member")
    if member is not None and not isinstance(member, str):
        raise InvalidInput(f"member is {member!r}", hint="the name of a file in the archive")
    limits: dict[str, object] = {name: options.get(name) for name in ("max_length", "max_tokens")}
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise InvalidInput(f"{name} is {limit!r}", hint="a whole number of at least 1, or None for all the rest")
    if options.get("links", "inline") != "inline" and options.get("format") == "html":
        raise InvalidInput("HTML has its links in place", hint="leave links out, or ask for markdown")


def full_address(url: str, options: ReadOptions) -> str:
    """Return the URL to read: of the page, or of the member of an archive.

    Raises:
        InvalidInput: a member is given twice, in the URL and beside it.
    """
    url = trim_url(url)
    member = options.get("member")
    if not member:
        return url
    if archive_urls.split(url).url != url:
        raise InvalidInput(f"{url} names a member already", hint="give the member in the URL or by `member`, not both")
    return archive_urls.join(url, member)
