import { html } from "./html.js";
import { Icon } from "./icons.js";

/** A line that says what went wrong, until it is put away. */
export function Problem({ text, dismiss }) {
  return html`<div class="problem line" role="alert"><span>${text}</span>
    <button type="button" class="plain" aria-label="Dismiss" onClick=${dismiss}><${Icon} name="close" /></button>
  </div>`;
}
