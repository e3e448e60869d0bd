/* What a person sees first: three tasks to try, each one click away. */

import { el } from "./dom.js";
import { examples } from "./examples.js";

const TASKS = {
  read: ["Read a page", "Clean text with its title, author and date, and a warning where something is missing."],
  answer: ["Ask a question", "A short answer from the web. Every sentence cites a passage that was verified."],
  map: ["See what a site has", "All addresses of a site with titles and dates, ready to crawl or to download."],
};

/** Return the three tasks; `run(task)` does one. */
export function start(run) {
  const tasks = examples.tasks.filter((task) => task.mode in TASKS);
  return el(
    "div",
    { class: "start" },
    el("h2", {}, "Try one of these"),
    el("ol", { class: "tasks" }, tasks.map((task) => {
      const [title, text] = TASKS[task.mode];
      return el("li", {}, el("button", { type: "button", class: "task", click: () => run(task) }, el("strong", {}, title), el("span", {}, text), el("span", { class: "try" }, task.text)));
    })),
    el("p", { class: "fine" }, "Press ", el("kbd", {}, "/"), " to write, ", el("kbd", {}, "Alt"), " + ", el("kbd", {}, "1"), " to ", el("kbd", {}, "0"), " to change the tab, ", el("kbd", {}, "Esc"), " to stop."),
  );
}
