import { useId } from "preact/hooks";
import { Element } from "../elements/index.js";
import { Text } from "../formatted.js";
import { html } from "../html.js";
import { useSurface } from "../surface.js";

const groups = ["checkboxes", "radio_buttons"];

export function Input({ block }) {
  const id = useId();
  const error = useSurface().errors[block.block_id];
  const { element } = block;
  const label = html`<${Text} object=${block.label} />${block.optional && html`<span class="optional"> (optional)</span>`}`;
  const described = [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const parts = html`
    <${Element} id=${id} block=${block} element=${element} name=${block.label.text} describedBy=${described} invalid=${Boolean(error)} />
    ${error && html`<div class="field-error" id="${id}-error" role="alert">${error}</div>`}
    ${block.hint && html`<div class="hint" id="${id}-hint"><${Text} object=${block.hint} /></div>`}
  `;
  const className = `block input ${error ? "invalid" : ""}`;
  if (groups.includes(element.type))
    return html`<fieldset class=${className}><legend class="label">${label}</legend>${parts}</fieldset>`;
  return html`<div class=${className}><label class="label" for=${id}>${label}</label>${parts}</div>`;
}
