import { Element } from "../elements/index.js";
import { html } from "../html.js";

export function Actions({ block }) {
  return html`<div class="block actions">
    ${block.elements.map(
      (element, index) => html`<${Element} key=${element.action_id ?? index} block=${block} element=${element} />`,
    )}
  </div>`;
}
