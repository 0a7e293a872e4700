/* Sorting, searching and filtering the documents; who is joined to whom. */

const byId = (id) => document.getElementById(id);
const table = byId("documents");
const body = table.tBodies[0];
const rows = [...body.rows];
const heads = [...table.tHead.rows[0].cells];
const state = { search: "", bin: null, column: 1, down: true };

function draw() {
  const wanted = state.search.trim().toLowerCase();
  let shown = 0;
  for (const row of rows) {
    row.hidden = (state.bin !== null && Number(row.dataset.bin) !== state.bin) || !row.dataset.sought.includes(wanted);
    shown += row.hidden ? 0 : 1;
  }
  byId("listed").textContent = shown === rows.length ? "" : `${shown} of ${rows.length} documents`;
  for (const bar of byId("histogram").children) bar.setAttribute("aria-pressed", String(Number(bar.dataset.bin) === state.bin));
}

function sort() {
  const value = (row) => row.cells[state.column].dataset.value;
  const words = heads[state.column].classList.contains("word") || state.column === 0;
  const compare = words
    ? (a, b) => value(a).localeCompare(value(b), "en", { numeric: true })
    : (a, b) => Number(value(a)) - Number(value(b));
  rows.sort((a, b) => (state.down ? -compare(a, b) : compare(a, b)) || a.dataset.number - b.dataset.number);
  body.append(...rows);
  heads.forEach((head, i) => {
    if (head.hasAttribute("aria-sort")) head.setAttribute("aria-sort", i !== state.column ? "none" : state.down ? "descending" : "ascending");
  });
}

heads.forEach((head, column) => {
  const button = head.querySelector("button");
  if (!button) return;
  button.addEventListener("click", () => {
    state.down = state.column === column ? !state.down : column !== 0 && !head.classList.contains("word");
    state.column = column;
    sort();
  });
});
for (const bar of byId("histogram").children) {
  bar.addEventListener("click", () => {
    const bin = Number(bar.dataset.bin);
    state.bin = state.bin === bin ? null : bin;
    draw();
  });
}
byId("search").addEventListener("input", (event) => {
  state.search = event.target.value;
  draw();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  event.preventDefault();
  byId("search").focus();
});

/* Near a document, only its own lines and those at their other ends are to be seen. */
const edges = [...document.querySelectorAll(".edge")];
const nodes = [...document.querySelectorAll(".node")];
function only(number) {
  const near = new Set([number]);
  for (const edge of edges) {
    const ends = edge.dataset.ends.split(" ");
    const here = number === null || ends.includes(number);
    if (here && number !== null) ends.forEach((end) => near.add(end));
    edge.classList.toggle("dim", !here);
  }
  for (const node of nodes) node.classList.toggle("dim", number !== null && !near.has(node.dataset.node));
}
for (const node of nodes) {
  for (const event of ["mouseenter", "focus"]) node.addEventListener(event, () => only(node.dataset.node));
  for (const event of ["mouseleave", "blur"]) node.addEventListener(event, () => only(null));
}
