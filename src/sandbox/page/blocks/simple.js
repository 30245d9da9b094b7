import { Text } from "../formatted.js";
import { html } from "../html.js";

export function Header({ block }) {
  return html`<h3 class="block header-block"><${Text} object=${block.text} /></h3>`;
}

export function Divider() {
  return html`<hr class="block" />`;
}
