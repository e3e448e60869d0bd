"""The words that tell the purpose of a box or a line on any site: the reader's knowledge before it learns.

They are inputs of the networks: those of boxes by `vocabulary.py`, those of lines by `features.py`. A word more or less
here changes what the networks see of every page that has it, and so asks for new weights; so does a name in CATEGORIES
or LINES, of which each is a column. Rules ask for the same words (`page_type_rules.py`, `completeness.py`,
`learned_selector.py`, `block_rules.py`, `noise_rules.py`). A word that only a rule needs belongs to the file of that
rule, as `_CONTENTS` in `noise_rules.py` does.
"""

from __future__ import annotations

import re
from typing import Final

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.extraction.line_phrases import line_category
from wellread.lazy_pattern import lazy_pattern

_NAMES: Final = {
    "aside": word_set(
        "footer colophon copyright related cookie cookies consent modal popup popover disclaimer sidebar recommended "
        "menu megamenu submenu trending pagination breadcrumb breadcrumbs newsletter sharedaddy share sharing social "
        "socials subscribe subscription signup signin login masthead topbar navbar navigation byline outbrain taboola "
        "advert advertisement promo cta offcanvas"
    ),
    "scrap": word_set(
        "nav mega dropdown topnav toolbar dialog overlay lightbox follow register account recommendations announcement "
        "pager form gform searchbar sidenav widgets textwidget widgettitle author authors bio tags taxonomy categories "
        "meta privacy legal ctas ads sponsored hamburger burger flyout drawer branding logo tagline buttons button btn "
        "contact address email minicart cart wishlist recent popular latest prev previous date posts filters actions "
        "badge"
    ),
    "comment": word_set("comment comments commentlist commentform disqus respond reply replies"),
    "forum": word_set(
        "forum forums thread threads topic discussion discourse postbit question questions answer answers viewtopic "
        "bbs message messages"
    ),
    "content": word_set("main content article entry story articlebody post body maincontent mainbar page single prose"),
    "callout": word_set("note tip warning admonition callout info caution danger important"),
    "caption": word_set("caption figcaption wp-caption credit"),
    "review": word_set("review reviews rating ratings testimonial testimonials feedback"),
    "product": word_set("product products price prices sku buy item items card cards grid result results listing"),
    "detail": word_set("description details detail specs specifications features summary overview accordion tab tabs"),
}
_TAGS: Final = {
    "main": "main",
    "article": "article",
    "header": "header",
    "aside": "asidetag",
    "form": "form",
    "fieldset": "form",
    "li": "li",
    "table": "table",
    "noscript": "noscript",
    "figure": "figure",
    "figcaption": "caption",
    "blockquote": "quote",
    "address": "address",
    "dialog": "dialog",
}
_ROLES: Final = {
    "main": "main",
    "article": "article",
    "banner": "header",
    "complementary": "asidetag",
    "dialog": "dialog",
    "alertdialog": "dialog",
    "search": "form",
    "note": "callout",
}
CATEGORIES: Final = tuple(dict.fromkeys([*_NAMES, *_TAGS.values(), *_ROLES.values()]))


_BITS: Final = {category: 1 << number for number, category in enumerate(CATEGORIES)}
_TAG_BITS: Final = {tag: _BITS[category] for tag, category in _TAGS.items()}
_ROLE_BITS: Final = {role: _BITS[category] for role, category in _ROLES.items()}
CALLOUT: Final = _NAMES["callout"]
"""What boxes within the text are called that matter to it."""
COMMENTS: Final = _NAMES["comment"]
"""What boxes of comments and answers are called."""
REVIEWS: Final = _NAMES["review"]
BESIDE: Final = _NAMES["aside"] | _NAMES["scrap"] | COMMENTS | REVIEWS
"""What boxes are called that stand beside a text, or answer it."""
NAMES: Final = frozenset().union(*_NAMES.values())
"""The words in names of boxes that tell a category."""


def categories(tag: str, role: str | None) -> int:
    """Return the categories that the tag and role of a box put it in, as bits in the order of CATEGORIES."""
    bits = _TAG_BITS.get(tag, 0)
    return bits | _ROLE_BITS.get(role, 0) if role else bits


_NAME_BITS: Final = {
    word: sum(_BITS[category] for category, words in _NAMES.items() if word in words) for word in NAMES
}


def name_categories(word: str) -> int:
    """Return the categories that a word in the names of a box puts it in, as bits."""
    return _NAME_BITS.get(word, 0)


_LINE: Final = lazy_pattern(
    r"""[^\w\u00a9$\u20ac\u00a3]*(?:
      (?P<section> related | recommended | trending | similar | up\ next | see\ also | also\ (?:read|see|on)
    | further\ reading | you\ (?:may|might)\ (?:also\ )?(?:like|enjoy|be\ interested) | read\ (?:more|next|also)
    | keep\ reading | more\ (?:from|on|in|articles|stories|posts|like|about|news|to\ read|reading) | explore\ more
    | discover\ more
    | (?:recent|latest|popular|featured)\ (?:posts|articles|news|stories|comments|from|blog|now|products|searches)
    | most\ (?:popular|read|viewed) | (?:next|previous)\ (?:article|post|up) | browse\ (?:by|more|all)
    | other\ (?:articles|posts|stories|products|news) | what\ others | editor'?s\ picks | people\ also
    | customers\ (?:also|who) | frequently\ bought | recently\ viewed | (?:quick|useful)\ links | navigation | menu$
    | archives?$ | table\ of\ contents | on\ this\ page | in\ this\ article)
    | (?P<plea> share\ (?:this|on|article|post|via) | follow\ us | subscribe | sign\ (?:up|in) | newsletter | log\ ?in
    | join\ (?:our|the) | get\ (?:the|our)\ (?:latest|newsletter) | our\ (?:newsletter|latest) | register | search$
    | stay\ (?:connected|informed|up) | download\ (?:our|the)\ app | contact\ us | add\ to\ (?:cart|bag|basket|wish)
    | advertisement | sponsored | cookie | we\ use\ cookies | accept | skip\ to | back\ to\ top | print | copy\ link)
    | (?P<legal> privacy | disclaimer | copyright | \u00a9 | all\ rights\ reserved | terms\ (?:of|and|&))
    | (?P<comments> (?:leave|write|post|add)\ a\ (?:reply|comment|review)
    | (?:\d+\ )?(?:comments?|replies|responses|thoughts)(?:\ \(\d+\))?$ | reply$ | quote$ | report$ | like$)
    | (?P<byline> about\ the\ author | author\ bio | written\ by | by\ \w+ | posted\ (?:by|on|in) | published
    | (?:last\ )?updated | (?:tags?|categories|topics):?$ | article\ tags | filed\ under | \d+\ min(?:ute)?s?\ read)
    | (?P<date> (?:\w{3,9}\.?\ )?\d{1,2}(?:st|nd|rd|th)?[\ ,./-]+(?:\w{3,9}|\d{1,2})[\ ,./-]+\d{2,4}\b
    | \d+\ (?:second|minute|hour|day|week|month|year)s?\ ago)
    | (?P<price> (?:from\ |price:?\ |usd\ )?[$\u20ac\u00a3]\ ?\d)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST: Final = 60
_MOST_CACHED: Final = 20_000
LINES: Final = tuple(_LINE.groupindex)


@cached_calls(_MOST_CACHED, longest=_LONGEST)
def line_purpose(text: str) -> str:
    """Return the purpose of a short line: a name in LINES, or "". Several rules ask for it of each line of a page."""
    if len(text) > _LONGEST:
        return ""
    match = _LINE.match(text)
    if match and match.lastgroup:
        return match.lastgroup
    return line_category(text)
