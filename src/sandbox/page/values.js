import { useReducer } from "preact/hooks";

const initial = {
  plain_text_input: (element) => ({ value: element.initial_value ?? null }),
  number_input: (element) => ({ value: element.initial_value ?? null }),
  email_text_input: (element) => ({ value: element.initial_value ?? null }),
  url_text_input: (element) => ({ value: element.initial_value ?? null }),
  datepicker: (element) => ({ selected_date: element.initial_date ?? null }),
  datetimepicker: (element) => ({ selected_date_time: element.initial_date_time ?? null }),
  timepicker: (element) => ({ selected_time: element.initial_time ?? null }),
  checkboxes: (element) => ({ selected_options: element.initial_options ?? [] }),
  radio_buttons: (element) => ({ selected_option: element.initial_option ?? null }),
  static_select: (element) => ({ selected_option: element.initial_option ?? null }),
  external_select: (element) => ({ selected_option: element.initial_option ?? null }),
  users_select: (element) => ({ selected_user: element.initial_user ?? null }),
  channels_select: (element) => ({ selected_channel: element.initial_channel ?? null }),
  conversations_select: (element) => ({ selected_conversation: element.initial_conversation ?? null }),
  multi_static_select: (element) => ({ selected_options: element.initial_options ?? [] }),
  multi_external_select: (element) => ({ selected_options: element.initial_options ?? [] }),
  multi_users_select: (element) => ({ selected_users: element.initial_users ?? [] }),
  multi_channels_select: (element) => ({ selected_channels: element.initial_channels ?? [] }),
  multi_conversations_select: (element) => ({ selected_conversations: element.initial_conversations ?? [] }),
  file_input: () => ({ files: [] }),
};

/**
 * The values that are filled in on one surface, in the shape of Slack's state. A value lives as long as its block_id and action_id
 * stay, so an update with the same ids keeps what was typed and ignores a new initial value, as Slack does.
 */
export function useValues(blocks, memory) {
  const [, refresh] = useReducer((count) => count + 1, 0);
  memory.values = reconcile(memory.values ?? {}, blocks);
  return {
    of: (block, element) => memory.values[keyOf(block, element)],
    change(block, element, value) {
      memory.values = { ...memory.values, [keyOf(block, element)]: { type: element.type, ...value } };
      refresh();
    },
    /** Slack's `state` of this moment: `{ values: { block_id: { action_id: value } } }`. */
    state() {
      const state = {};
      for (const [block, element] of statefulElements(blocks)) {
        state[block.block_id] ??= {};
        state[block.block_id][element.action_id] = memory.values[keyOf(block, element)];
      }
      return { values: state };
    },
  };
}

export function keyOf(block, element) {
  return `${block.block_id}\n${element.action_id}`;
}

function reconcile(held, blocks) {
  const values = {};
  for (const [block, element] of statefulElements(blocks)) {
    const key = keyOf(block, element);
    const before = held[key];
    values[key] = before?.type === element.type ? before : { type: element.type, ...initial[element.type](element) };
  }
  return values;
}

function statefulElements(blocks) {
  return blocks.flatMap((block) => {
    const elements = block.elements ?? [block.element ?? block.accessory];
    return elements
      .filter((element) => element && Object.hasOwn(initial, element.type))
      .map((element) => [block, element]);
  });
}
