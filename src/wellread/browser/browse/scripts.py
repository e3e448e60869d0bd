"""The scripts that are evaluated in a page. All but one run in an isolated world that page scripts cannot reach.

`HINTS` alone runs in the page's own world, because the notes of frameworks on elements are visible only there. It only
reads, and its result decides only which elements are offered: the target of a click is decided in the isolated world.
"""

from __future__ import annotations

import json

HINTS = r"""((limit) => {
  const results = [];
  const kinds = new Set(['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup', 'pointerdown',
    'pointerup', 'touchstart', 'touchend', 'keydown', 'keyup', 'mouseenter', 'mouseover', 'pointerenter',
    'pointerover', 'drop', 'dragover', 'dragstart']);
  const handled = (e) => {
    const types = [];
    for (const key of Object.keys(e)) {
      if (key.startsWith('__reactProps$')) {
        for (const name in e[key]) {
          const kind = name.slice(2).replace('Capture', '').replace('Double', 'Dbl').toLowerCase();
          if (name.startsWith('on') && kinds.has(kind) && e[key][name]) types.push(kind);
        }
      } else if (/^(?:__|\$\$)(?:click|pointerdown|mousedown|keydown|dblclick)$/.test(key)) types.push(key.slice(2));
    }
    for (const symbol of Object.getOwnPropertySymbols(e)) {
      const handlers = e[symbol];
      if (handlers && typeof handlers === 'object') for (const name in handlers) if (kinds.has(name)) types.push(name);
    }
    return types;
  };
  const jquery = (e) => {
    const data = window.jQuery && window.jQuery._data && window.jQuery._data(e, 'events');
    for (const kind in data || {}) for (const handler of data[kind]) {
      if (!handler.selector || !kinds.has(handler.origType)) continue;
      for (const hit of (e.querySelectorAll ? e : document).querySelectorAll(handler.selector)) {
        if (results.length <= limit) results.push(hit, handler.origType);
      }
    }
  };
  let budget = 20000;
  const walk = (root) => {
    for (const e of root.querySelectorAll('*')) {
      if (budget-- < 0 || results.length > limit) return;
      try {
        if (window.jQuery) jquery(e);
        const types = handled(e);
        if (types.length) results.push(e, types.join(' '));
        if (e.shadowRoot) walk(e.shadowRoot);
        if (e.tagName === 'IFRAME' && e.contentDocument) walk(e.contentDocument);
      } catch { budget -= 1; }
    }
  };
  try { if (window.jQuery) jquery(document); } catch { budget -= 1; }
  walk(document);
  const register = navigator.serviceWorker && navigator.serviceWorker.register;
  if (register && register.asked === true) results.push('service worker');
  return results;
})(4000)"""
"""Events that frameworks note on elements which one ancestor's listener serves: [element, "click keydown", ...]."""

_HOVER_HOSTS = r"""
  // Elements on which a :hover rule shows hidden content: `li:hover > ul`, `.row:hover .tools`, `a:hover + div`.
  const hoverHosts = () => {
    const hosts = new Set(), hidden = new Set();
    let budget = 300;
    const isHidden = (e) => {
      if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true})) return true;
      const box = e.getBoundingClientRect(), style = getComputedStyle(e);
      return box.width < 2 || box.height < 2 || box.right + scrollX <= 0 || box.bottom + scrollY <= 0 ||
        Number(style.opacity) < .05 || /inset\((?:[5-9]\d|100)|circle\(0/.test(style.clipPath);
    };
    const hasContent = (e) => !!e.textContent.trim() || !!e.querySelector('a, button, input, select, textarea') ||
      e.matches('a, button, input, select, textarea, [role=button], [onclick]');
    const findHosts = (root, selector) => {
      for (const part of selector.split(/,(?![^(\[]*[)\]])/)) {
        const at = part.lastIndexOf(':hover');
        const after = part.slice(at + 6), subject = part.slice(0, at).replaceAll(':hover', '').trim();
        if (at < 0 || !/[\s>+~]/.test(after.trim() ? after : '') || budget-- < 0) continue;
        const hostSelector = /[\s>+~]$/.test(subject) || !subject ? subject + '*' : subject;
        let shown;
        try { shown = root.querySelectorAll(hostSelector + after.replaceAll(':hover', '')); } catch { continue; }
        for (const e of [...shown].slice(0, 200)) {
          if (!hasContent(e) || !isHidden(e)) continue;
          let host = e.parentElement && e.parentElement.closest(hostSelector);
          for (let up = e; up && !host; up = up.parentElement) {
            for (let n = up.previousElementSibling; n && !host; n = n.previousElementSibling) {
              if (n.matches(hostSelector)) host = n;
            }
          }
          if (!host || host === document.body || host === document.documentElement) continue;
          hosts.add(host);
          hidden.add(e);
          if (hosts.size >= 200) return;
        }
      }
    };
    const rules = (root, list, outer) => {
      for (const rule of list) {
        let selector = rule.selectorText;
        if (selector && outer) selector = selector.replaceAll('&', `:is(${outer})`);
        if (selector && selector.includes(':hover')) findHosts(root, selector);
        if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
        if (rule.cssRules && rule.cssRules.length) rules(root, rule.cssRules, selector || outer);
      }
    };
    const walk = (root) => {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
        if (sheet.disabled) continue;
        let list = [];
        try { list = sheet.cssRules; } catch { continue; }
        rules(root, list, '');
      }
    };
    walk(document);
    let more = 200;
    for (const e of document.querySelectorAll('*')) if (e.shadowRoot && more-- > 0) walk(e.shadowRoot);
    return [[...hosts], [...hidden]];
  };
"""

STATE = (
    r"""(() => {"""
    + _HOVER_HOSTS
    + r"""
  const modal = [], popovers = [], scrolled = [];
  // What `content-visibility: auto` skips until it is near the window: measuring an element of it lays it out.
  const skipped = new Set();
  let budget = 20000, measured = 0;
  const walk = (root) => {
    for (const e of root.querySelectorAll(':modal')) modal.push(e);
    for (const e of root.querySelectorAll(':popover-open')) popovers.push(e);
    for (const e of root.querySelectorAll('*')) {
      if (budget-- < 0) return;
      if (e.shadowRoot) walk(e.shadowRoot);
      if (!e.checkVisibility()) continue;  // asking for the scroll position would lay out what the page hides
      if (e.checkVisibility({contentVisibilityAuto: true})) {
        if ((e.scrollTop > 0 || e.scrollLeft > 0) && e !== document.scrollingElement) scrolled.push(e);
        continue;
      }
      if (!skipped.has(e.parentElement) && measured++ < 100) e.getBoundingClientRect();
      skipped.add(e);
    }
  };
  walk(document);
  let focused = document.activeElement;
  while (focused && focused.shadowRoot && focused.shadowRoot.activeElement) focused = focused.shadowRoot.activeElement;
  if (focused === document.body) focused = null;
  const boxes = scrolled.slice(0, 200), offsets = boxes.flatMap((e) => [e.scrollLeft, e.scrollTop]);
  return [innerWidth, innerHeight, document.title.slice(0, 300), focused, modal.slice(-20), popovers.slice(-20),
    ...hoverHosts(), boxes, offsets];
})()"""
)
"""[width, height, title, focused element, modal dialogs, popovers, hover hosts, content hidden until a hover, boxes
that are scrolled, how far each is: across, down]."""

HITS = r"""((points) => points.map(([x, y]) => {
  let root = document, hit = null;
  for (let depth = 0; depth < 12; depth++) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
    if (inner.shadowRoot) { root = inner.shadowRoot; continue; }
    let inside = null;
    try { inside = inner.tagName === 'IFRAME' ? inner.contentDocument : null; } catch { inside = null; }
    if (!inside) break;
    const box = inner.getBoundingClientRect();
    x -= box.left + inner.clientLeft; y -= box.top + inner.clientTop; root = inside;
  }
  return hit;
}))(%s)"""
"""Returns the element that a click at each of these points hits."""

_INNER_CONTROLS = (
    "a[href], button, input, select, textarea, summary, [contenteditable], [tabindex='0'], [role=button], [role=link], "
    "[role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem], [role=option], [role=treeitem]"
)

AIM = (
    r"""function(share) {
  const INNER_CONTROLS = """
    + json.dumps(_INNER_CONTROLS)
    + r""";
  if (!this.isConnected) return {gone: true};
  const target = this.nodeType === 1 ? this : this.parentElement;
  const up = (e) => e.parentNode instanceof ShadowRoot ? e.parentNode.host : e.assignedSlot || e.parentNode;
  const within = (e, top) => {
    for (let n = 0; e && n < 500; n++, e = up(e)) if (e === top) return true;
    return false;
  };
  const hitAt = (x, y) => {
    let root = target.getRootNode(), hit = root.elementFromPoint(x, y);
    while (hit && hit.shadowRoot && hit !== target) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (!hit) return null;
    // Outside of this shadow tree, the click must hit its host.
    for (let at = target.getRootNode(); at instanceof ShadowRoot; at = at.host.getRootNode()) {
      const outer = at.host.getRootNode().elementFromPoint(x, y);
      if (outer && !within(outer, at.host) && !within(at.host, outer)) return outer;
      if (outer && outer !== at.host && !within(outer, at.host)) return outer;
    }
    return hit;
  };
  const reachesTarget = (hit) => {
    if (!hit) return false;
    if (within(hit, target)) return true;
    const label = hit.closest('label');
    if (label && label.control && within(label.control, target)) return true;
    return target.tagName === 'AREA' && hit.tagName === 'IMG' && hit.useMap !== '';
  };
  // A click on a control inside the target works that control: the button of a card, the link of a label.
  const takesText = target.matches(
    'label, [contenteditable], [role=combobox], [role=textbox], [role=searchbox], [role=spinbutton]');
  const isInnerControl = (hit) => {
    const label = within(hit, target) ? null : hit.closest('label');
    for (let n = 0, e = hit; e && e !== target && e !== label && n < 50; n++, e = up(e)) {
      if (e.nodeType !== 1 || !e.matches(INNER_CONTROLS)) continue;
      return !(takesText || label) || !e.matches('input, select, textarea, [contenteditable]');
    }
    return false;
  };
  let boxes = [...target.getClientRects()];
  if (target.tagName === 'AREA') {
    const map = target.closest('map');
    const image = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
    const c = target.coords.split(',').map(Number);
    if (image && c.length >= 3) {
      const at = image.getBoundingClientRect();
      const round = target.shape === 'circle';
      const box = round ? [c[0] - c[2], c[1] - c[2], 2 * c[2], 2 * c[2]] : [c[0], c[1], c[2] - c[0], c[3] - c[1]];
      boxes = [new DOMRect(at.left + box[0], at.top + box[1], box[2], box[3])];
    }
  }
  if (!boxes.some((box) => box.width && box.height)) {
    for (const e of target.querySelectorAll('*')) boxes.push(...e.getClientRects());
  }
  boxes = boxes.filter((box) => box.width > 0 && box.height > 0).slice(0, 20);
  const outer = target.closest('label'), control = target.closest('button, input, select, textarea, option');
  const field = control || (outer && outer.control);
  const disabled = field && field.matches(':disabled') ? 'disabled' :
    target.closest('[aria-disabled=true]') ? 'aria-disabled' : '';
  let cover = null, last = null, onInnerControl = null;
  for (const box of boxes) {
    const left = Math.max(box.left, 0), top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth), bottom = Math.min(box.bottom, innerHeight);
    if (right <= left || bottom <= top) continue;
    const points = share ? [share] :
      [[.5, .5], [.25, .5], [.75, .5], [.5, .2], [.5, .8], [.08, .5], [.92, .5], [.1, .15], [.9, .85],
        [.02, .5], [.98, .5], [.5, .04], [.5, .96]];
    for (const [across, down] of points) {
      const x = left + (right - left) * across, y = top + (bottom - top) * down;
      last = {x, y, left: box.left, top: box.top, width: box.width, height: box.height, disabled};
      const hit = hitAt(x, y);
      if (!reachesTarget(hit)) cover = cover || hit;
      else if (!isInnerControl(hit)) return last;
      else onInnerControl = onInnerControl || last;
    }
  }
  if (onInnerControl) return onInnerControl;
  if (!boxes.length) return {undrawn: true};
  if (!cover) return {outside: true};
  const text = (cover.getAttribute('aria-label') || cover.innerText || '').trim().replace(/\s+/g, ' ').slice(0, 80);
  const near = cover.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal]') || cover;
  const kind = near.getAttribute('role') || near.tagName.toLowerCase();
  return {...last, cover: {kind, text, closes: near !== cover || near.matches('dialog, [role*=dialog]')}};
}"""
)
"""Returns a point at which a click hits this element: {x, y, ...} in its own frame, or the obstacle."""

IF_CONNECTED = "async function(...values) {{ return this.isConnected ? [await ({}).apply(this, values)] : null; }}"
"""Calls a function on this element, and returns its result in an array; null where the element has vanished."""

NEXT_FRAME = r"""function() {
  return new Promise((done) => {
    const view = this.ownerDocument.defaultView;
    if (view) view.requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, %d);
  });
}"""
"""Waits until the page has drawn its next frame, at most some milliseconds: some frames are not drawn. What handlers
left to that frame has been done then."""

ALIGN = "function(block) { this.scrollIntoView({block, inline: 'nearest', behavior: 'instant'}); }"

SCROLLED_BOX = r"""function() {
  let width = 0, height = 0;
  for (let e = this.nodeType === 1 ? this : this.parentElement; e && !(width && height); e = e.parentElement) {
    const style = getComputedStyle(e), scrolls = /auto|scroll/;
    if (scrolls.test(style.overflowX) && e.scrollWidth > e.clientWidth) width ||= e.clientWidth;
    if (scrolls.test(style.overflowY) && e.scrollHeight > e.clientHeight) height ||= e.clientHeight;
  }
  return [width || innerWidth, height || innerHeight];
}"""
"""Returns the width of the box that scrolls across when the wheel turns over this element, and the height of the box
that scrolls down: they need not be the same."""

FRAME = r"""function(x, y, at) {
  if (!this.isConnected) return {gone: true};
  const box = this.getBoundingClientRect(), style = getComputedStyle(this);
  const {paddingLeft, paddingTop, paddingRight, paddingBottom} = style;
  const up = (e) => e.parentNode instanceof ShadowRoot ? e.parentNode.host : e.assignedSlot || e.parentElement;
  for (let e = this; e && !at; e = up(e)) {
    const {transform, rotate, scale} = getComputedStyle(e), matrix = new DOMMatrix(transform);
    const isUpright = Math.abs(matrix.b) + Math.abs(matrix.c) < .001 && matrix.a > 0 && matrix.d > 0 && matrix.is2D;
    if (!isUpright || !/^(?:none|0deg)$/.test(rotate) || scale.includes('-')) {
      const width = this.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return {turned: [x / width, y / (this.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom))]};
    }
  }
  // Transforms and `zoom` enlarge the frame with all that is in it.
  const across = box.width / this.offsetWidth, down = box.height / this.offsetHeight;
  at ??= {x: box.left + (this.clientLeft + parseFloat(paddingLeft) + x) * across,
    y: box.top + (this.clientTop + parseFloat(paddingTop) + y) * down};
  const root = this.getRootNode();
  const hit = root.elementFromPoint(at.x, at.y);
  if (hit === this) return at;
  if (!hit) return {outside: true};
  const text = (hit.getAttribute('aria-label') || hit.innerText || '').trim().replace(/\s+/g, ' ').slice(0, 80);
  return {...at, cover: {kind: hit.getAttribute('role') || hit.tagName.toLowerCase(), text}};
}"""
"""Returns the same point in the parent frame, called on the frame's element; for a frame that is turned, its share of
the frame across and down. A third argument is the point in the parent frame, which is only tested then."""

FIELD = r"""function() {
  const options = this.tagName === 'SELECT' ? [...this.options].slice(0, 2000).map((option) => ({
    label: (option.label || option.text).trim().replace(/\s+/g, ' '), value: option.value,
    disabled: option.disabled || (option.parentElement.tagName === 'OPTGROUP' && option.parentElement.disabled),
    selected: option.selected})) : [];
  const suggestions = this.list ? [...this.list.options].slice(0, 2000).map((option) => ({
    label: (option.label || option.text).trim().replace(/\s+/g, ' '), value: option.value,
    disabled: option.disabled})) : [];
  const isSlider = this.tagName !== 'INPUT' && this.getAttribute('role') === 'slider';
  const limit = (name) => this[name] || this.getAttribute(`aria-value${name}`) || '';
  return {suggestions, tag: this.tagName.toLowerCase(), type: isSlider ? 'range' : (this.type || '').toLowerCase(),
    multiple: !!this.multiple,
    value: isSlider ? this.ariaValueNow ?? '' : this.isContentEditable ? this.innerText : String(this.value ?? ''),
    size: this.size || 0,
    editable: this.isContentEditable, disabled: !!this.disabled, readonly: !!this.readOnly, options,
    role: this.getAttribute('role') || '',
    min: limit('min'), max: limit('max'), step: this.step || ''};
}"""

WATCH_DRAG = r"""function() {
  globalThis.wellreadDrag = {takes: false};
  const watch = (event) => { globalThis.wellreadDrag.takes ||= event.defaultPrevented; };
  // This listener runs last: the page's own handlers, anywhere on the path, decide whether it takes the drop.
  addEventListener('dragover', watch, {once: true});
  return true;
}"""
"""Begins to watch whether the page takes a drag over it (HTML, 6.11.5: it cancels `dragover`)."""

TAKES_DROP = "function() { return !!globalThis.wellreadDrag && globalThis.wellreadDrag.takes; }"

FOCUS = r"""function() {
  this.focus();
  if (globalThis.wellreadEntry) globalThis.wellreadEntry.stopped = 0;
}"""
"""Gives this element the focus; keys go into it again where they were stopped, see `BEGIN_ENTRY`."""

BLUR = "function() { this.blur(); }"

LEAVE_FIELD = r"""function() {
  let active = this.ownerDocument.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  if (active && active.matches('input, textarea, select, [contenteditable]')) active.blur();
}"""
"""Takes the focus from a field, as a click on this element does that cannot get the focus."""

IS_FOCUSED = "function() { return this.getRootNode().activeElement === this; }"

_FOCUSED_ELEMENT = r"""
  const shadowActive = this.getRootNode() instanceof ShadowRoot ? this.getRootNode().activeElement : null;
  let active = shadowActive || this.ownerDocument.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
"""
"""Finds `active`, the focused element, also in the closed shadow tree that this element is in."""

_TAKES_KEYS = (
    r"""
  const takesKeys = (field) => (function() {"""
    + _FOCUSED_ELEMENT
    + r"""
    const tag = active ? active.tagName.toLowerCase() : '';
    const inside = !!active && (active === this || this.contains(active));
    const untyped = ['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file'];
    const typed = tag === 'textarea' || (tag === 'input' && !untyped.includes(active.type));
    const editable = !!active && active.isContentEditable;
    // The focused element in a frame, or in a closed shadow tree of a custom element, cannot be seen from here.
    const hidden = tag === 'iframe' || tag.includes('-');
    return {tag, editable, takes: inside || typed || editable || hidden};
  }).call(field);
"""
)

FOCUSED = (
    r"""function() {"""
    + _TAKES_KEYS
    + r"""
  return {...takesKeys(this), stopped: globalThis.wellreadEntry?.stopped ?? 0};
}"""
)
"""Returns whether keys go into this element, or into another that takes text; the focused element's tag; and how many
keys were stopped, see `BEGIN_ENTRY`."""

_FIELD_KIND = r"""
  const kindOf = (e) => [e.tagName, e.type ?? '', e.getAttribute('name'), e.id, e.getAttribute('placeholder'),
    e.getAttribute('aria-label'), e.getAttribute('role'), e.isContentEditable].join('\n');
  const rowOf = (e) => (e.closest('tr, li, fieldset, article, [role=row], [role=listitem]')?.innerText ?? '')
    .replace(/[\d\s]+/g, ' ').trim();
  const pathOf = (e) => {
    const path = [];
    for (let n = e; n && n !== document; n = n.parentNode ?? n.host) {
      let place = 0;
      for (let before = n.previousElementSibling; before; before = before.previousElementSibling) {
        place += before.tagName === n.tagName;
      }
      path.unshift(`${n.tagName ?? 'shadow'} ${place}`);
    }
    return path.join('/');
  };
  const withTag = (top, tag) => {
    const elements = [...top.querySelectorAll(tag)];
    for (const e of top.querySelectorAll('*')) if (e.shadowRoot) elements.push(...withTag(e.shadowRoot, tag));
    return elements;
  };
"""

BEGIN_ENTRY = (
    r"""function() {"""
    + _FIELD_KIND
    + _TAKES_KEYS
    + r"""
  const root = this.getRootNode(), inRoot = withTag(root, this.tagName), kind = kindOf(this);
  const entry = {kind, row: rowOf(this), path: pathOf(this), root, field: this, isMoved: false, stopped: 0,
    followed: new WeakSet([this]), earlier: new WeakSet([...inRoot, ...withTag(this.ownerDocument, this.tagName)]),
    count: inRoot.filter((e) => kindOf(e) === kind).length};
  entry.earlier.delete(this);
  const isField = /^(?:INPUT|TEXTAREA)$/.test(this.tagName) || this.isContentEditable;
  const note = (records) => {
    entry.isMoved ||= records.some((record) => [...record.removedNodes].some((node) => node.contains(entry.field)));
  };
  const stop = (event) => {
    // Events that the page dispatches are no keys, and enter nothing.
    if (!event.isTrusted || !isField || (!entry.stopped && takesKeys(entry.field).takes)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    entry.stopped += event.type === 'keydown';
  };
  const watch = new MutationObserver(note), kinds = ['keydown', 'keypress', 'keyup'];
  watch.observe(entry.root, {subtree: true, childList: true});
  for (const kind of kinds) addEventListener(kind, stop, true);
  entry.end = () => {
    watch.disconnect();
    for (const kind of kinds) removeEventListener(kind, stop, true);
  };
  setTimeout(entry.end, 60000);
  globalThis.wellreadEntry?.end();
  globalThis.wellreadEntry = entry;
}"""
)
"""Begins to enter text into this field: notes where it is, for `REDRAWN`, and watches whether the page takes it out.

Until `END_ENTRY`, a key that would go to no field, and every key after it, is stopped: a page may draw the field again
between the look at the focus and the key. The key does nothing by itself, and no listener hears it but those that the
page has added to `window` in the capture phase: they were there first."""

END_ENTRY = "globalThis.wellreadEntry?.end()"

REDRAWN = (
    r"""function() {"""
    + _FIELD_KIND
    + r"""
  const entry = globalThis.wellreadEntry;
  if (!entry?.followed.has(this)) return null;
  if (this.isConnected) return entry.isMoved ? this : null;
  const root = entry.root.isConnected ? entry.root : this.ownerDocument;
  const alike = withTag(root, this.tagName).filter((e) => kindOf(e) === entry.kind);
  if (alike.length < entry.count) return null;
  const drawn = alike.filter((e) => !entry.earlier.has(e));
  const field = drawn.length === 1 ? drawn[0]
    : drawn.find((e) => pathOf(e) === entry.path && rowOf(e) === entry.row);
  if (!field) return null;
  entry.followed.add(field);
  return entry.field = field;
}"""
)
"""Returns the field that the page has put in the place of this one, or this one after it was taken out for a moment:
the only new one of its kind, or the one at the same place in a row with the same words.

Null where there is none, where text was last entered into another field, and where the page has fewer fields of the
kind than before: this one may be the one that was removed. A field that was there before takes the place of none."""

RESUME_ENTRY = r"""function(text, all) {
  this.focus();
  if (this.isContentEditable) {
    const selection = this.ownerDocument.getSelection();
    selection.selectAllChildren(this);
    if (!all) selection.collapseToEnd();
  } else if (all) this.select();
  else {
    try { this.setSelectionRange(this.value.length, this.value.length); } catch { return false; }
  }
  return this.ownerDocument.execCommand('insertText', false, text);
}"""
"""Gives this field the focus and inserts text at its end, or in place of all of its text, before the page can draw it
again. False where the browser refuses: fields for numbers and mail addresses have no cursor for scripts."""

INSERT = (
    r"""function(text) {"""
    + _FOCUSED_ELEMENT
    + r"""
  return !!active && this.ownerDocument.execCommand('insertText', false, text);
}"""
)
"""Inserts text with its line breaks into the focused textarea, in one step without `beforeinput` events."""

PASTE = (
    r"""function(text) {"""
    + _FOCUSED_ELEMENT
    + r"""
  if (!active) return false;
  const selection = this.ownerDocument.getSelection(), node = selection && selection.anchorNode;
  const element = node && (node.nodeType === 1 ? node : node.parentElement);
  const target = element && active.contains(element) && element.isContentEditable ? element : active;
  const transfer = new DataTransfer();
  transfer.setData('text/plain', text);
  if (active.closest('.ProseMirror')) {
    // ProseMirror drops blank lines of plain text (`clipboardTextParser`), and keeps paragraphs.
    const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    transfer.setData('text/html', escaped.split('\n').map((line) => `<p>${line}</p>`).join(''));
  }
  const common = {bubbles: true, cancelable: true, composed: true};
  const paste = new ClipboardEvent('paste', {...common, clipboardData: transfer});
  if (!target.dispatchEvent(paste)) return true;
  const input = new InputEvent('beforeinput', {...common, inputType: 'insertFromPaste', dataTransfer: transfer});
  return !target.dispatchEvent(input);
}"""
)
"""Offers text to the focused editor as a paste; True when the editor takes it. The clipboard is not touched."""

_COUNTED = r"""
  const counted = globalThis.wellreadChanges ??= (() => {
    const state = {count: 0, waiting: null, began: 0, facts: []};
    new MutationObserver(() => { state.count += 1; if (state.waiting) state.waiting(); }).observe(document,
      {subtree: true, childList: true, characterData: true, attributes: true});
    return state;
  })();
"""
"""Counts the changes of the document, in a world that its scripts do not share."""

_FACTS = r"""
  const facts = () => {
    const fields = [...document.querySelectorAll('input,textarea,select')].slice(0, 2000);
    const values = fields.map((field) => `${field.checked} ${field.selectedIndex} ${field.value}`).join('\n');
    const popovers = document.querySelectorAll(':popover-open').length;
    // A closed shadow tree that is still empty is not reported; its text makes the page higher.
    const {offsetHeight, scrollHeight} = document.documentElement ?? {};
    const places = [scrollX, scrollY, offsetHeight, scrollHeight];
    return [counted.count, location.href, document.activeElement, popovers, values, ...places];
  };
"""
"""What a snapshot shows of the document: its changes, and the facts that change without being counted."""

CHANGED = (
    r"""((since, most) => {"""
    + _COUNTED
    + r"""
  return new Promise((done) => {
    const end = () => { counted.waiting = null; done(counted.count > since); };
    if (counted.count > since) return end();
    counted.waiting = end;
    setTimeout(end, most);
  });
})(%d, %d)"""
)
"""Returns whether the document changes after the given count, within the given milliseconds."""

_BUSY_SIGNS = r"""
  // Signs in the window that more is to come: spinners, skeletons, "Loading...".
  const busySigns = () => {
    const inWindow = (e) => {
      const box = e.getBoundingClientRect();
      return box.width > 0 && box.height > 0 && box.top < innerHeight && box.bottom > 0 &&
        e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
    };
    const marked = new Set([...document.querySelectorAll("[aria-busy='true'], .animate-spin, .animate-pulse, " +
      "[role='progressbar']:not([aria-valuenow]), .ant-spin-spinning")].slice(0, 50));
    // A class name is a sign by a whole word: `card-skeleton`, `MuiSkeleton-root`, but not `file-uploader`.
    const names = new Set(['skeleton', 'spinner', 'shimmer', 'loading', 'loader']);
    const ended = new Set(['lazy', 'done', 'loaded', 'hidden']);
    const hasName = (name) => {
      const words = name.replace(/([a-z])(?=[A-Z])/g, '$1-').toLowerCase().split(/[^a-z]+/);
      return words.some((word) => names.has(word)) && !words.some((word) => ended.has(word));
    };
    const isDrawn = (e) => ![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) ||
      e.getAnimations({subtree: true}).some((animation) => animation.playState === 'running');
    const named = document.querySelectorAll(":is(div, span, svg, i, button, section, ul, li)[class]:is(" +
      "[class*='skeleton' i], [class*='spinner' i], [class*='shimmer' i], [class*='loading' i], [class*='loader' i])");
    const isSign = (e) => [...e.classList].some(hasName) && inWindow(e) && isDrawn(e) &&
      (e.innerText ?? '').length < 100;
    const signs = [...named].slice(0, 200).filter((e) => !marked.has(e) && isSign(e));
    let count = signs.length + [...marked].filter(inWindow).length;
    const says = new RegExp('^(?:loading|please wait|saving|searching|sending|processing|wird geladen|lädt|laden|' +
      'chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中)' +
      '(?:,? please.{0,20}|(?: [^.…]{0,30})?(?:…|[.]{2,}))?$', 'i');
    const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    for (let n = 0; n < 5000 && texts.nextNode(); n++) {
      const text = texts.currentNode.data;
      if (text.length < 40 && says.test(text.trim()) && inWindow(texts.currentNode.parentElement)) count += 1;
    }
    return count;
  };
"""

QUIET = (
    r"""((quiet, most) => new Promise((done) => {
  let timer = 0, last = 0;
  const began = performance.now();
  const end = (still) => { watch.disconnect(); clearTimeout(timer); clearTimeout(last); done([still, began]); };
  const watch = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(() => end(true), quiet); });
  watch.observe(document, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter:
    ['class', 'hidden', 'open', 'disabled', 'aria-expanded', 'aria-hidden', 'aria-selected', 'aria-busy', 'src']});
  timer = setTimeout(() => end(true), quiet);
  last = setTimeout(() => end(false), most);
}).then(([still, began]) => {"""
    + _COUNTED
    + _BUSY_SIGNS
    + _FACTS
    + r"""
  counted.began = began;
  counted.facts = facts();
  // An element that fades or slides is not yet shown, or still shown, until its animation has ended.
  const fading = () => {
    let longestMs = 0;
    for (const animation of document.getAnimations().slice(0, 200)) {
      const effect = animation.effect, target = effect && effect.target;
      if (animation.playState !== 'running' || !target || effect.pseudoElement) continue;
      const remainingMs = (effect.getComputedTiming().endTime - animation.currentTime) / (animation.playbackRate || 1);
      if (!(remainingMs > longestMs && remainingMs < %d)) continue;
      const now = getComputedStyle(target), last = effect.getKeyframes().at(-1) || {};
      const place = new DOMMatrix(now.transform);
      const moves = 'transform' in last && (Math.abs(place.e) > 20 || Math.abs(place.f) > 20 || place.a < .8);
      const fades = 'opacity' in last && Math.min(Number(now.opacity), Number(last.opacity)) < .5;
      const opens = ['height', 'maxHeight', 'visibility', 'clipPath', 'gridTemplateRows'].some((name) => name in last);
      const hasContent = target.innerText || target.querySelector('a, button, input, select, textarea');
      if ((moves || fades || opens) && hasContent) longestMs = remainingMs;
    }
    return Math.ceil(longestMs);
  };
  const leastChars = performance.now() < %d ? 40 : 1;
  const bare = () => {
    if (!document.body || !document.scripts.length || !location.protocol.startsWith('http')) return false;
    const usable = 'a,button,input,select,textarea,summary,img,svg,video,canvas,iframe,object,embed';
    if (document.querySelector(`${usable},[role],[contenteditable],[tabindex]`)) return false;
    if (document.body.innerText.trim().length >= leastChars) return false;
    for (const e of document.body.querySelectorAll('*')) if (e.shadowRoot) return false;
    return true;
  };
  const how = document.readyState === 'loading' ? 'loading' : !still ? 'restless' : bare() ? 'bare' : 'still';
  return [how, counted.count, still ? fading() : 0, leastChars, busySigns(), performance.timeOrigin];
}))(%d, %d)"""
)
"""Waits until nothing has changed for some milliseconds (third parameter), at most for the fourth. Returns the state:
still, restless, or loading; bare for a page that its scripts have not filled yet: it shows no text, or next to none
within the milliseconds of the second parameter.

Returns also the count of changes so far, the milliseconds that animations still take, and the characters that a page
has at least when its scripts have filled it; animations longer than the first parameter are left out. Last come the
signs of loading in the window, and the time when the document began, which tells documents apart."""

SUGGESTS = r"""function() {
  const list = this.getAttribute('aria-autocomplete');
  return this.getAttribute('role') === 'combobox' || this.type === 'search' || this.hasAttribute('aria-haspopup') ||
    (list !== null && list !== 'none') || (this.type === 'text' && this.autocomplete === 'off');
}"""
"""Returns whether suggestions may follow what is typed into this field."""

RESTS = (
    r"""((quiet) => {"""
    + _COUNTED
    + _FACTS
    + r"""
  return new Promise((done) => {
    counted.waiting = done;
    setTimeout(done, counted.began + quiet - performance.now());
  }).then(() => {
    counted.waiting = null;
    const now = facts();
    return document.readyState !== 'loading' && now.every((fact, index) => fact === counted.facts[index]);
  });
})(%d)"""
)
"""Returns whether nothing has changed since `QUIET`, also when so many milliseconds have passed since that began."""

EXPECTS = r"""(() => {
  const text = document.body ? document.body.innerText.trim() : '';
  return !text || /(?:\.\.\.|\u2026)$|^(?:loading|please wait|starting|initiali[sz]ing|connecting)\b/i.test(text);
})()"""
"""Returns whether the page shows no text yet, or a few words that announce more; for short pages only."""

HAS_TEXT = r"""((text) => {
  const find = (root, depth) => {
    const body = root.body || root;
    if ((body.innerText || body.textContent || '').toLowerCase().includes(text)) return true;
    if (depth > 5) return false;
    for (const e of root.querySelectorAll('*')) {
      let inside = e.shadowRoot;
      try { inside = inside || e.contentDocument; } catch { inside = null; }
      if (inside && find(inside, depth + 1)) return true;
    }
    return false;
  };
  return !!document.body && find(document, 0);
})(%s)"""
