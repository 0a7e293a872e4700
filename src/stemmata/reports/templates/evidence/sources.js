/* The overview of one document that was checked: its sources, and where in it they are. */

/** What is known of a document beside its name, as nodes: title, author, date, and a link where it is one. */
function aboutOf(number) {
  const about = number < 0 || state.anonymous ? {} : data.documents[number].about;
  const said = [about.title, about.author, about.date].filter(Boolean).join(" · ");
  const nodes = said ? [said] : [];
  if (about.url) {
    if (nodes.length) nodes.push(" · ");
    // Anything may stand in the metadata of a document; only an address of the web becomes a link.
    const safe = /^https?:\/\/[^\s]+$/i.test(about.url);
    const link = element(safe ? "a" : "span", "", about.url.length > 80 ? `${about.url.slice(0, 79)}…` : about.url);
    if (safe) {
      link.href = about.url;
      link.rel = "noopener noreferrer";
    }
    nodes.push(link);
  }
  return nodes;
}

function drawSources(row) {
  const without = excluded(row.document);
  const all = row.pairs.flatMap((pair) => pair.passages);
  const quoted = union([...pairsOf(row.document.quotations), ...pairsOf(row.document.bibliography)]);
  document.title = `Stemmata: ${row.name}`;
  byId("whose").replaceChildren(element("b", "", row.name), " ", ...aboutOf(row.number));
  putFacts([
    ["of its text reused", percent(row.share)],
    ["without quotations and references", percent(reusedCharacters(all, quoted) / (row.document.length || 1))],
    [row.sources === 1 ? "source" : "sources", grouped.format(row.sources)],
    [row.passages === 1 ? "passage" : "passages", grouped.format(row.passages)],
  ]);
  drawNotes(row);
  byId("whole").replaceChildren(strip(row, { passages: all }));
  let before = [];
  const rows = row.pairs.map((pair) => {
    const spans = union(pair.passages.filter((p) => p.words >= state.min).map((p) => p.spans[0]));
    const after = union([...pairsOf(before), ...pairsOf(spans)]);
    const count = (flat) => size(flat) - shared(flat, without);
    const made = sourceRow(row, pair, count(spans), count(after) - count(before));
    before = after;
    return made;
  });
  byId("sources").tBodies[0].replaceChildren(...rows);
  byId("no-sources").hidden = rows.length > 0;
  byId("sources").hidden = !rows.length;
}

function drawNotes(row) {
  const lines = noteLines();
  if (row.odd) {
    const line = element("p", "warning", "The text may have been manipulated to hide copying: ");
    const link = element("a", "", row.document.odd.map(([what]) => what).join(", "));
    link.href = row.pairs.length ? `#pair-${row.pairs[0].number}` : `#document-${row.number}`;
    line.append(link, ".");
    lines.push(line);
  }
  byId("warnings").replaceChildren(...lines);
}

function sourceRow(row, pair, characters, added) {
  const length = row.document.length || 1;
  const made = element("tr");
  const head = element("th");
  head.scope = "row";
  const link = element("a", "", nameOf(pair.source));
  link.href = `#pair-${pair.number}`;
  head.append(link);
  if (pair.remark) head.append(" ", element("span", "odd-sign", pair.remark));
  const about = aboutOf(pair.source);
  if (about.length) {
    const small = element("small");
    small.append(...about);
    head.append(small);
  }
  made.append(head);
  const cells = [
    ["From it", element("span", "v strong", characters ? percent(characters / length) : "–")],
    ["Adds", element("span", "v", added ? percent(added / length) : "–")],
    ["Where", strip(row, pair)],
    ["Passages", element("span", "v", grouped.format(pair.passages.length))],
    ["Longest, words", element("span", "v", grouped.format(pair.passages.reduce((most, p) => Math.max(most, p.words), 0)))],
  ];
  for (const [title, content] of cells) {
    const cell = element("td");
    cell.dataset.title = title;
    cell.append(content);
    made.append(cell);
  }
  return made;
}

/** All passages of a document that was checked, in its order, whatever their source. */
function everyPassage(number) {
  if (!data.single) return [];
  return pairsOfDocument[number]
    .flatMap((pair) => pair.passages.map((passage) => ({ ...passage, pair, place: passage.number })))
    .sort((a, b) => a.spans[0][0] - b.spans[0][0])
    .map((passage, number_) => ({ ...passage, number: number_ }));
}

/** The document as a strip, with the passages of one source where they are. */
function strip(row, pair) {
  const made = element("span", "strip");
  const length = row.document.length || 1;
  for (const passage of pair.passages) {
    const part = element("i", `kind-${KIND_CLASS[passage.kind]}`);
    const [start, end] = passage.spans[0];
    part.style.left = `${(100 * start) / length}%`;
    part.style.width = `${(100 * (end - start)) / length}%`;
    part.title = [passage.kind, pagesOf(row.number, passage.spans[0])].filter(Boolean).join(", ");
    made.append(part);
  }
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", pair.passages.map((p) => `${p.kind} from ${percent(p.spans[0][0] / length)} to ${percent(p.spans[0][1] / length)}`).join("; "));
  return made;
}
