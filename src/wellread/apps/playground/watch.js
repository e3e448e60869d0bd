/* The tab of watched pages: what changed on them since the last check. */

import { call } from "./api.js";
import { counted, el, link, moment, shortAddress, show, smallButton } from "./dom.js";
import { examples } from "./examples.js";
import { choice, text } from "./options.js";
import { panel } from "./panel.js";
import { attempt } from "./states.js";

const PERIODS = [["3600", "every hour"], ["900", "every 15 minutes"], ["21600", "every 6 hours"], ["86400", "every day"], ["604800", "every week"]];
const CHECKS = { new: "The text was stored. The next check will compare with it.", unchanged: "Nothing has changed.", changed: "The page has changed:", failed: "The page could not be checked." };

/** Return the tab. */
export function watch({ enterKey, remember }) {
  const list = new WatchList(enterKey);
  const tab = panel({
    tab: "watch",
    label: "Address of a page to watch",
    field: { name: "url", placeholder: "https://example.com/prices", maxlength: 8000, inputmode: "url", autocapitalize: "none" },
    modes: [
      {
        name: "add",
        label: "Watch",
        single: true,
        operation: "web_watch",
        path: "/v1/watch",
        options: [
          choice("Is due", "every_s", PERIODS),
          text("Only this CSS selector", "selector", { maxlength: 1000, placeholder: ".price" }),
          text("Only lines with the words", "find", { maxlength: 1000, placeholder: "in stock" }),
        ],
        submit: "Watch",
        busyText: "Reading the page for the first time",
        body: (lines, chosen) => ({ action: "add", url: lines[0] ?? "", ...chosen, ...(chosen.every_s ? { every_s: Number(chosen.every_s) } : {}) }),
        ask: async (body, place, signal) => {
          const answer = await call("/v1/watch", body, signal);
          show(place);
          await list.load();
          for (const check of answer.checks) list.showCheck(check);
          return "The page is watched";
        },
      },
    ],
    intro: "Pages that you watch are compared with their last text; dates, counters and advertising are no changes.",
    examples: examples.watch,
    enterKey,
    remember,
  });
  tab.element.append(list.element);
  return { ...tab, opened: () => { tab.opened(); list.load(); } };
}

/** The watched pages of this user, each with its last change. */
class WatchList {
  constructor(enterKey) {
    Object.assign(this, { enterKey, places: new Map() });
    this.status = el("p", { class: "status", role: "status" });
    this.pages = el("ol", { class: "watches", "aria-label": "Watched pages" });
    this.heading = el("h2", {});
    this.checkAll = smallButton("Check all that are due", () => this.run());
    this.trouble = el("div");
    this.element = el("section", { class: "section" }, el("header", { class: "bar-head" }, this.heading, this.checkAll), this.trouble, this.status, this.pages);
  }

  load() {
    return this.attempt(async () => {
      const { watches } = await call("/v1/watch", { action: "list" });
      this.places.clear();
      this.heading.textContent = watches.length ? `${counted(watches.length, "page")} watched` : "No page is watched yet";
      this.checkAll.hidden = !watches.length;
      show(this.pages, watches.map((watched) => this.entry(watched)));
    }, () => this.load());
  }

  entry(watched) {
    const place = el("div", { class: "change" });
    this.places.set(watched.id, place);
    const named = (text, click) => smallButton(text, click, { "aria-label": `${text}: ${watched.url}` });
    const limits = [watched.selector ? `only ${watched.selector}` : null, watched.find ? `only lines with “${watched.find}”` : null].filter(Boolean).join(", ");
    return el(
      "li",
      { class: "card" },
      el(
        "header",
        { class: "bar-head" },
        el("div", {}, el("h2", {}, link(watched.url, {}, shortAddress(watched.url))), el("p", { class: "faint" }, `checked ${moment(watched.checked_at)} · due ${moment(watched.next_at)}${limits ? ` · ${limits}` : ""}`)),
        el("div", { class: "row" }, named("Check now", () => this.run(watched.id)), named("Last changes", () => this.changes(watched.id)), named("Remove", () => this.remove(watched.id))),
      ),
      watched.error ? el("p", { class: "verdict bad" }, `The last check failed: ${watched.error}`) : null,
      place,
    );
  }

  run(id = null) {
    return this.attempt(async () => {
      this.status.textContent = "Checking…";
      const answer = await call("/v1/watch", { action: "run", ...(id ? { id } : {}) });
      await this.load();
      for (const check of answer.checks) this.showCheck(check);
      this.status.textContent = answer.checks.length ? `${counted(answer.checks.length, "page")} checked` : "No page is due yet.";
    }, () => this.run(id));
  }

  showCheck(check) {
    const place = this.places.get(check.id);
    if (!place) return;
    const words = check.error ? `${CHECKS.failed} ${check.error.message}` : CHECKS[check.state];
    show(place, el("p", { class: `verdict ${check.error ? "bad" : "good"}` }, words), check.diff ? diffView(check.diff) : null);
  }

  changes(id) {
    return this.attempt(async () => {
      const answer = await call("/v1/watch", { action: "diff", id, count: 5 });
      const views = answer.changes.map((change) => [el("h3", {}, moment(change.found_at)), diffView(change.diff)]);
      show(this.places.get(id), views.length ? views : el("p", { class: "faint" }, "No check has found a change yet."));
    }, () => this.changes(id));
  }

  remove(id) {
    return this.attempt(async () => {
      await call("/v1/watch", { action: "remove", id });
      await this.load();
    }, () => this.remove(id));
  }

  async attempt(work, again) {
    show(this.trouble);
    if (await attempt(work, again, this.trouble, this.enterKey)) this.status.textContent = "";
  }
}

/** Return a diff as lines, each with a sign and a space before its text; additions and removals are named in words, too. */
function diffView(diff) {
  const kinds = { "+ ": ["added", "Added: "], "- ": ["removed", "Removed: "] };
  return el("ul", { class: "diff" }, diff.split("\n").filter(Boolean).map((line) => {
    const [kind, spoken] = kinds[line.slice(0, 2)] ?? ["same", ""];
    return el("li", { class: kind }, spoken ? el("span", { class: "unseen" }, spoken) : null, line.replace(/^[-+ ] /, ""));
  }));
}
