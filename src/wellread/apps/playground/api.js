/* Asks the server on whose page this is: JSON, streams of events, files. Failures are problems. */

const KEY = "wellread.key";
let keyOfPage = "";

/** A failure as the server tells it: code, detail, hint, whether trying again may help. */
export class Problem extends Error {
  constructor(fields) {
    super(String(fields.detail ?? "something failed"));
    this.fields = fields;
  }
}

/** Return the key in use; it lives as long as the tab does. */
export function key() {
  try {
    return sessionStorage.getItem(KEY) ?? keyOfPage;
  } catch {
    return keyOfPage;
  }
}

/** Use this key from now on; empty forgets it. */
export function useKey(text) {
  keyOfPage = text.trim();
  try {
    if (keyOfPage) sessionStorage.setItem(KEY, keyOfPage);
    else sessionStorage.removeItem(KEY);
  } catch {
    // storage is forbidden: the key stays in memory
  }
}

/** Return the answer of an operation. Throws Problem, or AbortError when it was given up. */
export async function call(path, body, signal) {
  return await json(await send("POST", path, { body, signal }));
}

/** Return what the server has at `path`. Throws as `call` does. */
export async function get(path, signal) {
  return await json(await send("GET", path, { signal }));
}

/** Delete what is at `path`, and return the answer. Throws as `call` does. */
export async function remove(path) {
  return await json(await send("DELETE", path));
}

/** Return a file of the server as bytes; with a body, it is posted. Throws as `call` does. */
export async function file(path, body, signal) {
  return await (await send(body ? "POST" : "GET", path, { body, signal, accept: "*/*" })).blob();
}

/** Ask for the last time, though the page may be gone before the answer. */
export function leave(path, body) {
  fetch(path, { method: "POST", headers: headers("application/json"), body: JSON.stringify(body), keepalive: true, redirect: "error" }).catch(() => {
    // nobody is there to read it; the server ends sessions that nobody uses
  });
}

/**
 * Yield the events of a stream as [name, data], `done` as the last; without a body, by GET.
 *
 * Throws as `call` does, also in its midst, and where the stream ends without `done`.
 */
export async function* events(path, body, signal) {
  const answer = await send(body ? "POST" : "GET", path, { body, signal, accept: "text/event-stream" });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let tail = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      if (error.name === "AbortError") throw error;
      throw unreachable();
    });
    if (done) throw new Problem({ code: "no_answer", detail: "the stream ended early", hint: "try again", retryable: true });
    const blocks = (tail + value).split("\n\n");
    tail = blocks.pop();
    for (const block of blocks) {
      const event = parsedEvent(block);
      if (event?.[0] === "failure") throw new Problem(event[1]);
      if (event) yield event;
      if (event?.[0] === "done") return;
    }
  }
}

function parsedEvent(block) {
  let name = "message";
  const lines = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) lines.push(line.slice(5).trim());
  }
  return lines.length ? [name, JSON.parse(lines.join("\n"))] : null;
}

function headers(accept) {
  const fields = { "content-type": "application/json", accept };
  if (key()) fields.authorization = `Bearer ${key()}`;
  return fields;
}

async function send(method, path, { body, signal, accept = "application/json" } = {}) {
  let answer;
  try {
    answer = await fetch(path, { method, headers: headers(accept), body: body && JSON.stringify(body), signal, redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreachable();
  }
  if (!answer.ok) throw new Problem(await problem(answer));
  return answer;
}

async function json(answer) {
  try {
    return await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ code: "bad_answer", detail: "the answer is not JSON", hint: "check for a proxy between the browser and the server" });
  }
}

async function problem(answer) {
  try {
    const fields = await answer.json();
    return { ...fields, retry_after: answer.headers.get("retry-after") };
  } catch {
    const detail = `the server answered ${answer.status}`;
    return { code: `http_${answer.status}`, status: answer.status, detail, hint: "check for a proxy between the browser and the server", retryable: true };
  }
}

function unreachable() {
  const hint = "check that `wellread serve` is running";
  return new Problem({ code: "no_answer", detail: "the server does not answer", hint, retryable: true });
}
