"""Declarative shadow trees and slots (HTML, The template element; CSS Scoping)."""

from __future__ import annotations

from security.hostile.shapes import HostilePage, deep, filled, fixed, halves, nested, styled, words

_OPEN = "<template shadowrootmode=open>"


def _forwarded(levels: int, slots: str) -> str:
    """Return hosts within shadow trees, `levels` deep, each of which hands `slots` on."""
    return f"<x-a>{_OPEN}{slots}" * levels + "</template><b>sea</b></x-a>" * levels


PAGES = (
    HostilePage(
        "shadow_trees_nested",
        "HTML, Declarative shadow roots",
        "Shadow trees nest n deep.",
        nested(f"<x-a>{_OPEN}<p>sea</p>", "</template></x-a>"),
    ),
    HostilePage(
        "shadow_trees_nested_with_slots",
        "DOM, Find flattened slottables",
        "Each of n levels hands its slot on to the next.",
        nested(
            f"<x-a>{_OPEN}<slot></slot><x-b>{_OPEN}<slot>a</slot></template><slot></slot></x-b>",
            "</template><p>sea</p></x-a>",
        ),
    ),
    HostilePage(
        "light_trees_nested",
        "DOM, Slottables",
        "Hosts nest n deep in their light trees, so that each slot holds all further hosts.",
        nested(f"<x-a>{_OPEN}<slot></slot></template>", "</x-a>", core="<p>sea</p>"),
    ),
    HostilePage(
        "slots_named",
        "DOM, Find a slot",
        "n children look for one of n slots by name.",
        halves(
            lambda i: f"<slot name=s{i}>a</slot>",
            lambda i: f"<p slot=s{i}>sea</p>",
            before=f"<x-a>{_OPEN}",
            between="</template>",
            after="</x-a>",
        ),
    ),
    HostilePage(
        "slots_unassigned",
        "DOM, Find a slot",
        "n children name slots that are absent.",
        halves(
            lambda i: f"<slot name=s{i}>a</slot>",
            lambda i: f"<p slot=t{i}>sea</p>",
            before=f"<x-a>{_OPEN}",
            between="</template>",
            after="</x-a>",
        ),
    ),
    HostilePage(
        "slots_same_name",
        "DOM, Find a slot",
        "n slots have one name, of which the first takes all.",
        halves(
            "<slot name=s>a</slot>", "<p slot=s>sea</p>", before=f"<x-a>{_OPEN}", between="</template>", after="</x-a>"
        ),
    ),
    HostilePage(
        "slots_default",
        "DOM, Find slottables",
        "n children go to one slot.",
        filled(
            lambda i: f"<p>{words(i, 2)}</p>", before=f"<x-a>{_OPEN}<div><slot></slot></div></template>", after="</x-a>"
        ),
    ),
    HostilePage(
        "slot_fallbacks_nested",
        "HTML, The slot element",
        "Slots nest n deep as each other's fallback.",
        filled(lambda i: f"<slot name=s{i}>a", before=f"<x-a>{_OPEN}", after="</template></x-a>"),
    ),
    HostilePage(
        "hosts_many",
        "HTML, Declarative shadow roots",
        "n hosts with trees of their own.",
        filled(lambda i: f"<x-a>{_OPEN}<p>{words(i, 3)}</p><slot></slot></template>{words(i, 2)}</x-a>"),
    ),
    HostilePage(
        "hosts_with_styles",
        "CSS Scoping 1, Shadow trees",
        "n hosts with style sheets of their own.",
        filled(
            lambda i: (
                f"<x-a>{_OPEN}<style>:host(.h{i}) p{{display:none}}::slotted(b){{display:block}}p ~ slot{{color:red}}</style><p>{words(i, 2)}</p><slot></slot></template><b>sea</b></x-a>"
            )
        ),
    ),
    HostilePage(
        "slotted_rules",
        "CSS Scoping 1, ::slotted()",
        "n rules for slotted elements meet n of them.",
        halves(
            lambda i: f"slot:not(.a)::slotted(:not(.n{i})){{order:{i}}}",
            "<p>sea</p>",
            before=f"<x-a>{_OPEN}<style>",
            between="</style><slot></slot></template>",
            after="</x-a>",
        ),
    ),
    HostilePage(
        "host_context_deep",
        "CSS Scoping 1, :host-context()",
        "n hosts look through n ancestors.",
        deep(
            "",
            "<div class=a>",
            "</div>",
            f"<x-a>{_OPEN}<style>:host-context(.never .a .a) p,:host-context(.never) p{{display:none}}</style><p>sea</p></template></x-a>",
        ),
    ),
    HostilePage(
        "host_context_through_shadows",
        "CSS Scoping 1, :host-context()",
        "The ancestors are in n shadow trees.",
        nested(f"<x-a>{_OPEN}<style>:host-context(.never) p{{display:none}}</style><p>sea</p>", "</template></x-a>"),
    ),
    HostilePage(
        "host_rules",
        "CSS Scoping 1, :host",
        "n rules of one shadow tree meet n elements in it.",
        halves(
            lambda i: f":host(:not(.h{i}):has(.n{i})) p{{order:{i}}}",
            "<p>sea</p>",
            before=f"<x-a>{_OPEN}<style>",
            between="</style>",
            after="</template></x-a>",
        ),
    ),
    HostilePage(
        "parts",
        "CSS Shadow Parts 1",
        "Parts are exported n levels up.",
        nested(
            lambda i: (
                f"<x-a exportparts='p{i}:p{i + 1}, q'>{_OPEN}<style>::part(p{i}){{display:none}}</style><b part='p{i} q'>a</b>"
            ),
            "</template></x-a>",
        ),
    ),
    HostilePage(
        "outer_styles_and_hosts",
        "CSS Scoping 1, Shadow encapsulation",
        "n rules of the page meet n hosts and what they slot.",
        styled(
            lambda i: f"x-a:defined .a{i} ~ b, x-a > :not(.b{i}){{display:block}}",
            f"<x-a>{_OPEN}<slot></slot></template><b>sea</b></x-a>",
        ),
    ),
    HostilePage(
        "templates_second",
        "HTML, Declarative shadow roots",
        "n templates compete for one host.",
        filled(f"{_OPEN}<p>sea</p></template>", before="<x-a>", after="</x-a>"),
    ),
    HostilePage(
        "closed_and_clonable",
        "HTML, shadowrootmode and its companions",
        "Roots of each kind, on elements that may not have one.",
        filled(
            "<p><template shadowrootmode=closed shadowrootdelegatesfocus>a</template></p><img><template shadowrootmode=x>b</template><div><template shadowrootmode=closed shadowrootclonable shadowrootserializable><slot>c</slot></template>d</div>"
        ),
    ),
    HostilePage(
        "shadow_in_tables",
        "HTML, Declarative shadow roots",
        "Roots within cells, templates and foreign content.",
        filled(
            f"<table><tr><td>{_OPEN}<slot></slot></template>sea<svg><foreignObject><div>{_OPEN}a</template></div></foreignObject></svg></table>"
        ),
    ),
    HostilePage(
        "hidden_by_slot",
        "CSS Scoping 1, Flattened tree inheritance",
        "Slotted elements inherit from n nested slots that are hidden by turns.",
        nested(
            f"<x-a>{_OPEN}<div style=visibility:hidden><slot style=visibility:visible></slot></div></template><p>sea</p>",
            "</x-a>",
        ),
    ),
)

FIXED = (
    HostilePage(
        "slots_doubled",
        "DOM, Find flattened slottables",
        "Each of forty levels hands its slot on twice.",
        fixed(_forwarded(40, "<slot></slot><slot name=a></slot>")),
        fixed=True,
    ),
    HostilePage(
        "slots_doubled_by_name",
        "DOM, Find flattened slottables",
        "Each level forwards two slots into two slots.",
        fixed(
            f"<x-a>{_OPEN}<slot slot=a name=a></slot><slot slot=b name=b></slot><x-b>" * 18
            + "<b slot=a>sea</b>"
            + "</x-b></template></x-a>" * 18
        ),
        fixed=True,
    ),
    HostilePage(
        "host_selectors_nested",
        "CSS Scoping 1, :host()",
        ":host() and ::slotted() with nested lists.",
        fixed(
            f"<x-a>{_OPEN}<style>"
            + ":host(:is(" * 60
            + ".a"
            + "))" * 60
            + " p{display:none}"
            + "::slotted(:not(" * 60
            + "b"
            + "))" * 60
            + "{display:none}</style><p>sea</p><slot></slot></template><b>low</b></x-a>"
        ),
        fixed=True,
    ),
)
