/* The same call as a shell command, as Python, and as an MCP request: whatever the arguments hold stays an argument. */

import { copy, el } from "./dom.js";
import { key } from "./api.js";

const METHODS = { web_search: ["search", "query"], web_read: ["read", "url"], web_gather: ["gather", "question"] };
const RESULTS = {
  web_search: "for hit in found.hits:\n        print(hit.title, hit.url)",
  web_read: "print(found.text)",
  web_gather: "for passage in found.passages:\n        print(passage.text, passage.fragment_url)",
};
// Characters that show nothing, or turn the direction of what is read, are written out.
const UNSEEN = /[\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

function quoted(value) {
  return JSON.stringify(value).replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function shell(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Return a curl command. */
export function curl(operation, path, given) {
  const secret = key() ? ` \\\n  -H "Authorization: Bearer $WELLREAD_KEY"` : "";
  return `curl -s ${shell(location.origin + path)} \\\n  -H 'Content-Type: application/json'${secret} \\\n  -d ${shell(quoted(given))}`;
}

/** Return a Python program. */
export function python(operation, path, given) {
  if (operation === "browse_url") return `from wellread.sync import Web\n\nwith Web() as web, web.browse(${quoted(given.url)}) as tab:\n    print(tab.snapshot.content)`;
  const [method, first] = METHODS[operation];
  const value = (each) => (each === true ? "True" : each === false ? "False" : each === null ? "None" : quoted(each));
  const named = Object.entries(given)
    .filter(([name]) => name !== first)
    .map(([name, each]) => `, ${name}=${value(each)}`);
  const call = `web.${method}(${value(given[first])}${named.join("")})`;
  return `from wellread.sync import Web\n\nwith Web() as web:\n    found = ${call}\n    ${RESULTS[operation]}`;
}

/** Return a JSON-RPC request of the Model Context Protocol. */
export function mcp(operation, path, given) {
  const params = { name: operation, arguments: given };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, null, 2).replace(
    UNSEEN,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const WAYS = { curl, Python: python, MCP: mcp };
let drawn = 0;

/** Return a box that shows the call `given()` in three ways; `refresh()` on it follows the form. */
export function snippets(operation, path, given) {
  drawn += 1;
  const name = `way-${drawn}`;
  const code = el("code");
  const button = el("button", { type: "button", class: "small", click: () => copy(code.textContent, button) }, "Copy");
  let way = "curl";
  const refresh = () => {
    code.textContent = WAYS[way](operation, path, given());
  };
  const ways = Object.keys(WAYS).map((each) =>
    el("label", {}, el("input", { type: "radio", name, value: each, checked: each === way, change: () => { way = each; refresh(); } }), el("span", {}, each)),
  );
  const box = el(
    "details",
    { class: "snippets" },
    el("summary", {}, "The same call as curl, Python or MCP"),
    el("div", { class: "row" }, el("div", { class: "segmented", role: "radiogroup", "aria-label": "Language" }, ways), button),
    el("pre", { tabindex: "0", role: "group", "aria-label": "The call" }, code),
  );
  refresh();
  return { box, refresh };
}
