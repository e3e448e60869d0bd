"""Sixty kinds of controls, each on a page of its own: a hit is when the page's own handler gets a trusted event.

Handlers tell the site by a request, so that nothing but the page itself says what happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.browser.browse.session import Session

SAY = (
    "<script>function say(what, e) { fetch('/hit?' + encodeURIComponent(what + ' ' + !!(e && e.isTrusted)),"
    "{keepalive: true}) }</script>"
)
STYLE = "<style>body{font:16px sans-serif;margin:20px} .box{width:160px;height:40px;background:#cde}</style>"


def number(tab: Session, name: str) -> int:
    """Return the number of the element with this name; exact names first."""
    elements = tab.snapshot.elements
    exact = [each.index for each in elements if each.name == name]
    near = [each.index for each in elements if name in each.name]
    found = exact or near
    assert found, f"no element {name!r} in:\n{tab.snapshot.content}"
    return found[0]


def click(*names: str) -> Callable[[Session], Awaitable[object]]:
    async def steps(tab: Session) -> None:
        for name in names:
            await tab.click(number(tab, name))

    return steps


def fill(name: str, text: str, *, submit: bool = False) -> Callable[[Session], Awaitable[object]]:
    return lambda tab: tab.type(number(tab, name), text, submit=submit)


def select(name: str, option: str) -> Callable[[Session], Awaitable[object]]:
    return lambda tab: tab.select(number(tab, name), option)


async def hover_and_click(tab: Session) -> None:
    await tab.hover(number(tab, "Products"))
    await tab.click(number(tab, "Ropes"))


async def press_keys(tab: Session) -> None:
    await tab.click(number(tab, "Knob"))
    await tab.press("ArrowRight")


async def scroll_for_more(tab: Session) -> None:
    for _ in range(4):
        await tab.scroll(2)
    await tab.click(number(tab, "row 25"))


def drag(name: str, to: str) -> Callable[[Session], Awaitable[object]]:
    return lambda tab: tab.drag(number(tab, name), number(tab, to))


@dataclass(frozen=True)
class Kind:
    """A page, what is done on it, and what its handler says when it worked."""

    html: str
    steps: Callable[[Session], Awaitable[object]]
    wanted: str


def _by(tag: str, event: str = "click", name: str = "Target") -> str:
    """An element with a listener of its own."""
    return f"{tag}<script>document.getElementById('t').addEventListener('{event}', (e) => say('{name}', e))</script>"


def _shadow(mode: str) -> str:
    return (
        f"<div id=h></div><script>const r = document.getElementById('h').attachShadow({{mode: '{mode}'}});"
        "r.innerHTML = '<button>Target</button>'; r.querySelector('button').onclick = (e) => say('Target', e)</script>"
    )


def _field(markup: str, event: str = "change") -> str:
    return (
        f"{markup}<script>document.getElementById('t').addEventListener('{event}',"
        " (e) => say('Target=' + e.target.value, e))</script>"
    )


_MODAL = (
    "<button id=b>Behind</button><dialog id=d><p>Sure?</p><button id=t>Target</button></dialog>"
    "<script>d.showModal(); t.onclick = (e) => say('Target', e)</script>"
)
_LISTBOX = (
    "<div id=c role=combobox tabindex=0 aria-label=Fruit aria-expanded=false class=box>choose</div><ul id=l hidden"
    " role=listbox><li role=option>Apple<li role=option>Target</ul><script>c.onclick = () => l.hidden = false;"
    "l.onclick = (e) => say(e.target.textContent, e)</script>"
)
_HTML5_DRAG = (
    "<div id=a draggable=true class=box>Parcel</div><div id=z class=box style='margin-top:60px'>Van</div><script>"
    "a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'x'); z.ondragover = (e) => e.preventDefault();"
    "z.ondrop = (e) => { e.preventDefault(); say('Target', e) }</script>"
)
_POINTER_DRAG = (
    "<div id=a class=box style='cursor:grab;touch-action:none'>Parcel</div><div id=z class=box role=button"
    " style='margin-top:60px'>Van</div><script>a.onpointerdown = (e) => { window.on = true };"
    "onpointerup = (e) => { if (window.on && document.elementFromPoint(e.clientX, e.clientY) === z) say('Target', e) }"
    "</script>"
)
_REACTISH = (
    "<div id=t class=box style='cursor:default'>Target</div><script>t['__reactProps$x1'] = {onClick: 1};"
    "document.addEventListener('click', (e) => { if (e.target === t) say('Target', e) })</script>"
)
_SVELTISH = (
    "<div id=t class=box>Target</div><script>t.__click = 1;"
    "document.addEventListener('click', (e) => { if (e.target.__click) say('Target', e) })</script>"
)

KINDS: dict[str, Kind] = {
    "button": Kind(_by("<button id=t>Target</button>"), click("Target"), "Target true"),
    "button, pointer events only": Kind(_by("<button id=t>Target</button>", "pointerdown"), click("Target"), "Target true"),
    "input button": Kind(_by("<input type=button id=t value=Target>"), click("Target"), "Target true"),
    "image button": Kind(_by("<input type=image id=t alt=Target width=40 height=20>"), click("Target"), "Target true"),
    "submit": Kind("<form onsubmit=\"say('Target', event); return false\"><button>Target</button></form>", click("Target"), "Target true"),
    "link": Kind("<a href='/hit?Target%20true'>Target</a>", click("Target"), "Target true"),
    "link of two lines": Kind(_by("<p style='width:90px'>aaaa bbbb <a id=t href='#x'>Target and its long tail</a>"), click("Target and"), "Target true"),
    "anchor without href": Kind(_by("<a id=t>Target</a>"), click("Target"), "Target true"),
    "area": Kind(_by("<img usemap='#m' width=100 height=60 style='background:#ddd'><map name=m><area id=t alt=Target shape=rect coords='50,10,90,50' href='#x'></map>"), click("Target"), "Target true"),
    "summary": Kind("<details ontoggle=\"say('Target', event)\"><summary>Target</summary>text</details>", click("Target"), "Target true"),
    "checkbox": Kind(_by("<label><input type=checkbox id=t> Target</label>", "change"), click("Target"), "Target true"),
    "checkbox behind its label": Kind(_by("<style>input{position:absolute;opacity:0}</style><input type=checkbox id=t><label for=t>Target</label>", "change"), click("Target"), "Target true"),
    "checkbox not drawn": Kind(_by("<input type=checkbox id=t style='display:none'><label for=t>Target</label>", "change"), click("Target"), "Target true"),
    "radio": Kind(_by("<label><input type=radio name=r>Other</label><label><input type=radio name=r id=t>Target</label>", "change"), click("Target"), "Target true"),
    "text": Kind(_field("<label>Name <input id=t></label>"), fill("Name", "Ann", submit=True), "Target=Ann true"),
    "text with key listeners": Kind(_field("<input id=t placeholder=Name>", "keyup"), fill("Name", "Ann"), "Target=Ann true"),
    "text that is replaced": Kind(_field("<input id=t aria-label=Name value=old>"), fill("Name", "new", submit=True), "Target=new true"),
    "search": Kind("<form onsubmit=\"say('Target=' + q.value, event); return false\"><input type=search id=q aria-label=Find></form>", fill("Find", "boats", submit=True), "Target=boats true"),
    "password": Kind(_field("<input type=password id=t aria-label=Secret>"), fill("Secret", "pw", submit=True), "Target=pw true"),
    "number": Kind(_field("<input type=number id=t aria-label=Count>", "input"), fill("Count", "42"), "Target=42 true"),
    "textarea": Kind(_field("<textarea id=t aria-label=Words></textarea>", "input"), fill("Words", "one\ntwo"), "Target=one\ntwo true"),
    "contenteditable": Kind("<div id=t contenteditable aria-label=Words class=box>old</div><script>t.oninput = (e) => say('Target=' + t.innerText, e)</script>", fill("Words", "new"), "Target=new true"),
    "date": Kind(_field("<input type=date id=t aria-label=Day>"), fill("Day", "2026-03-15"), "Target=2026-03-15 true"),
    "time": Kind(_field("<input type=time id=t aria-label=Hour>"), fill("Hour", "14:30"), "Target=14:30 true"),
    "month": Kind(_field("<input type=month id=t aria-label=Month>"), fill("Month", "2026-03"), "Target=2026-03 true"),
    "week": Kind(_field("<input type=week id=t aria-label=Week>"), fill("Week", "2026-W12"), "Target=2026-W12 true"),
    "date and time": Kind(_field("<input type=datetime-local id=t aria-label=When>"), fill("When", "2026-03-15T09:30"), "Target=2026-03-15T09:30 true"),
    "colour": Kind(_field("<input type=color id=t aria-label=Paint>"), fill("Paint", "#0c8040"), "Target=#0c8040 true"),
    "slider": Kind(_field("<input type=range id=t aria-label=Volume>"), fill("Volume", "73"), "Target=73 true"),
    "select": Kind(_field("<select id=t aria-label=Fruit><option>Apple<option disabled>Fig<option>Pear<option>Plum</select>"), select("Fruit", "Pear"), "Target=Pear true"),
    "select of many": Kind(_field("<select id=t multiple aria-label=Fruit><option>Apple<option>Pear<option>Plum</select>"), select("Fruit", "Pear"), "Target=Pear true"),
    "select by click handlers": Kind(_LISTBOX, select("Fruit", "Target"), "Target true"),
    "datalist": Kind(_field("<input id=t list=l aria-label=Port><datalist id=l><option value=Oslo></datalist>"), fill("Port", "Oslo", submit=True), "Target=Oslo true"),
    "aria button": Kind(_by("<div id=t role=button tabindex=0>Target</div>"), click("Target"), "Target true"),
    "aria checkbox": Kind(_by("<span id=t role=checkbox aria-checked=false>Target</span>"), click("Target"), "Target true"),
    "aria switch": Kind(_by("<span id=t role=switch aria-checked=false aria-label=Target style='display:inline-block;width:40px;height:20px;background:#aaa'></span>"), click("Target"), "Target true"),
    "aria tab": Kind(_by("<div role=tablist><span role=tab>One</span> <span id=t role=tab>Target</span></div>"), click("Target"), "Target true"),
    "aria menu item": Kind(_by("<ul role=menu><li id=t role=menuitem>Target</ul>"), click("Target"), "Target true"),
    "aria slider": Kind("<div id=t role=slider tabindex=0 aria-label=Knob aria-valuenow=1 class=box></div><script>t.onkeydown = (e) => say('Target ' + e.key, e)</script>", press_keys, "Target ArrowRight true"),
    "tree item": Kind(_by("<ul role=tree><li id=t role=treeitem aria-expanded=false>Target</ul>"), click("Target"), "Target true"),
    "own listener": Kind(_by("<div id=t class=box>Target</div>"), click("Target"), "Target true"),
    "pointer listener": Kind(_by("<div id=t class=box>Target</div>", "pointerup"), click("Target"), "Target true"),
    "mouse listener": Kind(_by("<div id=t class=box>Target</div>", "mousedown"), click("Target"), "Target true"),
    "double click": Kind(_by("<div id=t class=box>Target</div>", "dblclick"), lambda tab: tab.click(number(tab, "Target"), count=2), "Target true"),
    "context menu": Kind(_by("<div id=t class=box>Target</div>", "contextmenu"), lambda tab: tab.click(number(tab, "Target"), button="right"), "Target true"),
    "pointer cursor, delegated": Kind("<div id=t class=box style='cursor:pointer'>Target</div><script>document.onclick = (e) => { if (e.target === t) say('Target', e) }</script>", click("Target"), "Target true"),
    "named class, delegated": Kind("<ul id=l><li class='nav-item'>One<li class='nav-item'>Target</ul><script>l.onclick = (e) => say(e.target.textContent, e)</script>", click("Target"), "Target true"),
    "data attribute, delegated": Kind("<span data-action=go>Target</span><script>document.addEventListener('click', (e) => { if (e.target.dataset.action) say('Target', e) })</script>", click("Target"), "Target true"),
    "react handler": Kind(_REACTISH, click("Target"), "Target true"),
    "svelte handler": Kind(_SVELTISH, click("Target"), "Target true"),
    "svg": Kind(_by("<svg width=100 height=50><rect id=t width=100 height=50 fill=red><title>Target</title></rect></svg>").replace("<rect", "<rect aria-label=Target"), click("Target"), "Target true"),
    "picture as a button": Kind(_by("<img id=t alt=Target width=40 height=40 src='data:,'>"), click("Target"), "Target true"),
    "open shadow tree": Kind(_shadow("open"), click("Target"), "Target true"),
    "closed shadow tree": Kind(_shadow("closed"), click("Target"), "Target true"),
    "frame of the same site": Kind("<iframe src='/inner' width=300 height=100></iframe>", click("Target"), "Target true"),
    "frame of another site": Kind("<div style='height:50px'></div><iframe src='OTHER/inner' width=300 height=100></iframe>", click("Target"), "Target true"),
    "frame in a frame": Kind("<iframe src='OTHER/nested' width=400 height=200></iframe>", click("Target"), "Target true"),
    "written frame": Kind("<iframe srcdoc=\"<button onclick='parent.say(`Target`, event)'>Target</button>\"></iframe>", click("Target"), "Target true"),
    "hover menu": Kind("<style>.s{display:none} .m:hover .s{display:block}</style><div class='m box'><span id=p>Products</span><div class=s><a href='#' onclick=\"say('Target', event)\">Ropes</a></div></div><script>document.querySelector('.m').onmouseenter = () => 0</script>", hover_and_click, "Target true"),
    "drag and drop": Kind(_HTML5_DRAG, drag("Parcel", "Van"), "Target true"),
    "drag by pointer": Kind(_POINTER_DRAG, drag("Parcel", "Van"), "Target true"),
    "drag by pixels": Kind("<div id=t class=box style='cursor:grab'>Handle</div><script>t.onpointerdown = (e) => { window.x = e.clientX };onpointerup = (e) => say('Target=' + Math.round((e.clientX - x) / 10), e)</script>", lambda tab: tab.drag(number(tab, "Handle"), dx=80), "Target=8 true"),
    "modal": Kind(_MODAL, click("Target"), "Target true"),
    "popover": Kind("<button popovertarget=p>More</button><div id=p popover><button onclick=\"say('Target', event)\">Target</button></div>", click("More", "Target"), "Target true"),
    "far down": Kind("<div style='height:3000px'></div>" + _by("<button id=t>Target</button>"), click("Target"), "Target true"),
    "in a scrolled box": Kind("<div style='height:80px;overflow:auto'><div style='height:600px'></div>" + _by("<button id=t>Target</button></div>"), click("Target"), "Target true"),
    "endless scroll": Kind("<div id=l></div><script>let n = 0; const more = () => { for (let i = 0; i < 10; i++) { const r = document.createElement('button'); r.textContent = 'row ' + ++n; r.style.cssText = 'display:block;height:90px'; r.onclick = (e) => say(e.target.textContent, e); l.append(r) } }; more(); onscroll = () => { if (n < 40 && scrollY + innerHeight > document.body.scrollHeight - 200) more() }</script>", scroll_for_more, "row 25 true"),
    "new tab": Kind("<a target=_blank href='/inner'>Open</a>", click("Open", "Target"), "Target true"),
    "opened window": Kind("<button onclick=\"window.open('/inner')\">Open</button>", click("Open", "Target"), "Target true"),
    "late element": Kind("<button onclick=\"setTimeout(() => { l.hidden = false }, 40)\">Open</button><button id=l hidden onclick=\"say('Target', event)\">Target</button>", click("Open", "Target"), "Target true"),
}  # fmt: skip

INNER = STYLE + SAY + "<button onclick=\"say('Target', event)\">Target</button>"
NESTED = STYLE + "<p>nested</p><iframe src='THIRD/inner' width=300 height=100></iframe>"
