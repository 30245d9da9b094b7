import { createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { Text } from "./formatted.js";
import { html } from "./html.js";

const Ask = createContext(undefined);

/** Gives a function that shows a confirm dialog and resolves to whether it was confirmed. */
export function useAsk() {
  return useContext(Ask);
}

/** Everything inside may ask; the dialog lies above all else. */
export function AskFirst({ children }) {
  const [asked, setAsked] = useState(undefined);
  const ask = useCallback((confirm) => new Promise((resolve) => setAsked({ confirm, resolve })), []);

  function answer(confirmed) {
    asked.resolve(confirmed);
    setAsked(undefined);
  }

  return html`<${Ask.Provider} value=${ask}>
    ${children}
    ${asked && html`<${ConfirmDialog} confirm=${asked.confirm} answer=${answer} />`}
  <//>`;
}

function ConfirmDialog({ confirm, answer }) {
  const style = confirm.style === "danger" ? "danger" : "primary";
  return html`<${Dialog} testId="confirm" class="confirm" labelledBy="confirm-title" onClose=${() => answer(false)}>
    <header class="dialog-header">
      <h2 id="confirm-title"><${Text} object=${confirm.title} /></h2>
    </header>
    <div class="dialog-body"><${Text} object=${confirm.text} /></div>
    <footer class="dialog-footer">
      <button type="button" class="button large" onClick=${() => answer(false)}><${Text} object=${confirm.deny} /></button>
      <button type="button" class="button large ${style}" autofocus onClick=${() => answer(true)}>
        <${Text} object=${confirm.confirm} />
      </button>
    </footer>
  <//>`;
}
