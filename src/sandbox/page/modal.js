import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "./api.js";
import { BlockList } from "./blocks/index.js";
import { Dialog } from "./dialog.js";
import { Text } from "./formatted.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Avatar } from "./people.js";
import { Surface, useNewSurface } from "./surface.js";
import { faultsOf } from "./validation.js";

/** The open modal: the top of the stack. Values typed in the ones below stay. */
export function Modal({ as, stack, bot }) {
  const memories = useRef(new Map());
  const view = stack.at(-1);
  if (!view) return null;
  if (!memories.current.has(view.id)) memories.current.set(view.id, {});
  return html`<${Form} key=${view.id} as=${as} view=${view} bot=${bot} isStacked=${stack.length > 1}
    memory=${memories.current.get(view.id)} />`;
}

function Form({ as, view, bot, isStacked, memory }) {
  const [errors, setErrors] = useState({});
  const [problem, setProblem] = useState(undefined);
  const [sending, setSending] = useState(false);
  const form = useRef(null);
  const surface = useNewSurface({
    as,
    where: { view: view.id },
    blocks: view.blocks,
    memory,
    report: setProblem,
    errors,
  });
  const strays = Object.entries(errors).filter(([id]) => !view.blocks.some((block) => block.block_id === id));

  useEffect(() => {
    setErrors({});
    setProblem(undefined);
  }, [view.hash]);

  useEffect(() => {
    // On a phone the keyboard would hide what the form says.
    if (matchMedia("(pointer: fine)").matches) form.current.querySelector(".input input, .input textarea")?.focus();
  }, []);

  useEffect(() => {
    form.current.querySelector(".field-error")?.scrollIntoView({ block: "center" });
  }, [errors]);

  async function submit(event) {
    event.preventDefault();
    if (sending || !view.submit) return;
    const state = surface.state();
    const faults = faultsOf(view.blocks, state.values);
    setErrors(faults);
    setProblem(undefined);
    if (Object.keys(faults).length) return;
    setSending(true);
    const answer = await send("/page/submit", { as, view: view.id, state });
    setSending(false);
    setErrors(answer.errors ?? {});
    if (!answer.ok && !answer.errors) setProblem(answer.error);
  }

  async function close(all) {
    const answer = await send("/page/close", { as, view: view.id, all });
    if (!answer.ok) setProblem(answer.error);
  }

  return html`<${Dialog} testId="modal" class="modal" labelledBy="modal-title" onClose=${() => close(true)}>
    <form ref=${form} class="dialog-form" noValidate onSubmit=${submit}>
      <header class="dialog-header">
        ${
          isStacked
            ? html`<button type="button" class="plain" aria-label="Back" onClick=${() => close(false)}><${Icon} name="back" size=${20} /></button>`
            : html`<${Avatar} user=${bot} size=${28} />`
        }
        <h2 id="modal-title" tabindex="-1" autofocus><${Text} object=${view.title} /></h2>
        <button type="button" class="plain cross" aria-label="Close" onClick=${() => close(true)}><${Icon} name="close" size=${20} /></button>
      </header>
      <div class="dialog-body">
        ${[problem, ...strays.map(([, message]) => message)]
          .filter(Boolean)
          .map((text) => html`<div class="problem" role="alert">${text}</div>`)}
        <${Surface.Provider} value=${surface}><${BlockList} blocks=${view.blocks} /><//>
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button large" onClick=${() => close(false)}>
          ${view.close ? html`<${Text} object=${view.close} />` : view.submit ? "Cancel" : "Close"}
        </button>
        ${
          view.submit &&
          html`<button type="submit" class="button large primary ${sending ? "pending" : ""}" aria-busy=${sending}>
            <span class="button-text"><${Text} object=${view.submit} /></span>
          </button>`
        }
      </footer>
    </form>
  <//>`;
}
