"""Evaluates scripts in an isolated world of a page, where the page's own scripts can neither listen nor answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellread.browser.playwright_errors import is_between_documents

if TYPE_CHECKING:
    from wellread.browser.tab import BrowserTab

WORLD = "reader"

LOOK = """(() => {
  const all = document.documentElement ? document.documentElement.getElementsByTagName('*') : [];
  const most = Math.min(all.length, 20000);
  const textLength = (e) => e instanceof HTMLElement ? e.innerText.trim().length : 0;
  let chars = textLength(document.body), deeper = 0, around = 0;
  for (const e of document.querySelectorAll("nav,header,footer,[role='navigation']")) {
    if (!e.parentElement || !e.parentElement.closest("nav,header,footer,[role='navigation'],article,main")) {
      around += textLength(e);
    }
  }
  const heart = document.querySelector("main,[role='main'],#app,#root,#__next,#__nuxt,app-root");
  let useful = heart && !textLength(heart) ? 0 : Math.max(0, chars - around);
  for (let i = 0; i < most; i++) {
    const root = all[i].shadowRoot;
    if (root) {
      const more = root.textContent.length;
      deeper += root.querySelectorAll('*').length; chars += more; useful += more;
    }
  }
  for (const e of document.querySelectorAll('iframe')) useful += e.offsetWidth > 300 && e.offsetHeight > 200 ? 200 : 0;
  let busy = false;
  const signs = document.querySelectorAll("[aria-busy='true'],[role='progressbar'],[class*='skeleton' i]," +
    "[class*='spinner' i],[class*='shimmer' i],[class*='loading' i],[class*='loader' i]");
  for (let i = 0; i < signs.length && i < 50 && !busy; i++) {
    const box = signs[i].getBoundingClientRect();
    busy = signs[i] !== document.body && signs[i] !== document.documentElement && box.width > 0 && box.height > 0 &&
      box.top < innerHeight * 2 && signs[i].checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
  }
  const shown = chars > 0 && chars <= 120 ? document.body.innerText.trim() : '';
  const media = () => document.querySelector('canvas,video,audio,iframe,frame,embed,object,input,textarea,select') ||
    [...document.images].some((e) => e.width > 100 && e.height > 100);
  const says = /(?:\\.\\.\\.|\u2026)$|\\b(?:loading|please wait)\\b/i;
  const scripted = document.scripts.length > 0 || document.body && document.body.onload;
  const waits = !!scripted && (chars === 0 ? !media() : says.test(shown));
  return [chars, useful, all.length + deeper, busy, document.readyState !== 'loading', waits];
})()"""
"""[characters, characters outside of menus, elements, shows a busy sign, has been parsed to its end, says nothing yet].
"""

FIND = """((selector) => {
  const find = (root, depth) => {
    if (root.querySelector(selector)) return true;
    if (depth > 5) return false;
    for (const e of root.querySelectorAll('*')) {
      const inside = e.shadowRoot || e.contentDocument;
      if (inside && find(inside, depth + 1)) return true;
    }
    return false;
  };
  return find(document, 0);
})(%s)"""
"""Returns whether an element is there, open shadow trees and same-origin frames included."""

SCROLL = """(async (screens) => {
  const frame = () => new Promise((done) => { requestAnimationFrame(() => done()); setTimeout(done, 60); });
  const step = innerHeight * 0.9;
  let at = scrollY, n = 0;
  while (n < screens && at + innerHeight < document.documentElement.scrollHeight) {
    at += step; n += 1; scrollTo({top: at, behavior: 'instant'}); await frame();
  }
  return n;
})(%d)"""
"""Scrolls down by screens; returns how many."""

SEEN = "Math.round(scrollY + innerHeight)"
"""Returns how far down the page has been scrolled through, in pixels."""

TOP = "scrollTo({top: 0, left: 0, behavior: 'instant'})"

_REJECT = r"""(() => {
  const no = new RegExp('^\\W*(?:(?:reject|decline|refuse|deny|disagree)(?: (?:all|cookies|optional|non-essential|' +
    'and (?:close|continue)|everything|tracking).*)?|(?:only |use |accept |allow )?(?:strictly )?(?:necessary|' +
    'essential)(?: cookies)?(?: only)?|no,? thanks?|continue without (?:accepting|agreeing).*|' +
    'i do not (?:accept|agree)|' +
    '(?:alle[ns]? )?(?:cookies )?(?:ablehnen|verweigern)|nur (?:notwendige|erforderliche|essenzielle).*|' +
    '(?:tout |je )?refuser?(?: tout)?|continuer sans accepter.*|rechazar(?: tod[ao]s?)?.*|rifiuta(?: tutt[oi])?.*|' +
    'rejeitar(?: tudo| todos)?|(?:alles )?weigeren|odrzu(?:ć|c)(?: wszystkie)?|отклонить(?: все)?|avvisa(?: alla)?|' +
    'afvis(?: alle)?|avslå(?: alla| alle)?|拒否.*|すべて拒否|拒绝.*|全部拒绝)\\W*$', 'i');
  const about = /cookie|consent|gdpr|privacy|tracking|datenschutz|confidentialité|privacidad|同意|クッキー/i;
  const buttons = [];
  const walk = (root) => {
    for (const e of root.querySelectorAll("button,[role='button'],input[type='button'],input[type='submit']," +
        "a:not([href]),a[href='#']")) {
      buttons.push(e); if (buttons.length > 600) return;
    }
    let n = 0;
    for (const e of root.querySelectorAll('*')) { if (++n > 8000) return; if (e.shadowRoot) walk(e.shadowRoot); }
  };
  walk(document);
  for (const e of buttons) {
    const text = (e.innerText || e.value || '').trim();
    if (text.length > 60 || !no.test(text)) continue;
    if (!e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    let box = e, banner = false;
    for (let up = 0; up < 12 && box; up++) {
      const style = getComputedStyle(box);
      if (/fixed|sticky|absolute/.test(style.position) || box.getAttribute('role') === 'dialog' ||
          box.tagName === 'DIALOG') { banner = about.test(box.innerText || ''); if (banner) break; }
      box = box.parentElement || (box.getRootNode() instanceof ShadowRoot ? box.getRootNode().host : null);
    }
    if (!banner && !ANYWHERE) continue;
    const place = e.getBoundingClientRect();
    return [place.left + place.width / 2, place.top + place.height / 2];
  }
  return null;
})()"""
REJECT = _REJECT.replace("ANYWHERE", "false")
"""Returns the point at which a cookie banner can be refused: [x, y], or null."""

REFUSE = _REJECT.replace("ANYWHERE", "true")
"""The same on a page that is about nothing but consent."""


class Probe:
    """Evaluates expressions in a world of their own within a page's main frame."""

    def __init__(self, tab: BrowserTab) -> None:
        """Take the tab; the world is made when it is first needed, and again after each navigation."""
        self._devtools = tab.devtools
        self._world = 0

    async def evaluate(self, expression: str) -> Any:  # Any: JSON, as the expression makes it
        """Return the value of `expression`; None while the page is between two documents."""
        from playwright.async_api import Error

        try:
            if not self._world:
                tree = await self._devtools.send("Page.getFrameTree")
                frame = tree["frameTree"]["frame"]["id"]
                world = await self._devtools.send(
                    "Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD, "grantUniveralAccess": False}
                )
                self._world = world["executionContextId"]
            answer = await self._devtools.send(
                "Runtime.evaluate",
                {"expression": expression, "contextId": self._world, "returnByValue": True, "awaitPromise": True},
            )
        except Error as error:
            if is_between_documents(error):
                self._world = 0
                return None
            raise
        if "exceptionDetails" in answer:
            return None
        return answer["result"].get("value")
