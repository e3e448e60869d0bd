/* Asks the server on whose page this is: JSON by POST, a gather as a stream of events, failures as problems. */

const KEY = "wellread.key";
let remembered = "";

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
    return sessionStorage.getItem(KEY) ?? remembered;
  } catch {
    return remembered;
  }
}

/** Use this key from now on; empty forgets it. */
export function useKey(value) {
  remembered = value.trim();
  try {
    if (remembered) sessionStorage.setItem(KEY, remembered);
    else sessionStorage.removeItem(KEY);
  } catch {
    // kept in memory, then
  }
}

/** Return the answer of an operation. Throws Problem, or AbortError when it was given up. */
export async function call(path, body, signal) {
  const answer = await send(path, body, signal, "application/json");
  return await json(answer);
}

/** Return the picture that an operation answers with. Throws as `call` does. */
export async function picture(path, body, signal) {
  return await (await send(path, body, signal, "image/png")).blob();
}

/** Ask for the last time, though the page may be gone before the answer. */
export function leave(path, body) {
  fetch(path, { method: "POST", headers: headers("application/json"), body: JSON.stringify(body), keepalive: true, redirect: "error" }).catch(() => {
    // nobody is left to tell; the server ends what is left alone
  });
}

/** Yield the events of a stream as [name, data]. Throws as `call` does, also for a failure in its midst. */
export async function* events(path, body, signal) {
  const answer = await send(path, body, signal, "text/event-stream");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      if (error.name === "AbortError") throw error;
      throw unreachable();
    });
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const told = event(block);
      if (told?.[0] === "failure") throw new Problem(told[1]);
      if (told) yield told;
    }
  }
}

function event(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  return data.length ? [name, JSON.parse(data.join("\n"))] : null;
}

function headers(accept) {
  const told = { "content-type": "application/json", accept };
  if (key()) told.authorization = `Bearer ${key()}`;
  return told;
}

async function send(path, body, signal, accept) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers: headers(accept), body: JSON.stringify(body), signal, redirect: "error" });
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
    const told = await answer.json();
    return { ...told, retry_after: answer.headers.get("retry-after") };
  } catch {
    const detail = `the server answered ${answer.status}`;
    return { code: `http_${answer.status}`, status: answer.status, detail, hint: "check for a proxy between the browser and the server", retryable: true };
  }
}

function unreachable() {
  const hint = "check that `wellread serve` is running";
  return new Problem({ code: "no_answer", detail: "the server does not answer", hint, retryable: true });
}
