import { useEffect, useRef } from "preact/hooks";
import { Text } from "./formatted.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";

export function optionId(list, index) {
  return `${list}-${index}`;
}

/** The options under a combobox, in their groups, or a line on why there are none. */
export function OptionList({ id, found, active, isChosen, pick, hover }) {
  const list = useRef(null);
  let index = 0;

  useEffect(() => {
    list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [active, found.groups.length]);

  // The field keeps the focus: a press on the list must not take it.
  return html`<div id=${id} ref=${list} class="options" role="listbox" aria-label="Options" aria-busy=${found.loading}
    onMouseDown=${(event) => event.preventDefault()}>
    ${found.note && html`<div class="options-note" role="presentation">${found.note}</div>`}
    ${found.groups.map((group) => {
      const options = group.options.map((option) => {
        const mine = index++;
        return html`<${Option} id=${optionId(id, mine)} option=${option} active=${mine === active} chosen=${isChosen(option)}
          pick=${() => pick(option)} hover=${() => hover(mine)} />`;
      });
      if (!group.label) return options;
      return html`<div role="group" aria-label=${group.label.text}>
        <div class="options-label" role="presentation"><${Text} object=${group.label} /></div>${options}
      </div>`;
    })}
  </div>`;
}

function Option({ id, option, active, chosen, pick, hover }) {
  return html`<div id=${id} class="option ${active ? "active" : ""}" role="option" aria-selected=${chosen} onClick=${pick} onMouseMove=${hover}>
    <span class="option-text">
      <${Text} object=${option.text} />
      ${option.description && html`<span class="choice-description"><${Text} object=${option.description} /></span>`}
    </span>
    ${chosen && html`<${Icon} name="check" />`}
  </div>`;
}
