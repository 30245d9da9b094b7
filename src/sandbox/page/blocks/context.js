import { Text } from "../formatted.js";
import { html } from "../html.js";
import { SafeImage } from "./image.js";

export function Context({ block }) {
  return html`<div class="block context">
    ${block.elements.map((element) =>
      element.type === "image"
        ? html`<${SafeImage} class="context-image" image=${element} />`
        : html`<div class="context-text"><${Text} object=${element} /></div>`,
    )}
  </div>`;
}
