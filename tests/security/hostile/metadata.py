"""Metadata that is long, deep, circular or nearly right (JSON-LD, schema.org, Open Graph, microdata, links, images, URLs)."""

from __future__ import annotations

from security.hostile.shapes import Builder, HostilePage, Piece, filled, fixed, halves, in_head, nested, words


def _json_ld(piece: Piece, *, before: str, after: str) -> Builder:
    """Return a builder of articles with one long JSON-LD block."""
    return in_head(piece, before=f'<script type="application/ld+json">{before}', after=f"{after}</script>")


def _script(piece: Piece, *, before: str = "", after: str = "") -> Builder:
    """Return a builder of articles with one long script."""
    return in_head(piece, before=f"<script>{before}", after=f"{after}</script>")


def _link_base(size_bytes: int) -> str:
    """Return n short links whose base has a path of n/2 bytes."""
    base = "https://example.com/" + "a/" * (size_bytes // 4)
    return filled(lambda i: f"<a href={i}>sea</a> ", head=f"<base href='{base}'>")(size_bytes)


def _doubled_graph(levels: int) -> str:
    """Return a graph of which each node names the next one twice."""
    nodes = ",".join(
        f'{{"@id":"#{i}","@type":"Article","headline":"a","author":{{"@id":"#{i + 1}"}},"isPartOf":[{{"@id":"#{i + 1}"}},{{"@id":"#{i + 1}"}}]}}'
        for i in range(levels)
    )
    return f'<script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{nodes}]}}</script>'


_CONTEXT = '{"@context":"https://schema.org","@type":"Article","headline":"The harbour",'

PAGES = (
    HostilePage(
        "graph_ring",
        "JSON-LD 1.1, Node identifiers",
        "n nodes name each other as author and publisher, in a ring.",
        _json_ld(
            lambda i: (
                f'{{"@id":"#{i}","@type":"Person","name":"a{i}","author":{{"@id":"#{i + 1}"}},"publisher":{{"@id":"#{i // 2}"}}}},'
            ),
            before='{"@context":"https://schema.org","@graph":[',
            after='{"@type":"Article","@id":"#z","author":{"@id":"#0"}}]}',
        ),
    ),
    HostilePage(
        "graph_of_articles",
        "JSON-LD 1.1, @graph",
        "n articles compete, each with an author found by id.",
        _json_ld(
            lambda i: (
                f'{{"@id":"#{i}","@type":["NewsArticle","BlogPosting"],"headline":"{words(i, 4)}","author":{{"@id":"#a{i}"}},"datePublished":"2024-01-{i % 28 + 1:02}"}},'
            ),
            before='{"@graph":[',
            after="{}]}",
        ),
    ),
    HostilePage(
        "graph_same_id",
        "JSON-LD 1.1, Flattening",
        "n nodes share one id, and are merged.",
        _json_ld(
            lambda i: f'{{"@id":"#a","@type":"T{i}","name":"n{i}","author":[{{"@id":"#a"}}]}},',
            before='{"@graph":[',
            after="{}]}",
        ),
    ),
    HostilePage(
        "graph_deep",
        "JSON-LD 1.1, Embedding",
        "Objects nest n deep.",
        _json_ld('{"@type":"Article","author":', before="", after="1"),
    ),
    HostilePage(
        "graph_deep_closed",
        "RFC 8259, Objects",
        "Objects nest n deep, and all are closed.",
        lambda size: in_head(
            '{"author":', before='<script type="application/ld+json">', after=f"1{'}' * (size // 12)}</script>"
        )(size),
    ),
    HostilePage("arrays_deep", "RFC 8259, Arrays", "Arrays nest n deep.", _json_ld("[", before="", after="")),
    HostilePage(
        "blocks_many",
        "JSON-LD 1.1, Multiple blocks in HTML",
        "n blocks of one object.",
        in_head(
            lambda i: f'<script type="application/ld+json">{{"@type":"Article","headline":"{words(i, 3)}"}}</script>'
        ),
    ),
    HostilePage(
        "blocks_broken",
        "RFC 8259, Grammar",
        "n blocks that are nearly JSON.",
        in_head("<script type=application/ld+json>{'a':[1,2,],}//\n</script>"),
    ),
    HostilePage(
        "json_truncated",
        "RFC 8259, Grammar",
        "One long block lacks its end, so that a reader that mends it tries again and again.",
        _json_ld('{"a":"b","c":[1,{"d":', before="[", after=""),
    ),
    HostilePage(
        "json_trailing_commas",
        "RFC 8259, Grammar",
        "One long block has commas too many.",
        _json_ld('{"a":"b",},', before="[", after="]"),
    ),
    HostilePage(
        "json_escapes",
        "RFC 8259, Strings",
        "One string has n escapes, among them halves of pairs.",
        _json_ld(r"\u00e9\ud83d\"\\\/", before=_CONTEXT + '"articleBody":"', after='"}'),
    ),
    HostilePage(
        "json_unclosed_strings",
        "RFC 8259, Strings",
        "Quotes open strings that line breaks and escapes leave open.",
        _json_ld('"a\\"\n:"', before="{", after="}"),
    ),
    HostilePage(
        "json_comments",
        "HTML, Script data; JSON-LD",
        "Comments and sections around JSON.",
        _json_ld("<!-- /* //<![CDATA[\n", before="", after='{"@type":"Article"}'),
    ),
    HostilePage(
        "json_html_in_strings",
        "schema.org, articleBody",
        "The body within JSON is HTML, escaped twice.",
        _json_ld("&lt;p&gt;&amp;lt;b&amp;gt;sea<br>", before=_CONTEXT + '"articleBody":"', after='"}'),
    ),
    HostilePage(
        "authors_many",
        "schema.org, author",
        "One article has n authors.",
        _json_ld(
            lambda i: f'{{"@type":"Person","name":"{words(i, 2).title()} {i}"}},',
            before=_CONTEXT + '"author":[',
            after="{}]}",
        ),
    ),
    HostilePage(
        "author_of_n_names",
        "schema.org, author",
        "The name of one author has n names, separated in each way.",
        _json_ld("Anna Berg, Bo Carl and Dr. Eva, ", before=_CONTEXT + '"author":"', after='"}'),
    ),
    HostilePage(
        "types_many",
        "JSON-LD 1.1, @type",
        "One node has n types.",
        _json_ld(lambda i: f'"http://schema.org/T{i}",', before='{"headline":"a","@type":[', after='"Article"]}'),
    ),
    HostilePage(
        "offers_nested",
        "schema.org, offers",
        "Offers have offers.",
        _json_ld(
            '{"@type":"Product","price":"1","priceCurrency":"EUR","offers":[{"@type":"Offer"},', before="", after=""
        ),
    ),
    HostilePage(
        "answers_many",
        "schema.org, QAPage",
        "n questions with answers that also stand in the text.",
        halves(
            lambda i: f'{{"@type":"Question","name":"{words(i, 4)}?","acceptedAnswer":{{"text":"{words(i, 8)}"}}}},',
            lambda i: f"<h3>{words(i, 4)}?</h3><p>{words(i, 8)}</p>",
            before='<script type="application/ld+json">{"@type":"FAQPage","mainEntity":[',
            between="{}]}</script>",
        ),
    ),
    HostilePage(
        "breadcrumbs",
        "schema.org, BreadcrumbList",
        "A list of n positions, in reverse.",
        _json_ld(
            lambda i: f'{{"@type":"ListItem","position":{99999 - i},"name":"{words(i, 1)}","item":"/{i}"}},',
            before='{"@type":"BreadcrumbList","itemListElement":[',
            after="{}]}",
        ),
    ),
    HostilePage(
        "microdata_deep",
        "HTML, Microdata, itemscope",
        "Items nest n deep.",
        nested("<div itemscope itemtype=http://schema.org/Article itemprop=author><b itemprop=name>a</b>", "</div>"),
    ),
    HostilePage(
        "microdata_references",
        "HTML, Microdata, itemref",
        "n items refer to n elements, in a ring.",
        filled(
            lambda i: (
                f"<div itemscope id=i{i} itemprop=author itemref='i{i + 1} i{i // 2} i0'><b itemprop=name>a</b></div>"
            )
        ),
    ),
    HostilePage(
        "microdata_properties",
        "HTML, Microdata, itemprop",
        "One item has n properties, each with many names.",
        filled(
            "<b itemprop='name author headline datePublished a b c d e f'>sea</b>",
            before="<div itemscope itemtype=http://schema.org/Article>",
            after="</div>",
        ),
    ),
    HostilePage(
        "microdata_names",
        "HTML, Microdata, itemprop",
        "One element has n names.",
        filled(lambda i: f"n{i} ", before="<div itemscope><b itemprop='", after="'>sea</b></div>"),
    ),
    HostilePage(
        "rdfa",
        "RDFa Core 1.1",
        "Prefixes, types and properties nest n deep.",
        nested(
            lambda i: f"<div vocab=v prefix='p{i}: http://a/{i}' typeof=p{i}:B property='p{i}:c author'>a", "</div>"
        ),
    ),
    HostilePage(
        "microformats",
        "Microformats 2, h-entry",
        "Entries, cards and feeds nest n deep.",
        nested(
            "<div class='h-feed h-entry hentry'><a class='p-author h-card url fn' href=x>a</a><time class=dt-published>b</time>",
            "</div>",
        ),
    ),
    HostilePage(
        "open_graph",
        "Open Graph protocol, Arrays",
        "n properties of each kind.",
        in_head(
            lambda i: (
                f"<meta property=og:image content=/{i}.png><meta property=og:image:width content={i}><meta property=article:tag content=t{i}><meta property=article:author content='{words(i, 2)}'>"
            )
        ),
    ),
    HostilePage(
        "metas_many",
        "HTML, Standard metadata names",
        "n descriptions, authors and dates.",
        in_head(
            lambda i: (
                f"<meta name=author content='{words(i, 2)}'><meta name=description content='{words(i, 5)}'><meta name=date content=2024-01-{i % 40}>"
            )
        ),
    ),
    HostilePage(
        "metas_of_all_names",
        "HTML, Other metadata names",
        "n names, no two alike.",
        in_head(lambda i: f"<meta name=dc.title.{i} property=og:x{i} itemprop=y{i} content={i}>"),
    ),
    HostilePage(
        "citation_metas",
        "Highwire Press tags",
        "n authors, references and dates.",
        in_head(
            lambda i: (
                f"<meta name=citation_author content='Berg, A{i}'><meta name=citation_reference content='title=a;author=b;c={i}'>"
            )
        ),
    ),
    HostilePage(
        "description_long",
        "HTML, Standard metadata names",
        "One description has n bytes of marks.",
        in_head("a, b; c | d - e ", before="<meta name=description content='", after="'>"),
    ),
    HostilePage(
        "keywords_long",
        "HTML, keywords",
        "One list has n words.",
        in_head(lambda i: f"{words(i, 1)}{i}, ", before="<meta name=keywords content='", after="'>"),
    ),
    HostilePage(
        "title_separators",
        "HTML, The title element",
        "One title has n parts.",
        in_head("sea | low - tide » ", before="<title>", after="</title>"),
    ),
    HostilePage(
        "titles_many",
        "HTML, The title element",
        "n titles, of which the first counts.",
        in_head(lambda i: f"<title>{words(i, 3)}</title>"),
    ),
    HostilePage(
        "title_and_headings",
        "HTML, The title element",
        "A title of n/2 bytes is compared with n headings.",
        lambda size: filled(
            lambda i: f"<h1>{words(i, 3)}</h1><h2>{words(i + 1, 2)}</h2>", head=f"<title>{words(1, size // 14)}</title>"
        )(size),
    ),
    HostilePage(
        "heading_of_n_bytes",
        "HTML, The h1 element",
        "A heading of n/2 bytes is compared with a title of as many.",
        lambda size: filled(
            "tide - sea | ", before="<h1>", after="</h1>", head=f"<title>{'tide - sea | ' * (size // 26)}</title>"
        )(size),
    ),
    HostilePage(
        "alternates",
        "HTML, Link type alternate",
        "n links with languages.",
        in_head(lambda i: f"<link rel=alternate hreflang=l{i % 700}-x{i} href=https://example.com/{i}/>"),
    ),
    HostilePage(
        "canonicals",
        "RFC 6596, canonical",
        "n canonical addresses, next and previous pages.",
        in_head(lambda i: f"<link rel='canonical next prev amphtml shortlink' href='https://example.com/{i}?p={i}'>"),
    ),
    HostilePage(
        "relations_many",
        "HTML, Link types",
        "One link has n relations.",
        in_head(lambda i: f"r{i} ", before="<link href=/a rel='", after="canonical'>"),
    ),
    HostilePage(
        "feeds_and_icons",
        "HTML, Link types icon and alternate",
        "n feeds and icons.",
        in_head(
            lambda i: (
                f"<link rel=alternate type=application/rss+xml title='{words(i, 2)}' href=/f{i}><link rel=icon sizes='{i}x{i} any' href=/i{i}>"
            )
        ),
    ),
    HostilePage(
        "srcset_candidates",
        "HTML, Parsing a srcset attribute",
        "One image has n candidates.",
        filled(
            lambda i: f"/a{i}.png {i + 1}w, ",
            before="<img alt=sea sizes='(min-width:1px) 2px, 3vw' src=/a.png srcset='",
            after="/b.png 9x'>",
        ),
    ),
    HostilePage(
        "srcset_commas",
        "HTML, Parsing a srcset attribute",
        "Commas and spaces without candidates.",
        filled(", ,,", before="<img alt=sea srcset='", after="/b.png 9x'>"),
    ),
    HostilePage(
        "srcset_brackets",
        "HTML, Parsing a srcset attribute: in parens",
        "Descriptors open brackets and never close them.",
        filled("/a.png (1x, ", before="<img alt=sea srcset='", after="/b.png 9x'>"),
    ),
    HostilePage(
        "srcset_data_urls",
        "HTML, Parsing a srcset attribute",
        "Candidates are data URLs with commas.",
        filled("data:image/png;base64,aGV sbG8,= 1x,", before="<img alt=sea srcset='", after="/b.png 9x'>"),
    ),
    HostilePage(
        "srcset_spaces",
        "HTML, Parsing a srcset attribute",
        "One candidate is followed by n spaces.",
        filled(" ", before="<img alt=sea srcset='/a.png", after="9x'>"),
    ),
    HostilePage(
        "sizes_long",
        "HTML, Parsing a sizes attribute",
        "One list has n conditions.",
        filled(
            "(min-width:calc((1px))) calc(1vw + (2px)), ", before="<img alt=sea srcset='/a 1w' sizes='", after="1px'>"
        ),
    ),
    HostilePage(
        "pictures",
        "HTML, The picture element",
        "One picture has n sources.",
        filled(
            lambda i: f"<source media='(min-width:{i}px)' srcset='/a{i} 1x,/b{i} 2x' type=image/a{i}>",
            before="<picture>",
            after="<img src=/z alt=sea></picture>",
        ),
    ),
    HostilePage(
        "images",
        "HTML, The img element",
        "n images with texts, titles and captions.",
        filled(
            lambda i: (
                f"<figure><img src=/{i}.png alt='{words(i, 3)}' title='{words(i, 2)}'><figcaption>{words(i, 3)}</figcaption></figure>"
            )
        ),
    ),
    HostilePage(
        "alternative_text_long",
        "HTML, The alt attribute",
        "One alternative text has n bytes of marks.",
        filled("[sea](low) *a* ", before="<img src=/a.png alt='", after="'>"),
    ),
    HostilePage(
        "times_many",
        "HTML, The time element",
        "n dates of every form.",
        filled(
            lambda i: (
                f"<time datetime='2024-{i % 12 + 1:02}-{i % 31 + 1:02}T{i % 24:02}:00Z'>{i % 31} Jan 2024</time><time>yesterday at {i}:00</time> "
            )
        ),
    ),
    HostilePage(
        "times_near",
        "HTML, Date and time strings",
        "Dates with n digits and signs.",
        filled(
            "<time datetime='+99999-13-45T25:61:61.999999999+99:99'>32/13/99999</time><time datetime=PT9W9D9H>1st of Smarch</time>"
        ),
    ),
    HostilePage(
        "bylines_many",
        "HTML, Link type author",
        "n places that may name an author.",
        filled(
            lambda i: (
                f"<p class='byline author'>By <a rel=author href=/{i}>{words(i, 2).title()}</a></p><address>{words(i, 2)}</address>"
            )
        ),
    ),
    HostilePage(
        "byline_long",
        "HTML, Text",
        "One byline has n names.",
        filled("Anna Berg, Bo Carl and ", before="<p class=byline>By ", after="Eva Dahl</p>"),
    ),
    HostilePage(
        "byline_nested",
        "HTML, Text",
        "Bylines nest n deep.",
        nested("<span class='byline author'>By ", "</span>", core="Anna Berg"),
    ),
    HostilePage(
        "dates_in_text",
        "HTML, Text",
        "n elements of class date with near dates.",
        filled(
            lambda i: (
                f"<span class='date published'>Published on {i} {('Jan', 'Foo', 'Sept.')[i % 3]} {i * 7} at {i}:{i}</span> "
            )
        ),
    ),
    HostilePage(
        "prices",
        "schema.org, Offer",
        "n prices in each writing.",
        filled(
            lambda i: f"<span class=price itemprop=price content={i}.{i}>€ {i}.{i:03},{i % 100:02} – $1'{i:03}</span> "
        ),
    ),
    HostilePage(
        "languages",
        "HTML, The lang attribute; BCP 47",
        "Languages nest n deep.",
        nested(lambda i: f"<div lang=l{i}-Latn-x-{i} dir=rtl>sea", "</div>"),
    ),
    HostilePage(
        "language_long",
        "BCP 47",
        "The tag of the page has n subtags.",
        in_head("en-", before="<meta http-equiv=content-language content='", after="x'>"),
    ),
    HostilePage(
        "addresses_long",
        "WHATWG URL, Path state",
        "Paths with n dots are resolved for each link.",
        filled(lambda i: f"<a href='{'../a/./' * 60}{i}'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_dots",
        "WHATWG URL, Path state",
        "One path goes n times up and down.",
        filled("a/../%2e%2E/./", before="<a href='https://example.com/", after="b'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_escapes",
        "WHATWG URL, Percent-encoding",
        "One query has n escapes and signs to be escaped.",
        filled("%ZZ% é%25&=+'`", before='<a href="https://example.com/?', after='">sea</a>'),
    ),
    HostilePage(
        "address_of_n_ats",
        "WHATWG URL, Authority state",
        "The credentials of one address hold n signs; each is escaped with all before it.",
        filled("a@:", before="<a href='https://", after="example.com/'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_labels",
        "WHATWG URL, Host parsing",
        "One host has n labels.",
        filled("xn--a-.b-.é.", before="<a href='https://", after="com/'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_slashes",
        "WHATWG URL, Special authority ignore slashes state",
        "One address has n slashes.",
        filled("/\\", before="<a href='https:", after="example.com'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_breaks",
        "WHATWG URL, Tabs and newlines are removed",
        "One address has n line breaks.",
        filled("a\n\t", before="<a href='\nhttps://", after=".com/'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_digits",
        "WHATWG URL, IPv4 parser",
        "A host of n digits, and a port of as many.",
        filled("9", before="<a href='http://1.2.3.", after=":99/'>sea</a>"),
    ),
    HostilePage(
        "address_of_n_parameters",
        "WHATWG URL, application/x-www-form-urlencoded",
        "One query has n parameters, among them n to be left out.",
        filled(
            lambda i: f"utm_a{i}=b&utm_source={i}&ref={i}&",
            before="<a href='https://example.com/?",
            after="'>sea</a><link rel=canonical href='?a=b'>",
        ),
    ),
    HostilePage(
        "base_long", "HTML, The base element", "n relative links are resolved against a base of n/2 bytes.", _link_base
    ),
    HostilePage(
        "bases_many",
        "HTML, The base element",
        "n bases, of which the first counts.",
        in_head(lambda i: f"<base href=/{i}/ target=a{i}>"),
    ),
    HostilePage(
        "links_many",
        "HTML, The a element",
        "n links, no two alike.",
        filled(
            lambda i: f"<p>{words(i, 4)} <a href='https://example.com/{i}' title='{words(i, 2)}'>{words(i, 2)}</a>.</p>"
        ),
    ),
    HostilePage(
        "links_alike",
        "HTML, The a element",
        "n equal links.",
        filled("<a href='https://example.com/a(b)c d'>sea [low](x)</a> "),
    ),
    HostilePage(
        "links_empty",
        "HTML, The a element",
        "n links without a text, or with an image only.",
        filled("<a href=/a></a><a href=/b><img src=c></a><a name=d></a>"),
    ),
    HostilePage(
        "fragments",
        "HTML, Navigating to a fragment",
        "n links to n ids.",
        filled(lambda i: f"<a href=#s{i}>{words(i, 2)}</a><h3 id=s{i}>{words(i, 2)}</h3><a href=#n{i}>absent</a>"),
    ),
    HostilePage(
        "footnotes",
        "HTML, Footnotes; DPUB-ARIA",
        "n notes with marks and returns.",
        filled(
            lambda i: (
                f"<p>{words(i, 4)}<sup id=r{i}><a href=#fn{i} role=doc-noteref>[{i}]</a></sup></p><li id=fn{i} role=doc-endnote>{words(i, 4)} <a href=#r{i}>↩</a></li>"
            )
        ),
    ),
    HostilePage(
        "footnotes_apart",
        "HTML, Footnotes",
        "n marks, then n notes.",
        halves(
            lambda i: f"sea<a href=#fn-{i}><sup>{i}</sup></a> ",
            lambda i: f"<li id=fn-{i}>{words(i, 2)}",
            between="<ol class=footnotes>",
            after="</ol>",
        ),
    ),
    HostilePage(
        "refreshes",
        "HTML, The refresh pragma",
        "n refreshes with near addresses.",
        in_head("<meta http-equiv=refresh content='9;;, url = \"x'>"),
    ),
    HostilePage(
        "charsets",
        "HTML, The meta element, charset",
        "n charsets.",
        in_head("<meta charset=utf-7><meta http-equiv=content-type content='text/html;charset=;charset = \"x'>"),
    ),
    HostilePage(
        "state_braces",
        "HTML, Script data; serialised state",
        "A script opens n braces: a search for an object from each brace runs on to the end.",
        _script("{", before="window.__INITIAL_STATE__=", after=""),
    ),
    HostilePage(
        "state_objects_unclosed",
        "HTML, Script data; serialised state",
        "A script opens n objects with texts and closes none.",
        _script('{"html":"<p>sea low tide</p>","a":[', before="window.__DATA__=", after=""),
    ),
    HostilePage(
        "state_large",
        "HTML, Script data; serialised state",
        "A script holds n records of text.",
        in_head(
            lambda i: f'{{"id":{i},"title":"{words(i, 3)}","body":"<p>{words(i, 12)}</p>"}},',
            before='<script id=__NEXT_DATA__ type=application/json>{"props":[',
            after="{}]}</script>",
        ),
    ),
    HostilePage(
        "state_pushes",
        "HTML, Script data; serialised state",
        "n scripts push pieces of a stream.",
        in_head(
            lambda i: (
                f'<script>self.__next_f.push([1,"{i}:[\\"$\\",\\"p\\",null,{{\\"children\\":\\"{words(i, 6)}\\"}}]"])</script>'
            )
        ),
    ),
    HostilePage(
        "state_assignments",
        "HTML, Script data; serialised state",
        "n assignments that are nearly JSON.",
        _script(lambda i: f"window.a{i} = {{b:'c',d:{{\"e\":`f`}}}};var g={{"),
    ),
    HostilePage(
        "script_quotes", "ECMAScript, String literals", "Quotes and escapes, none of them closed.", _script("'\"`\\'${")
    ),
    HostilePage(
        "script_hides",
        "HTML, Script data",
        "n scripts that name display and hidden.",
        filled(
            lambda i: (
                f"<script>document.getElementById('a{i}').style.display='none';document.write('<p>{i}')</script><p id=a{i}>sea</p>"
            )
        ),
    ),
    HostilePage(
        "payment_walls",
        "schema.org, isAccessibleForFree",
        "n parts with selectors.",
        halves(
            lambda i: f'{{"@type":"WebPageElement","isAccessibleForFree":false,"cssSelector":".p{i} > :is(a,b) p"}},',
            lambda i: f"<div class=p{i}><p>{words(i, 4)}</p></div>",
            before='<script type="application/ld+json">' + _CONTEXT + '"hasPart":[',
            between="{}]}</script>",
        ),
    ),
    HostilePage(
        "navigation",
        "HTML, The nav element",
        "n links in nested lists of a menu.",
        filled(
            lambda i: (
                f"<nav><ul><li><a href=/{i}>{words(i, 1)}</a><ul><li><a href=/{i}/b>{words(i, 2)}</a></ul></ul></nav>"
            )
        ),
    ),
    HostilePage(
        "pagination",
        "HTML, Link types next and prev",
        "n links to further pages.",
        filled(lambda i: f"<a rel=next class='page-numbers next' href='?page={i}'>{i}</a> "),
    ),
    HostilePage(
        "accessibility_attributes",
        "WAI-ARIA 1.2",
        "n elements with roles and labels.",
        filled(
            lambda i: (
                f"<div role=region aria-label='{words(i, 3)}' aria-roledescription=a aria-hidden={('true', 'false')[i % 2]}>{words(i, 3)}</div>"
            )
        ),
    ),
)

FIXED = (
    HostilePage(
        "graph_doubled",
        "JSON-LD 1.1, Node identifiers",
        "Each of 24 nodes names the next one three times.",
        fixed(head=_doubled_graph(24)),
        fixed=True,
    ),
    HostilePage(
        "microdata_doubled",
        "HTML, Microdata, itemref",
        "Each of forty items refers to the next one twice, by two elements.",
        fixed(
            "".join(
                f"<div id=m{i} itemscope itemprop=author itemref='m{i + 1} n{i + 1}'></div><b id=n{i} itemprop=name>a</b>"
                for i in range(40)
            )
        ),
        fixed=True,
    ),
    HostilePage(
        "json_numbers",
        "RFC 8259, Numbers",
        "Numbers that are not, and an integer of 4,000 digits.",
        fixed(
            head=f'<script type="application/ld+json">{{"@type":"Product","name":"a","offers":{{"price":{"9" * 3000},"b":NaN,"c":-Infinity,"d":1e99999}}}}</script>'
        ),
        fixed=True,
    ),
    HostilePage(
        "json_number_beyond_conversion",
        "RFC 8259, Numbers",
        "An integer of 4,400 digits, which Python refuses to convert.",
        lambda _size: (
            f'<script type="application/ld+json">{{"@type":"Product","price":{"9" * 4400}}}</script><p>{words(3, 40)}</p>'
        ),
        fixed=True,
    ),
    HostilePage(
        "json_deep_small",
        "RFC 8259, Objects",
        "Two thousand nested arrays, closed.",
        fixed(
            head=f'<script type="application/ld+json">{{"@type":"Article","author":{"[" * 1800}{"]" * 1800}}}</script>'
        ),
        fixed=True,
    ),
    HostilePage(
        "json_wrong_types",
        "schema.org; JSON-LD 1.1",
        "Each property has a value of a wrong type.",
        fixed(
            head="<script type=application/ld+json>"
            '[null,1,"a",[[]],{"@graph":{"@graph":"x"}},{"@type":{"a":[]},"@id":[1],"headline":{"a":1},"author":[[["a"],1],null],'
            '"datePublished":{"@value":["2024"]},"publisher":1,"image":[[{"url":{"url":[]}}]],"articleBody":[1],"offers":"x",'
            '"inLanguage":{"name":[]},"keywords":{"a":1},"mainEntity":[1,[2]],"hasPart":"x","isAccessibleForFree":[],"url":1}]</script>'
            '<script type=application/ld+json>{"@type":"Article","headline":"\\ud800","name":"\\u0000","author":{"name":"\\udfff"}}</script>'
        ),
        fixed=True,
    ),
    HostilePage(
        "addresses_wrong",
        "WHATWG URL",
        "Addresses that a parser must refuse.",
        fixed(
            "".join(
                f"<a href='{address}'>sea</a><img src='{address}' alt=a srcset='{address} 1x'>"
                for address in (
                    "http://[",
                    "http://[::1",
                    "//",
                    "http://a:99999999",
                    "http://%zz/",
                    "http://xn--/",
                    "http://a b/",
                    "\\\\a",
                    "http://²/",
                    "http://1.2.3.4.5/",
                    "http://[::ffff:1.2.3.999]",
                    "http:///",
                    "data:,",
                    "mailto:",
                    "a:b:c://d",
                    "http://\u2100/",
                    "http://a\u0000b/",
                    "http://-.-/",
                    "?\ud83d",
                    "#" * 9,
                    "http://0x7f.1/",
                    "%",
                    "http://user:@/",
                )
            )
            .encode("utf-8", "replace")
            .decode(),
            head="<base href='http://['><link rel=canonical href='http://[::'><meta property=og:url content='http://a:b'>",
        ),
        fixed=True,
    ),
    HostilePage(
        "dates_wrong",
        "HTML, Date and time strings",
        "Dates outside each range.",
        fixed(
            "".join(
                f"<time datetime='{date}' pubdate>{date}</time> "
                for date in (
                    "0000-00-00",
                    "9999-12-31T24:00",
                    "99999-01-01",
                    "-0001-01-01",
                    "2024-02-30",
                    "2024-W99-9",
                    "2024-366",
                    "10000000000000000",
                    "1e400",
                    "²⁰²⁴-01-01",
                    "2024-01-01T00:00:00+99:99",
                    "24:60",
                    "Jan 99, 99999",
                    "32 Foo 0",
                    "P1Y2M3W4DT5H6M7.8S",
                    "-1",
                    "nan",
                )
            ),
            head="<meta property=article:published_time content='9999-12-31T23:59:59-23:59'><meta name=date content='0001-01-01T00:00:00+23:59'>"
            "<meta property=article:modified_time content='1e999'><meta name=pubdate content='99999999999999999999'>",
        ),
        fixed=True,
    ),
)
