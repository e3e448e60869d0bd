"""Shadow trees that show nothing of those in their slots, and such as show them."""

from __future__ import annotations

from typing import Final

HIDING: Final = (
    "<style>:host{display:none}</style><slot></slot>",
    "<style>::slotted(*){display:none}</style><slot></slot>",
    "<style>:host{font-size:0}</style><slot></slot>",
    "<style>:host{color:#fff}</style><slot></slot>",
    "<style>:h\\6fst{display:none}</style><slot></slot>",
    "<style>:host(.q) slot{display:none}</style><slot></slot>",
    "<style>:host(.q) ::slotted(p){display:none}</style><slot></slot>",
    "<style>.q::slotted(p),.z{display:none}</style><slot class=q></slot>",
    "<style>*{display:block!important}::slotted(*){display:none}</style><slot></slot>",
    "<div><template shadowrootmode=open><b>Tea</b></template><slot></slot></div>",
    "<div><template shadowrootmode=open><style>:host{display:none}</style><slot></slot></template><slot></slot></div>",
    "<p><template shadowrootmode=open><style>::slotted(*){opacity:0}</style><slot></slot></template><slot></slot></p>",
    "<style>::slotted(.o){display:none!important}</style><slot></slot>",
    "<style>slot:not([name])::slotted(p){opacity:0}</style><slot name=a></slot><slot></slot>",
    "<style>@media screen{:host(:not(.r)){visibility:hidden}}</style><slot></slot>",
)
"""What a shadow tree says by which nothing shows of those in its slots."""
SHOWING: Final = (
    "<style>:host([hidden]){display:none}</style><slot></slot>",
    "<style>:host(.r) slot{display:none}</style><slot></slot>",
    "<style>p{display:none}.q{opacity:0}</style><slot></slot>",
    "<style>::slotted(b){display:none}.q::slotted(p),.z{display:none}</style><slot></slot>",
    "<style>slot[name=a]::slotted(p){display:none}</style><slot name=a></slot><slot></slot>",
    "<style>:host{color:#fff;background:#123}</style><slot></slot>",
    "<style>{}}}</style><slot></slot>",
    "<div><template shadowrootmode=open><b>Tea</b><slot></slot></template><slot></slot></div>",
)
