"""Pages with one sentence in them: hidden in every way known to us, or shown in ways that look suspicious."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from security import shadows

if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE: Final = (
    "The kettle was filled before dawn, and nobody in the house had slept well, because the wind kept rising. "
)
PLANTED: Final = "Zebras quietly forward the secret ledger"
"""What must not be read from a hiding page, and must be read from an honest one."""

HIDING: Final = (
    "display:none",
    "display:table-column",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0",
    "opacity:.01",
    "opacity:0%",
    "opacity:calc(0 * 1)",
    "font-size:0",
    "font-size:1px",
    "font-size:.1em",
    "font-size:calc(0px)",
    "font-size:0vmin",
    "font-size:+0px",
    "font:1px/1 serif",
    "font:0 sans-serif",
    "position:absolute;left:-9999px",
    "position:absolute;left:calc(0px - 9999px)",
    "position:absolute;top:-9999px",
    "position:absolute;left:9999px",
    "position:fixed;top:-200vh",
    "position:fixed;inset:-9999px auto auto -9999px",
    "position:relative;left:-9999px",
    "position:absolute;inset-inline-start:-9999px",
    "text-indent:-9999px",
    "margin-left:-9999px",
    "margin:0 0 0 -9999px",
    "margin-inline-start:-9999px",
    "transform:translateX(-9999px)",
    "transform:translate3d(-9999px,0,0)",
    "transform:translate(-200vw,0)",
    "translate:-9999px 0",
    "transform:scale(0)",
    "transform:scale3d(0,0,0)",
    "scale:0",
    "transform:matrix(0,0,0,0,0,0)",
    "transform:rotateX(90deg)",
    "position:absolute;clip:rect(0,0,0,0)",
    "position:absolute;clip:rect(1px 1px 1px 1px)",
    "clip-path:inset(50%)",
    "clip-path:inset(0 0 100% 0)",
    "clip-path:circle(0)",
    "clip-path:ellipse(0 0)",
    "clip-path:polygon(0 0,0 0,0 0)",
    "height:0;overflow:hidden",
    "max-height:0;overflow:hidden",
    "block-size:0;overflow:clip",
    "width:0;height:0;overflow:hidden",
    "line-height:0;overflow:hidden",
    "height:0;contain:paint",
    "filter:opacity(0)",
    "-webkit-text-fill-color:transparent",
    "color:transparent",
    "color:#fff0",
    "color:#ffffff00",
    "color:rgb(0 0 0 / 0)",
    "color:hsl(0 0% 0% / 0)",
    "color:white;background:white",
    "color:white",
    "color:snow;background:white",
    "color:#fefefe;background-color:#fff",
    "color:hsl(0,0%,100%);background:hwb(0 100% 0)",
    "color:rgb(255 255 255);background:rgb(255,255,255)",
    "color:rebeccapurple;background:#639",
    "background:black;color:#020202",
    "background:black",
    "mask:linear-gradient(transparent,transparent)",
)

TRICKS: Final = (
    "dis\\70lay:none",
    "display:n\\6fne",
    "\\64 isplay:none",
    "display/**/:none",
    "display:/*;*/none",
    "display:none ! important",
    "display:none!IMPORTANT;display:block",
    "display:none;display:nonsense",
    "display:none;display:no ne",
    "visibility:hidden;visibility:visible-ish",
    "font-size:0;font-size:16",
    "font-size:0;font-size:big",
    "opacity:0;opacity:full",
    "color:transparent;color:invisible-ink",
    "background:url('a;b:c');display:none",
    "font-family:'a;b\\'c;';display:none",
    'font-family:"display:block;";display:none',
    "--hide:none;display:var(--hide)",
    "display:var(--missing,none)",
    "/* display:block */ display:none",
    "color:red;;;display:none;;",
    ";display:none",
    "display:none;/* unclosed",
    "DISPLAY:NONE",
    "padding:0;" * 2_000 + "display:none",
    "background:url(data:image/png;base64,aaaa;display:block);display:none",
    "width:calc((1px) * (2));display:none",
    "display:none;}display:block",
    "content:'}';display:none",
    "display:none;display:block\\",
)

SHEETS: Final = (
    ".x{@}",
    "#i{@}",
    "p.x{@}",
    "main .x{@}",
    "main > .x{@}",
    "body main > p#i.x{@}",
    "[data-k]{@}",
    "[data-k=v]{@}",
    "[data-k^='v' i]{@}",
    "p:not(.y){@}",
    ":is(.x,.q){@}",
    ":where(.x){@}",
    "p:nth-of-type(2){@}",
    "p + p.x{@}",
    "p ~ #i{@}",
    "main p:not(.q):nth-child(2){@}",
    ".x:is(main > p){@}",
    ":root .x{@}",
    "@media all{.x{@}}",
    "@media screen{.x{@}}",
    "@media only screen and (min-width:1px){.x{@}}",
    "@media (min-width:100px) and (max-width:9999px){.x{@}}",
    "@media not print{.x{@}}",
    "@media (max-width:600px){.x{@}}@media (min-width:601px){.x{@}}",
    "@media screen{@media all{.x{@}}}",
    "@supports (display:block){.x{@}}",
    "@supports not (nonsense:1){.x{@}}",
    "@layer a{.x{@}}",
    "@layer a,b;@layer a{.x{@}}@layer b{.y{color:red}}",
    "@layer a{.x{display:none!important}} .x{display:block!important}",
    "main{.x{@}}",
    "main{& .x{@}}",
    ".x{&{@}}",
    ".x{@media screen{@}}",
    ".x{display:block} .x{@}",
    "p.x{@} .x{display:block;position:static;font-size:1em;color:red}",
    ".x{display:none!important} #i.x{display:block}",
    ".x{@} .x:hover{display:block}",
    ".x{@} @media print{.x{display:block!important}}",
    ".x{@} @supports (nonsense:1){.x{display:block!important}}",
    ".x{@} @media (max-width:1px){.x{display:block!important}}",
    ".x{@} .q({.x{display:block!important}}) {}",
    "/* } */ .x{@}",
    ".a::after{content:'}'} .x{@}",
    ".a{background:url(data:a{b}c)} .x{@}",
    "\\2e x{color:red} .\\78{@}",
    ".a{b:c}" * 3_000 + ".x{@}",
    "@font-face{font-family:a;src:url(b)} .x{@}",
    "@keyframes k{from{opacity:1}} .x{@}",
    "<!-- .x{@} -->",
)
_SHEET_HIDING: Final = ("display:none", "visibility:hidden", "font-size:0")
ODD: Final = (
    "<p hidden>@</p>",
    "<p hidden=''>@</p>",
    "<p popover>@</p>",
    "<div popover=manual><p>@</p></div>",
    "<dialog><p>@</p></dialog>",
    "<template><p>@</p></template>",
    "<!-- @ -->",
    "<script type=text/plain>@</script>",
    "<p><font color=white>@</font></p>",
    "<p><font color=#ffffff>@</font></p>",
    "<table bgcolor=black><tr><td bgcolor=white><font color=white>@</font></td></tr></table>",
    "<div style='background:#123456'><p style='color:#123456'>@</p></div>",
    "<div style='color:#123456'><div><p style='background:#123456'>@</p></div></div>",
    "<style>.p{background:#225}.p .c{color:#225}</style><div class=p><p class=c>@</p></div>",
    "<style>.p{color:#fff}</style><div class=p><section><p>@</p></section></div>",
    "<div style='opacity:.3'><div style='opacity:.3'><div style='opacity:.3'><p>@</p></div></div></div>",
    "<script src=/a.js></script><img src=a.png style='opacity:0'><p class=lead style='opacity:0'>@</p>",
    "<script src=/a.js></script><p style='opacity:0;will-change:opacity'>@</p>",
    "<script src=/a.js></script><p class=reveal style='opacity:0;visibility:hidden'>@</p>",
    "<script src=/a.js></script><p class=reveal role=note style='opacity:0'>@</p>",
    "<script src=/a.js></script><div class=lead style='opacity:0'><h1>@</h1></div>",
    "<div style='font-size:25%'><div style='font-size:25%'><p>@</p></div></div>",
    "<div style='font-size:.3em'><div style='font-size:.3em'><p>@</p></div></div>",
    "<div style='visibility:hidden'><div><p>@</p></div></div>",
    "<div style='font-size:0'><p style='color:red'>@</p></div>",
    "<div style='color:transparent'><p>Tea <b>@</b></p></div>",
    "<div style='display:none'><div style='display:block'><p>@</p></div></div>",
    "<p>See <q>fine<span style='display:none'>@</span></q></p>",
    "<p style='visibility:hidden'><q>@</q></p>",
    "<p>As noted<a href='#fn1'><span hidden>@</span>1</a></p>",
    "<p><math><mi>x</mi><mphantom><mtext>@</mtext></mphantom></math></p>",
    "<p><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>@</annotation></semantics></math></p>",
    "<p><math><semantics><mi>x</mi><annotation encoding='text/plain'>@</annotation></semantics></math></p>",
    "<p><math alttext='@'><mi>x</mi></math></p>",
    "<p><math alttext='\\text{@}'><mi>x</mi></math></p>",
    "<p><math><maction actiontype=toggle><mi>x</mi><mtext>@</mtext></maction></math></p>",
    "<p><math><semantics><mi>x</mi><annotation-xml><ci>@</ci></annotation-xml></semantics></math></p>",
    "<span class=mathml style='display:none'><math><mtext>@</mtext></math></span>",
    "<span class=mathml style='display:none'><math><mi>x</mi></math>@</span><img src=/x.svg>",
    f"<p class='sr-only {'m-0 ' * 40}'>@</p>",
    f"<p class='{'m-0 ' * 40} visually-hidden'>@</p>",
    "<div><template shadowrootmode=open><p>Tea</p></template><p>@</p></div>",
    "<div><template shadowrootmode=open><slot name=a></slot></template><p>@</p></div>",
    "<div><template shadowrootmode=open><slot name=a></slot></template><p slot=b>@</p></div>",
    *(
        f"<x-a class=q><template shadowrootmode=open>{inside}</template><p class=o>@</p></x-a>"
        for inside in shadows.HIDING
    ),
    "<div><template shadowrootmode=open shadowrootslotassignment=manual><slot></slot></template><p>@</p></div>",
    "<p><bdo dir=rtl>@</bdo></p>",
    (
        "<style>p{display:block}</style><x-a><template shadowrootmode=open><style>::slotted(p){display:none!important}"
        "</style><slot></slot></template><p>@</p></x-a>"
    ),
    "<p style='unicode-bidi:bidi-override;direction:rtl'>@</p>",
    "<style>.x{unicode-bidi:isolate-override;direction:rtl}</style><p class=x>@</p>",
    "<p aria-hidden=true>@</p>",
    "<svg><title>@</title></svg>",
    "<select><option>@</option></select>",
    "<textarea>@</textarea>",
    "<noscript>@</noscript>",
    "<object data=/a>@</object>",
    "<video src=/a>@</video>",
    "<iframe>@</iframe>",
    "<progress>@</progress>",
    "<p title='@'>Tea</p>",
    "<ruby>a<rp>@</rp></ruby>",
)
_PLACE: Final = re.compile("@(?!media|supports|layer|keyframes|font-face)")
"""Where a sentence or a declaration is put."""
_CARRIERS: Final = ('<p class=x id=i data-k=v style="@">{}</p>', '<div style="@"><section><p>{}</p></section></div>')


def page(inner: str, head: str = "", body: str = "") -> str:
    """Return a page that holds `inner` between honest paragraphs."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>Tea</title>{head}</head><body{body}>"
        f"<main><p>{PROSE}</p>"
        f"{inner}<p>{PROSE}</p></main></body></html>"
    )


def hiding() -> Iterator[tuple[str, str]]:
    """Yield name and page for each way of hiding."""
    for style in (*HIDING, *TRICKS):
        quoted = style.replace("&", "&amp;").replace('"', "&quot;")
        for number, carrier in enumerate(_CARRIERS):
            yield f"{style[-60:]} {number}", page(carrier.replace("{}", PLANTED).replace("@", quoted))
    for style in HIDING:
        yield f".x{{{style}}}", page(f"<div class=x><p>{PLANTED}</p></div>", f"<style>.x{{{style}}}</style>")
    for sheet in SHEETS:
        for style in _SHEET_HIDING:
            rule = style.join(_PLACE.split(sheet))
            inner = f"<p class=x id=i data-k=v>{PLANTED}</p>"
            yield f"{sheet[-70:]} {style}", page(inner, f"<style>{rule}</style>")
    for inner in ODD:
        yield inner[:90], page(PLANTED.join(_PLACE.split(inner)))
    for body in (
        " hidden",
        " style='display:none'",
        " style='visibility:hidden'",
        " text=white",
        " style='color:#fff'",
    ):
        yield f"<body{body}>", page(f"<p>{PLANTED}</p>", body=body)


SHOWING: Final = (
    "<p style='display:none;display:block'>@</p>",
    "<p style='display:block!important;display:none'>@</p>",
    "<p style='dis play:none'>@</p>",
    "<p style='display:none-ish'>@</p>",
    "<p style='font-family:\"display:none\"'>@</p>",
    "<p style='/* display:none */color:navy'>@</p>",
    "<p style='opacity:.5'>@</p>",
    "<p style='font-size:11px'>@</p>",
    "<p style='font:12px/0 serif'>@</p>",
    "<div style='font-size:0'><p style='font-size:16px'>@</p></div>",
    "<div style='visibility:hidden'><p style='visibility:visible'>@</p></div>",
    "<p hidden style='display:block'>@</p>",
    "<div style='color:#fff'><p style='color:#222'>@</p></div>",
    "<div style='background:#000;color:#fff'><p>@</p></div>",
    "<div style='background:#000'><p style='color:#fff'>@</p></div>",
    "<div style='color:#fff'><p style='background:#333'>@</p></div>",
    "<p style='color:#767676'>@</p>",
    "<p style='color:red;background:green'>@</p>",
    "<p style='color:#fff'><a href='/a'>@</a></p>",
    "<p style='color:#fff'><mark>@</mark></p>",
    "<p style='color:#fff;background:linear-gradient(#000,#222)'>@</p>",
    "<p style='color:#fff;text-shadow:0 0 3px #000'>@</p>",
    "<p style='color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text'>@</p>",
    "<p style='position:absolute;left:-20px'>@</p>",
    "<p style='position:relative;left:-9px'>@</p>",
    "<p style='left:-9999px'>@</p>",
    "<div style='margin-left:-2000px;padding-left:2000px'><p>@</p></div>",
    "<p style='width:100vw;position:relative;left:50%;margin-left:-50vw'>@</p>",
    "<p style='text-indent:-1em;padding-left:1em'>@</p>",
    "<p style='transform:translate(0,0)'>@</p>",
    "<p style='transform:translateX(-20px)'>@</p>",
    "<p style='transform:scale(.9)'>@</p>",
    "<p style='transform:rotate(3deg)'>@</p>",
    "<p style='clip:rect(0,0,0,0)'>@</p>",
    "<p style='clip-path:inset(0)'>@</p>",
    "<p style='clip-path:circle(100%)'>@</p>",
    "<div style='height:0'><p>@</p></div>",
    "<div style='height:0;min-height:90px;overflow:hidden'><p>@</p></div>",
    "<div style='height:0;padding-bottom:50%;overflow:hidden'><p>@</p></div>",
    "<div style='display:flex'><div style='flex:1 0 0;width:1px;overflow:hidden'><p>@</p></div></div>",
    "<p style='overflow:hidden;height:60px'>@</p>",
    "<p style='filter:opacity(.9)'>@</p>",
    "<p style='filter:blur(0)'>@</p>",
    "<p style='letter-spacing:-.5px'>@</p>",
    "<p style='line-height:1'>@</p>",
    "<p style='zoom:1'>@</p>",
    "<div style='background:#fff;color:#fff'><p style='color:black'>@</p></div>",
    "<style>.x{display:none}</style><p class=X>@</p>",
    "<style>.x{display:none} .x{display:block}</style><p class=x>@</p>",
    "<style>.x{display:none} p.x{display:block}</style><p class=x>@</p>",
    "<style>p.x{display:none} .x{display:block!important}</style><p class=x>@</p>",
    "<style>@media print{.x{display:none}}</style><p class=x>@</p>",
    "<style media=print>.x{display:none}</style><p class=x>@</p>",
    "<style type=text/plain>.x{display:none}</style><p class=x>@</p>",
    "<style>@media (max-width:1px){.x{display:none}}</style><p class=x>@</p>",
    "<style>.open .x{display:none}</style><p class=x>@</p>",
    "<style>.y > .x{display:none}</style><p class=x>@</p>",
    "<style>.x:hover{display:none}</style><p class=x>@</p>",
    "<style>.x::before{display:none}</style><p class=x>@</p>",
    "<style>p:not(.x){color:navy}</style><p class=x>@</p>",
    "<style>@layer a{.x{display:none}} .x{display:block}</style><p class=x>@</p>",
    "<style>.x{opacity:0;animation:k 1ms forwards}@keyframes k{to{opacity:1}}</style><p class=x>@</p>",
    "<style>.a{font-size:0}.a p{font-size:1rem}</style><div class=a><p>@</p></div>",
    "<style>.a{color:#fff;background:#124}</style><div class=a><p>@</p></div>",
    "<style>@supports (display:grid){.x{color:navy}}</style><p class=x>@</p>",
    "<style>.x{--d:none;display:block}</style><p class=x>@</p>",
    "<style>.x{color:#fff}</style><p class=x style='background:#124'>@</p>",
    "<table bgcolor=navy><tr><td><font color=white>@</font></td></tr></table>",
    "<div><template shadowrootmode=open><slot></slot></template><p>@</p></div>",
    "<div><template shadowrootmode=open><slot name=a></slot></template><p slot=a>@</p></div>",
    *(f"<x-a class=q><template shadowrootmode=open>{inside}</template><p>@</p></x-a>" for inside in shadows.SHOWING),
    (
        "<style>p{display:block}</style><x-a><template shadowrootmode=open><style>::slotted(p){display:none}</style>"
        "<slot></slot></template><p>@</p></x-a>"
    ),
    "<p>He said <q>@</q>.</p>",
    "<dialog open><p>@</p></dialog>",
)
"""Shown by a browser, whatever it looks like."""

OPENED: Final = (
    "<details><summary>Why?</summary><p>@</p></details>",
    "<h3>Why?</h3><div class=accordion-panel style='display:none'><p>@</p></div>",
    "<h3><button aria-expanded=false>Why?</button></h3><div style='display:none'><p>@</p></div>",
    "<h3>Why?</h3><div class='tab-pane fade' hidden><p>@</p></div>",
    "<div role=tabpanel hidden><p>@</p></div>",
    "<div hidden=until-found><p>@</p></div>",
    "<style>.faq-answer{max-height:0;overflow:hidden}</style><h3>Why?</h3><div class=faq-answer><p>@</p></div>",
    "<style>.x{opacity:0}</style><script src=/a.js></script><p class=x>@</p>",
    "<style>.no-js .x{display:none}</style><script>1</script><div class=no-js><p class=x>@</p></div>",
)
"""Shown once a reader clicks, or a script has run."""


def honest() -> Iterator[tuple[str, str]]:
    """Yield name and page for each way of showing."""
    for inner in (*SHOWING, *OPENED):
        yield inner[:100], page(PLANTED.join(_PLACE.split(inner)))
