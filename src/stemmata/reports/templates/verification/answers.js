/* Sorting both tables, finding problems, and naming the verifiers behind a problem's answers. */

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

function sortable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const first = new Map(rows.map((row, i) => [row, i]));
  const heads = [...table.tHead.rows[0].cells];
  const sort = (column, down) => {
    const value = (row) => row.cells[column].dataset.value;
    const compare = heads[column].classList.contains("word")
      ? (a, b) => value(a).localeCompare(value(b), "en", { numeric: true })
      : (a, b) => Number(value(a)) - Number(value(b));
    rows.sort((a, b) => (down ? -compare(a, b) : compare(a, b)) || first.get(a) - first.get(b));
    body.append(...rows.flatMap((row) => (row.said ? [row, row.said] : [row])));
    heads.forEach((head, i) => {
      if (head.hasAttribute("aria-sort")) head.setAttribute("aria-sort", i !== column ? "none" : down ? "descending" : "ascending");
    });
  };
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(column, now === "none" ? !head.classList.contains("word") : now === "ascending");
    });
  });
  return rows;
}

sortable(byId("verifiers"));
const rows = sortable(byId("problems"));

function draw() {
  const wanted = byId("search").value.trim().toLowerCase();
  const which = byId("which")?.value ?? "";
  let shown = 0;
  for (const row of rows) {
    row.hidden = !row.dataset.sought.includes(wanted) || (which !== "" && row.dataset.same !== which);
    if (row.said) row.said.hidden = row.hidden || !row.open;
    shown += row.hidden ? 0 : 1;
  }
  byId("listed").textContent = shown === rows.length ? "" : `${shown} of ${rows.length} problems`;
}
byId("search").addEventListener("input", draw);
byId("which")?.addEventListener("change", draw);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  event.preventDefault();
  byId("search").focus();
});

/* A node with a class and a text; the text is never read as HTML. */
function node(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

function answersOf(row) {
  const said = node("tr", "said");
  const cell = said.appendChild(node("td"));
  cell.colSpan = row.cells.length;
  const list = cell.appendChild(node("ol"));
  const given = data.verifiers.map((name, i) => [name, data.scores[Number(row.dataset.number)][i]]);
  given.sort((a, b) => (b[1] ?? -1) - (a[1] ?? -1) || a[0].localeCompare(b[0], "en"));
  for (const [name, score] of given) {
    const off = row.dataset.same !== "" && score !== null && score !== 0.5 && score > 0.5 !== (row.dataset.same === "1");
    const item = list.appendChild(node("li", off ? "off" : ""));
    item.append(node("span", "name", name));
    const bar = item.appendChild(node("span", "bar"));
    if (score !== null) bar.appendChild(node("i")).style.width = `${100 * score}%`;
    item.append(node("span", "number", score === null ? "–" : score === 0.5 ? "open" : score.toFixed(3)));
  }
  return said;
}

for (const row of rows) {
  const button = row.querySelector(".open");
  button.addEventListener("click", () => {
    row.open = !row.open;
    button.setAttribute("aria-expanded", String(row.open));
    if (!row.said) {
      row.said = answersOf(row);
      row.after(row.said);
    }
    row.said.hidden = !row.open;
  });
}
