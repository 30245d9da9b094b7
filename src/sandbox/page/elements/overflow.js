import { Text } from "../formatted.js";
import { html } from "../html.js";
import { Menu } from "../menu.js";
import { safeUrl } from "../references.js";
import { useSurface } from "../surface.js";

/** The three dots and the menu behind them. */
export function Overflow({ block, element, name }) {
  const surface = useSurface();
  const pending = surface.isPending(block, element);

  function pick(option) {
    const url = option.url && safeUrl(option.url);
    if (url) window.open(url, "_blank", "noopener,noreferrer");
    surface.act(block, element, { selected_option: option });
  }

  const items = element.options.map((option) => ({
    label: html`<${Text} object=${option.text} />`,
    description: option.description && html`<${Text} object=${option.description} />`,
    pick: () => pick(option),
  }));
  return html`<${Menu} label=${name ? `More actions: ${name}` : "More actions"} busy=${pending}
    className=${`button overflow ${pending ? "pending" : ""}`} items=${items}><span class="button-text">•••</span><//>`;
}
