import { h } from "preact";
import { html } from "../html.js";
import { RichTextParts } from "./rich-text.js";

export function Table({ block }) {
  const [head, ...rows] = block.rows;
  const cell = (tag) => (content, column) => {
    const setting = block.column_settings?.[column];
    const className = `align-${setting?.align ?? "left"} ${setting?.is_wrapped ? "wrapped" : ""}`;
    return h(tag, { class: className }, html`<${Cell} content=${content} />`);
  };
  return html`<div class="block table-scroll" tabindex="0" role="group" aria-label="Table"><table class="table">
    <thead><tr>${head.map(cell("th"))}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map(cell("td"))}</tr>`)}</tbody>
  </table></div>`;
}

export function Cell({ content }) {
  if (content.type === "rich_text") return html`<${RichTextParts} elements=${content.elements} />`;
  return String(content.text ?? content.value ?? "");
}
