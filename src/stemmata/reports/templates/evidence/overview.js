/* The data, the filters, and the overview: facts, histogram, table. */

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const state = {
  min: 0, quotations: false, bibliography: false, overlay: false, anonymous: data.anonymous,
  search: "", bin: null, sort: "share", down: true, rows: 100,
};
const ROWS_AT_ONCE = 200;

data.pairs.forEach((pair, number) => {
  pair.number = number;
  pair.passages.forEach((passage, i) => { passage.number = i; });
  pair.missed = ((pair.truth && pair.truth.cases) || []).map((spans) => ({ spans, missed: true }));
});
const pairsOfDocument = Array.from({ length: data.suspicious }, () => []);
for (const pair of data.pairs) pairsOfDocument[pair.suspicious].push(pair);

const grouped = new Intl.NumberFormat("en");
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 2 : 1)}%`;
const sum = (items, key) => items.reduce((total, item) => total + item[key], 0);
const plural = (n, word) => `${grouped.format(n)} ${word}${n === 1 ? "" : "s"}`;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function nameOf(number) {
  if (number < 0) return "no source named";
  if (!state.anonymous && data.documents[number].name) return data.documents[number].name;
  if (data.documents[number].alias) return data.documents[number].alias;
  return number < data.suspicious ? `Document ${number + 1}` : `Source ${number - data.suspicious + 1}`;
}

/** The page on which a character stands; 0 where pages are not known. */
const pageOf = (number, at) => (number < 0 ? 0 : rank(data.documents[number].pages, at));

/** The pages that a span covers, as a reader says it: "page 3", "pages 3–4". */
function pagesOf(number, [start, end]) {
  const [first, last] = [pageOf(number, start), pageOf(number, Math.max(start, end - 1))];
  if (!first) return "";
  return first === last ? `page ${first}` : `pages ${first}–${last}`;
}

/** What the filters leave out of a document. */
function excluded(document) {
  return union([
    ...(state.quotations ? pairsOf(document.quotations) : []),
    ...(state.bibliography ? pairsOf(document.bibliography) : []),
  ]);
}

function counts(passage, without) {
  const [start, end] = passage.spans[0];
  return passage.words >= state.min && end - start > shared([start, end], without);
}

/** The characters of a document that some passages reuse, after the filters. */
function reusedCharacters(passages, without) {
  const spans = union(passages.filter((p) => p.words >= state.min).map((p) => p.spans[0]));
  return size(spans) - shared(spans, without);
}

function describe(number) {
  const document = data.documents[number];
  const without = excluded(document);
  const pairs = pairsOfDocument[number];
  const all = pairs.flatMap((pair) => pair.passages);
  const kept = all.filter((passage) => counts(passage, without));
  const truth = { found: 0, missed: 0, false: 0 };
  for (const pair of pairs) if (pair.truth) for (const key of Object.keys(truth)) truth[key] += pair.truth[key];
  const kinds = {};
  for (const p of kept) kinds[p.kind] = (kinds[p.kind] || 0) + p.spans[0][1] - p.spans[0][0];
  return {
    number, name: nameOf(number), document, pairs, kinds, ...truth,
    share: document.length ? reusedCharacters(all, without) / document.length : 0,
    reused: reusedCharacters(all, without),
    sources: new Set(pairs.filter((pair) => pair.passages.some((p) => counts(p, without))).map((p) => p.source)).size,
    passages: kept.length,
    longest: kept.reduce((most, p) => Math.max(most, p.words), 0),
    literal: sum(kept, "kept") / Math.max(sum(kept, "words"), 1),
    odd: document.odd.reduce((sum, [, spans]) => sum + spans.length / 2, 0),
  };
}

function columns() {
  return [
    ["name", "Document"], ["share", "Reused"], ["kinds", "Kinds of reuse"],
    ["literal", "Word for word"], ["sources", "Sources"], ["passages", "Passages"],
    ["longest", "Longest, words"],
    ...(state.overlay ? [["found", "Found"], ["missed", "Missed"], ["false", "False"]] : []),
  ];
}

function drawOverview() {
  const described = pairsOfDocument.map((_, number) => describe(number));
  if (data.single) {
    drawSources(described[0]);
    return;
  }
  drawFacts(described);
  drawHistogram(described);
  drawTable(described);
}

const noteLines = () => data.notes.map((note) => element("p", "note", note));

function putFacts(facts) {
  byId("facts").replaceChildren(...facts.map(([title, value]) => {
    const fact = element("div");
    fact.append(element("dt", "", title), element("dd", "", value));
    return fact;
  }));
}

function drawFacts(described) {
  const reused = described.reduce((sum, row) => sum + row.reused, 0);
  const length = described.reduce((sum, row) => sum + row.document.length, 0);
  const facts = [
    ["documents", grouped.format(described.length)],
    ["with reuse", grouped.format(described.filter((row) => row.passages).length)],
    ["passages", grouped.format(described.reduce((sum, row) => sum + row.passages, 0))],
    ["of all text reused", percent(length ? reused / length : 0)],
  ];
  if (data.truth && state.overlay) {
    facts.push(["true characters found", grouped.format(data.truth.found)], ["missed", grouped.format(data.truth.missed)],
      ["false", grouped.format(data.truth.false)]);
  }
  putFacts(facts);
  const odd = described.filter((row) => row.odd);
  const warnings = byId("warnings");
  warnings.replaceChildren(...noteLines());
  if (odd.length) {
    const line = element("p", "warning", `${plural(odd.length, "document")} may have been manipulated to hide copying: `);
    odd.slice(0, 5).forEach((row, i) => line.append(i ? ", " : "", rowLink(row)));
    line.append(odd.length > 5 ? ", …" : ".");
    warnings.append(line);
  }
}

const binOf = (share) => Math.min(9, Math.floor(share * 10 + 1e-9));

function drawHistogram(described) {
  const bins = Array(11).fill(0);
  for (const row of described) bins[row.share > 0 ? binOf(row.share) + 1 : 0]++;
  const most = Math.max(...bins, 1);
  byId("histogram").replaceChildren(...bins.map((n, bin) => {
    const title = bin ? `${10 * (bin - 1)}–${10 * bin}%` : "none";
    const bar = element("button", "bin");
    bar.type = "button";
    bar.disabled = !n && state.bin !== bin;
    bar.setAttribute("aria-pressed", String(state.bin === bin));
    bar.setAttribute("aria-label", `${title} reused: ${plural(n, "document")}`);
    const fill = element("i");
    fill.style.height = `${(100 * n) / most}%`;
    bar.append(element("b", "", n ? grouped.format(n) : ""), fill, element("span", "", title));
    bar.addEventListener("click", () => {
      state.bin = state.bin === bin ? null : bin;
      drawOverview();
      byId("histogram").children[bin].focus();
    });
    return bar;
  }));
}

function rowLink(row) {
  const link = element("a", "", row.name);
  const best = row.pairs.find((pair) => pair.passages.length) || row.pairs[0];
  link.href = best ? `#pair-${best.number}` : `#document-${row.number}`;
  return link;
}

function drawTable(described) {
  const wanted = state.search.trim().toLowerCase();
  const fits = (row) =>
    (state.bin === null || (row.share > 0 ? binOf(row.share) + 1 : 0) === state.bin) &&
    (!wanted || row.name.toLowerCase().includes(wanted) || row.pairs.some((p) => nameOf(p.source).toLowerCase().includes(wanted)));
  const value = (row) => (state.sort === "kinds" ? row.kinds.verbatim || 0 : row[state.sort]);
  const order = state.sort === "name"
    ? (a, b) => a.name.localeCompare(b.name, "en", { numeric: true })
    : (a, b) => value(a) - value(b);
  const rows = described.filter(fits).sort((a, b) => (state.down ? -order(a, b) : order(a, b)) || a.number - b.number);
  const head = byId("documents").tHead.rows[0];
  head.replaceChildren(...columns().map(([key, title]) => {
    const cell = element("th");
    cell.scope = "col";
    cell.setAttribute("aria-sort", state.sort !== key ? "none" : state.down ? "descending" : "ascending");
    const button = element("button", "sort", title);
    button.type = "button";
    button.addEventListener("click", () => {
      state.down = state.sort === key ? !state.down : key !== "name";
      state.sort = key;
      drawOverview();
    });
    cell.append(button);
    return cell;
  }));
  byId("documents").tBodies[0].replaceChildren(...rows.slice(0, state.rows).map(tableRow));
  byId("listed").textContent = rows.length === described.length ? "" : `${plural(rows.length, "document")} of ${grouped.format(described.length)}`;
  byId("more").hidden = rows.length <= state.rows;
}

function tableRow(row) {
  const made = element("tr");
  const head = element("th");
  head.scope = "row";
  head.append(row.pairs.length || row.document.text ? rowLink(row) : row.name);
  if (row.odd) {
    const sign = element("span", "odd-sign", "⚠ manipulated?");
    sign.title = row.document.odd.map(([what]) => what).join(", ");
    head.append(" ", sign);
  }
  made.append(head);
  for (const [key, title] of columns().slice(1)) {
    const cell = element("td");
    cell.dataset.title = title;
    if (key === "share") cell.append(element("span", "v strong", row.share ? percent(row.share) : "–"));
    else if (key === "kinds") cell.append(kindBar(row));
    else if (key === "literal") cell.append(element("span", "v", row.passages ? percent(row.literal) : "–"));
    else cell.append(element("span", "v", row[key] ? grouped.format(row[key]) : "–"));
    made.append(cell);
  }
  return made;
}

/** One bar as long as the share, its parts as the kinds of reuse. */
function kindBar(row) {
  const bar = element("span", "kind-bar");
  const total = Object.values(row.kinds).reduce((a, b) => a + b, 0);
  const said = [];
  for (const kind of Object.keys(KIND_CLASS)) {
    if (!row.kinds[kind]) continue;
    const part = element("i", `kind-${KIND_CLASS[kind]}`);
    part.style.width = `${(100 * row.share * row.kinds[kind]) / total}%`;
    bar.append(part);
    said.push(`${kind} ${percent(row.kinds[kind] / total)}`);
  }
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", said.join(", ") || "none");
  bar.title = said.join(", ");
  return bar;
}
