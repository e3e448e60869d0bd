"""Texts that nearly match what a reader looks for: names, dates, addresses, marks, words, sentences (Unicode, CommonMark)."""

from __future__ import annotations

from security.hostile.shapes import Builder, HostilePage, Piece, filled, fixed, sentence, words


def _text(piece: Piece, *, before: str = "", after: str = "") -> Builder:
    """Return a builder of articles with one long paragraph."""
    return filled(piece, before=f"<p>{before}", after=f"{after}</p>")


_FLOODS = {
    "stars": "*", "underscores": "_", "backticks": "`", "opening_brackets": "[", "closing_brackets": "]",
    "link_openings": "](", "image_openings": "![", "pipes": "|", "backslashes": "\\", "tildes": "~", "less_than": "&lt;",
    "greater_than": "> ", "hashes": "#", "dashes": "-", "equals": "=", "dollars": "$", "ampersands": "&amp;",
    "parentheses": "(", "braces": "{", "quotes": '"', "apostrophes": "'", "curly_quotes": "“‘", "guillemets": "«‹",
    "dots": ".", "spaced_dots": ". ", "ellipses": "…", "commas": ",", "colons": ":", "slashes": "/", "at_signs": "@",
    "percent_signs": "%", "exclamations": "?!", "digits": "7", "letters": "a", "dashes_and_spaces": "- ",
    "long_dashes": "—", "bullets": "• ", "plus": "+ ", "carets": "^", "middle_dots": "·",
}  # fmt: skip

_NEAR_MISSES = {
    "emails": "a.b-c+d.", "email_domains": "a@b-", "emails_without_end": "x@y.z@", "dates_iso": "2024-01-",
    "dates_slashes": "12/11/", "dates_words": "January 1, ", "dates_months": "Jan Feb ", "times": "12:34:",
    "times_ago": "10 minutes ag ", "time_ranges": "9am-", "urls": "http://", "urls_www": "www.", "urls_dotted": "a.b.c.",
    "urls_brackets": "http://a.b/(c_(", "domains": "x-", "bylines": "By ", "bylines_names": "By Anna Berg and ",
    "bylines_capitals": "Anna-Maria O'", "initials": "J. R. ", "abbreviations": "Mr. Dr. ", "acronyms": "U.S.A.",
    "updated": "Updated: Published: ", "reading_time": "5 min re ", "prices": "$1,000.", "prices_signs": "$ € 1.",
    "numbers_grouped": "1,000,", "numbers_spaced": "1 000 ", "versions": "1.2.", "enumeration": "1. ", "letters_listed": "a) b) ",
    "snake_case": "a_b_", "camel_case": "aB", "hashtags": "#a", "mentions": "@a ", "title_separators": "sea | low - ",
    "citations": "[1][2](", "footnotes": "[^1]: ", "wiki_links": "[[a|b", "tex_openings": r"\(\[", "tex_begin": r"\begin{a}",
    "tex_dollars": "$a$$", "mustache": "{{a}}{%", "phone_numbers": "+1 (23", "isbn": "978-3-", "hex": "0xdeadbeef",
    "base64": "aGVsbG8+/", "uuids": "123e4567-e89b-", "paths": "../a/", "windows_paths": "C:\\a\\", "query_strings": "&a=b&",
    "share_words": "Share this Tweet ", "copyright": "Copyright © 2024 All ", "cookies": "We use cookies to ",
    "subscribe": "Subscribe now Sign up ", "more": "Read more » ", "comments": "3 comments Reply ", "emoticons": ":-) ;",
    "html_text": '&lt;div class="a"&gt;', "markdown_rows": "|---|", "markdown_setext": "===\n---\n", "roman": "xiv. iii) ",
}  # fmt: skip

_UNICODE = {
    "zero_width": ("a\u200b\u200c\u200d\u2060\ufeff", "Unicode, Format characters"),
    "bidi_embeddings": ("\u202a\u202ba", "Unicode Bidirectional Algorithm, Explicit embeddings"),
    "bidi_isolates": ("\u2066\u2067\u2068a", "Unicode Bidirectional Algorithm, Isolates"),
    "bidi_closed": ("\u202ea\u202c\u2066b\u2069", "Unicode Bidirectional Algorithm"),
    "combining_marks": ("\u0301", "Unicode, Canonical ordering"),
    "combining_marks_unordered": ("\u0301\u0316", "Unicode, Canonical ordering"),
    "combining_letters": ("a\u0301\u0316\u0321", "Unicode Normalization Forms"),
    "jamo": ("\u1100\u1161\u11a8", "Unicode, Conjoining jamo"),
    "jamo_leading": ("\u1100", "Unicode Text Segmentation, GB6"),
    "joined_emoji": ("\U0001f468\u200d", "Unicode Text Segmentation, GB11"),
    "flags": ("\U0001f1e6", "Unicode Text Segmentation, GB12"),
    "emoji_modifiers": ("\U0001f44d\U0001f3fd\ufe0f", "Unicode Emoji"),
    "tags": ("\U0001f3f4\U000e0067\U000e0062", "Unicode, Tag characters"),
    "variation_selectors": ("a\ufe0f\U000e0100", "Unicode, Variation selectors"),
    "ligatures_expanding": ("\ufdfa", "Unicode Normalization Forms, Compatibility decomposition"),
    "case_expanding": ("\u0130\u1e9e\u0390ß", "Unicode, Special casing"),
    "chinese": ("海岸的燈塔", "Unicode Text Segmentation, Words"),
    "thai": ("ประภาคาร", "Unicode Text Segmentation, Words"),
    "khmer": ("ប្រ\u17d2", "Unicode Text Segmentation, Graphemes"),
    "arabic": ("منارة\u0640", "Unicode, Arabic shaping"),
    "devanagari": ("क्\u200dषि", "Unicode Text Segmentation, GB9c"),
    "prepended": ("\u0600\u0601", "Unicode Text Segmentation, GB9b"),
    "soft_hyphens": ("a\u00ad", "Unicode Line Breaking"),
    "no_break_spaces": ("\u00a0\u202f", "Unicode, Space characters"),
    "wide_spaces": ("\u3000\u2003\u2009", "Unicode, Space characters"),
    "line_separators": ("a\u2028b\u2029", "Unicode, Line separators"),
    "private_use": ("\ue000\U000f0000", "Unicode, Private use"),
    "confusables": ("аα", "Unicode Security Mechanisms"),
    "fullwidth": ("ｓｅａ１２：", "Unicode, Fullwidth forms"),
    "numerals": ("²①Ⅳ٣", "Unicode, Numeric values"),
    "mathematical_letters": ("𝐬𝐞𝐚", "Unicode, Mathematical alphanumeric symbols"),
}  # fmt: skip

PAGES = (
    *(
        HostilePage(
            f"flood_of_{name}",
            "CommonMark, Backslash escapes and Inlines",
            "One run of a mark has n characters, which must be escaped, shortened or searched for a partner.",
            _text(piece, before="sea ", after=" low"),
        )
        for name, piece in _FLOODS.items()
    ),
    *(
        HostilePage(
            f"near_{name}",
            "HTML, Text; expressions that are usual for this kind of text",
            "A run of beginnings that end in nothing: a search from each of n places runs on to the end.",
            _text(piece, before="sea ", after=" !"),
        )
        for name, piece in _NEAR_MISSES.items()
    ),
    *(
        HostilePage(
            f"unicode_{name}",
            section,
            "One run of n such characters is normalised, segmented or looked through for hidden text.",
            _text(piece, before="sea ", after=" low"),
        )
        for name, (piece, section) in _UNICODE.items()
    ),
    HostilePage(
        "spaces",
        "CSS Text 3, White space processing",
        "n spaces follow one word.",
        _text(" ", before="sea", after="low"),
    ),
    HostilePage(
        "white_space_mixed",
        "CSS Text 3, White space processing",
        "Spaces of all kinds alternate with line breaks.",
        _text(" \n\t\u00a0\f ", before="sea", after="low"),
    ),
    HostilePage(
        "words_between_spaces",
        "CSS Text 3, White space processing",
        "Each word is followed by forty spaces.",
        _text("a" + " " * 40),
    ),
    HostilePage(
        "space_texts",
        "HTML, Inter-element white space",
        "n elements with nothing but space in them.",
        filled("<p> \n </p> \n <span> </span>"),
    ),
    HostilePage(
        "marks_mixed",
        "CommonMark, Emphasis and strong emphasis",
        "All marks of Markdown in turn.",
        _text("*_`[]()&lt;&gt;#+-.!|~\\{}"),
    ),
    HostilePage(
        "marks_by_turns",
        "CommonMark, Emphasis: delimiter runs",
        "Delimiters open and never close, in runs of different length.",
        _text(lambda i: "*" * (i % 3 + 1) + "a" + "_" * (i % 4 + 1)),
    ),
    HostilePage(
        "backtick_runs",
        "CommonMark, Code spans",
        "Runs of backticks of ever greater length have no partner.",
        _text(lambda i: "`" * (i % 500 + 1) + "a"),
    ),
    HostilePage(
        "brackets_nested",
        "CommonMark, Links",
        "Brackets nest n deep.",
        filled("[a](b", before="<p>" + "![[" * 50, after="])" * 50 + "</p>"),
    ),
    HostilePage(
        "lines_like_markdown",
        "CommonMark, Leaf and container blocks",
        "Each line begins as a block of Markdown.",
        filled(
            lambda i: (
                "# sea<br>",
                "- low<br>",
                "1. a<br>",
                "> b<br>",
                "```<br>",
                "+ c<br>",
                "***<br>",
                "| d |<br>",
                "    e<br>",
                "[f]: g<br>",
            )[i % 10],
            before="<p>",
            after="</p>",
        ),
    ),
    HostilePage(
        "paragraphs_like_markdown",
        "CommonMark, Leaf and container blocks",
        "Each paragraph begins as a block of Markdown.",
        filled(
            lambda i: (
                "<p>"
                + ("# sea", "- low", "1. a", "&gt; b", "```", "+ c", "***", "| d |", "[f]: g", "12345678901) h")[i % 10]
                + "</p>"
            )
        ),
    ),
    HostilePage(
        "code_like_markdown",
        "CommonMark, Fenced code blocks",
        "Code holds fences.",
        filled("```\n~~~\n````\n", before="<pre>", after="</pre>"),
    ),
    HostilePage(
        "posts_alike",
        "HTML, The article element",
        "n posts have the same text.",
        filled(
            "<article class=post><h2>The tide</h2><p>The harbour of the island was rebuilt after the storm.</p></article>"
        ),
    ),
    HostilePage(
        "posts_nearly_alike",
        "HTML, The article element",
        "n posts differ in one number.",
        filled(
            lambda i: (
                f"<article class=post><h2>The tide {i}</h2><p>The harbour of the island {i} was rebuilt after the storm.</p></article>"
            )
        ),
    ),
    HostilePage(
        "comments_nearly_alike",
        "HTML, The article element",
        "n comments differ in their names.",
        filled(
            lambda i: (
                f"<div class=comment><span class=author>user{i}</span><time>2024-01-0{i % 9 + 1}</time><p>{words(i % 5, 9)} {i}</p><a href=#r{i}>Reply</a></div>"
            )
        ),
    ),
    HostilePage(
        "comments_nested",
        "HTML, The article element",
        "Replies nest n deep.",
        filled(lambda i: f"<div class=comment><b>user{i}</b><p>{words(i, 7)}</p><div class=replies>"),
    ),
    HostilePage(
        "forum_thread",
        "Schema.org, DiscussionForumPosting",
        "n posts each quote the one before them.",
        filled(
            lambda i: (
                f"<div class='post' id=p{i}><div class=author>user{i % 7}</div><div class=body><blockquote>user{(i + 6) % 7} wrote: {words(i - 1, 9)}</blockquote>{words(i, 9)}</div><div class=sig>{words(i % 7, 5)}</div></div>"
            )
        ),
    ),
    HostilePage(
        "cards_alike",
        "HTML, Lists of links",
        "n cards with an image, a link, a price and a button.",
        filled(
            lambda i: (
                f"<div class=card><a href=/p/{i}><img src=/{i}.png alt='{words(i, 2)}'><h3>{words(i, 3)}</h3></a><span class=price>${i}.99</span><button>Add</button></div>"
            )
        ),
    ),
    HostilePage(
        "cards_of_links",
        "HTML, The nav element",
        "n links of one word.",
        filled(lambda i: f"<a href=/{i}>{words(i, 1)}</a> "),
    ),
    HostilePage(
        "paragraphs_alike",
        "HTML, The p element",
        "n equal paragraphs.",
        filled("<p>The harbour of the island was rebuilt in three stages.</p>"),
    ),
    HostilePage(
        "paragraphs_growing",
        "HTML, The p element",
        "Each paragraph begins as the one before it, and has one word more.",
        filled(lambda i: f"<p>{'sea ' * (i + 1)}</p>"),
    ),
    HostilePage(
        "paragraphs_sharing_their_start",
        "HTML, The p element",
        "n paragraphs share 400 characters and differ at the end.",
        filled(lambda i: f"<p>{'the sea is low at noon ' * 18}{i}</p>"),
    ),
    HostilePage(
        "paragraphs_short",
        "HTML, The p element",
        "n paragraphs of one letter.",
        filled(lambda i: f"<p>{'abcdefgh'[i % 8]}"),
    ),
    HostilePage(
        "headings",
        "HTML, The h1 to h6 elements",
        "n headings of each rank.",
        filled(lambda i: f"<h{i % 6 + 1}>{words(i, 3)}</h{i % 6 + 1}>"),
    ),
    HostilePage(
        "headings_like_title",
        "HTML, The h1 element",
        "n headings nearly match the title.",
        filled(lambda i: f"<h1>The harbour of the island {i}</h1>"),
    ),
    HostilePage("sentences", "Unicode Text Segmentation, Sentences", "One paragraph has n sentences.", _text(sentence)),
    HostilePage(
        "sentences_without_stops",
        "Unicode Text Segmentation, Sentences",
        "One sentence has n words.",
        _text(lambda i: words(i, 9) + " "),
    ),
    HostilePage(
        "sentences_of_abbreviations",
        "Unicode Text Segmentation, Sentences",
        "n stops, of which none ends a sentence.",
        _text("e.g. the U.S. vs. no. 7 a.m. "),
    ),
    HostilePage(
        "long_words",
        "Unicode Line Breaking",
        "n words of a thousand letters.",
        _text(lambda i: "harbour" * 140 + f"{i} "),
    ),
    HostilePage("words_all_different", "HTML, Text", "No two words are alike.", _text(lambda i: f"w{i * 7919:x} ")),
    HostilePage(
        "words_by_elements",
        "HTML, Phrasing content",
        "Each letter is an element.",
        filled("<span>s</span><span>e</span><b>a</b> ", before="<p>", after="</p>"),
    ),
    HostilePage(
        "escaped_page",
        "HTML, Character references",
        "A page as text.",
        filled("&lt;p class=&quot;a&quot;&gt;sea&lt;/p&gt;&lt;script&gt;", before="<p>", after="</p>"),
    ),
    HostilePage(
        "hidden_words",
        "CSS Display 3, display:none",
        "Every second word is hidden.",
        filled(
            lambda i: f"{words(i, 1)} <span style=display:none>{words(i + 3, 1)}</span> ", before="<p>", after="</p>"
        ),
    ),
    HostilePage(
        "tiny_letters",
        "CSS Fonts 4, font-size",
        "Every letter has a size of its own.",
        filled(lambda i: f"<span style='font-size:{i % 3}px;color:#fff{i % 10}'>a</span>", before="<p>", after="</p>"),
    ),
)

FIXED = (
    HostilePage(
        "emails_small",
        "WHATWG, Valid email address",
        "A local part that an expression with nested repetition tries in 2^n ways.",
        fixed(f"<p>{'a.' * 1500}a!</p>"),
        fixed=True,
    ),
    HostilePage(
        "urls_small",
        "WHATWG URL",
        "A host that an expression with nested repetition tries in 2^n ways.",
        fixed(f"<p>http://{'a-' * 1000}.{'a.' * 500}-/</p>"),
        fixed=True,
    ),
    HostilePage(
        "names_small",
        "HTML, Text",
        "Names that an expression with nested repetition splits in 2^n ways.",
        fixed(f"<p class=byline>By {'Anna ' * 400}{'Aa' * 400}1</p><p>Written by {'Mc' * 200}!</p>"),
        fixed=True,
    ),
    HostilePage(
        "marks_small",
        "Unicode, Canonical ordering",
        "Combining marks of falling classes, which sorting by exchange takes n^2 for.",
        fixed("<p>a" + "\u0301\u0316" * 900 + "</p>", attributes=""),
        fixed=True,
    ),
    HostilePage(
        "emphasis_small",
        "CommonMark, Emphasis",
        "Delimiter runs that a parser with backtracking pairs in 2^n ways.",
        fixed(f"<p>{'*a_' * 900}</p>"),
        fixed=True,
    ),
)
