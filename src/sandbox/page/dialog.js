import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "./html.js";

/** A dialog over the page: the rest is out of reach, Escape closes it, and the focus goes back to where it was. */
export function Dialog({ testId, class: className, labelledBy, onClose, children }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    if (!isAnyOpen() && before !== document.body) opener = before;
    show();
    // When what comes in its place has come.
    return () => setTimeout(() => giveBack(before));
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

/** The element that had the focus before the first open dialog. */
let opener;

function isAnyOpen() {
  return document.querySelector("dialog[open]") !== null;
}

function giveBack(before) {
  if (isAnyOpen()) return before?.closest("dialog[open]") && before.focus();
  const there = [before, opener].find((one) => one?.isConnected && one !== document.body);
  // The message that was pressed may be another one by now.
  (there ?? document.querySelector("[data-testid=composer]"))?.focus();
}
