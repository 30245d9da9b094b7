import { useRef, useState } from "preact/hooks";
import { Text } from "../formatted.js";
import { html } from "../html.js";
import { Popup } from "../popup.js";
import { safeUrl } from "../references.js";
import { useSurface } from "../surface.js";

/** The three dots and the menu behind them. */
export function Overflow({ block, element, name }) {
  const surface = useSurface();
  const button = useRef(null);
  const menu = useRef(null);
  const [open, setOpen] = useState(false);
  const pending = surface.isPending(block, element);

  function close() {
    setOpen(false);
    button.current.focus();
  }

  function pick(option) {
    close();
    const url = option.url && safeUrl(option.url);
    if (url) window.open(url, "_blank", "noopener,noreferrer");
    surface.act(block, element, { selected_option: option });
  }

  function keyed(event) {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const items = [...menu.current.querySelectorAll("[role=menuitem]")];
    items.at((items.indexOf(document.activeElement) + step) % items.length)?.focus();
  }

  return html`<button type="button" ref=${button} class="button overflow ${pending ? "pending" : ""}" aria-haspopup="menu"
      aria-expanded=${open} aria-label=${name ? `More actions: ${name}` : "More actions"} aria-busy=${pending}
      onClick=${() => setOpen(!open)}><span class="button-text">•••</span></button>
    ${
      open &&
      html`<${Popup} anchor=${button} onOutside=${() => setOpen(false)}>
        <div class="menu" role="menu" ref=${menu} onKeyDown=${keyed}>
          ${element.options.map(
            (option, index) => html`<button type="button" class="menu-item" role="menuitem"
              ref=${index ? undefined : focusFirst} onClick=${() => pick(option)}>
              <${Text} object=${option.text} />
              ${option.description && html`<span class="choice-description"><${Text} object=${option.description} /></span>`}
            </button>`,
          )}
        </div>
      <//>`
    }`;
}

function focusFirst(item) {
  // The popup is shown after its children are in place.
  if (item) queueMicrotask(() => item.focus());
}
