import { html } from "../html.js";
import { useSurface } from "../surface.js";

export function DatePicker(props) {
  return html`<${Picker} ...${props} type="date" field="selected_date" />`;
}

export function TimePicker(props) {
  return html`<${Picker} ...${props} type="time" field="selected_time" />`;
}

function Picker({ id, block, element, name, describedBy, invalid, type, field }) {
  const surface = useSurface();
  const value = surface.valueOf(block, element)?.[field] ?? "";
  const picked = (event) => surface.choose(block, element, { [field]: event.currentTarget.value || null });
  return html`<input id=${id} class="text-input picker" type=${type} value=${value} onChange=${picked}
    aria-label=${name ?? element.placeholder?.text} aria-describedby=${describedBy} aria-invalid=${invalid} />`;
}
