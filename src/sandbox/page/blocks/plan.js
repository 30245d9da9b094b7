import { html } from "../html.js";
import { RichTextParts } from "./rich-text.js";

const marks = { pending: "○", in_progress: "◔", complete: "✓", error: "✕" };
const words = { pending: "to do", in_progress: "under way", complete: "done", error: "failed" };

export function Plan({ block }) {
  return html`<section class="block plan" aria-label=${block.title}>
    <b>${block.title}</b>
    <ol>${(block.tasks ?? []).map((task) => html`<li><${TaskCard} block=${task} /></li>`)}</ol>
  </section>`;
}

export function TaskCard({ block }) {
  return html`<div class=${`task ${block.status}`}>
    <span class="task-mark" role="img" aria-label=${words[block.status]}>${marks[block.status]}</span>
    <span>${block.title}
      ${block.details && html`<${RichTextParts} elements=${block.details.elements} />`}
      ${block.output && html`<${RichTextParts} elements=${block.output.elements} />`}
    </span>
  </div>`;
}
