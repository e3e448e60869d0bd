/* Builds the page out of nodes: text is always text, and links lead to the web or nowhere. */

const SVG = "http://www.w3.org/2000/svg";

/** Return an element. `attributes` are set as they are, or as listeners where they are functions; no child is markup. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Return an icon with this path, drawn in a square of 24 units. */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Return a small button. */
export function smallButton(text, click, attributes = {}) {
  return el("button", { type: "button", class: "small", click, ...attributes }, text);
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

/** Return an address without its scheme, as a table shows it. */
export function shortAddress(address) {
  return String(address ?? "").replace(/^https?:\/\/(?:www\.)?/i, "").replace(/\/$/, "");
}

/** Return a message about an address that is shown beside it, without the address. */
export function withoutAddress(message, address) {
  return String(message ?? "").replace(address, "").trim();
}

/** Return a number with its thousands apart. */
export function count(number) {
  return Number(number ?? 0).toLocaleString("en");
}

/** Return a number with its noun. */
export function counted(number, noun, nouns = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : nouns}`;
}

/** Return seconds for milliseconds, as people say them. */
export function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Return a time, in seconds since the epoch, as a date of this browser's place; "never" for none. */
export function moment(seconds) {
  if (seconds === null || seconds === undefined) return "never";
  return new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** Replace the children of `place`. */
export function show(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/** Put `text` on the clipboard, and say on the button how that went. */
export async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select the text";
  }
  setTimeout(() => (button.textContent = label), 1600);
}

/** Let the browser save `blob` as a file. */
export function saveFile(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Return the index in UTF-16 units of the character number `points`, which is how Python counts. */
export function units(text, points) {
  let index = 0;
  for (let count = points; count > 0 && index < text.length; count -= 1) index += text.codePointAt(index) > 0xffff ? 2 : 1;
  return index;
}

/** Return a box that can be folded; it stands open where the window is wider than `rem`. */
export function foldable(rem, attributes, summary, ...children) {
  const open = matchMedia(`(min-width: ${rem + 0.01}rem)`).matches;
  return el("details", { ...attributes, open }, el("summary", {}, summary), ...children);
}
