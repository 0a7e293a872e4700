/* What a stretch of text is: part of a passage, an equal or changed word, true, missed, false, odd. */

const CHANGES = ["", "changed", "added", "moved", "deleted"];
const KIND_CLASS = { "verbatim": "verbatim", "light change": "light", "paraphrase": "paraphrase", "summary": "summary", "no source": "unknown" };
const ODD = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const MOST_WIDTHLESS = 8;

/** The runs of changed words of a passage on one side, as spans with their change. */
function runsOf(passage, side) {
  const flat = passage.runs[side] || [];
  const found = { borders: [], changes: [] };
  let at = passage.spans[side][0];
  for (let i = 0; i < flat.length; i += 3) {
    const start = at + flat[i + 1];
    at = start + flat[i + 2];
    found.borders.push(start, at);
    found.changes.push(CHANGES[flat[i]]);
  }
  return found;
}

function changeAt(runs, at) {
  const place = rank(runs.borders, at);
  // Where two runs touch, the border of both is one number that stands twice; rank passes over both.
  return place % 2 ? runs.changes[(place - 1) / 2] : "";
}

/** Put text into an element; characters that cannot be seen get a visible name. */
function putText(element, string) {
  if (!ODD.test(string)) {
    element.append(string);
    return;
  }
  for (const piece of string.split(/([\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+)/u)) {
    if (!piece) continue;
    if (!ODD.test(piece)) { element.append(piece); continue; }
    const sign = document.createElement("span");
    const codes = [...piece].map((c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
    sign.className = "unseen-sign";
    sign.dataset.sign = codes.length > MOST_WIDTHLESS ? `${codes[0]} ×${codes.length}` : codes.join(" ");
    sign.textContent = piece;
    element.append(sign);
  }
}

/**
 * Mark the characters from `from` to `to` of a text and put them into an element.
 * `layers`: side, passages (with number), selected, truth {found, true, claimed}, odd (flat spans).
 */
function putMarked(text, layers, from, to, element) {
  const { side, passages, selected, truth, odd } = layers;
  const near = passages.filter((p) => p.spans[side][0] < to && p.spans[side][1] > from);
  const runs = selected && selected.spans[side].length ? runsOf(selected, side) : { borders: [], changes: [] };
  const flats = [runs.borders, odd, ...(truth ? [truth.found, truth.true, truth.claimed] : [])];
  const cuts = new Set([from, to]);
  for (const passage of near) for (const border of passage.spans[side]) if (border > from && border < to) cuts.add(border);
  for (const flat of flats) for (let i = rank(flat, from); i < flat.length && flat[i] < to; i++) cuts.add(flat[i]);
  const borders = [...cuts].sort((a, b) => a - b);
  for (let i = 0; i + 1 < borders.length; i++) {
    const [start, end] = [borders[i], borders[i + 1]];
    const here = near.filter((p) => p.spans[side][0] <= start && p.spans[side][1] >= end);
    const top = here.includes(selected) ? selected : here.reduce((a, b) => (a && length(a, side) <= length(b, side) ? a : b), null);
    putSegment(text.slice(start, end), { start, side, top, selected, here, change: top && top === selected && !truth ? changeAt(runs, start) : "",
      verdict: truth ? verdict(truth, start) : "", odd: inside(odd, start) }, element);
  }
}

const length = (passage, side) => passage.spans[side][1] - passage.spans[side][0];

function verdict(truth, at) {
  if (inside(truth.found, at)) return "hit";
  if (inside(truth.claimed, at)) return "false";
  return inside(truth.true, at) ? "missed" : "";
}

function putSegment(string, { start, side, top, selected, here, change, verdict, odd }, parent) {
  if (!top && !verdict && !odd) {
    putText(parent, string);
    return;
  }
  const element = document.createElement(top || verdict ? "mark" : "span");
  const classes = [];
  if (top) classes.push("passage-mark", `kind-${KIND_CLASS[top.kind]}`);
  if (top && top === selected) classes.push("selected");
  if (top && top.out) classes.push("out");
  if (change) classes.push(`word-${change}`);
  if (verdict) classes.push(`truth-${verdict}`);
  if (odd) classes.push("odd");
  element.className = classes.join(" ");
  if (top) {
    element.dataset.passage = top.number;
    const opens = here.filter((p) => p.spans[side][0] === start);
    if (opens.length) {
      element.dataset.number = opens.map((p) => p.number + 1).join(" ");
      element.tabIndex = 0;
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", `Passage ${top.number + 1}, ${top.kind}: ${string.slice(0, 60)}`);
    }
  }
  if (odd) element.title = "look-alike letters or invisible characters";
  putText(element, string);
  parent.append(element);
}
