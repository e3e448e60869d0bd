"""The options of a read, and the check of their values at run time."""

from __future__ import annotations

from typing import get_args

from wellread.documents import archive_urls
from wellread.errors import InvalidInput
from wellread.net.guard import trim_url
from wellread.reading.sign_in_options import SignInOptions, check_sign_in
from wellread.types import LinkStyle, Mode, ReadFormat, Render, Scroll, SourceView
from wellread.wait_condition import parse_wait


class ReadOptions(SignInOptions, total=False):
    """The options of `read` besides the URL."""

    format: ReadFormat
    """markdown (default), text or html; raw is the source as text, links every link of the page, one a line."""
    max_length: int | None
    """Maximum number of characters; the text is cut between blocks. None returns the rest of the document."""
    max_tokens: int | None
    """Maximum number of tokens, by an upper estimate that holds for any model; `max_length` applies, too."""
    links: LinkStyle
    """How markdown shows links: inline (default), reference (numbered, addresses at the end) or none."""
    all_links: bool
    """Return every link of the page in `Page.all_links`, also those of menus and footers; off by default."""
    cursor: str | None
    """The cursor of the last piece; its snapshot, format, images and links continue."""
    mode: Mode
    """balanced (default), precision (only the body of an article) or recall (also doubtful text)."""
    images: bool
    """Print the images of the content as links, with their captions; off by default."""
    fresh: bool
    """Fetch the page again instead of using the cache; the new snapshot is stored."""
    user_asked: bool
    """A person asked for this page, so robots.txt, which is for crawlers, is ignored."""
    render: Render
    """auto (default): in a browser if HTTP returns too little text; always; never."""
    scroll: Scroll
    """auto (default): as many screens of a rendered page as `render.scrolls` says; all: render the page, scroll it and
    press its button for more until nothing more comes, or most of the time for the read has passed."""
    wait: str | None
    """What the rendered page is waited for, instead of `render.wait` and in its words (`selector:CSS`); the page is
    rendered."""
    selector: str | None
    """A CSS selector: the visible text of the elements that match it is read in place of the main content."""
    member: str | None
    """The file to read in an archive (ZIP, tar), by its name in the list of the archive."""


def check_options(options: ReadOptions) -> None:
    """Check the options of `read` at run time.

    Raises:
        InvalidInput: an option that does not exist, or a value that it cannot have.
    """
    choices = {
        "format": get_args(ReadFormat),
        "mode": get_args(Mode),
        "render": get_args(Render),
        "scroll": get_args(Scroll),
        "links": get_args(LinkStyle),
    }
    for name, value in options.items():
        if name not in ReadOptions.__annotations__:
            options_are = ", ".join(sorted(ReadOptions.__annotations__))
            raise InvalidInput(f"read has no option {name!r}", hint=f"its options are {options_are}")
        if name in choices and value not in choices[name]:
            raise InvalidInput(f"{value!r} is not a valid {name}", hint="one of " + ", ".join(choices[name]))
    if options.get("scroll") == "all" and options.get("render") == "never":
        raise InvalidInput("only a browser can scroll a page", hint="leave out `render` or `scroll`")
    check_sign_in(options)
    member: object = options.get("member")
    if member is not None and not isinstance(member, str):
        raise InvalidInput(f"member is {member!r}", hint="use the name of a file in the archive")
    _check_selectors(options)
    limits: dict[str, object] = {name: options.get(name) for name in ("max_length", "max_tokens")}
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise InvalidInput(f"{name} is {limit!r}", hint="use a whole number of at least 1, or None for no limit")
    if options.get("links", "inline") != "inline" and options.get("format") not in {None, "markdown", "text"}:
        hint = "leave out `links`, or use the format markdown"
        raise InvalidInput(f"`links` does not apply to the format {options.get('format')}", hint=hint)


def _check_selectors(options: ReadOptions) -> None:
    selector = options.get("selector")
    if selector is not None:
        _check_selector(selector)
    _check_wait(options.get("wait"))
    if options.get("wait") and options.get("render") == "never":
        raise InvalidInput("wait needs a browser", hint="leave out render=never")
    if options.get("format") == "raw" and (options.get("selector") or options.get("member")):
        raise InvalidInput("the format raw is the whole source", hint="leave out the selector and the member")


def _check_selector(selector: object) -> None:
    # Loaded here so that other reads do not wait for it.
    from wellread.extraction.selected_elements import check_selector

    check_selector(selector)


def _check_wait(wait: object) -> None:
    if wait is None:
        return
    condition = parse_wait(str(wait))
    if condition.selector:
        _check_selector(condition.selector)


def source_view(options: ReadOptions, format: ReadFormat) -> SourceView:
    """Return what a read takes of a source."""
    selector = options.get("selector") or ""
    wait = options.get("wait") or ""
    if format == "raw":
        return SourceView(form="raw", wait=wait)
    if format == "links":
        return SourceView(form="links", selector=selector, wait=wait)
    return SourceView(all_links=options.get("all_links", False), selector=selector, wait=wait)


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
        raise InvalidInput(f"{url} already has a member", hint="give the member in the URL or by `member`, not both")
    return archive_urls.join(url, member)
