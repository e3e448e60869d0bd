/* What every tab is made of: a form, its options, the same call elsewhere, a line that tells how it goes, the answer. */

import { el, foldable, show } from "./dom.js";
import { Runner, empty } from "./states.js";
import { snippets } from "./snippets.js";

/**
 * Return a tab for one operation.
 *
 * `field` is the main input, `options` are [element, name, value()] of the others, whose null values are left out;
 * `ask(given, view, signal)` does the work and returns what to say when it is done.
 */
export function panel({ operation, path, field, options = [], submit, doing, words, examples, ask, enterKey }) {
  const button = el("button", { type: "submit", class: "primary" }, submit);
  const status = el("p", { class: "status", role: "status" });
  const place = el("div", { class: "answer" });
  const runner = new Runner({ submit: button, status, place, enterKey });
  const input = el("input", { ...field.attributes, class: "main", name: field.name, required: true, autocomplete: "off" });
  const given = () => {
    const told = { [field.name]: input.value.trim() };
    for (const { name, value } of options) if (value() !== null) told[name] = value();
    return told;
  };
  const same = snippets(operation, path, given);
  const run = () => {
    const asked = given();
    return runner.run(doing, (signal) => ask(asked, place, signal), run);
  };
  const form = el(
    "form",
    {
      class: "ask",
      submit: (event) => {
        event.preventDefault();
        if (runner.busy) runner.cancel();
        else if (input.value.trim()) run();
      },
      input: same.refresh,
      change: same.refresh,
    },
    el("label", { class: "field" }, el("span", {}, field.label), input),
    button,
    options.length ? foldable(40, { class: "options" }, "Options", el("div", {}, options.map((each) => each.element))) : null,
    same.box,
  );
  const take = (value) => {
    input.value = value;
    same.refresh();
    run();
  };
  show(place, empty(words, examples, take));
  const element = el("div", {}, form, status, place);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && runner.busy) runner.cancel();
  });
  return { element, take, focus: () => input.focus(), refresh: same.refresh };
}

/** Return an option that is one of several values; the first is the server's own and is not sent. */
export function choice(label, name, values) {
  const select = el("select", { name }, values.map(([value, words]) => el("option", { value }, words)));
  const element = el("label", { class: "option" }, el("span", {}, label), select);
  return { element, name, value: () => (select.selectedIndex > 0 ? select.value : null) };
}

/** Return an option that is a number; left empty, it is not sent. */
export function number(label, name, least, most, hint) {
  const input = el("input", { type: "number", name, min: least, max: most, placeholder: hint, inputmode: "numeric" });
  const element = el("label", { class: "option" }, el("span", {}, label), input);
  return { element, name, value: () => (input.value && input.validity.valid ? Number(input.value) : null) };
}

/** Return an option that is on or off; off is not sent. */
export function toggle(label, name) {
  const input = el("input", { type: "checkbox", name });
  const element = el("label", { class: "option check" }, input, el("span", {}, label));
  return { element, name, value: () => (input.checked ? true : null) };
}

/** Return an option that is a short text; left empty, it is not sent. */
export function word(label, name, attributes) {
  const input = el("input", { type: "text", name, autocomplete: "off", spellcheck: "false", ...attributes });
  const element = el("label", { class: "option" }, el("span", {}, label), input);
  return { element, name, value: () => (input.value.trim() && input.validity.valid ? input.value.trim() : null) };
}
