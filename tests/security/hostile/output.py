"""Pages that are expensive to write as Markdown: emphasis, links, headings, figures (CommonMark; HTML, Text-level semantics)."""

from __future__ import annotations

from security.hostile.shapes import HostilePage, deep, filled, fixed, nested, words

PAGES = (
    HostilePage(
        "emphasis_nested",
        "HTML, The em and strong elements",
        "Emphasis nests n deep, with a text at each level.",
        nested("<b>a<i>b", "</i></b>"),
    ),
    HostilePage(
        "emphasis_adjacent",
        "CommonMark, Emphasis: flanking",
        "n emphasised letters touch each other.",
        filled("<b>a</b><i>b</i><b><i>c</i></b><s>d</s>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "emphasis_of_spaces",
        "CommonMark, Emphasis: flanking",
        "Emphasis begins and ends with space and marks.",
        filled("<b> a </b><i>*</i><em> </em><strong>_b_</strong>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "emphasis_of_blocks",
        "HTML, Phrasing content",
        "n blocks stand within one emphasis.",
        filled("<p>sea</p><h2>low</h2>", before="<strong><em><a href=/a>", after="</a></em></strong>"),
    ),
    HostilePage(
        "links_in_emphasis_in_links",
        "CommonMark, Links",
        "Links and emphasis alternate.",
        filled("<a href=/a><b><i>[sea]</i></b>(low)</a><b><a href='/b)c'>*</a></b>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "link_around_blocks",
        "HTML, The a element, transparent content",
        "One link holds n blocks.",
        filled(
            "<h2>sea</h2><p>The water of the pools is low at half past nine.</p><ul><li>a</ul>",
            before="<a href=/a>",
            after="</a>",
        ),
    ),
    HostilePage(
        "link_text_long",
        "CommonMark, Links",
        "One link has a text of n bytes with brackets.",
        filled("[sea](low)\\", before="<p><a href=/a>", after="</a></p>"),
    ),
    HostilePage(
        "link_address_long",
        "CommonMark, Link destinations",
        "One address has n brackets.",
        filled("(a)[b]", before="<p><a href='/a", after="'>sea</a></p>"),
    ),
    HostilePage(
        "link_title_long",
        "CommonMark, Link titles",
        "One title has n quotes and marks.",
        filled("&quot;a'()\\", before='<p><a href=/a title="', after='">sea</a></p>'),
    ),
    HostilePage(
        "scripts_raised",
        "HTML, The sub and sup elements",
        "Raised and lowered text nests n deep.",
        nested("<sup>a<sub>b", "</sub></sup>"),
    ),
    HostilePage(
        "scripts_flat",
        "HTML, The sub and sup elements",
        "n raised letters.",
        filled("x<sup>2</sup><sub>i</sub>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "semantics",
        "HTML, Text-level semantics",
        "All elements of this kind, in turn.",
        filled(
            "<abbr title=a>b</abbr><cite>c</cite><dfn>d</dfn><kbd>e</kbd><samp>f</samp><var>g</var><mark>h</mark><bdo dir=rtl>i</bdo><data value=1>j</data><q>k</q>",
            before="<p>",
            after="</p>",
        ),
    ),
    HostilePage(
        "edits", "HTML, The ins and del elements", "Edits nest n deep.", nested("<ins>a<del>b", "</del></ins>")
    ),
    HostilePage("quotes_inline", "HTML, The q element", "Quotes nest n deep.", nested("<q>a", "</q>")),
    HostilePage(
        "keys_nested",
        "HTML, The kbd and code elements",
        "Code within code nests n deep.",
        nested("<code>a<kbd>`b", "</kbd></code>"),
    ),
    HostilePage(
        "headings_nested",
        "HTML, The h1 to h6 elements",
        "Headings without ends nest n deep.",
        filled("<h2><span>sea<h3>"),
    ),
    HostilePage(
        "headings_with_anchors",
        "HTML, The h1 to h6 elements",
        "Headings with anchors, marks and line breaks.",
        filled(
            lambda i: (
                f"<h{i % 6 + 1}># <a name=a{i} href=#a{i}>¶</a>{words(i, 2)}<br>*low* #</h{i % 6 + 1}><p>{words(i, 4)}</p>"
            )
        ),
    ),
    HostilePage(
        "heading_long",
        "HTML, The h1 to h6 elements",
        "One heading has n bytes.",
        filled("sea # low ", before="<h2>", after="</h2>"),
    ),
    HostilePage(
        "figures_nested",
        "HTML, The figure element",
        "Figures nest n deep.",
        nested("<figure><figcaption>sea</figcaption><img src=/a alt=b>", "</figure>"),
    ),
    HostilePage(
        "embeds",
        "HTML, Embedded content",
        "n frames, videos and objects.",
        filled(
            lambda i: (
                f"<iframe src=https://www.youtube.com/embed/{i} title='{words(i, 2)}'></iframe><video src=/{i}.mp4><track src=/{i}.vtt></video><audio src=/{i}.mp3></audio><embed src=/e{i}>"
            )
        ),
    ),
    HostilePage(
        "empty_elements",
        "HTML, Flow content",
        "n elements without content, nested in threes.",
        filled("<div><p><b></b></p></div><ul><li></li></ul><h2></h2><table><tr><td></table>"),
    ),
    HostilePage(
        "inline_and_block",
        "CSS Display 3, Blockification",
        "Blocks within inline elements, by turns.",
        nested("<span>sea<div>low", "</div></span>"),
    ),
    HostilePage(
        "display_changed",
        "CSS Display 3",
        "Inline elements are blocks, and blocks are inline.",
        filled(
            "<span>sea</span><div>low</div>",
            before="<style>span{display:block}div{display:inline}li{display:table-cell}</style>",
        ),
    ),
    HostilePage(
        "display_contents",
        "CSS Display 3, display:contents",
        "n levels without boxes.",
        nested("<div style=display:contents>", "</div>", core="<p>sea</p>"),
    ),
    HostilePage(
        "tables_by_style",
        "CSS Tables 3",
        "Tables made of divs.",
        filled(
            "<div style=display:table-row><div style=display:table-cell>a</div><i style=display:table-cell>b</i></div>",
            before="<div style=display:table>",
            after="</div>",
        ),
    ),
    HostilePage(
        "letters_split",
        "HTML, Phrasing content",
        "A word is split into elements and comments at each letter.",
        filled("<b>s</b><!-- -->e<wbr>a&shy;<i>l</i>", before="<p>", after="</p>"),
    ),
    HostilePage(
        "sections_with_asides",
        "HTML, The aside element",
        "Asides, footers and navigation stand between paragraphs.",
        filled(
            lambda i: (
                f"<aside class=related>{words(i, 5)}</aside><p>{words(i, 8)}.</p><footer>{words(i, 2)}</footer><nav><a href=/{i}>a</a></nav>"
            )
        ),
    ),
    HostilePage(
        "articles_nested",
        "HTML, The article element",
        "Articles nest n deep, each with enough text to be chosen.",
        nested(lambda i: f"<article><main><p>{words(i, 14)}, {words(i + 1, 9)}.</p>", "</main></article>"),
    ),
    HostilePage(
        "levels_times_paragraphs",
        "HTML, Flow content",
        "n paragraphs stand within n levels, and pass their weight to each.",
        deep("", "<div class=content>", "</div>", lambda i: f"<p>{words(i, 9)}, {words(i + 1, 4)}.</p>"),
    ),
    HostilePage(
        "levels_times_links",
        "HTML, The a element",
        "n links stand within n levels.",
        deep("", "<div class=content>", "</div>", lambda i: f"<a href=/{i}>{words(i, 2)}</a> "),
    ),
    HostilePage(
        "levels_times_words",
        "HTML, Phrasing content",
        "n inline elements stand within n inline elements.",
        deep("", "<span>", "</span>", "<i>a</i> "),
    ),
    HostilePage(
        "levels_hidden_times_paragraphs",
        "HTML, The hidden attribute",
        "n hidden paragraphs stand within n levels.",
        deep("", "<div class=content>", "</div>", lambda i: f"<p hidden>{words(i, 5)}</p><p>{words(i, 3)}</p>"),
    ),
    HostilePage(
        "branches",
        "HTML, Flow content",
        "Each level branches in two, and one branch goes on.",
        nested(lambda i: f"<div><div><p>{words(i, 4)}</p></div><div>", "</div></div>"),
    ),
)

FIXED = (
    HostilePage(
        "emphasis_deep_small",
        "HTML, The em and strong elements",
        "Two hundred levels of emphasis, each around the next one and a copy.",
        fixed("<b><i>" * 200 + "a" + "</i>c</b>" * 200),
        fixed=True,
    ),
    HostilePage(
        "links_deep_small",
        "HTML, The a element",
        "Links within objects within links.",
        fixed("<a href=/a><object>" * 130 + "a" + "</object></a>" * 60),
        fixed=True,
    ),
)
