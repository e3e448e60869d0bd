/* Inline markdown, as wellread prints it, to nodes: linear in its length, and no deeper than a few elements. */

import { el, link } from "./dom.js";

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const TAGS = { "**": "strong", "*": "em", "~~": "del", "<sup>": "sup", "<sub>": "sub" };
const CLOSES = { "</sup>": "<sup>", "</sub>": "<sub>" };
const TOKEN = /\\|`+|\*\*|\*|~~|!\[|\[\^[^\]\s]{1,60}\]|\[|\]\([^\s()<>]*\)|\]|<\/?su[pb]>|<br>|\n/g;

/** Append the nodes of `line` to `place`; `paint(text, at)` makes the text that stands at `at` in the line. */
export function inline(place, line, paint) {
  const pieces = split(line);
  pair(pieces, line);
  build(place, pieces, paint);
}

/** Cut the line into text and what may be markup. */
function split(line) {
  const pieces = [];
  let from = 0;
  TOKEN.lastIndex = 0;
  const ticks = runs(line);
  for (let found; (found = TOKEN.exec(line)); ) {
    const { index: at, 0: sign } = found;
    if (sign === "\\") {
      if (!PUNCTUATION.test(line[at + 1] ?? "")) continue;
      text(pieces, line, from, at);
      pieces.push({ text: line[at + 1], at: at + 1 });
      from = TOKEN.lastIndex = at + 2;
      continue;
    }
    text(pieces, line, from, at);
    if (sign[0] === "`") {
      const end = ticks.after(sign.length, at + sign.length);
      if (end < 0) pieces.push({ text: sign, at });
      else pieces.push({ code: line.slice(at + sign.length, end), at: at + sign.length });
      from = end < 0 ? at + sign.length : end + sign.length;
      TOKEN.lastIndex = from;
      continue;
    }
    pieces.push({ sign, text: sign, at });
    from = at + sign.length;
  }
  text(pieces, line, from, line.length);
  return pieces;
}

function text(pieces, line, from, to) {
  if (to > from) pieces.push({ text: line.slice(from, to), at: from });
}

/** Find runs of backticks by their length without looking at any of them twice. */
function runs(line) {
  const places = new Map();
  for (const { index, 0: run } of line.matchAll(/`+/g)) {
    if (!places.has(run.length)) places.set(run.length, { at: [], next: 0 });
    places.get(run.length).at.push(index);
  }
  return {
    after(length, least) {
      const known = places.get(length);
      while (known.next < known.at.length && known.at[known.next] < least) known.next += 1;
      return known.at[known.next] ?? -1;
    },
  };
}

/** Mark the pieces that open and close something; the others are the characters that they are. */
function pair(pieces, line) {
  const open = [];
  const has = new Map();
  const shut = (kind) => {
    for (let top; (top = open.pop()); ) {
      has.set(top.kind, has.get(top.kind) - 1);
      if (top.kind === kind) return top.piece;
    }
    return null;
  };
  const push = (kind, piece) => {
    open.push({ kind, piece });
    has.set(kind, (has.get(kind) ?? 0) + 1);
  };
  for (const piece of pieces) {
    const { sign, at } = piece;
    if (!sign) continue;
    if (sign === "[" || sign === "![") push("[", piece);
    else if (sign[0] === "]") brackets(piece, shut, has);
    else if (sign in CLOSES) wrap(has.get(CLOSES[sign]) && shut(CLOSES[sign]), piece, TAGS[CLOSES[sign]]);
    else if (sign in TAGS) {
      const before = /\S/.test(line[at - 1] ?? "");
      const after = /\S/.test(line[at + sign.length] ?? "");
      const hollow = open.length && open[open.length - 1].piece.at + sign.length === at; // emphasis of nothing
      if (has.get(sign)) wrap((before || sign[0] === "<") && !hollow && shut(sign), piece, TAGS[sign]);
      else if (after) push(sign, piece);
    }
  }
}

function brackets(piece, shut, has) {
  if (!has.get("[")) return;
  const opening = shut("[");
  if (piece.sign === "]") return;
  opening.opens = "a";
  opening.href = piece.sign.slice(2, -1);
  piece.closes = true;
  while (has.get("[")) shut("["); // no link stands in a link
}

function wrap(opening, piece, tag) {
  if (!opening) return;
  opening.opens = tag;
  piece.closes = true;
}

function build(place, pieces, paint) {
  const nest = [place];
  for (const piece of pieces) {
    const top = nest[nest.length - 1];
    if (piece.opens) {
      const made = piece.opens === "a" ? link(piece.href, {}) : el(piece.opens);
      if (piece.sign === "![") made.append(el("span", { class: "picture" }, "picture "));
      top.append(made);
      nest.push(made);
    } else if (piece.closes) nest.pop();
    else if (piece.code !== undefined) top.append(el("code", {}, ...paint(piece.code, piece.at)));
    else if (piece.sign === "\n" || piece.sign === "<br>") top.append(el("br"));
    else if (piece.sign?.startsWith("[^")) top.append(el("sup", {}, ...paint(piece.sign.slice(2, -1), piece.at + 2)));
    else top.append(...paint(piece.text, piece.at));
  }
}
