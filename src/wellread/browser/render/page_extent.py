"""Finds whether a rendered page goes on: endless feeds, lists that show the rows in view alone, buttons for more.

A page of any length that is all there stays as it is when it is scrolled. One that goes on grows at its end, and grows
again; or it lets go of the rows that were in view; or it declares more entries than it has, keeps space for what comes
later, or has a button for more below its list. Only a read that asks for the whole page presses that button.

Sources: WAI-ARIA 1.2 (`aria-setsize`, `aria-rowcount`: the number of all entries, -1 where it is not known).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

_GROWN_PX = 40
_GROWN_CHARS = 80
_FEWEST_MARKS = 3
_SCREENS_OF_SPACE = 1.0
"""Empty space below what was scrolled through, in screens, from which it is taken as kept for what comes later."""

_SCREENS_AWAY = 3
"""Beyond the margin that observers of the end have."""

_MORE = (
    r"/^\W*(?:(?:load|show|see|view|display|fetch|get)\b.{0,20}\b(?:more|older|all|next)\b.{0,20}"
    r"|(?:more|older|weitere|mehr)\b.{0,20}"
    r"|.{0,20}\b(?:mehr|weitere|plus|m\u00e1s|mais|altr[oie]|meer|mer|mere|flere|daha)\b.{0,12}"
    r"|.{0,12}(?:lis\u00e4\u00e4|dal\u0161\u00ed|tov\u00e1bb|wi\u0119cej|\u0435\u0449\u0451|\u0435\u0449\u0435"
    r"|\u0431\u043e\u043b\u044c\u0448\u0435|\u3082\u3063\u3068|\u3055\u3089\u306b|\u7d9a\u304d"
    r"|\u66f4\u591a|\u52a0\u8f7d|\ub354|\u0627\u0644\u0645\u0632\u064a\u062f|\u05e2\u05d5\u05d3"
    r"|\u0914\u0930|th\u00eam).{0,12})\W*$/iu"
)
"""Labels of a button for more in some twenty languages; its place on the page must fit, too."""

_LISTS = """[...document.querySelectorAll('body *')].slice(0, 20000).filter((e) =>
    e.scrollHeight > e.clientHeight + 40 && e.clientHeight > 120 && e.clientWidth > 200 &&
    /auto|scroll/.test(getComputedStyle(e).overflowY)).slice(0, 5)"""

MARK = """(() => {
  const marks = [];
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  for (let n = 0; n < 5000 && marks.length < 60; n++) {
    const text = walker.nextNode();
    if (!text) break;
    const content = text.data.trim(), e = text.parentElement;
    if (content.length < 3 || !e || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION)$/.test(e.tagName)) continue;
    const box = e.getBoundingClientRect();
    if (box.height > 0 && box.bottom > 0 && box.top < innerHeight) marks.push([e, text, text.data]);
  }
  globalThis.marks = marks;
  globalThis.lists = null;
  return marks.length;
})()"""
"""Remembers the texts in view, in the reader's own world."""

TO_END = f"""(async () => {{
  const frames = async () => {{
    for (let n = 0; n < 2; n++) {{
      await new Promise((done) => {{ requestAnimationFrame(() => done()); setTimeout(done, 250); }});
    }}
    await new Promise((done) => setTimeout(done, 50));
  }};
  globalThis.lists ??= {_LISTS}.map((e) => [e, e.scrollTop, e.scrollTop + e.clientHeight > e.scrollHeight - 5]);
  const go = (screens) => {{
    for (const [list, , is_upward] of globalThis.lists) {{  // messages stand at their last one, and go on above
      const away = screens * list.clientHeight;
      list.scrollTo({{top: is_upward ? away : list.scrollHeight - list.clientHeight - away, behavior: 'instant'}});
    }}
    const top = document.documentElement.scrollHeight - innerHeight * (1 + screens);
    scrollTo({{top, behavior: 'instant'}});
  }};
  go({_SCREENS_AWAY});
  await frames();
  go(0);
  await frames();
  return globalThis.lists.length > 0 || document.documentElement.scrollHeight > innerHeight + 20;
}})()"""
"""Scrolls the page and the lists in it to their ends; returns whether anything can be scrolled.

An observer of the end fires when the end comes into view, not while it stays there. A feed that was loading at that
moment ignores it, and stands still until the end has been out of view for a frame. So the page is first scrolled away
from its end. Two frames: observers look at the end of a frame, behind its animation callbacks. The time after them lets
the observer tell of each state by itself: many pages read the first of its entries alone.
"""

BACK = "(() => { for (const [list, top] of globalThis.lists || []) list.scrollTo({top, behavior: 'instant'}); })()"

MEASURE = """(() => {
  const marks = globalThis.marks || [];
  const gone = marks.filter(([e, text, content]) => !text.isConnected || text.data !== content).length;
  const inner = (globalThis.lists || []).reduce((sum, [list]) => sum + list.scrollHeight, 0);
  return [document.documentElement.scrollHeight + inner, document.body ? document.body.textContent.length : 0,
          marks.length, gone];
})()"""
"""[height of the page and of its lists, characters, marks, marks that are gone]."""

_MORE_BUTTON = """(() => {
  const words = WORDS;
  const named = /(?:^|[-_ ])(?:(?:load|show|view|see)[-_]?more|more[-_]?(?:button|btn|link)|loadmore|showmore)/i;
  const similar = (items) => {
    const kinds = new Map();
    for (const e of items) {
      const kind = e.tagName + '.' + (e.classList[0] || '');
      if (e.textContent.trim()) kinds.set(kind, (kinds.get(kind) || 0) + 1);
    }
    return Math.max(0, ...kinds.values()) >= 3;
  };
  const follows = (e) => {
    for (let up = 0, at = e; up < 4 && at && at !== document.body; up++, at = at.parentElement) {
      const before = [];
      for (let b = at.previousElementSibling; b && before.length < 60; b = b.previousElementSibling) before.push(b);
      if (similar(before) || (before[0] && (similar(before[0].children) ||
          [...before[0].children].some((inner) => similar(inner.children))))) return true;
      if (before.some((b) => b.textContent.trim())) return false;
    }
    return false;
  };
  const controls = document.querySelectorAll("button, [role='button'], a, input[type='button']");
  for (let i = 0; i < controls.length && i < 2000; i++) {
    const e = controls[i], label = (e.innerText || e.value || '').trim();
    if (!label || label.length > 50 || e.disabled || e.closest("nav, header, footer, aside, form, dialog")) continue;
    const name = `${e.className} ${e.id} ${e.getAttribute('data-action') || ''}`;
    if (!words.test(label) && !named.test(name)) continue;
    const href = e.tagName === 'A' ? e.getAttribute('href') || '#' : '#';
    const is_link = !/^(?:#|javascript:)/i.test(href) && !named.test(name);
    if (!is_link && e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && follows(e)) return e;
  }
  return null;
})()""".replace("WORDS", _MORE)

MORE_POINT = f"""(() => {{
  const e = {_MORE_BUTTON};
  if (!e) return null;
  e.scrollIntoView({{block: 'center', behavior: 'instant'}});
  const box = e.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  const top = document.elementFromPoint(x, y);
  return top && (e.contains(top) || top.contains(e)) ? [x, y] : null;
}})()"""
"""Scrolls to the button for more; returns its middle, or null where there is none or something covers it."""

HAS_MARKS = "globalThis.marks !== undefined"
"""Returns whether this is still the document whose texts `MARK` remembered."""

_STANDS = """((seenPx) => {
  const all = [...document.querySelectorAll('body *')].slice(0, 20000);
  const hasOwnText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const skipped = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/;
  const media = /^(IMG|PICTURE|VIDEO|AUDIO|IFRAME|CANVAS|svg|OBJECT|EMBED|INPUT|TEXTAREA|SELECT|BUTTON|HR)$/;
  const spans = [];
  let declared = 0, there = 0;
  for (const e of all) {
    if (skipped.test(e.tagName)) continue;
    const total = Number(e.getAttribute('aria-rowcount') || e.getAttribute('aria-setsize') || 0);
    if (total && !declared) {
      const rows = e.hasAttribute('aria-rowcount') ? e.querySelectorAll("tr, [role='row']").length :
        e.parentElement.querySelectorAll(':scope > [aria-setsize]').length;
      if (total < 0 || total > rows) { declared = total; there = rows; }
    }
    if (hasOwnText(e) || media.test(e.tagName) || getComputedStyle(e).backgroundImage !== 'none') {
      const box = e.getBoundingClientRect();
      if (box.height > 0 && box.width > 0) spans.push([box.top + scrollY, box.bottom + scrollY]);
    }
  }
  spans.sort((a, b) => a[0] - b[0]);
  let end = seenPx, space = 0;
  for (const [top, bottom] of [...spans, [document.documentElement.scrollHeight, 0]]) {
    if (top - end > 200) space += top - end;
    end = Math.max(end, bottom);
  }
  return [space / innerHeight, declared, there, !!MORE_ELEMENT];
})(%d)"""
STANDS = _STANDS.replace("MORE_ELEMENT", _MORE_BUTTON)
"""[screens of empty space below what was scrolled through, entries declared, entries there, a button for more]."""


class Extent(NamedTuple):
    """How much there is of a page at one time."""

    height: int
    chars: int
    marks: int
    gone: int

    def has_grown(self, before: Extent) -> bool:
        """Return whether the page has more than it had."""
        return self.height > before.height + _GROWN_PX or self.chars > before.chars + _GROWN_CHARS

    @property
    def is_virtual(self) -> bool:
        """Return whether texts that were in view have gone from the page: a list keeps the rows in view alone."""
        return self.marks >= _FEWEST_MARKS and self.gone * 2 >= self.marks


def extent(measured: Any) -> Extent:  # Any: what the probe returns
    """Read the result of `MEASURE`; zeros for a page between two documents."""
    if not measured:
        return Extent(0, 0, 0, 0)
    return Extent(*map(int, measured))


def goes_on_notice(
    extents: Sequence[Extent], stands: Sequence[float] | None, *, screens: int, is_cut: bool = False
) -> Notice | None:
    """Return the notice of a page that goes on, or None for one that ended.

    Args:
        extents: results of `MEASURE`, before and after each scroll to the end of the page.
        stands: the result of `STANDS`; None for a page between two documents.
        screens: how far the page was scrolled.
        is_cut: the scrolling ended at a limit, while the page still grew.
    """
    space, declared, present, has_button = stands or (0.0, 0, 0, False)
    read_extent = f"{screens} screens of it were read" if screens else "only its first view was read"
    reason = ""
    if any(extent.is_virtual for extent in extents):
        reason = "a list shows only the rows that are in view"
    elif is_cut or (len(extents) > 2 and all(later.has_grown(before) for before, later in pairwise(extents))):
        reason = "it loads more at its end"
    elif declared:
        total = f"{declared:,.0f}" if declared > 0 else "more"
        reason = f"a list declares {total} entries, of which {present:,.0f} are there"
    elif has_button:
        reason = "a button below a list loads more"
    elif space >= _SCREENS_OF_SPACE:
        reason = "it reserves space for content that is loaded later"
    return Notice("goes_on", f"the page continues: {reason}; {read_extent}") if reason else None
