/* Filters, keys and links. */

function redraw() {
  drawOverview();
  if (reader.number < 0) return;
  layer();
  drawReader();
  panes.forEach((pane) => pane.refresh());
}

/** Show what the address names: an overview, a document, a pair, a passage. */
function follow() {
  const pair = /^#pair-(\d+)(?:-passage-(\d+))?$/.exec(location.hash);
  const document = /^#document-(\d+)$/.exec(location.hash);
  if (pair && data.pairs[pair[1]]) {
    const one = data.pairs[pair[1]];
    openPair(one.suspicious, one, one.passages[pair[2] - 1] || null);
  } else if (document && document[1] < data.suspicious) {
    openPair(Number(document[1]), null, null);
  } else {
    closePair();
  }
}

for (const name of ["quotations", "bibliography", "overlay", "anonymous"]) {
  const box = byId(name);
  if (!box) continue;
  box.checked = state[name];
  box.addEventListener("change", () => {
    state[name] = box.checked;
    redraw();
  });
}
byId("anonymous").disabled = data.anonymous;
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("min").addEventListener("input", (event) => {
  state.min = Math.max(0, Number(event.target.value) || 0);
  redraw();
});
if (!data.single) {
  byId("search").addEventListener("input", (event) => {
    state.search = event.target.value;
    drawOverview();
  });
  byId("more").addEventListener("click", () => {
    state.rows += ROWS_AT_ONCE;
    drawOverview();
  });
}
byId("print").addEventListener("click", () => window.print());
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
byId("reader-source").addEventListener("change", (event) => {
  location.hash = event.target.value === "all" ? `#document-${reader.number}` : `#pair-${event.target.value}`;
});
for (const pane of panes) {
  const pick = (event) => {
    const mark = event.target.closest("[data-passage]");
    if (!mark || String(getSelection()) !== "") return;
    if (reader.pair) {
      choose(reader.pair.passages[mark.dataset.passage]);
      return;
    }
    const { pair, place } = reader.all[mark.dataset.passage];
    location.hash = `#pair-${pair.number}-passage-${place + 1}`;
  };
  pane.view.addEventListener("click", pick);
  pane.view.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(event); });
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && reader.number >= 0) { location.hash = ""; return; }
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "a" && !data.anonymous) byId("anonymous").click();
  else if (event.key === "/" && !data.single) {
    event.preventDefault();
    if (reader.number >= 0) { location.hash = ""; closePair(); }
    byId("search").focus();
  }
});
window.addEventListener("hashchange", follow);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => panes.forEach((pane) => pane.draw()));
state.rows = ROWS_AT_ONCE;
drawOverview();
follow();
if (location.hash === "#print") preparePaper();
