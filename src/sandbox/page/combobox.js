import { useId, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { OptionList, optionId } from "./option-list.js";
import { Popup } from "./popup.js";
import { useOptions } from "./use-options.js";

/**
 * A field with a list under it: type to narrow it down, arrow keys to move, Enter to choose, Escape to leave.
 * `shown` is the text of what is chosen; `many` keeps the list open after a choice.
 */
export function Combobox(props) {
  const {
    id,
    label,
    placeholder,
    describedBy,
    invalid,
    source,
    shown,
    many = false,
    isChosen,
    choose,
    clear,
    pending,
  } = props;
  const list = useId();
  const box = useRef(null);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const found = useOptions(source, open, query);
  const options = found.groups.flatMap((group) => group.options);

  function show() {
    if (open || pending) return;
    setQuery("");
    setActive(0);
    setOpen(true);
  }

  function pick(option) {
    if (!option) return;
    if (!many) setOpen(false);
    setQuery("");
    choose(option);
  }

  /** The act of the key now, if it has one. */
  function actOf(key) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!open) return step && show;
    if (step) return options.length && (() => setActive((active + step + options.length) % options.length));
    if (key === "Enter") return () => pick(options[active]);
    return key === "Escape" && (() => setOpen(false));
  }

  function keyed(event) {
    if (event.isComposing) return;
    if (event.key === "Tab") setOpen(false);
    const act = actOf(event.key);
    if (!act) return;
    act();
    // Neither the form nor the dialog around it may take these keys.
    event.preventDefault();
    event.stopPropagation();
  }

  function typed(event) {
    setQuery(event.currentTarget.value);
    setActive(0);
    setOpen(true);
  }

  return html`<div ref=${box} class="combobox ${pending ? "pending" : ""} ${clear ? "clearable" : ""}">
    <input id=${id} class="text-input" role="combobox" type="text" autocomplete="off" spellcheck=${false}
      inputmode=${source.few ? "none" : "text"} aria-label=${label} aria-expanded=${open} aria-controls=${list} aria-autocomplete="list"
      aria-activedescendant=${open && options[active] ? optionId(list, active) : undefined} aria-describedby=${describedBy}
      aria-invalid=${invalid} aria-busy=${pending} placeholder=${shown || placeholder} value=${open ? query : shown}
      onClick=${show} onInput=${typed} onKeyDown=${keyed} onBlur=${() => setOpen(false)} />
    ${clear && html`<button type="button" class="clear" aria-label="Clear" onClick=${clear}><${Icon} name="close" size=${12} /></button>`}
    <${Icon} name="down" size=${14} />
    ${
      open &&
      html`<${Popup} anchor=${box} wide onOutside=${() => setOpen(false)}>
        <${OptionList} id=${list} found=${found} active=${active} isChosen=${isChosen} pick=${pick} hover=${setActive} />
      <//>`
    }
  </div>`;
}
