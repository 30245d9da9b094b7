import { Text } from "../formatted.js";
import { html } from "../html.js";
import { safeUrl } from "../references.js";
import { useSurface } from "../surface.js";

export function Button({ block, element }) {
  const surface = useSurface();
  const pending = surface.isPending(block, element);
  const url = element.url && safeUrl(element.url);
  const className = `button ${element.style ?? ""} ${pending ? "pending" : ""}`;
  const press = () => {
    if (!pending) surface.act(block, element, { value: element.value });
  };
  const text = html`<span class="button-text"><${Text} object=${element.text} /></span>`;
  // A link with a confirm dialog would open before the answer; Slack opens it after, so it is a button then.
  if (url && !element.confirm)
    return html`<a class=${className} href=${url} target="_blank" rel="noopener noreferrer"
      aria-label=${element.accessibility_label} onClick=${press}>${text}</a>`;
  return html`<button type="button" class=${className} aria-busy=${pending} aria-disabled=${pending}
    aria-label=${element.accessibility_label} data-action-id=${element.action_id} onClick=${press}>${text}</button>`;
}
