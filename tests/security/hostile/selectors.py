"""Style sheets that make the matching of selectors expensive (Selectors 4, CSS Nesting)."""

from __future__ import annotations

from security.hostile.shapes import HostilePage, deep, filled, fixed, in_style, nested, styled, words

_HIDE = "{display:none}"


def _paragraph(number: int) -> str:
    return f"<p class='c{number % 97}'>{words(number, 6)}</p>"


def _nested_rule(depth: int, selector: str) -> str:
    """Return `depth` levels of one nested rule."""
    return f"{selector}{{" * depth + "display:none" + "}" * depth


PAGES = (
    HostilePage(
        "descendant_backtracking",
        "Selectors 4, Descendant combinator",
        "A chain of descendants whose leftmost compound fails has depth-to-the-sixth placements to try.",
        deep(f".b > .b > .a .a .a .a .a .a p{_HIDE}", "<div class=a>", "</div>", _paragraph),
    ),
    HostilePage(
        "child_and_descendant_backtracking",
        "Selectors 4, Child combinator",
        "Child and descendant combinators alternate, so each failing child step returns to the descendant step before it.",
        deep(
            f".z > div > div div > div div > div div > div div > div p{_HIDE} .z{{color:red}}",
            "<div class=a>",
            "</div>",
            "<p>one more tide</p>",
        ),
    ),
    HostilePage(
        "sibling_backtracking",
        "Selectors 4, Subsequent-sibling combinator",
        "A chain of subsequent siblings whose first compound fails tries every subset of the siblings before it.",
        filled("<p class=a>sea</p>", head=f"<style>.b + .a ~ .a ~ .a ~ .a ~ .a ~ .a{_HIDE}</style>"),
    ),
    HostilePage(
        "next_and_subsequent_siblings",
        "Selectors 4, Next-sibling combinator",
        "Adjacent and general sibling steps alternate over one long list of siblings.",
        filled("<p>sea</p><i>x</i>", head=f"<style>h6 ~ p + i ~ p + i ~ p + i ~ p + i{_HIDE}</style>"),
    ),
    HostilePage(
        "siblings_then_ancestors",
        "Selectors 4, Combinators",
        "Each ancestor step multiplies the sibling steps tried at its level.",
        deep(
            f"h6 ~ div > div ~ div div ~ div ~ div p ~ p ~ p{_HIDE}",
            "<div></div><div></div><div>",
            "</div>",
            "<p>low</p>",
        ),
    ),
    HostilePage(
        "has_in_deep_tree",
        "Selectors 4, Relational pseudo-class :has()",
        "Every one of n nested elements looks through its whole subtree for an element that is absent.",
        nested("<div>", "</div>", core="<p>the core of the tree</p>", head=f"<style>div:has(.never){_HIDE}</style>"),
    ),
    HostilePage(
        "has_many_arguments_in_deep_tree",
        "Selectors 4, :has()",
        "Half of the page is rules with :has() of different absent classes; each looks through nested subtrees.",
        deep("", "<div class=k>", "</div>", lambda i: f"<style>.k:has(.n{i}){_HIDE}</style>"),
    ),
    HostilePage(
        "has_subsequent_sibling",
        "Selectors 4, :has() with a relative selector",
        "Every sibling looks at all siblings after it.",
        filled("<p>sea</p>", head=f"<style>p:has(~ .never){_HIDE}</style>"),
    ),
    HostilePage(
        "has_sibling_subtree",
        "Selectors 4, :has() with sibling and descendant combinators",
        "Every sibling looks into the subtrees of all siblings after it.",
        filled("<div><p>sea</p></div>", head=f"<style>div:has(~ div p .never, ~ div > .never){_HIDE}</style>"),
    ),
    HostilePage(
        "has_with_chain_inside",
        "Selectors 4, :has() with a complex selector",
        "A chain of descendants is matched against each descendant of each nested element.",
        nested("<div class=a>", "</div>", core="<p>core</p>", head=f"<style>.a:has(.a .a .a .b > p){_HIDE}</style>"),
    ),
    HostilePage(
        "has_in_not_on_everything",
        "Selectors 4, :not() and :has()",
        "Each of n elements asks the root a question about all of the tree.",
        filled(_paragraph, head=f"<style>:not(:has(.never)) p:not(:has(b)):is(:has(~ .never) *){_HIDE}</style>"),
    ),
    HostilePage(
        "nth_child_many_siblings",
        "Selectors 4, :nth-child()",
        "The index of each of n siblings is counted anew.",
        filled("<p>sea</p>", head=f"<style>p:nth-child(7n+3):nth-last-child(5n+9999999){_HIDE}</style>"),
    ),
    HostilePage(
        "nth_of_type_many_names",
        "Selectors 4, :nth-of-type()",
        "The index among siblings of one type is counted where every sibling has a type of its own.",
        filled(
            lambda i: f"<x-{i}>sea</x-{i}>",
            head=f"<style>:nth-of-type(2n+9):nth-last-of-type(3n+1), :only-of-type:last-of-type:first-child{_HIDE}</style>",
        ),
    ),
    HostilePage(
        "nth_child_of_selector",
        "Selectors 4, :nth-child(An+B of S)",
        "For each sibling the siblings before it are matched against S, which itself looks at siblings.",
        filled(
            "<p class=a>sea</p><p>tide</p>",
            head=f"<style>p:nth-child(2n+99999 of .a ~ p), p:nth-last-child(3n+99999 of :not(.b ~ .a)){_HIDE}</style>",
        ),
    ),
    HostilePage(
        "nth_child_of_nth_child",
        "Selectors 4, :nth-child(An+B of S)",
        "S is itself an :nth-child(of S), three levels deep, so counting is nested.",
        filled(
            "<p class=a>sea</p>",
            head=f"<style>p:nth-child(2n+1 of p:nth-child(2n+1 of p:nth-last-child(n+99999 of .a))){_HIDE}</style>",
        ),
    ),
    HostilePage(
        "many_nth_rules",
        "Selectors 4, :nth-child()",
        "n rules with different An+B apply to n siblings.",
        styled(lambda i: f"p:nth-child({i}n+{i % 7}){_HIDE}", "<p>sea</p>"),
    ),
    HostilePage(
        "is_list_of_thousands",
        "Selectors 4, Matches-any pseudo-class :is()",
        "One :is() with n classes is matched against n elements and their ancestors.",
        styled(
            lambda i: f".a{i},",
            "<p class=q>sea</p>",
            sheet_before=":is(",
            sheet_after="b) p:is(i, p)" + _HIDE,
        ),
    ),
    HostilePage(
        "is_lists_of_complex_selectors",
        "Selectors 4, :is()",
        "Rules hold two :is() lists of complex selectors, all of which fail late.",
        styled(
            lambda i: f":is(.a{i} div, div ~ .b{i}) :is(.q > p, div p, .c{i} p):not(.d{i}){_HIDE}",
            "<div><div><p class=q>sea</p></div></div>",
        ),
    ),
    HostilePage(
        "where_nested",
        "Selectors 4, :where()",
        "The depth of one selector grows with the page.",
        in_style(":where(:is(", before="p", after="p" + _HIDE, body="<p>sea</p>"),
    ),
    HostilePage(
        "not_chain",
        "Selectors 4, :not()",
        "One compound of n negations applies to every element.",
        styled(lambda i: f":not(.n{i})", "<p>sea</p>", sheet_before="p", sheet_after="{order:1}"),
    ),
    HostilePage(
        "not_complex",
        "Selectors 4, :not() with complex selectors",
        "Negated chains of descendants are tried at each element of a deep tree.",
        nested(
            "<div>",
            "</div>",
            core="<p>core</p>",
            head=f"<style>:not(.b > * * * * *):not(.b ~ * * > * * * *){{color:red}} :not(* *) p{_HIDE}</style>",
        ),
    ),
    HostilePage(
        "attribute_substring",
        "Selectors 4, Attribute selectors, *=",
        "n rules look for near matches within a long attribute of each element.",
        styled(
            lambda i: f'[data-x*="{"a" * 60}b{i}"]{_HIDE}',
            lambda i: f'<p data-x="{"a" * 400}">{words(i, 3)}</p>',
        ),
    ),
    HostilePage(
        "attribute_words",
        "Selectors 4, Attribute selectors, ~=",
        "n rules split an attribute of n words.",
        styled(lambda i: f'[data-x~="w{i}-"]{_HIDE}', lambda i: f"w{i} ", before="<p data-x='", after="'>sea</p>"),
    ),
    HostilePage(
        "attribute_ignoring_case",
        "Selectors 4, Case-sensitivity of attribute values",
        "Each comparison folds the case of a long value again.",
        styled(
            lambda i: f'[data-x="A{i}" i],[data-x$="É{i}" i],[data-x^="{i}" s]{_HIDE}',
            lambda i: f"É{i}",
            before="<p data-x='",
            after="'>sea</p>" + "<p data-x=y>tide</p>" * 40,
        ),
    ),
    HostilePage(
        "many_classes_many_rules",
        "Selectors 4, Class selectors",
        "Elements with hundreds of classes meet n rules, each of which matches.",
        styled(
            lambda i: f".k{i % 300}.k{(i * 7) % 300}:not(.m{i}){{color:#{i % 4096:03x}}}",
            lambda i: "<p class='" + " ".join(f"k{k}" for k in range(300)) + f"'>{words(i, 4)}</p>",
        ),
    ),
    HostilePage(
        "universal_rules",
        "Selectors 4, Universal selector",
        "n universal rules apply to n elements.",
        styled(lambda i: f"*:not(.x{i}){{opacity:.{i % 9 + 1}}}", "<p>sea</p>"),
    ),
    HostilePage(
        "one_type_many_rules",
        "Selectors 4, Type selectors",
        "n rules share one subject but differ in their ancestors, which a map from subjects to rules cannot tell apart.",
        styled(lambda i: f".s{i} p{_HIDE}", "<p>sea</p>"),
    ),
    HostilePage(
        "same_class_everywhere_many_rules",
        "Selectors 4, Class selectors",
        "n rules for one class match all of n elements, and each sets what decides visibility.",
        styled(lambda i: f".a{{visibility:{('hidden', 'visible')[i % 2]};order:{i}}}", "<p class=a>sea</p>"),
    ),
    HostilePage(
        "long_compound",
        "Selectors 4, Compound selectors",
        "One compound repeats a class n times and is matched against n elements.",
        styled(".a", "<p class=a>sea</p>", sheet_after=":not(.b)" + "{order:1}"),
    ),
    HostilePage(
        "long_complex_selector",
        "Selectors 4, Complex selectors",
        "One chain has as many descendants as the tree has levels.",
        deep(
            "",
            "<div>",
            "</div>",
            "<style>div div div div div div div div div div div p{display:none}</style>",
            share=0.5,
        ),
    ),
    HostilePage(
        "chain_as_long_as_tree",
        "Selectors 4, Complex selectors",
        "A chain of n/2 descendants is matched in a tree of n levels, from each level.",
        styled("div ", "<div>", after="<p>sea</p>", sheet_before="h6 ", sheet_after="p" + _HIDE),
    ),
    HostilePage(
        "selector_list_with_invalid_end",
        "Selectors 4, Selector lists",
        "A list of n selectors is dropped for its last one, after all were parsed.",
        in_style(lambda i: f"div.a{i} > p#b{i}:not(.c),", after=f"::unknown({_HIDE}", body="<p>sea</p>"),
    ),
    HostilePage(
        "language_ranges",
        "Selectors 4, :lang()",
        "Each element asks its ancestors for a language, and compares it with many ranges.",
        deep(
            ":lang(" + ",".join(f"'*-x-{i}'" for i in range(200)) + f"){_HIDE} :dir(rtl) p:dir(ltr){_HIDE}",
            "<div lang=en-a-b-c-d-e>",
            "</div>",
            "<p>sea</p>",
        ),
    ),
    HostilePage(
        "form_states",
        "Selectors 4, Input pseudo-classes; HTML, Pseudo-classes",
        ":default, :indeterminate and :checked look at the other controls of one form.",
        filled(
            lambda i: f"<label>a<input type=radio name=n{i % 3} form=f></label><button form=f>b</button>",
            before=f"<style>:default, :indeterminate + *, :invalid ~ p, form:valid p{_HIDE}</style><form id=f></form>",
        ),
    ),
    HostilePage(
        "empty_with_comments",
        "Selectors 4, :empty",
        "Whether an element is empty is decided after n comments.",
        filled(
            "<!--a-->",
            before=f"<style>div:empty, div:has(> :empty), div:not(:empty) :only-child{_HIDE}</style>" + "<div>" * 20,
            after="<p>sea</p>" + "</div>" * 20,
        ),
    ),
    HostilePage(
        "nesting_deep",
        "CSS Nesting 1, Nesting selector",
        "Each level of nesting adds an ancestor to the selector, so that expanded selectors grow with the square.",
        in_style("div{& ", after="p{display:none}", body="<div><div><p>sea</p></div></div>"),
    ),
    HostilePage(
        "nesting_wide",
        "CSS Nesting 1, Nesting selector",
        "n nested rules repeat one parent list of n selectors.",
        lambda size: in_style(
            lambda i: f"& .n{i}{{display:none}}",
            before=",".join(f".p{i}" for i in range(size // 20)) + "{",
            after="}",
            body="<div class=p1><p>sea</p></div>",
        )(size),
    ),
    HostilePage(
        "same_id_everywhere",
        "HTML, The id attribute; Selectors 4, ID selectors",
        "n rules for one id meet n elements with that id.",
        styled(lambda i: f"#a:not(#b{i}){{z-index:{i}}}", "<p id=a>sea</p>"),
    ),
    HostilePage(
        "namespaces_and_columns",
        "Selectors 4, Namespaces; Grid-structural selectors",
        "Rules use prefixes, columns and pseudo-elements that a matcher may try before it refuses them.",
        styled(
            lambda i: f"@namespace n{i} url(x{i});n{i}|p,*|*||td.c{i},p::part(a{i})::after:hover{_HIDE}", "<p>sea</p>"
        ),
    ),
    HostilePage(
        "unknown_function_unclosed",
        "CSS Syntax 3, Consume a function",
        "Functional pseudo-classes open n brackets and close none.",
        in_style(":is(:unknown([(", body="<p>sea</p>"),
    ),
)

FIXED = (
    HostilePage(
        "is_product",
        "Selectors 4, :is()",
        "Forty compounds of two alternatives are 2^40 selectors when :is() is expanded.",
        fixed(
            "<div class=a>" * 60 + "<p class='a b'>sea</p>" + "</div>" * 60,
            head="<style>" + ":is(.a,.b,div) " * 40 + ".never p, .never " + ":is(.a,div) " * 40 + f"p{_HIDE}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "is_product_of_combinators",
        "Selectors 4, :is() with complex selectors",
        "Each :is() may match an ancestor by two combinators, so that failing tries 2^n paths.",
        fixed(
            "<div class=a>" * 80 + "<p>sea</p>" + "</div>" * 80,
            head=f"<style>.never {':is(.a > .a, .a .a) ' * 30} p{_HIDE}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "nested_is_in_ancestors",
        "Selectors 4, :is() with complex selectors",
        "Nested :is(* X *) asks all ancestors at each level of its nesting.",
        fixed(
            "<div>" * 120 + "<p>sea</p>" + "</div>" * 120,
            head="<style>" + ":is(div " * 24 + ".never" + " div)" * 24 + f" p{_HIDE}</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "nested_has",
        "Selectors 4, :has()",
        "Nested :has() by way of :not() and :is() asks all descendants at each level of its nesting.",
        fixed(
            "<div>" * 100 + "<p>sea</p>" + "</div>" * 100,
            head="<style>"
            + "div:not(:has(div:is(" * 8
            + ".never"
            + ")))" * 8
            + _HIDE
            + " div:has(div div div div div div div .never)"
            + _HIDE
            + "</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "nested_not_of_chains",
        "Selectors 4, :not() with complex selectors",
        "Nested :not(* X) asks all ancestors at each level of its nesting.",
        fixed(
            "<div>" * 100 + "<p>sea</p>" + "</div>" * 100,
            head="<style>" + "p:not(" + "div :not(" * 16 + ".never div" + ")" * 17 + _HIDE + "</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "nesting_doubled_ampersand",
        "CSS Nesting 1, Nesting selector",
        "Each level names & twice, so that the expanded selector has 2^60 compounds.",
        fixed("<div><p>sea</p></div>", head=f"<style>{_nested_rule(60, '& > & :is(&, & &)')}</style>"),
        fixed=True,
    ),
    HostilePage(
        "nesting_lists",
        "CSS Nesting 1, Nesting selector",
        "Each level is a list of three, so that the expanded list has 3^60 selectors.",
        fixed("<div><p>sea</p></div>", head=f"<style>{_nested_rule(60, '.a &, .b > &, & .c')}</style>"),
        fixed=True,
    ),
    HostilePage(
        "nth_child_of_nested",
        "Selectors 4, :nth-child(An+B of S)",
        "Counting within counting, eight levels deep, among forty siblings.",
        fixed(
            "<p>sea</p>" * 40,
            head="<style>" + "p:nth-child(n+1 of " * 8 + "p:not(.b)" + ")" * 8 + _HIDE + "</style>",
        ),
        fixed=True,
    ),
    HostilePage(
        "sibling_backtracking_small",
        "Selectors 4, Subsequent-sibling combinator",
        "Twenty sibling steps among a hundred siblings, of which the first fails.",
        fixed("<p>a</p>" * 100, head=f"<style>h6 + p{' ~ p' * 20}{_HIDE}</style>"),
        fixed=True,
    ),
    HostilePage(
        "descendant_backtracking_small",
        "Selectors 4, Descendant combinator",
        "Twenty descendant steps in a tree of a hundred levels, of which the first fails.",
        fixed("<div>" * 100 + "<p>a</p>" + "</div>" * 100, head=f"<style>h6 + div {'> div div ' * 12}p{_HIDE}</style>"),
        fixed=True,
    ),
)
