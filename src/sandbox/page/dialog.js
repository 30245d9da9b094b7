import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "./html.js";

/** A dialog over the page: the rest is out of reach, Escape closes it. */
export function Dialog({ testId, class: className, labelledBy, onClose, children }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    show();
  }, []);

  function cancel(event) {
    if (event.target !== element.current) return;
    event.preventDefault();
    onClose();
  }

  // A browser may close it at a second Escape without asking; it is the workspace that closes it.
  function show() {
    element.current?.showModal();
  }

  return html`<dialog ref=${element} role="dialog" aria-modal="true" aria-labelledby=${labelledBy} data-testid=${testId}
    class="dialog ${className}" onCancel=${cancel} onClose=${show}>${children}</dialog>`;
}
