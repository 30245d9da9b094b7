import { useId } from "preact/hooks";
import { Text } from "../formatted.js";
import { html } from "../html.js";
import { useSurface } from "../surface.js";

export function Checkboxes({ block, element, name, describedBy }) {
  const surface = useSurface();
  const chosen = surface.valueOf(block, element)?.selected_options ?? [];

  function toggle(option) {
    const others = chosen.filter((one) => one.value !== option.value);
    const kept = others.length < chosen.length ? others : [...chosen, option];
    // Slack gives them in the order of the list, not of the clicks.
    const ordered = element.options.filter((one) => kept.some(({ value }) => value === one.value));
    surface.choose(block, element, { selected_options: ordered });
  }

  return html`<${Choices} type="checkbox" options=${element.options} name=${name} describedBy=${describedBy} choose=${toggle}
    isChosen=${(option) => chosen.some((one) => one.value === option.value)} pending=${surface.isPending(block, element)} />`;
}

export function RadioButtons({ block, element, name, describedBy }) {
  const surface = useSurface();
  const chosen = surface.valueOf(block, element)?.selected_option;
  const choose = (option) => surface.choose(block, element, { selected_option: option });
  return html`<${Choices} type="radio" options=${element.options} name=${name} describedBy=${describedBy} choose=${choose}
    isChosen=${(option) => option.value === chosen?.value} pending=${surface.isPending(block, element)} />`;
}

function Choices({ type, options, name, describedBy, choose, isChosen, pending }) {
  const group = useId();
  return html`<div class="choices ${pending ? "pending" : ""}" role=${type === "radio" ? "radiogroup" : "group"}
    aria-label=${name} aria-describedby=${describedBy}>
    ${options.map(
      (option) => html`<label class="choice">
        <input type=${type} name=${group} checked=${isChosen(option)} onChange=${() => choose(option)} />
        <span class="choice-text">
          <span><${Text} object=${option.text} /></span>
          ${option.description && html`<span class="choice-description"><${Text} object=${option.description} /></span>`}
        </span>
      </label>`,
    )}
  </div>`;
}
