import { Element } from "../elements/index.js";
import { Text } from "../formatted.js";
import { html } from "../html.js";

export function Section({ block }) {
  const { accessory } = block;
  const side =
    accessory && (accessory.type === "image" || accessory.type === "button" || accessory.type === "overflow");
  return html`<div class="block section ${side ? "with-side" : ""}">
    <div class="section-text">
      ${block.text && html`<${Text} object=${block.text} />`}
      ${
        block.fields &&
        html`<div class="fields">${block.fields.map((field) => html`<div class="field"><${Text} object=${field} /></div>`)}</div>`
      }
    </div>
    ${accessory && html`<div class="accessory"><${Element} block=${block} element=${accessory} name=${spoken(block.text)} /></div>`}
  </div>`;
}

// The label of the element beside the text, for a screen reader: its words, without signs and references.
function spoken(text) {
  return text?.text
    .replace(/<[^>]*>|[*_~`]/g, "")
    .trim()
    .slice(0, 60);
}
