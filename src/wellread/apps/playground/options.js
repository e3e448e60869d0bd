/* The options of a form: each has a name, a control, the value that is sent, and a way to set it again. */

import { Problem, get } from "./api.js";
import { el, show } from "./dom.js";

function option(label, name, control, value, set, kind = "") {
  const element = el("label", { class: `option ${kind}`.trim() }, el("span", {}, label), control);
  return { element, name, control, value, set };
}

/** Return an option that is one of several values; the first is the server's own and is not sent. */
export function choice(label, name, values) {
  const select = el("select", { name }, values.map(([value, text]) => el("option", { value }, text)));
  return option(label, name, select, () => (select.selectedIndex > 0 ? select.value : null), (value) => (select.value = value ?? values[0][0]));
}

/** Return an option that is a number, whole unless `step` says otherwise; left empty, it is not sent. */
export function number(label, name, minimum, maximum, placeholder, step = 1) {
  const input = el("input", { type: "number", name, min: minimum, max: maximum, step, placeholder, inputmode: step === 1 ? "numeric" : "decimal" });
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
    area.setCustomValidity("");
    if (!area.value.trim()) return null;
    try {
      return parse(area.value);
    } catch (error) {
      area.setCustomValidity(error.message);
      return null;
    }
  };
  return option(label, name, area, read, (value) => (area.value = value ? print(value) : ""), "wide");
}

/**
 * Return an option for the profiles that the owner granted; hidden as long as there are none.
 *
 * A profile that is set before the list has come stays if the list has it.
 */
export function profile() {
  const select = el("select", { name: "profile" });
  const trouble = el("span");
  const showNames = (names, selected) => {
    select.replaceChildren(el("option", { value: "" }, "not signed in"), ...names.map((name) => el("option", { value: name }, name)));
    select.value = names.includes(selected) ? selected : "";
    element.hidden = names.length === 0;
  };
  const set = (name) => {
    const names = [...select.options].map((entry) => entry.value).filter(Boolean);
    showNames(name && !names.includes(name) ? [...names, name] : names, name);
  };
  const profileOption = option("Profile", "profile", select, () => select.value || null, set);
  const { element } = profileOption;
  element.append(trouble);
  const refresh = async () => {
    try {
      const { profiles } = await get("/v1/profiles");
      show(trouble);
      showNames(profiles, select.value);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      show(trouble, `The profiles cannot be listed: ${error.message}`);
      element.hidden = false;
    }
  };
  showNames([], "");
  return { ...profileOption, refresh };
}
