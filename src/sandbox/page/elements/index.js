import { SafeImage } from "../blocks/image.js";
import { html } from "../html.js";
import { Button } from "./button.js";
import { Checkboxes, RadioButtons } from "./choices.js";
import { DatePicker, DateTimePicker, TimePicker } from "./dates.js";
import { FileInput } from "./file.js";
import { Overflow } from "./overflow.js";
import { MultiSelect, Select } from "./select.js";
import { TextInput } from "./text.js";

const families = {
  button: Button,
  checkboxes: Checkboxes,
  datepicker: DatePicker,
  datetimepicker: DateTimePicker,
  file_input: FileInput,
  image: ({ element }) => html`<${SafeImage} class="side-image" image=${element} />`,
  overflow: Overflow,
  radio_buttons: RadioButtons,
  timepicker: TimePicker,
  plain_text_input: TextInput,
  number_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  static_select: Select,
  external_select: Select,
  users_select: Select,
  channels_select: Select,
  conversations_select: Select,
  multi_static_select: MultiSelect,
  multi_external_select: MultiSelect,
  multi_users_select: MultiSelect,
  multi_channels_select: MultiSelect,
  multi_conversations_select: MultiSelect,
};

/** One interactive element of a block. `name` is what a screen reader calls it: the label that stands by it. */
export function Element({ element, ...rest }) {
  if (!Object.hasOwn(families, element.type))
    return html`<div class="unsupported">unsupported element: ${element.type}</div>`;
  const Family = families[element.type];
  return html`<${Family} element=${element} ...${rest} />`;
}
