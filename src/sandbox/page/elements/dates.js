import { html } from "../html.js";
import { useWorkspace } from "../people.js";
import { useSurface } from "../surface.js";

export function DatePicker(props) {
  return html`<${Picker} ...${props} type="date" field="selected_date" />`;
}

export function TimePicker(props) {
  return html`<${Picker} ...${props} type="time" field="selected_time" />`;
}

/** A moment, picked as the clocks of the reader's time zone show it; Slack keeps it in seconds. */
export function DateTimePicker({ id, block, element, name, describedBy, invalid }) {
  const surface = useSurface();
  const { timeZone } = useWorkspace();
  const seconds = surface.valueOf(block, element)?.selected_date_time ?? null;
  const picked = (event) => {
    const text = event.currentTarget.value;
    surface.choose(block, element, { selected_date_time: text === "" ? null : secondsOf(text, timeZone) });
  };
  return html`<input id=${id} class="text-input picker" type="datetime-local" onChange=${picked}
    value=${seconds === null ? "" : shownIn(seconds, timeZone)} aria-label=${name}
    aria-describedby=${describedBy} aria-invalid=${invalid} />`;
}

/** "2026-11-28T22:00", as the clocks of the zone show it. */
function shownIn(seconds, timeZone) {
  return new Date(seconds * 1000).toLocaleString("sv-SE", { timeZone }).slice(0, 16).replace(" ", "T");
}

function secondsOf(text, timeZone) {
  const wall = Date.parse(`${text}Z`) / 1000;
  const offset = (at) => Date.parse(`${shownIn(at, timeZone)}Z`) / 1000 - at;
  // The offset of the time zone may differ between the two.
  return wall - offset(wall - offset(wall));
}

function Picker({ id, block, element, name, describedBy, invalid, type, field }) {
  const surface = useSurface();
  const value = surface.valueOf(block, element)?.[field] ?? "";
  const picked = (event) => surface.choose(block, element, { [field]: event.currentTarget.value || null });
  return html`<input id=${id} class="text-input picker" type=${type} value=${value} onChange=${picked}
    aria-label=${name ?? element.placeholder?.text} aria-describedby=${describedBy} aria-invalid=${invalid} />`;
}
