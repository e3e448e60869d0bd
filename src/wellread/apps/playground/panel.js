/* What every tab is made of: a form, its options, the same call as code, a line with the progress, the result. */

import { el, show } from "./dom.js";
import { Runner, empty } from "./states.js";
import { snippets } from "./snippets.js";

const MAX_ROWS = 8;
let panels = 0;

/**
 * Return a tab for one operation, or for several `modes` over one field.
 *
 * A mode has `operation`, `path`, `options`, `submit` and `busyText`; `body(lines, options)` makes the arguments, and
 * `ask(body, place, signal)` does the work and returns its summary. `field` is the main input; `multiline` in it allows
 * one entry a line; an option with `single` is offered for one entry alone. `remember(entry)` takes every run into the history.
 */
export function panel({ tab, label, field, modes, intro, examples, start = null, enterKey, remember }) {
  panels += 1;
  const button = el("button", { type: "submit", class: "primary" }, modes[0].submit);
  const status = el("p", { class: "status", role: "status" });
  const place = el("div", { class: "result" });
  const runner = new Runner({ submit: button, status, place, enterKey });
  const { multiline = false, ...attributes } = field;
  const input = el("textarea", { ...attributes, class: "main", rows: 1, required: true, autocomplete: "off", spellcheck: "false" });
  const optionsPlace = el("div", { class: "options", id: `options-${panels}`, hidden: true });
  const codePlace = el("div", { class: "snippets", id: `code-${panels}`, hidden: true });
  const optionsButton = disclosure("Options", optionsPlace);
  const codeButton = disclosure("Code", codePlace);
  const lineHint = el("span", { class: "faint keys" }, "Shift + Enter adds a line");
  let mode = modes[0];

  const lines = () => input.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const values = () => {
    const fields = {};
    for (const option of mode.options) if (!option.element.hidden && option.value() !== null) fields[option.name] = option.value();
    return fields;
  };
  const body = () => mode.body(lines(), values());
  const code = snippets(() => ({ operation: mode.called?.(lines()) ?? mode.operation, path: mode.path, body: body() }));
  codePlace.append(code.element);

  const refresh = () => {
    input.rows = Math.min(MAX_ROWS, Math.max(1, input.value.split("\n").length));
    input.setCustomValidity(!mode.single || lines().length < 2 ? "" : `${mode.label} takes one address`);
    for (const option of mode.options) if (option.single) option.element.hidden = lines().length > 1;
    const chosen = Object.keys(values()).length;
    optionsButton.textContent = chosen ? `Options · ${chosen}` : "Options";
    code.refresh();
  };
  const choose = (name) => {
    mode = modes.find((candidate) => candidate.name === name) ?? modes[0];
    for (const radio of modeInputs) radio.checked = radio.value === mode.name;
    show(optionsPlace, mode.options.map((option) => option.element));
    lineHint.hidden = !multiline || Boolean(mode.single);
    optionsButton.hidden = !mode.options.length;
    runner.name(mode.submit);
    if (mode.opensOptions && optionsPlace.hidden) optionsButton.click();
    refresh();
  };
  const modeInputs = modes.map(({ name }) => el("input", { type: "radio", name: `mode-${panels}`, value: name, change: () => choose(name) }));
  const modeList = el("div", { class: "segmented", role: "radiogroup", "aria-label": "Operation" }, modes.map((candidate, index) => el("label", {}, modeInputs[index], el("span", {}, candidate.label))));

  const run = () => {
    const request = body();
    remember?.({ tab, name: modes.length > 1 ? `${tab}: ${mode.label.toLowerCase()}` : tab, mode: mode.name, text: input.value.trim(), options: values() });
    const current = mode;
    return runner.run(mode.busyText, (signal) => current.ask(request, place, signal), run);
  };
  const submit = (event) => {
    event.preventDefault();
    if (runner.busy) runner.cancel();
    else if (input.value.trim()) run();
  };
  const form = el(
    "form",
    { class: "ask", submit, input: refresh, change: refresh },
    el("label", { class: "field" }, el("span", { class: "label" }, label), input),
    el("div", { class: "ask-foot" }, modes.length > 1 ? modeList : null, optionsButton, codeButton, lineHint, button),
    optionsPlace,
    codePlace,
  );
  // A browser names only the faulty field that it can show.
  const unfold = (event) => {
    if (optionsPlace.hidden && optionsPlace.contains(event.target)) optionsButton.click();
  };
  form.addEventListener("invalid", unfold, { capture: true });
  input.addEventListener("keydown", (event) => {
    const newLine = event.shiftKey || (multiline && matchMedia("(pointer: coarse)").matches && !event.ctrlKey);
    if (event.key !== "Enter" || event.isComposing || (newLine && multiline)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  const fill = ({ mode: name = mode.name, text, options = null }) => {
    choose(name);
    input.value = text;
    if (options) for (const option of mode.options) option.set(options[option.name]);
    refresh();
  };
  /** Run a mode over `text`; of its options, those that `chosen` names are set. */
  const take = (text, name, chosen = {}) => {
    fill({ mode: name, text });
    for (const option of mode.options) if (option.name in chosen) option.set(chosen[option.name]);
    refresh();
    return run();
  };
  show(place, start ?? empty(intro, examples, take));
  choose(modes[0].name);
  const element = el("div", { class: "tab-body" }, form, status, place);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && runner.busy) runner.cancel();
  });
  const allOptions = new Set(modes.flatMap(({ options }) => options));
  const opened = () => allOptions.forEach((option) => option.refresh?.());
  return { element, place, take, fill, opened, focus: () => input.focus(), refresh };
}

/** Return a button that shows and hides `place`. */
function disclosure(text, place) {
  const button = el("button", { type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": place.id }, text);
  button.addEventListener("click", () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
  });
  return button;
}

/** Return the arguments of an operation over one field. */
export function oneField(name) {
  return (lines, options) => ({ [name]: lines.join(" "), ...options });
}
