import { useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { Popup } from "./popup.js";

/** A button and the menu behind it. `items`: `{ label, description?, pick }`; `children` is what the button shows. */
export function Menu({ label, className, items, busy = false, children }) {
  const button = useRef(null);
  const menu = useRef(null);
  const [open, setOpen] = useState(false);

  function close() {
    setOpen(false);
    button.current.focus();
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
    const entries = [...menu.current.querySelectorAll("[role=menuitem]")];
    entries.at((entries.indexOf(document.activeElement) + step) % entries.length)?.focus();
  }

  return html`<button type="button" ref=${button} class=${className} aria-haspopup="menu" aria-expanded=${open}
      aria-label=${label} title=${label} aria-busy=${busy} onClick=${() => setOpen(!open)}>${children}</button>
    ${
      open &&
      html`<${Popup} anchor=${button} onOutside=${() => setOpen(false)}>
        <div class="menu" role="menu" aria-label=${label} ref=${menu} onKeyDown=${keyed}>
          ${items.map(
            (
              item,
              index,
            ) => html`<button type="button" class="menu-item" role="menuitem" ref=${index ? undefined : focusFirst}
              onClick=${() => {
                close();
                item.pick();
              }}>
              ${item.label}
              ${item.description && html`<span class="choice-description">${item.description}</span>`}
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
