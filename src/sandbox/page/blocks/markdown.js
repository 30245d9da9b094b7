import { Blocks } from "../formatted.js";
import { html } from "../html.js";
import { parseMarkdown } from "../markdown.js";

export function MarkdownBlock({ block }) {
  return html`<div class="block"><${Blocks} blocks=${parseMarkdown(block.text)} /></div>`;
}
