const missing = "Please complete this required field.";

/** The faults that Slack itself refuses before it asks the app: `{ block_id: sentence }`, empty when all is well. */
export function faultsOf(blocks, values) {
  const faults = {};
  for (const block of blocks) {
    if (block.type !== "input") continue;
    const fault = faultOf(block, values[block.block_id]?.[block.element.action_id]);
    if (fault) faults[block.block_id] = fault;
  }
  return faults;
}

function faultOf(block, state) {
  const { element } = block;
  const value = contentOf(state);
  if (value === undefined) return block.optional ? undefined : missing;
  if (typeof value !== "string") return undefined;
  if (element.min_length && value.length < element.min_length)
    return `Please enter at least ${element.min_length} characters.`;
  if (element.max_length && value.length > element.max_length)
    return `Please enter at most ${element.max_length} characters.`;
  switch (element.type) {
    case "number_input":
      return numberFault(element, value);
    case "email_text_input":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : "Please enter a valid email address.";
    case "url_text_input":
      return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) ? undefined : "Please enter a valid URL.";
    default:
      return undefined;
  }
}

function numberFault(element, value) {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return "Please enter a number.";
  if (!element.is_decimal_allowed && value.includes(".")) return "Please enter a whole number.";
  if (element.min_value !== undefined && Number(value) < Number(element.min_value))
    return `Please enter a number of ${element.min_value} or more.`;
  if (element.max_value !== undefined && Number(value) > Number(element.max_value))
    return `Please enter a number of ${element.max_value} or less.`;
  return undefined;
}

function contentOf(state) {
  const value = Object.entries(state ?? {}).find(([key]) => key !== "type")?.[1];
  if (value === null || value === "" || value?.length === 0) return undefined;
  return value;
}
