/* One pair of documents: two panes that move together, and what is known of the passage chosen. */

const reader = { number: -1, pair: null, passage: null, missed: null, all: [], layers: [null, null] };
const texts = new Map();

function textOf(number) {
  if (!texts.has(number)) {
    const held = number >= 0 && byId(`text-${number}`);
    texts.set(number, held ? new CountedText(JSON.parse(held.textContent)) : null);
  }
  return texts.get(number);
}

const panes = ["suspicious", "source"].map((id, side) => new Pane(
  byId(id),
  (from, to, block) => reader.layers[side] && putMarked(panes[side].text, reader.layers[side], from, to, block),
  (pane) => drawMap(pane, reader.layers[side]),
));

function openPair(number, pair, passage) {
  const fresh = reader.number !== number || reader.pair !== pair;
  reader.number = number;
  reader.pair = pair;
  reader.passage = passage;
  reader.missed = null;
  document.body.classList.add("reading");
  byId("overview").hidden = true;
  byId("reader").hidden = false;
  byId("source").hidden = data.single && !pair;
  layer();
  if (fresh) {
    [number, pair ? pair.source : -1].forEach((one, side) => {
      const held = textOf(one);
      panes[side].show(held || new CountedText(""));
      byId(panes[side].root.id).classList.toggle("empty", !held);
    });
    window.scrollTo(0, 0);
  } else {
    panes.forEach((pane) => pane.refresh());
  }
  drawReader();
  const first = passage || stops()[0];
  goTo(first && first.spans);
}

/** Where j and k halt: passages that count and, beside the truth, cases that nobody found. */
function stops() {
  if (!reader.pair) return [];
  const found = reader.pair.passages.filter((passage) => !passage.out);
  const all = state.overlay ? [...found, ...reader.pair.missed] : found;
  return all.sort((a, b) => a.spans[0][0] - b.spans[0][0]);
}

/** Move both panes to a passage; without one, to the first odd place. */
function goTo(spans) {
  panes.forEach((pane, side) => {
    const { odd } = reader.layers[side];
    const at = spans ? spans[side][0] : odd[0];
    if (at === undefined) pane.draw();
    else pane.goTo(at);
  });
}

function closePair() {
  reader.number = -1;
  reader.pair = reader.passage = null;
  document.body.classList.remove("reading");
  byId("reader").hidden = true;
  byId("overview").hidden = false;
}

/** Say what is to be marked in both panes. */
function layer() {
  const { pair, passage, number } = reader;
  const without = excluded(data.documents[number]);
  if (!pair) reader.all = everyPassage(number);
  const passages = pair ? pair.passages : reader.all;
  for (const one of passages) one.out = !counts(one, without);
  [number, pair ? pair.source : -1].forEach((document, side) => {
    const spans = pair && pair.truth && state.overlay ? pair.truth.spans[side] : null;
    const with_ = passages.filter((p) => p.spans[side].length);
    reader.layers[side] = {
      side, passages: with_, selected: passage,
      truth: spans && { ...spans, claimed: union(with_.map((p) => p.spans[side])) },
      odd: document < 0 ? [] : union(data.documents[document].odd.flatMap(([, flat]) => pairsOf(flat))),
    };
  });
}

function drawReader() {
  const { number, pair, passage } = reader;
  const row = describe(number);
  byId("reader-name").textContent = row.name;
  const choice = byId("reader-source");
  choice.replaceChildren(...row.pairs.map((one) => {
    const share = reusedCharacters(one.passages, excluded(row.document)) / (row.document.length || 1);
    const option = element("option", "", `${nameOf(one.source)} (${[percent(share), one.remark].filter(Boolean).join(", ")})`);
    option.value = one.number;
    option.selected = one === pair;
    return option;
  }));
  if (data.single) {
    const all = element("option", "", "all sources");
    all.value = "all";
    all.selected = !pair;
    choice.prepend(all);
  }
  choice.parentElement.hidden = !row.pairs.length;
  byId("reader-share").textContent = `${percent(row.share)} reused`;
  panes.forEach((pane, side) => {
    const document = side ? (pair ? pair.source : -1) : number;
    const name = pane.root.querySelector(".name");
    name.textContent = document < 0 ? "" : nameOf(document);
    const about = aboutOf(document);
    if (about.length) name.append(" · ", ...about);
  });
  const steps = stops();
  const at = steps.indexOf(passage || reader.missed);
  byId("step").textContent = steps.length ? `${at >= 0 ? at + 1 : "–"} of ${steps.length}` : "no passage";
  byId("previous").disabled = byId("next").disabled = !steps.length;
  byId("step").parentElement.hidden = data.single && !pair;
  drawPassage();
}

function drawPassage() {
  const { number, pair, passage } = reader;
  const box = byId("passage");
  box.replaceChildren();
  for (const [one, side] of [[number, 0], [pair ? pair.source : -1, 1]]) {
    for (const [what, spans] of one < 0 ? [] : data.documents[one].odd) {
      const line = element("p", "warning", `${side ? "Source" : "This document"}: ${what} in ${plural(spans.length / 2, "place")}. The text may have been manipulated. `);
      const show = element("button", "", "Show");
      show.type = "button";
      show.addEventListener("click", () => panes[side].goTo(spans[0]));
      line.append(show);
      box.append(line);
    }
  }
  if (passage) {
    const line = element("p", "what");
    const link = element("a", "", `Passage ${passage.number + 1}`);
    link.href = hashOf();
    link.title = "A link to this passage";
    line.append(link, " ", element("span", `kind kind-${KIND_CLASS[passage.kind]}`, passage.kind), ` ${passage.reason}; ${plural(passage.words, "word")}. ${placeOf(pair, passage)}`);
    box.append(line);
    if (passage.out) box.append(element("p", "what", "The filters leave it out."));
  } else if (reader.missed) {
    const [start, end] = reader.missed.spans[0];
    box.append(element("p", "what", `A true case of ${plural(end - start, "character")} that the run does not report.`));
  } else if (pair && pair.passages.length) {
    box.append(element("p", "what", "Choose a passage: click it, or press j."));
  } else if (!pair && reader.all.length) {
    box.append(element("p", "what", "The passages of all sources. Click one to see its source beside it."));
  } else if (!textOf(number)) {
    box.append(element("p", "what", data.single ? "The text is not in the report." : "The texts of this pair are not in the report; a higher --limit would show them."));
  } else {
    box.append(element("p", "what", "The run reports no passage here."));
  }
  if (pair && pair.source >= 0 && textOf(number) && !textOf(pair.source)) box.append(element("p", "what", "The text of this source is not in the report, because the report would be too large."));
  box.append(legend());
}

/** Where a passage stands, for formats that tell of pages. */
function placeOf(pair, passage) {
  const [mine, theirs] = [pair.suspicious, pair.source].map((number, side) => (passage.spans[side].length ? pagesOf(number, passage.spans[side]) : ""));
  const said = [mine && `${mine} here`, theirs && `${theirs} of the source`].filter(Boolean).join(", ");
  return said && `${said[0].toUpperCase()}${said.slice(1)}.`;
}

const WORD_SIGNS = [["", "equal"], ["changed", "changed"], ["added", "added"], ["deleted", "left out"], ["moved", "moved"]];

function legend() {
  const line = element("p", "legend");
  if (state.overlay && reader.pair && reader.pair.truth) {
    const { found, missed, false: wrong } = reader.pair.truth;
    for (const [name, n, title] of [["hit", found, "true and found"], ["missed", missed, "true but missed"], ["false", wrong, "false"]]) {
      const mark = element("mark", `truth-${name}`, title);
      const value = element("span", "", `${grouped.format(n)}`);
      value.dataset.truth = name;
      line.append(mark, value);
    }
    line.append(element("span", "", "characters of both documents, before any filter"));
  } else if (reader.passage && reader.passage.runs.length) {
    const kind = `selected kind-${KIND_CLASS[reader.passage.kind]}`;
    for (const [change, title] of WORD_SIGNS) {
      line.append(element("mark", `passage-mark ${kind} ${change && `word-${change}`}`, title));
    }
  } else {
    for (const [kind, name] of Object.entries(KIND_CLASS).slice(0, 4)) line.append(element("mark", `passage-mark kind-${name}`, kind));
  }
  return line;
}

const hashOf = () => `#pair-${reader.pair.number}${reader.passage ? `-passage-${reader.passage.number + 1}` : ""}`;

function choose(stop) {
  if (!stop) return;
  reader.passage = stop.missed ? null : stop;
  reader.missed = stop.missed ? stop : null;
  history.replaceState(null, "", hashOf());
  layer();
  drawReader();
  panes.forEach((pane) => pane.forget());
  goTo(stop.spans);
}

function step(by) {
  const steps = stops();
  if (!steps.length) return;
  const at = steps.indexOf(reader.passage || reader.missed);
  choose(steps[at < 0 ? (by > 0 ? 0 : steps.length - 1) : Math.min(steps.length - 1, Math.max(0, at + by))]);
}

/** The whole document at a glance. */
function drawMap(pane, layers) {
  const canvas = pane.map;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!layers || !width || !height) return;
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const brush = canvas.getContext("2d");
  brush.scale(scale, scale);
  const style = getComputedStyle(pane.root);
  const colour = (name) => style.getPropertyValue(name);
  const bar = ([start, end], fill, left = 2, right = width - 2) => {
    brush.fillStyle = fill;
    brush.fillRect(left, (start / pane.text.length) * height, right - left, Math.max(2, ((end - start) / pane.text.length) * height));
  };
  const { side, passages, selected, truth, odd } = layers;
  if (truth) {
    for (const span of pairsOf(truth.true)) bar(span, colour("--missed"));
    for (const span of pairsOf(truth.claimed)) bar(span, colour("--false"));
    for (const span of pairsOf(truth.found)) bar(span, colour("--hit"));
  } else {
    for (const p of passages) if (!p.out) bar(p.spans[side], colour(`--${KIND_CLASS[p.kind]}`));
  }
  if (selected && selected.spans[side].length) bar(selected.spans[side], colour("--ink"), 0, 3);
  for (let i = 0; i < odd.length && i < 4000; i += 2) bar([odd[i], odd[i + 1]], colour("--warn"), width - 4, width);
  const [top, bottom] = pane.sight.map((share) => share * height);
  brush.strokeStyle = colour("--ink");
  brush.lineWidth = 1.5;
  brush.strokeRect(1, top + 1, width - 2, Math.max(6, bottom - top) - 2);
}
