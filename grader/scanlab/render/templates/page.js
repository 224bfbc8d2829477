"use strict";
// Sorting and filtering of tables; opening folded parts for paper. The pages say all without it.
(() => {
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };
  const compare = (a, b) => {
    const x = parseFloat(a), y = parseFloat(b);
    const numbers = !Number.isNaN(x) && !Number.isNaN(y);
    return numbers ? x - y : a.localeCompare(b);
  };
  const sort = (header) => {
    const table = header.closest("table"), body = table.tBodies[0];
    const first = header.dataset.first === "descending" ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = header.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    for (const cell of header.parentNode.cells) cell.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", order);
    const rows = [...body.rows];
    const column = header.cellIndex;
    rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));
    body.append(...rows);
  };
  for (const button of document.querySelectorAll("th button"))
    button.addEventListener("click", () => sort(button.closest("th")));
  for (const field of document.querySelectorAll("input.filter")) {
    field.hidden = false;
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      const rows = document.getElementById(field.dataset.table).tBodies[0].rows;
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details:not(.answer)")) part.open = true;
  });
})();
