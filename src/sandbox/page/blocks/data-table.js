import { useId, useMemo, useState } from "preact/hooks";
import { html } from "../html.js";
import { Cell } from "./table.js";

/** A table that the reader sorts by a column, narrows by a word and turns page by page. */
export function DataTable({ block }) {
  const id = useId();
  const [head, ...rows] = block.rows;
  const [sort, setSort] = useState(null);
  const [query, setQuery] = useState("");
  const [page, setPage] = useState(0);
  const size = block.page_size ?? 5;
  const found = useMemo(() => sorted(matching(rows, query), sort), [block, query, sort]);
  const pages = Math.max(1, Math.ceil(found.length / size));
  const at = Math.min(page, pages - 1);
  const sortBy = (column) => setSort({ column, down: sort?.column === column && !sort.down });
  const header = block.row_header_column_index ?? 0;

  return html`<div class="block data-table">
    <div class="data-table-tools">
      <label for=${id} class="data-table-caption">${block.caption}</label>
      <input id=${id} type="search" placeholder="Filter" value=${query} onInput=${(event) => setQuery(event.target.value)} />
    </div>
    <div class="table-scroll" tabindex="0" role="group" aria-label=${block.caption}>
      <table class="table">
        <caption class="unseen">${block.caption}</caption>
        <thead><tr>${head.map(
          (cell, column) => html`<th scope="col" aria-sort=${sortOf(sort, column)}>
            <button type="button" class="sort" onClick=${() => sortBy(column)}><${Cell} content=${cell} /> <span aria-hidden="true">${arrow(sort, column)}</span></button>
          </th>`,
        )}</tr></thead>
        <tbody>${found
          .slice(at * size, (at + 1) * size)
          .map(
            (row) =>
              html`<tr>${row.map((cell, column) =>
                column === header
                  ? html`<th scope="row"><${Cell} content=${cell} /></th>`
                  : html`<td class=${cell.type === "raw_number" ? "align-right" : ""}><${Cell} content=${cell} /></td>`,
              )}</tr>`,
          )}</tbody>
      </table>
    </div>
    <div class="data-table-pages">
      <span>${found.length === 0 ? "No rows" : `${at * size + 1}–${Math.min(found.length, (at + 1) * size)} of ${found.length}`}</span>
      ${
        pages > 1 &&
        html`<button type="button" aria-label="Rows before" disabled=${at === 0} onClick=${() => setPage(at - 1)}>‹</button>
          <button type="button" aria-label="Rows after" disabled=${at === pages - 1} onClick=${() => setPage(at + 1)}>›</button>`
      }
    </div>
  </div>`;
}

function matching(rows, query) {
  const wanted = query.trim().toLowerCase();
  return rows.filter((row) => row.some((cell) => wordsOf(cell).toLowerCase().includes(wanted)));
}

function sorted(rows, sort) {
  if (!sort) return rows;
  const { column, down } = sort;
  const inOrder = [...rows].sort((a, b) => compare(a[column], b[column]));
  return down ? inOrder.reverse() : inOrder;
}

function compare(a, b) {
  const [one, other] = [figureOf(a), figureOf(b)];
  if (one !== undefined && other !== undefined) return one - other;
  return wordsOf(a).localeCompare(wordsOf(b), "en", { numeric: true });
}

function figureOf(cell) {
  return cell.type === "raw_number" ? cell.value : dateIn(cell)?.timestamp;
}

function wordsOf(cell) {
  if (cell.type !== "rich_text") return cell.text;
  return partsIn(cell)
    .map(({ fallback, text }) => fallback ?? text ?? "")
    .join("");
}

function dateIn(cell) {
  return partsIn(cell).find(({ type }) => type === "date");
}

function partsIn(cell) {
  return cell.elements?.[0]?.elements ?? [];
}

function sortOf(sort, column) {
  if (sort?.column !== column) return "none";
  return sort.down ? "descending" : "ascending";
}

function arrow(sort, column) {
  if (sort?.column !== column) return "";
  return sort.down ? "↓" : "↑";
}
