import { Text } from "../formatted.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";

export function Alert({ block }) {
  const level = block.level ?? "default";
  return html`<div class=${`block alert ${level}`} role="note"><${Icon} name="warning" size=${18} /><div><${Text} object=${block.text} /></div></div>`;
}
