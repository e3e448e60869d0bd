/* The tab that researches a question within a budget: each search as it ends, at last the report with its citations. */

import { events } from "./api.js";
import { Citations } from "./citations.js";
import { copy, count, counted, duration, el, host, saveFile, shortAddress, show, smallButton } from "./dom.js";
import { examples } from "./examples.js";
import { number, text, toggle } from "./options.js";
import { panel } from "./panel.js";
import { skeleton, warnings } from "./states.js";

const KINDS = { numbers: "Different numbers", dates: "Different dates", negation: "One sentence denies the other" };

/** Return the tab; `open(passage)` shows a passage in its page, `read(url)` reads a page in its tab. */
export function research({ enterKey, remember, open, read }) {
  return panel({
    tab: "research",
    label: "Research a question",
    field: { name: "question", placeholder: "in full; parts of it get a search each", maxlength: 1000 },
    modes: [
      {
        name: "research",
        label: "Research",
        operation: "web_research",
        path: "/v1/research",
        options: [
          number("Seconds at most", "time_s", 1, 3600, "60"),
          number("Pages at most", "pages", 1, 200, "10"),
          number("Tokens of the model at most", "tokens", 0, 1_000_000, "server's cap"),
          number("Dollars at most", "max_usd", 0, 1000, "server's cap", "any"),
          text("Name, to continue it later", "journal", { maxlength: 64, pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]*", placeholder: "lamp-2026", title: "letters, digits, - and _" }),
          toggle("All notices", "all_notices"),
        ],
        submit: "Research",
        busyText: "Searching and reading, one part of the question after another",
        body: (lines, chosen) => ({ question: lines.join(" "), ...chosen, include: ["contradictions"] }),
        ask: (body, place, signal) => new ResearchView(place, open, read).follow(events("/v1/research", body, signal)),
      },
    ],
    intro: "A report on a question that one search does not answer: it is planned, searched and read in parts, within a budget. Every sentence cites a verified passage; what contradicts and what was not found is said.",
    examples: examples.research,
    enterKey,
    remember,
  });
}

/** Shows a research as its events come: the sentences of each search, with its searches and sources beside them. */
class ResearchView {
  constructor(place, open, read) {
    Object.assign(this, { open, read, findings: [] });
    this.steps = el("ol", { class: "steps", "aria-label": "Searches", "aria-live": "polite" });
    this.sources = el("ul", { class: "steps sources", "aria-label": "Pages that were read" });
    this.waiting = skeleton(8);
    this.report = el("div", { class: "evidence" }, this.waiting);
    this.sourceHeading = el("h3", { hidden: true }, "Pages that were read");
    show(place, el("div", { class: "gathering" }, this.report, el("aside", { "aria-label": "Searches and sources" }, el("h3", {}, "Searches"), this.steps, this.sourceHeading, this.sources)));
  }

  /** Take events until the last, which `events` demands, and return the summary. */
  async follow(stream) {
    for await (const [name, fields] of stream) {
      if (name === "plan") this.showPlan(fields);
      else if (name === "finding") this.add(fields);
      else if (name === "done") return this.finish(fields);
    }
  }

  showPlan(plan) {
    this.stepOf = new Map(plan.queries.map((query) => [query, el("li", { class: "waits" }, query, el("span", { class: "faint" }, "waits for its turn"))]));
    show(this.steps, [...this.stepOf.values()]);
  }

  add(finding) {
    this.findings.push(finding);
    const step = this.stepOf.get(finding.query);
    step.className = finding.claims.length ? "read" : "missed";
    const spending = [finding.claims.length ? counted(finding.claims.length, "sentence") : "nothing found", counted(finding.pages, "page"), duration(finding.elapsed_s * 1000)];
    step.querySelector("span").textContent = spending.join(" · ");
    this.waiting.remove();
    this.report.append(el("section", { class: "section" }, el("h2", {}, finding.query), sentenceList(finding.claims.map((claim) => [claim.text, el("span", { class: "faint" }, ` ${host(claim.passages[0]?.url)}`)]))));
    const urls = new Set(this.findings.flatMap((entry) => entry.sources.map(([url]) => url)));
    this.sourceHeading.hidden = !urls.size;
    show(this.sources, [...urls].map((url) => el("li", { class: "read" }, el("button", { type: "button", class: "jump", click: () => this.read(url) }, shortAddress(url)))));
  }

  finish(result) {
    for (const step of this.stepOf.values()) {
      if (step.className !== "waits") continue;
      step.className = "missed";
      step.querySelector("span").textContent = "left out";
    }
    show(this.report, reportView(result, this.findings, this.open));
    return `${counted(result.citations.length, "citation")}, ${counted(result.contradictions.length, "contradiction")}`;
  }
}

function sentenceList(sentences) {
  if (!sentences.length) return el("p", { class: "notice" }, "The pages have no sentence that answers this part.");
  return el("ul", { class: "text sentences" }, sentences.map((sentence) => el("li", {}, sentence)));
}

/** Return the report: the proved sentences of `findings`, each with the numbers of its citations. */
function reportView(result, findings, open) {
  const citations = new Citations(result.citations, open);
  const copyButton = smallButton("Copy as Markdown", () => copy(result.text, copyButton));
  const save = () => saveFile("research.md", new Blob([result.text], { type: "text/markdown" }));
  return el(
    "div",
    { class: "answered report" },
    el("header", { class: "bar-head" }, el("div", {}, el("h2", {}, "Report"), el("p", { class: "faint" }, spendingText(result, findings))), el("div", { class: "row" }, smallButton("Download Markdown", save), copyButton)),
    newClaims(findings, citations).map(([query, claims]) => el("section", { class: "section" }, el("h3", {}, query), sentenceList(claims.map((claim) => citations.sentence(claim))))),
    result.citations.length ? null : el("p", { class: "notice" }, "No passage of the pages answers this question. Ask in other words, or allow more pages."),
    contradictionsView(result.contradictions, citations),
    listView("Not found", result.not_found),
    listView("Left out", result.left_out),
    warnings("Notes on this report", result.notices),
    result.citations.length ? citations.section() : null,
  );
}

/** Return each query with the sentences that are proved, and that no query before it has. */
function newClaims(findings, citations) {
  const earlier = new Set();
  const parts = findings.map(({ query, claims }) => {
    const fresh = claims.filter((claim) => citations.has(claim) && !earlier.has(claim.text));
    for (const claim of fresh) earlier.add(claim.text);
    return [query, fresh];
  });
  return parts.filter(([, claims]) => claims.length);
}

function spendingText(result, findings) {
  const sum = (name) => findings.reduce((total, finding) => total + finding[name], 0);
  const tokens = result.plan.tokens + sum("tokens");
  const parts = [counted(findings.length, "search", "searches"), counted(sum("pages"), "page"), tokens ? `at most ${count(tokens)} tokens` : null, result.cost_usd === null ? null : `at most $${result.cost_usd.toFixed(4)}`];
  return `${parts.filter(Boolean).join(" · ")}. Every citation was verified against its snapshot.`;
}

function contradictionsView(contradictions, citations) {
  if (!contradictions.length) return null;
  const pairs = contradictions.map(({ kind, claims }) => el("li", {}, el("strong", {}, KINDS[kind] ?? kind), el("ul", { class: "sentences" }, claims.map((claim) => el("li", {}, citations.sentence(claim))))));
  return el("section", { class: "warned" }, el("h3", {}, "Pages contradict each other"), el("ul", { class: "pairs" }, pairs));
}

function listView(title, lines) {
  if (!lines.length) return null;
  return el("section", { class: "section" }, el("h3", {}, title), el("ul", { class: "sentences" }, lines.map((line) => el("li", {}, line))));
}
