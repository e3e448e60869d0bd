/* The tab that crawls sites as jobs of the server, with a live table, and maps them. */

import { call, events, file, get, remove } from "./api.js";
import { count, counted, el, link, moment, saveFile, shortAddress, show, smallButton, withoutAddress } from "./dom.js";
import { examples } from "./examples.js";
import { choice, number, text, texts, toggle } from "./options.js";
import { panel } from "./panel.js";
import { attempt, failure, skeleton } from "./states.js";
import { row, saveCsv, table } from "./table.js";

const COLUMNS = ["State", "Page", "Words", "Depth"];
const RUNNING = new Set(["waiting", "running"]);
const GOOD = new Set(["new", "changed", "unchanged"]);
const STATES = { waiting: "Waiting for its turn", running: "Crawling", paused: "Paused", done: "Done", failed: "Failed", cancelled: "Cancelled" };
const SOURCES = { start: "start page", sitemap: "site map", feed: "feed", link: "link" };

/** Return the tab; `read(url)` reads a page in its tab. */
export function crawl({ enterKey, remember, read }) {
  const jobs = el("section", { class: "section" });
  const view = { current: null };
  const listJobs = () => attempt(async () => {
    const answer = await get("/v1/crawl");
    show(jobs, jobList(answer.jobs, (status) => openJob(tab.place, status)));
  }, listJobs, jobs, enterKey);
  const openJob = (place, status) => {
    view.current?.leave();
    view.current = new CrawlView(status, { read, enterKey, listJobs });
    show(place, view.current.element);
    view.current.follow();
  };
  const tab = panel({
    tab: "crawl",
    label: "Address where to begin",
    field: { name: "url", placeholder: "https://example.com/", maxlength: 8000, inputmode: "url", autocapitalize: "none", multiline: true },
    modes: [
      {
        name: "crawl",
        label: "Crawl",
        operation: "crawl",
        path: "/v1/crawl",
        options: [
          number("Maximum pages", "limit", 1, 5000, "100"),
          number("Links to follow", "depth", 0, 50, "5"),
          choice("Site maps", "sitemap", [["include", "beside links"], ["only", "alone"], ["skip", "not at all"]]),
          choice("Format", "format", [["markdown", "markdown"], ["text", "plain text"], ["html", "clean HTML"]]),
          texts("Only addresses like", "include", { placeholder: "/docs/*" }),
          texts("No addresses like", "exclude", { placeholder: "*/archive/*" }),
          toggle("Subdomains too", "subdomains"),
        ],
        submit: "Crawl",
        busyText: "Starting the crawl",
        body: (urls, chosen) => ({ urls, ...chosen }),
        ask: async (body, place, signal) => {
          const status = await call("/v1/crawl", body, signal);
          openJob(place, status);
          listJobs();
          return "Started: the server goes on if you leave this page";
        },
      },
      {
        name: "map",
        label: "Map",
        single: true,
        operation: "web_map",
        path: "/v1/map",
        options: [
          text("Only addresses with the words", "search", { maxlength: 1000, placeholder: "opening hours" }),
          number("Maximum addresses", "limit", 1, 1000, "100"),
          number("Links to follow", "depth", 0, 3, "1"),
          toggle("Subdomains too", "subdomains"),
        ],
        submit: "Map",
        busyText: "Reading site maps, feeds and links",
        body: (urls, chosen) => ({ url: urls[0] ?? "", ...chosen }),
        ask: async (body, place, signal) => {
          show(place, skeleton(8));
          const siteMap = await call("/v1/map", body, signal);
          show(place, siteMapView(siteMap, read));
          return `${count(siteMap.entries.length)} of ${counted(siteMap.total, "address", "addresses")}`;
        },
      },
    ],
    intro: "Crawl reads the pages of a site into one file, politely: you can pause it, and it survives a restart of the server. Map only lists the addresses.",
    examples: examples.crawl,
    enterKey,
    remember,
  });
  tab.element.append(jobs);
  return { ...tab, opened: () => { tab.opened(); listJobs(); } };
}

function jobList(jobs, open) {
  if (!jobs.length) return null;
  const rows = jobs.map((status) => [
    STATES[status.state] ?? status.state,
    status.arguments.urls.map(shortAddress).join(", "),
    count(doneCount(status)),
    moment(status.created_at),
    smallButton("Open", () => open(status), { "aria-label": `Open the crawl of ${status.arguments.urls[0]}` }),
  ]);
  return [el("h2", {}, "Your crawls on this server"), table("Your crawls", ["State", "Site", "Addresses", "Started", "Open"], rows)];
}

function doneCount(status) {
  return Object.values(status.progress?.counts.states ?? {}).reduce((sum, states) => sum + states, 0);
}

function badgeKind(state) {
  if (GOOD.has(state)) return "good";
  return state === "failed" ? "bad" : "calm";
}

/** One crawl: its state, its buttons, and a row for every address that is done. */
class CrawlView {
  constructor(status, { read, enterKey, listJobs }) {
    Object.assign(this, { read, enterKey, listJobs, path: `/v1/crawl/${status.id}`, limit: status.arguments.limit, cursor: 0, states: new Map(), controller: null });
    this.headline = el("h2", {});
    this.summary = el("p", { class: "faint", role: "status" });
    this.bar = el("progress", { max: this.limit, value: 0, "aria-label": "Addresses of the crawl that are done" });
    this.trouble = el("div");
    this.pauseButton = smallButton("Pause", () => this.change("pause"));
    this.resumeButton = smallButton("Resume", () => this.change("resume"));
    this.cancelButton = smallButton("Cancel", () => this.cancel());
    this.saveButton = smallButton("Download pages.jsonl", () => this.save());
    this.table = table("Addresses of the crawl", COLUMNS, []);
    this.rows = this.table.querySelector("tbody");
    const buttons = el("div", { class: "row" }, this.pauseButton, this.resumeButton, this.cancelButton, this.saveButton);
    const head = el("header", { class: "bar-head" }, el("div", {}, this.headline, this.summary), buttons);
    this.element = el("section", { class: "crawl" }, head, this.bar, this.trouble, this.table);
    this.site = status.arguments.urls.map(shortAddress).join(", ");
    this.setState(status);
  }

  setState(status) {
    const { state } = status;
    this.headline.textContent = `${STATES[state] ?? state}: ${this.site}`;
    this.pauseButton.hidden = !RUNNING.has(state);
    this.resumeButton.hidden = state !== "paused";
    this.cancelButton.hidden = !RUNNING.has(state) && state !== "paused";
    if (state === "done") this.bar.value = this.limit;
    this.bar.hidden = !RUNNING.has(state) && state !== "paused";
    if (status.error) show(this.trouble, failure({ fields: { ...status.error, detail: status.error.message } }, () => this.follow(), this.enterKey));
    this.tell();
  }

  tell() {
    const parts = [...this.states].map(([state, number]) => `${count(number)} ${state}`);
    this.summary.textContent = parts.length ? parts.join(" · ") : "No address is done yet.";
    if (!this.bar.hidden) this.bar.value = this.rows.children.length;
  }

  add(record) {
    this.cursor = record.cursor;
    this.states.set(record.state, (this.states.get(record.state) ?? 0) + 1);
    const title = record.title || shortAddress(record.url);
    const name = GOOD.has(record.state)
      ? el("button", { type: "button", class: "jump", click: () => this.read(record.url) }, title)
      : el("span", {}, title);
    const reason = record.error?.message ?? record.reason ?? record.duplicate_of ?? "";
    const detail = el("span", { class: "faint" }, reason && !GOOD.has(record.state) ? [record.title ? shortAddress(record.url) : "", withoutAddress(reason, record.url)].filter(Boolean).join(": ") : shortAddress(record.url));
    this.rows.append(row([el("span", { class: `badge ${badgeKind(record.state)}` }, record.state), [name, detail], record.word_count ? count(record.word_count) : "", String(record.depth)]));
  }

  /** Show each address when it is done, until the job stops. */
  async follow() {
    this.leave();
    this.controller = new AbortController();
    show(this.trouble);
    await this.attempt(async () => {
      for await (const [name, fields] of events(`${this.path}/events?cursor=${this.cursor}`, undefined, this.controller.signal)) {
        if (name === "record") this.add(fields);
        if (name === "done") {
          this.setState(fields);
          this.listJobs();
        }
        this.tell();
      }
    }, () => this.follow());
  }

  leave() {
    this.controller?.abort();
  }

  change(action) {
    return this.attempt(async () => {
      const status = await call(`${this.path}/${action}`, {});
      this.setState(status);
      if (action === "resume") this.follow();
    }, () => this.change(action));
  }

  cancel() {
    return this.attempt(async () => this.setState(await remove(this.path)), () => this.cancel());
  }

  save() {
    return this.attempt(async () => saveFile("pages.jsonl", await file(`${this.path}/pages.jsonl`)), () => this.save());
  }

  attempt(work, again) {
    return attempt(work, again, this.trouble, this.enterKey);
  }
}

function siteMapView(siteMap, read) {
  const isDated = siteMap.entries.some((entry) => entry.modified_date);
  const columns = ["Page", ...(isDated ? ["Changed"] : []), "Found by"];
  const rows = siteMap.entries.map((entry) => [
    [el("button", { type: "button", class: "jump", click: () => read(entry.url) }, entry.title || shortAddress(entry.url)), el("span", { class: "faint" }, link(entry.url, {}, shortAddress(entry.url)))],
    ...(isDated ? [entry.modified_date?.slice(0, 10) ?? ""] : []),
    SOURCES[entry.source] ?? entry.source,
  ]);
  const save = () => saveCsv("map.csv", [["url", "title", "modified_date", "source"], ...siteMap.entries.map((entry) => [entry.url, entry.title, entry.modified_date, entry.source])]);
  const missed = siteMap.missed.map((entry) => el("li", {}, el("span", {}, `${entry.url}: ${entry.reason} `), el("code", {}, entry.code)));
  return el(
    "section",
    {},
    el("header", { class: "bar-head" }, el("div", {}, el("h2", {}, shortAddress(siteMap.url)), siteMap.other_hosts ? el("p", { class: "faint" }, `${counted(siteMap.other_hosts, "address", "addresses")} on other hosts left out`) : null), el("div", { class: "row" }, smallButton("Download CSV", save))),
    table("Addresses of the site", columns, rows),
    missed.length ? el("section", { class: "warned" }, el("h3", {}, "Could not be read"), el("ul", {}, missed)) : null,
  );
}
