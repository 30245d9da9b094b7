import { html } from "../html.js";
import { useSurface } from "../surface.js";

const kinds = {
  plain_text_input: { type: "text" },
  number_input: { type: "text", inputmode: "decimal" },
  email_text_input: { type: "email", inputmode: "email" },
  url_text_input: { type: "url", inputmode: "url" },
};

/** A field to type in: one line or many, a number, an address. */
export function TextInput({ id, block, element, name, describedBy, invalid }) {
  const surface = useSurface();
  const value = surface.valueOf(block, element)?.value ?? "";
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  const dispatches = block.type !== "input" || block.dispatch_action;

  function typed(event) {
    const next = { value: event.currentTarget.value || null };
    surface.change(block, element, next);
    if (dispatches && triggers.includes("on_character_entered")) surface.act(block, element, next);
  }

  function pressed(event) {
    if (event.key !== "Enter" || event.isComposing || element.multiline) return;
    if (!dispatches || !triggers.includes("on_enter_pressed")) return;
    event.preventDefault();
    surface.act(block, element, { value: event.currentTarget.value || null });
  }

  const shared = {
    id,
    class: "text-input",
    value,
    placeholder: element.placeholder?.text,
    "aria-label": name ?? element.placeholder?.text,
    "aria-describedby": describedBy,
    "aria-invalid": invalid,
    autocomplete: "off",
    onInput: typed,
  };
  const left = element.max_length && element.max_length - value.length;
  return html`<div class="text-field">
    ${element.multiline ? html`<textarea ...${shared} rows="4"></textarea>` : html`<input ...${shared} ...${kinds[element.type]} onKeyDown=${pressed} />`}
    ${left !== undefined && left < 100 && html`<span class="left ${left < 0 ? "over" : ""}" aria-hidden="true">${left}</span>`}
  </div>`;
}
