import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";

/** What a newcomer could try. Code in backticks can be copied; a command goes to the composer at a press. */
export function Hints({ hints, use }) {
  const key = `hints seen: ${hints.join("\n")}`;
  const [dismissed, setDismissed] = useState(() => remembered(key));
  if (dismissed) return null;

  function dismiss() {
    remember(key);
    setDismissed(true);
  }

  return html`<section class="hints" data-testid="hints" aria-label="First steps">
    <header><b>New here? Try this</b>
      <button type="button" class="plain" aria-label="Dismiss first steps" onClick=${dismiss}><${Icon} name="close" /></button>
    </header>
    <ol>${hints.map((hint) => html`<li>${hint.split(/(`[^`]+`)/).map((part) => html`<${Part} part=${part} use=${use} />`)}</li>`)}</ol>
  </section>`;
}

function Part({ part, use }) {
  if (!/^`[^`]+`$/.test(part)) return part;
  const code = part.slice(1, -1);
  return html`<span class="hint-code"><code>${code}</code>${
    code.startsWith("/") &&
    html`<button type="button" class="small" aria-label=${`Try ${code}`} onClick=${() => use(code)}>Try</button>`
  }<${Copy} code=${code} /></span>`;
}

function Copy({ code }) {
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

  return html`<button type="button" class="small" aria-label=${`Copy ${code}`} onClick=${copy}>
    ${copied ? "Copied" : html`<${Icon} name="copy" size=${12} /> Copy`}
  </button>`;
}

// The clipboard of the page is closed when the workspace is opened by its address in the network and not as localhost.
function copyBySelection(code) {
  const field = document.createElement("textarea");
  field.value = code;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

function remembered(key) {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key) {
  try {
    sessionStorage.setItem(key, "yes");
  } catch {
    // A browser that keeps nothing shows the hints again.
  }
}
