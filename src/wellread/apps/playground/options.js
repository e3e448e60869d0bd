/* The options of a form: each has a name, a control, the value that is sent, and a way to set it again. */

import { get } from "./api.js";
import { el } from "./dom.js";

function option(label, name, control, value, set, kind = "") {
  const element = el("label", { class: `option ${kind}`.trim() }, el("span", {}, label), control);
  return { element, name, control, value, set };
}

/** Return an option that is one of several values; the first is the server's own and is not sent. */
export function choice(label, name, values) {
  const select = el("select", { name }, values.map(([value, text]) => el("option", { value }, text)));
  return option(label, name, select, () => (select.selectedIndex > 0 ? select.value : null), (value) => (select.value = value ?? values[0][0]));
}

/** Return an option that is a number; left empty, it is not sent. */
export function number(label, name, minimum, maximum, placeholder) {
  const input = el("input", { type: "number", name, min: minimum, max: maximum, placeholder, inputmode: "numeric" });
  return option(label, name, input, () => (input.value && input.validity.valid ? Number(input.value) : null), (value) => (input.value = value ?? ""));
}

/** Return an option that is on or off; off is not sent. `sent` is the value for on. */
export function toggle(label, name, sent = true) {
  const input = el("input", { type: "checkbox", name });
  return option(label, name, input, () => (input.checked ? sent : null), (value) => (input.checked = Boolean(value)), "check");
}

/** Return an option that is a short text; left empty, it is not sent. */
export function text(label, name, attributes) {
  const input = el("input", { type: "text", name, autocomplete: "off", spellcheck: "false", ...attributes });
  return option(label, name, input, () => (input.value.trim() && input.validity.valid ? input.value.trim() : null), (value) => (input.value = value ?? ""));
}

/** Return an option that is a list of short texts with commas between them. */
export function texts(label, name, attributes) {
  const base = text(label, name, attributes);
  const value = () => base.value()?.split(/[\s,]+/).filter(Boolean) ?? null;
  return { ...base, value, set: (values) => base.set(values?.join(", ")) };
}

/** Return an option that is a JSON object, which `parse` makes of the text of a larger field. */
export function structure(label, name, placeholder, parse, print) {
  const area = el("textarea", { name, rows: 5, placeholder, spellcheck: "false", autocomplete: "off" });
  const read = () => {
    if (!area.value.trim()) return null;
    try {
      area.setCustomValidity("");
      return parse(area.value);
    } catch (error) {
      area.setCustomValidity(error.message);
      return null;
    }
  };
  return option(label, name, area, read, (value) => (area.value = value ? print(value) : ""), "wide");
}

/** Return an option for the profiles that the owner granted; hidden as long as there are none. */
export function profile() {
  const made = choice("Profile", "profile", [["", "not signed in"]]);
  made.element.hidden = true;
  made.refresh = async () => {
    const answer = await get("/v1/profiles").catch(() => ({ profiles: [] }));
    const selected = made.control.value;
    made.control.replaceChildren(el("option", { value: "" }, "not signed in"), ...answer.profiles.map((name) => el("option", { value: name }, name)));
    made.control.value = answer.profiles.includes(selected) ? selected : "";
    made.element.hidden = answer.profiles.length === 0;
  };
  return made;
}
