/* Builds the page out of nodes: text is always text, and links lead to the web or nowhere. */

/** Return an element. `attributes` are set as they are, or as listeners where they are functions; no child is markup. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Return `address` as an http or https URL, or null: no other scheme is ever put into a link. */
export function web(address) {
  if (!/^https?:\/\//i.test(String(address ?? ""))) return null;
  try {
    const url = new URL(address);
    return (url.protocol === "http:" || url.protocol === "https:") && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}

/** Return a link that opens elsewhere and tells nothing of this page; plain text where the address is not for links. */
export function link(address, attributes, ...children) {
  const href = web(address);
  if (!href) return el("span", { class: "dead", title: "not a link to the web" }, ...children);
  return el("a", { ...attributes, href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

/** Return the host of an address as a person reads it, or the address itself. */
export function host(address) {
  const href = web(address);
  return href ? new URL(href).host.replace(/^www\./, "") : String(address ?? "");
}

/** Return a number with its thousands apart. */
export function count(number) {
  return Number(number ?? 0).toLocaleString("en");
}

/** Return seconds for milliseconds, as people say them. */
export function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Replace what `place` holds. */
export function show(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/** Put `text` on the clipboard, and say on the button how that went. */
export async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select the text";
  }
  setTimeout(() => (button.textContent = before), 1600);
}

/** Return the index in UTF-16 units of the character number `points`, which is how Python counts. */
export function units(text, points) {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left -= 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** Return a box that can be folded; it stands open where the window is wider than `rem`. */
export function foldable(rem, attributes, summary, ...children) {
  const open = matchMedia(`(min-width: ${rem + 0.01}rem)`).matches;
  return el("details", { ...attributes, open }, el("summary", {}, summary), ...children);
}
