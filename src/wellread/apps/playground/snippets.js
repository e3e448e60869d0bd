/* The same call as a shell command, as Python, and as an MCP request: whatever the arguments hold stays an argument. */

import { copy, el, smallButton } from "./dom.js";
import { key } from "./api.js";

/** Per operation: the method of `Web`, its first argument, and what the program does with the result. */
const METHODS = {
  web_search: ["search", "query", "for hit in result.hits:\n        print(hit.title, hit.url)"],
  web_read: ["read", "url", "print(result.text)"],
  web_read_many: ["read_many", "urls", "for page in result:\n        print(page)"],
  web_gather: ["gather", "question", "for passage in result.passages:\n        print(passage.text, passage.fragment_url)"],
  web_answer: ["answer", "question", "print(result.text)"],
  web_research: ["research", "question", "print(result.text)"],
  web_facts: ["facts", "url", "print(result.items, result.tables, result.record)"],
  web_facts_many: ["facts_many", "urls", "for facts in result:\n        print(facts)"],
  web_map: ["map", "url", "for entry in result.entries:\n        print(entry.url)"],
  crawl: ["crawl", "urls", "for record in result:\n        print(record.state, record.url)", ', out="pages"'],
  browse_url: ["browse", "url", "print(tab.snapshot.content)"],
};
// Characters that show nothing, or turn the direction of what is read, are written out.
const UNSEEN = /[\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

function escaped(text) {
  return text.replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function shell(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Return a curl command; one for each page where the operation takes one. */
function curl({ operation, path, body }) {
  if (operation === "web_facts_many") {
    const { urls, ...shared } = body;
    return urls.map((url) => curl({ path, body: { url, ...shared } })).join("\n");
  }
  const secret = key() ? ` \\\n  -H "Authorization: Bearer $WELLREAD_KEY"` : "";
  return `curl -s ${shell(location.origin + path)} \\\n  -H 'Content-Type: application/json'${secret} \\\n  -d ${shell(escaped(JSON.stringify(body)))}`;
}

/** Return a value as Python writes it. */
function literal(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, member]) => `${literal(name)}: ${literal(member)}`).join(", ")}}`;
  return escaped(JSON.stringify(value));
}

/** Return whether the method of `Web` has an argument, too; the `include` of a crawl is another one than that of a read. */
function isInPython(operation, name) {
  return name !== "all_notices" && (name !== "include" || operation === "crawl");
}

/** Return the arguments of an operation as those of the method of `Web`: the limits of a research are one budget. */
function pythonArguments(operation, body) {
  const argument = ([name, value]) => `${name}=${literal(value)}`;
  const entries = Object.entries(body);
  if (operation !== "web_research") return entries.filter(([name]) => isInPython(operation, name)).map(argument);
  const limits = entries.filter(([name]) => ["time_s", "pages", "tokens", "max_usd"].includes(name)).map(argument);
  const budget = limits.length ? [`budget=ResearchBudget(${limits.join(", ")})`] : [];
  return [...budget, ...entries.filter(([name]) => name === "journal").map(argument)];
}

/** Return a Python program. */
function python({ operation, body }) {
  const [method, first, use, more = ""] = METHODS[operation];
  const { [first]: value, ...others } = body;
  const call = `web.${method}(${[literal(value), ...pythonArguments(operation, others)].join(", ")}${more})`;
  if (operation === "browse_url") return `from wellread.sync import Web\n\nwith Web() as web, ${call} as tab:\n    ${use}`;
  const imports = call.includes("ResearchBudget(") ? "from wellread import ResearchBudget\n" : "";
  return `${imports}from wellread.sync import Web\n\nwith Web() as web:\n    result = ${call}\n    ${use}`;
}

/** Return a JSON-RPC request of the Model Context Protocol. */
function mcp({ operation, body }) {
  const params = { name: operation, arguments: body };
  return escaped(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, null, 2));
}

const WAYS = { curl, Python: python, MCP: mcp };
let boxes = 0;

/** Return whether an operation can be called in this way: a crawl is a job over HTTP, and the facts of many pages are many calls. */
function offered(way, operation) {
  if (way === "MCP") return operation !== "crawl" && operation !== "web_facts_many";
  return way !== "Python" || operation in METHODS;
}

/** Return a box that shows the call `current()` in three ways; `refresh()` on it follows the form. */
export function snippets(current) {
  boxes += 1;
  const name = `way-${boxes}`;
  const code = el("code");
  const button = smallButton("Copy", () => copy(code.textContent, button));
  let way = "curl";
  const radios = Object.keys(WAYS).map((label) => el("label", {}, el("input", { type: "radio", name, value: label, change: () => { way = label; refresh(); } }), el("span", {}, label)));
  const refresh = () => {
    const call = current();
    if (!offered(way, call.operation)) way = "curl";
    for (const radio of radios) {
      radio.hidden = !offered(radio.firstChild.value, call.operation);
      radio.firstChild.checked = radio.firstChild.value === way;
    }
    code.textContent = WAYS[way](call);
  };
  const element = el(
    "div",
    {},
    el("div", { class: "row" }, el("div", { class: "segmented", role: "radiogroup", "aria-label": "Language" }, radios), button),
    el("pre", { tabindex: "0", role: "group", "aria-label": "The call" }, code),
  );
  return { element, refresh };
}
