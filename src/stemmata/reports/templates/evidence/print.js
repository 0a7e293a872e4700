/* On paper: every passage beside its source, because panes that scroll cannot be printed. */

const LONGEST_ON_PAPER = 6000;

function layOut(pairs) {
  const paper = byId("paper");
  paper.replaceChildren();
  const signs = element("p", "legend");
  for (const [change, title] of WORD_SIGNS) signs.append(element("mark", `passage-mark selected kind-paraphrase ${change && `word-${change}`}`, title));
  paper.append(signs);
  for (const pair of pairs) {
    const without = excluded(data.documents[pair.suspicious]);
    const kept = pair.passages.filter((passage) => counts(passage, without));
    const mine = textOf(pair.suspicious);
    if (!kept.length || !mine) continue;
    const share = reusedCharacters(kept, without) / (data.documents[pair.suspicious].length || 1);
    const title = element("h2", "", nameOf(pair.suspicious));
    const from = element("small", "", ` ${percent(share)} from ${nameOf(pair.source)}${pair.remark && `, ${pair.remark}`}`);
    const about = aboutOf(pair.source);
    if (about.length) from.append(" (", ...about, ")");
    title.append(from);
    paper.append(title);
    for (const passage of kept) paper.append(printed(pair, passage, [mine, textOf(pair.source)]));
  }
}

function printed(pair, passage, both) {
  const made = element("article", "printed");
  const line = element("p", "what");
  line.append(element("b", "", `Passage ${passage.number + 1} `), element("span", `kind kind-${KIND_CLASS[passage.kind]}`, passage.kind), ` ${passage.reason}; ${plural(passage.words, "word")}. ${placeOf(pair, passage)}`);
  const sides = element("div", "sides");
  both.forEach((text, side) => {
    if (!text || !passage.spans[side].length) return;
    const [start, end] = passage.spans[side];
    const cut = Math.min(end, start + LONGEST_ON_PAPER);
    const box = element("div", "printed-text");
    putMarked(text, { side, passages: [passage], selected: passage, truth: null, odd: [] }, start, cut, box);
    if (cut < end) box.append(element("i", "", ` … and ${grouped.format(end - cut)} more characters`));
    sides.append(box);
  });
  made.append(line, sides);
  return made;
}

function preparePaper() {
  state.rows = Infinity;
  drawOverview();
  const documents = pairsOfDocument.map((_, number) => describe(number)).sort((a, b) => b.share - a.share);
  layOut(reader.pair ? [reader.pair] : documents.flatMap((row) => row.pairs));
}

window.addEventListener("beforeprint", preparePaper);
window.addEventListener("afterprint", () => {
  byId("paper").replaceChildren();
  state.rows = ROWS_AT_ONCE;
  drawOverview();
});
