import { Combobox } from "../combobox.js";
import { Text } from "../formatted.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { useWorkspace } from "../people.js";
import { useSurface } from "../surface.js";
import { sourceOf } from "./sources.js";

/** One of many: fixed options, options asked from the app, people or channels. */
export function Select({ id, block, element, name, describedBy, invalid }) {
  const surface = useSurface();
  const source = sourceOf({ surface, block, element, workspace: useWorkspace() });
  const chosen = source.option(surface.valueOf(block, element)?.[source.single]);
  const choose = (option) => surface.choose(block, element, { [source.single]: option ? source.chosen(option) : null });

  return html`<${Combobox} id=${id} label=${name ?? element.placeholder?.text ?? "Select"} describedBy=${describedBy} invalid=${invalid}
    placeholder=${element.placeholder?.text ?? "Select an option"} source=${source} shown=${chosen?.text.text ?? ""}
    isChosen=${(option) => option.value === chosen?.value} choose=${choose} pending=${surface.isPending(block, element)}
    clear=${chosen && block.type === "input" && block.optional ? () => choose(undefined) : undefined} />`;
}

/** Several of many: what is chosen stands before the field and can be taken away. */
export function MultiSelect({ id, block, element, name, describedBy, invalid }) {
  const surface = useSurface();
  const source = sourceOf({ surface, block, element, workspace: useWorkspace() });
  const values = surface.valueOf(block, element)?.[source.multi] ?? [];
  const chosen = values.map(source.option);
  const full = element.max_selected_items !== undefined && chosen.length >= element.max_selected_items;
  const isChosen = (option) => chosen.some((one) => one.value === option.value);
  const set = (options) => surface.choose(block, element, { [source.multi]: options.map(source.chosen) });

  function toggle(option) {
    if (isChosen(option)) set(chosen.filter((one) => one.value !== option.value));
    else if (!full) set([...chosen, option]);
  }

  return html`<div class="multi">
    ${chosen.map(
      (option) => html`<span class="chip"><${Text} object=${option.text} />
        <button type="button" aria-label=${`Remove ${option.text.text}`} onClick=${() => toggle(option)}><${Icon} name="close" size=${12} /></button>
      </span>`,
    )}
    <${Combobox} id=${id} label=${name ?? element.placeholder?.text ?? "Select"} describedBy=${describedBy} invalid=${invalid}
      placeholder=${element.placeholder?.text ?? "Select options"} source=${source} shown="" many isChosen=${isChosen} choose=${toggle}
      pending=${surface.isPending(block, element)} />
  </div>`;
}
