"""Style sheets whose values, conditions and layers are expensive to compute (CSS Cascade, Variables, Values, Conditional)."""

from __future__ import annotations

from security.hostile.shapes import HostilePage, deep, filled, fixed, halves, in_head, in_style, nested, styled, words


def _doubling(levels: int, reference: str) -> str:
    """Return custom properties of which each holds the one before it twice, by `reference`."""
    steps = "".join(f"--a{i + 1}:{reference.format(i=i)} {reference.format(i=i)};" for i in range(levels))
    return f"--a0:none;{steps}"


def _data_sheet(levels: int) -> str:
    """Return a style sheet that imports itself twice by data URLs, `levels` deep."""
    sheet = "p{display:none}"
    for _ in range(levels):
        encoded = sheet.replace("%", "%25").replace("'", "%27").replace("(", "%28").replace(")", "%29")
        sheet = f"@import 'data:text/css,{encoded}';@import url(data:text/css,p%7B%7D);"
    return sheet


_SEA = "<p class=a>sea</p>"

PAGES = (
    HostilePage(
        "variable_chain",
        "CSS Custom Properties 1, Using cascading variables",
        "A chain of n properties is followed again for each of n elements.",
        styled(
            lambda i: f"--v{i + 1}:var(--v{i});",
            lambda i: f"<p style='display:var(--v{i})'>sea</p>",
            sheet_before=":root{--v0:block;",
            sheet_after="}",
        ),
    ),
    HostilePage(
        "variable_chain_backwards",
        "CSS Custom Properties 1, Resolving dependency cycles",
        "The chain is declared in the order in which recursion goes deepest.",
        in_style(lambda i: f"--v{i}:var(--v{i + 1},block);", before=":root{", after="}p{display:var(--v0)}", body=_SEA),
    ),
    HostilePage(
        "variable_cycle",
        "CSS Custom Properties 1, Dependency cycles",
        "n properties refer to all others of a ring, so that each walk ends only after n steps.",
        in_style(
            lambda i: f"--v{i}:var(--v{i + 1}) var(--v{i // 2}) var(--v0);",
            before="*{",
            after="}p{display:var(--v0,none)}",
            body=_SEA * 20,
        ),
    ),
    HostilePage(
        "variable_fallbacks_nested",
        "CSS Custom Properties 1, var() fallbacks",
        "The nesting of fallbacks grows with the page.",
        in_style("var(--x,", before="p{display:", after="none;}", body=_SEA),
    ),
    HostilePage(
        "variable_long_value_used_often",
        "CSS Custom Properties 1, Long variables",
        "A value of n/2 bytes is substituted in n declarations.",
        lambda size: halves(
            lambda i: "<p style='--b:var(--l);order:var(--b);display:var(--l, block)'>sea</p>",
            "<i></i>",
            share=0.99,
            head=f"<style>:root{{--l:{'a b c d ' * (size // 16)}}}</style>",
        )(size),
    ),
    HostilePage(
        "variable_grows_by_level",
        "CSS Custom Properties 1, Inheritance of computed values",
        "Each level of a deep tree appends to the inherited value, so that values take the square of the depth.",
        nested(
            "<div class=e><div class=o>",
            "</div></div>",
            core=_SEA,
            head="<style>.e{--a:var(--b) x}.o{--b:var(--a) y}p{display:var(--a)}</style>",
        ),
    ),
    HostilePage(
        "many_properties_inherited",
        "CSS Custom Properties 1, Inheritance",
        "n properties of the root are copied to each of n elements.",
        styled(
            lambda i: f"--p{i}:{i};", lambda i: f"<p style='--q{i}:1'>sea</p>", sheet_before=":root{", sheet_after="}"
        ),
    ),
    HostilePage(
        "calc_nested",
        "CSS Values 4, calc()",
        "The nesting of calc() grows with the page.",
        in_style("calc(1px + (2 * ", before="p{left:", after="1px;position:absolute}", body=_SEA),
    ),
    HostilePage(
        "calc_flat",
        "CSS Values 4, calc()",
        "One sum of n terms is computed for n elements.",
        styled("1px + 2em - 3% * 2 + ", _SEA, sheet_before=".a{position:absolute;left:calc(", sheet_after="0px)}"),
    ),
    HostilePage(
        "math_functions",
        "CSS Values 4, Mathematical expressions",
        "min(), max() and clamp() nest to a depth of n.",
        in_style("min(1px,max(2em,clamp(0px,3%,", before="p{text-indent:", after="9px}", body=_SEA),
    ),
    HostilePage(
        "layers_named",
        "CSS Cascade 5, Cascade layers",
        "n layers are ordered, then each of n rules looks its layer up.",
        in_style(
            lambda i: f"@layer l{i}.m{i % 5};@layer l{i // 2}{{p{{display:revert-layer}}}}",
            after="@layer z{p{display:none!important}}",
            body=_SEA * 20,
        ),
    ),
    HostilePage(
        "layers_nested",
        "CSS Cascade 5, Nested layers",
        "The name of a layer has n parts, because layers nest n deep.",
        in_style("@layer a{p{order:1}", before="", body=_SEA),
    ),
    HostilePage(
        "layer_name_of_n_parts",
        "CSS Cascade 5, Layer naming",
        "n statements name layers with ever more parts.",
        in_style(lambda i: f"@layer {'.'.join(f'a{k}' for k in range(i % 200 + 1))};", body=_SEA),
    ),
    HostilePage(
        "revert_layer_chain",
        "CSS Cascade 5, revert-layer",
        "Each of n elements rolls back through n layers.",
        styled(lambda i: f"@layer r{i}{{.a{{display:revert-layer;visibility:revert-layer}}}}", _SEA),
    ),
    HostilePage(
        "media_nested",
        "Media Queries 4; CSS Conditional 3, @media",
        "Conditions nest to a depth of n.",
        in_style("@media (min-width:1px){", body=_SEA),
    ),
    HostilePage(
        "media_condition_brackets",
        "Media Queries 4, Media conditions",
        "One condition has n nested brackets and negations.",
        in_style("(not (", before="@media ", after="(width>1px)){p{display:none}}", body=_SEA),
    ),
    HostilePage(
        "media_lists",
        "Media Queries 4, Media query lists",
        "n rules have lists of queries of every kind.",
        in_style(
            lambda i: (
                f"@media screen and (min-width:{i}px) and (max-aspect-ratio:{i}/7),not print and (1px<=width<={i}px)"
                f"{{.a{{display:none}}}}"
            ),
            body=_SEA * 20,
        ),
    ),
    HostilePage(
        "supports_nested",
        "CSS Conditional 3, @supports",
        "One condition nests negations and disjunctions n deep.",
        in_style("not ((display:grid) or (", before="@supports ", after="color:red)){p{display:none}}", body=_SEA),
    ),
    HostilePage(
        "supports_selectors",
        "CSS Conditional 4, selector()",
        "n conditions test selectors.",
        in_style(
            lambda i: f"@supports selector(:has(> .a{i} ~ :is(b,:not(i)))) and (not (x{i}:y)){{.a{{display:none}}}}",
            body=_SEA * 20,
        ),
    ),
    HostilePage(
        "container_queries_deep",
        "CSS Conditional 5, Container queries",
        "Each element looks through n ancestors for a container by name, for n rules.",
        styled(
            lambda i: f"@container n{i} (min-width:{i}px) and style(--x:{i}){{p{{display:none}}}}",
            "<div style='container:m/size'>",
            after=_SEA,
        ),
    ),
    HostilePage(
        "scope_roots_and_limits",
        "CSS Cascade 6, @scope",
        "n nested scope roots with limits; proximity is counted for each rule and element.",
        styled(
            lambda i: f"@scope (.s) to (.l{i} :scope .m){{:scope p{{display:none}}}}",
            "<div class=s>",
            after=_SEA,
        ),
    ),
    HostilePage(
        "scope_nested",
        "CSS Cascade 6, @scope",
        "Scopes nest n deep.",
        in_style("@scope (div) to (p.x){& ", after="p{display:none}", body="<div>" * 40 + _SEA),
    ),
    HostilePage(
        "keyframes_many",
        "CSS Animations 1, @keyframes",
        "n rules of keyframes have one name, and n elements use it.",
        styled(
            lambda i: f"@keyframes k{{from{{opacity:0}}{i % 100}%{{opacity:0}}to{{opacity:0}}}}",
            "<p style='animation:k 1s both'>sea</p>",
        ),
    ),
    HostilePage(
        "keyframes_long",
        "CSS Animations 1, Keyframe selectors",
        "One rule has n keyframes with overlapping offsets.",
        in_style(
            lambda i: f"{i % 100}%,{i % 97}.{i % 10}%,from,to{{visibility:hidden;opacity:.{i}}}",
            before=".a{animation:k 1s infinite}@keyframes k{",
            after="}",
            body=_SEA * 30,
        ),
    ),
    HostilePage(
        "animation_lists",
        "CSS Animations 1, animation-name",
        "n animations are named by each element.",
        styled(
            lambda i: f"k{i},",
            _SEA,
            sheet_before="@keyframes k1{to{opacity:0}}.a{animation-duration:1s,2s,3s;animation-name:",
            sheet_after="k1}",
        ),
    ),
    HostilePage(
        "counters_deep",
        "CSS Lists 3, Automatic numbering with counters",
        "counters() prints one number for each level above, at each level.",
        nested(
            "<div><p>sea</p>",
            "</div>",
            head="<style>div{counter-reset:c}p::before{counter-increment:c;content:counters(c,'.') ' '}</style>",
        ),
    ),
    HostilePage(
        "counters_many",
        "CSS Lists 3, counter-reset",
        "n counters are in scope for each of n siblings.",
        styled(
            lambda i: f"c{i} ",
            "<p>sea</p>",
            sheet_before="p::before{content:counter(c1)}p{counter-increment:c1}main{counter-reset:",
            sheet_after="}",
        ),
    ),
    HostilePage(
        "content_repeated",
        "CSS Content 3, content",
        "A generated text of n/2 bytes stands before each of n elements.",
        styled(lambda i: words(i, 3) + " ", _SEA, sheet_before=".a::before,.a::after{content:'", sheet_after="'}"),
    ),
    HostilePage(
        "content_by_attribute_and_quotes",
        "CSS Content 3, quotes",
        "Quotes open at each of n levels.",
        nested(
            "<q title='a quote of the harbour master'>",
            "</q>",
            core="sea",
            head="<style>q::before{content:open-quote attr(title)}q{quotes:'a' 'b' 'c' 'd'}</style>",
        ),
    ),
    HostilePage(
        "one_rule_many_declarations",
        "CSS Syntax 3, Consume a list of declarations",
        "One block of n declarations applies to n elements.",
        styled("all:unset;display:none;display:block;", _SEA, sheet_before=".a{", sheet_after="}"),
    ),
    HostilePage(
        "shorthands",
        "CSS Cascade 5, Shorthand properties",
        "n shorthands expand into dozens of properties each, for n elements.",
        styled(
            lambda i: (
                f"p:not(.s{i}){{font:{i}px/1 a,b;background:red url(x),blue;border:1px solid;inset:{i}px;all:revert}}"
            ),
            _SEA,
        ),
    ),
    HostilePage(
        "imports_by_data_url",
        "CSS Cascade 5, @import",
        "n imports of data URLs.",
        in_style(
            lambda i: f"@import url(data:text/css,.b{i}%7Bdisplay:none%7D) layer(l{i}) supports(a:b) screen;", body=_SEA
        ),
    ),
    HostilePage(
        "links_by_data_url",
        "HTML, Link type stylesheet",
        "n style sheets by data URLs.",
        in_head(lambda i: f"<link rel=stylesheet href='data:text/css,.b{i} p{{display:none}}'>", body=_SEA * 20),
    ),
    HostilePage(
        "unclosed_blocks",
        "CSS Syntax 3, Consume a simple block",
        "n blocks are opened by turns and never closed.",
        in_style("a{[(", body=_SEA),
    ),
    HostilePage(
        "mismatched_blocks",
        "CSS Syntax 3, Consume a simple block",
        "Closing brackets match no opening one, at n depths.",
        in_style("({)]", body=_SEA),
    ),
    HostilePage(
        "bad_strings_and_urls",
        "CSS Syntax 3, Consume a string token",
        "Strings end at a line break, and bad URLs run to the next bracket.",
        in_style("a{b:\"x\n;c:url(a b'(;d:'y\n", body=_SEA),
    ),
    HostilePage(
        "unclosed_urls",
        "CSS Syntax 3, Consume a bad url",
        "Each url( may be looked for up to the end of the sheet.",
        in_style('url(a"', body=_SEA),
    ),
    HostilePage(
        "comments_between_tokens",
        "CSS Syntax 3, Consume comments",
        "Comments stand between all tokens, with many stars in them.",
        in_style("/***/p/**/{/* * / **/display/*/*/:/**/block/**/}/**/", body=_SEA),
    ),
    HostilePage(
        "unclosed_comments",
        "CSS Syntax 3, Consume comments",
        "Each comment opening may look for an end that never comes.",
        in_style("/* / * ", body=_SEA),
    ),
    HostilePage(
        "comment_openings_in_styles",
        "CSS Syntax 3, Consume comments",
        "n style attributes hold unclosed comments and strings.",
        filled("<p style='display:/*;\"none'>sea</p>"),
    ),
    HostilePage(
        "escapes",
        "CSS Syntax 3, Consume an escaped code point",
        "Each letter of names and values is an escape.",
        in_style(r"\000070\00002e\5c \64{\64\69 \73\70 \6c \61\79:\6e \6f \6e \65}", body=_SEA),
    ),
    HostilePage(
        "html_comment_tokens",
        "CSS Syntax 3, CDO and CDC tokens",
        "n CDO and CDC tokens stand between rules without an end.",
        in_style("<!--p--><!--,;}", body=_SEA),
    ),
    HostilePage(
        "important_by_turns",
        "CSS Cascade 5, Importance",
        "n rules with and without importance change one property of n elements.",
        styled(lambda i: f"p:nth-child(n+{i % 3}){{display:{('none', 'block!important')[i % 2]}}}", _SEA),
    ),
    HostilePage(
        "inline_declarations",
        "CSS Style Attributes",
        "Each element has a style attribute of dozens of declarations of its own.",
        filled(
            lambda i: "<p style='" + ";".join(f"--v{k}:{i};left:calc({i}px + {k}%)" for k in range(20)) + "'>sea</p>"
        ),
    ),
    HostilePage(
        "property_registrations",
        "CSS Properties and Values API 1, @property",
        "n registrations with long syntaxes.",
        in_style(
            lambda i: (
                f"@property --r{i}{{syntax:'<length>+ | <color># | <transform-list> | a{i}';inherits:true;"
                f"initial-value:{i}px}}"
            ),
            after=".a{display:var(--r1)}",
            body=_SEA * 20,
        ),
    ),
    HostilePage(
        "style_elements",
        "HTML, The style element",
        "n style elements each add one rule, between n elements.",
        filled(lambda i: f"<style>.b{i} ~ p{{display:none}}</style><p>sea</p>"),
    ),
    HostilePage(
        "em_chain",
        "CSS Fonts 4, font-size; CSS Values 4, em",
        "The size of a font is relative to that of n ancestors.",
        nested(
            "<div>",
            "</div>",
            core="<p>sea</p>",
            head="<style>div{font-size:calc(.5em + .5rem);line-height:1.1em}</style>",
        ),
    ),
    HostilePage(
        "opacity_chain",
        "CSS Color 4, opacity",
        "What an element shows depends on n ancestors, each with an almost invisible leaf.",
        nested("<div style=opacity:.9999><p>sea</p>", "</div>"),
    ),
    HostilePage(
        "position_chain",
        "CSS Position 3",
        "Offsets add up over n ancestors for n leaves.",
        nested("<div style='position:relative;left:1px;overflow:hidden'><p>sea</p>", "</div>"),
    ),
    HostilePage(
        "transform_lists",
        "CSS Transforms 1",
        "A list of n transforms is multiplied for n elements.",
        styled("translate(1px,2%) scale(.99) rotate(1deg) ", _SEA, sheet_before=".a{transform:", sheet_after="}"),
    ),
    HostilePage(
        "clip_polygons",
        "CSS Shapes 1, polygon()",
        "A polygon of n points clips n elements.",
        styled(
            lambda i: f"{i % 100}% {i * 7 % 100}px,", _SEA, sheet_before=".a{clip-path:polygon(", sheet_after="0 0)}"
        ),
    ),
    HostilePage(
        "colors_nested",
        "CSS Color 5, color-mix()",
        "Colours of text and background are mixed n deep.",
        in_style("color-mix(in srgb,white,", before="p{background:#fff;color:", after="#fff", body=_SEA),
    ),
    HostilePage(
        "colors_many",
        "CSS Color 4",
        "Each element has a colour and a background of its own on n nested backgrounds.",
        nested(lambda i: f"<div style='background:rgba({i % 256},0,0,.5);color:#{i % 4096:03x}'><p>sea</p>", "</div>"),
    ),
    HostilePage(
        "backgrounds",
        "CSS Backgrounds 3, Layering",
        "n background layers are split at commas for n elements.",
        styled(
            "linear-gradient(red,rgb(0 0 0/.5)),", _SEA, sheet_before=".a{color:#fff;background:", sheet_after="#fff}"
        ),
    ),
    HostilePage(
        "number_floods",
        "CSS Syntax 3, Consume a number",
        "Numbers have n digits, signs and exponents.",
        filled("9", before="<style>p{opacity:.", after="e-9;order:1;z-index:+1}</style>" + _SEA),
    ),
    HostilePage(
        "semicolon_floods",
        "CSS Syntax 3, Consume a list of declarations",
        "Empty declarations and stray colons.",
        in_style(";:;!;", before="p{", after="}", body=_SEA),
    ),
    HostilePage(
        "at_rule_floods",
        "CSS Syntax 3, Consume an at-rule",
        "Unknown at-rules have preludes up to the next semicolon, and none comes.",
        in_style("@x y(z) ", body=_SEA),
    ),
    HostilePage(
        "class_toggle_deep",
        "CSS Display 3, display:none",
        "Hidden and shown levels alternate in a deep tree, by rules that look n levels up.",
        deep(
            ".h .s{display:block;visibility:visible}.s .h{visibility:hidden}",
            "<div class=h><div class=s>",
            "</div></div>",
            lambda i: f"<p>{words(i, 4)}</p>",
        ),
    ),
)

FIXED = (
    HostilePage(
        "variables_doubled",
        "CSS Custom Properties 1, Long variables (billion laughs)",
        "Sixty properties each hold the one before them twice.",
        fixed(_SEA, head=f"<style>:root{{{_doubling(60, 'var(--a{i})')}}}p{{display:var(--a60)}}</style>"),
        fixed=True,
    ),
    HostilePage(
        "variables_doubled_by_fallback",
        "CSS Custom Properties 1, var() fallbacks",
        "Forty properties hold the one before them twice, in fallbacks of absent ones.",
        fixed(_SEA, head=f"<style>:root{{{_doubling(40, 'var(--u,var(--a{i}))')}}}p{{display:var(--a40)}}</style>"),
        fixed=True,
    ),
    HostilePage(
        "variables_doubled_in_fallback_and_value",
        "CSS Custom Properties 1, Dependency cycles",
        "Both the property and its fallback refer to the next, so that a search for cycles without memory takes 2^40 steps.",
        fixed(
            _SEA,
            head="<style>p{"
            + "".join(f"--a{i}:var(--a{i + 1},var(--a{i + 1}));" for i in range(40))
            + "--a40:var(--a0);display:var(--a0,none)}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "variables_doubled_by_level",
        "CSS Custom Properties 1, Inheritance of computed values",
        "Each of eighty levels doubles what it inherits.",
        fixed(
            "<div class=e><div class=o>" * 40 + _SEA + "</div></div>" * 40,
            head="<style>.e{--a:var(--b,x) var(--b,x)}.o{--b:var(--a) var(--a)}p{display:var(--a)}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "variables_doubled_empty",
        "CSS Custom Properties 1, Guaranteed-invalid values",
        "What is doubled is empty, so that no limit on length ends it.",
        fixed(
            _SEA,
            head="<style>p{--a0: ;"
            + "".join(f"--a{i + 1}:var(--a{i})var(--a{i})var(--a{i});" for i in range(60))
            + "display:var(--a60) none}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "variables_registered_cycle",
        "CSS Properties and Values API 1, Dependency cycles via relative units",
        "Registered lengths refer to em and to each other, doubled.",
        fixed(
            _SEA,
            head="<style>"
            + "".join(f"@property --r{i}{{syntax:'*';inherits:false}}" for i in range(20))
            + "p{"
            + "".join(f"--r{i + 1}:calc(var(--r{i}) + 1em) var(--r{i},var(--r{i}));" for i in range(40))
            + "font-size:var(--r40);display:var(--r40,none)}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "style_queries_doubled",
        "CSS Conditional 5, Style queries",
        "Conditions on custom properties that hold each other twice.",
        fixed(
            _SEA,
            head=f"<style>:root{{{_doubling(40, 'var(--a{i})')}}}@container style(--a40:none){{p{{display:none}}}}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "functions_doubled",
        "CSS Functions and Mixins 1, @function",
        "Each function calls the one before it twice; if() and attr() hold it once more.",
        fixed(
            _SEA,
            head="<style>@function --f0(){result:none}"
            + "".join(f"@function --f{i + 1}(--x){{result:--f{i}() --f{i}()}}" for i in range(40))
            + "p{display:--f40();order:if(style(--x:--f40()):1;else:attr(x type(*),--f40()))}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "imports_within_imports",
        "CSS Cascade 5, @import",
        "Data URLs within data URLs, escaped at each level.",
        fixed(_SEA, head=f"<style>{_data_sheet(7)}</style>"),
        fixed=True,
    ),
    HostilePage(
        "calc_deep_small",
        "CSS Values 4, calc()",
        "Brackets that a grammar with backtracking reads twice at each level.",
        fixed(
            _SEA,
            head=f"<style>p{{position:absolute;left:calc({'(' * 900}1px{')' * 900});opacity:{'calc(0*' * 200}1</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "huge_numbers",
        "CSS Syntax 3, Convert a string to a number",
        "Numbers of 600 digits where an integer is expected.",
        fixed(
            "<p class=a>sea</p>" * 3,
            head=f"<style>p:nth-child({'9' * 600}n+{'9' * 600}){{z-index:{'9' * 600};opacity:1e{'9' * 400};"
            f"left:-{'9' * 600}px;position:absolute;font-size:1e-{'9' * 300}px;width:1e999%}}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "integers_beyond_conversion",
        "CSS Selectors 4, An+B; CSS Lists 3",
        "An integer of 4,400 digits, which Python refuses to convert.",
        lambda _size: f"<style>p:nth-child({'9' * 4400}n+1){{z-index:1}}</style><p>{words(1, 40)}</p>",
        fixed=True,
    ),
    HostilePage(
        "z_index_beyond_conversion",
        "CSS 2, z-index",
        "An integer of 4,400 digits as a value.",
        lambda _size: f"<style>p{{z-index:{'9' * 4400};opacity:1}}</style><p>{words(1, 40)}</p>",
        fixed=True,
    ),
)
