import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";

/**
 * Steps that a newcomer could try, above the messages, where it stays in sight; on a phone one step at a time. Code in backticks
 * can be copied; a command goes to the composer at a press.
 */
export function Hints({ hints, use }) {
  const key = `hints: ${hints.join("\n")}`;
  const [at, setAt] = useState(() => remembered(key));
  const isOpen = at >= 0;

  function goTo(step) {
    remember(key, step);
    setAt(step);
  }

  return html`<section class="hints" data-testid="hints" aria-label="First steps">
    <header><b>First steps</b>
      ${
        isOpen &&
        html`<span class="stepper">
        <button type="button" class="plain" aria-label="Step before" disabled=${at === 0} onClick=${() => goTo(at - 1)}><${Icon} name="back" /></button>
        <span>${at + 1} of ${hints.length}</span>
        <button type="button" class="plain next" aria-label="Next step" disabled=${at === hints.length - 1} onClick=${() => goTo(at + 1)}><${Icon} name="back" /></button>
      </span>`
      }
      <button type="button" class="small" aria-expanded=${isOpen} onClick=${() => goTo(isOpen ? -1 : 0)}>${isOpen ? "Hide" : "Show"}</button>
    </header>
    ${
      isOpen &&
      html`<ol>${hints.map(
        (hint, index) => html`<li class=${index === at ? "current" : ""}><${WithCodes} text=${hint} use=${use} /></li>`,
      )}</ol>`
    }
  </section>`;
}

/** A sentence whose code in backticks can be copied. */
export function WithCodes({ text, use }) {
  return text.split(/(`[^`]+`)/).map((part) => html`<${Part} part=${part} use=${use} />`);
}

function Part({ part, use }) {
  if (!/^`[^`]+`$/.test(part)) return part;
  const code = part.slice(1, -1);
  // A key is forty characters that nobody reads; a screen reader would spell them.
  if (isKey(code)) return html`<span class="hint-code"><${Copy} code=${code} label="Copy key" /></span>`;
  return html`<span class="hint-code"><code title=${code}>${code}</code>${
    code.startsWith("/") &&
    html`<button type="button" class="small" aria-label=${`Try ${code}`} onClick=${() => use(code)}>Try</button>`
  }<${Copy} code=${code} /></span>`;
}

function isKey(code) {
  return /^(fbk|rsk)_/.test(code);
}

function Copy({ code, label = "Copy" }) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    const done = await navigator.clipboard?.writeText(code).then(
      () => true,
      () => false,
    );
    if (!(done ?? false) && !copyBySelection(code)) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }

  return html`<button type="button" class="small" aria-label=${label === "Copy" ? `Copy ${code}` : label} title=${code} onClick=${copy}>
    ${copied ? "Copied" : html`<${Icon} name="copy" size=${12} /> ${label}`}
  </button>`;
}

// The clipboard of the page is closed when the workspace is opened by its address in the network and not as localhost.
function copyBySelection(code) {
  // The field takes the focus with it when it goes, and the keyboard would begin at the top of the page again.
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = code;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}

function remembered(key) {
  try {
    return Number(sessionStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

function remember(key, step) {
  try {
    sessionStorage.setItem(key, String(step));
  } catch {
    // A browser that keeps nothing shows the first one again.
  }
}
