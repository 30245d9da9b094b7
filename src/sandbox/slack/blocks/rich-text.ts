import { anyObject, flag, list, oneOf, type Rule, type Shape, string, typed, url, whole } from "./schema.ts";

const longest = 12_000;
const style = { style: anyObject };

const inline: Record<string, Shape> = {
  text: { required: { text: string(longest, 1) }, optional: style },
  link: { required: { url: url(3_000) }, optional: { ...style, text: string(longest), unsafe: flag } },
  emoji: { required: { name: string(100, 1) }, optional: { ...style, unicode: string(100), url: url(3_000) } },
  user: { required: { user_id: string(30, 1) }, optional: style },
  usergroup: { required: { usergroup_id: string(30, 1) }, optional: style },
  channel: { required: { channel_id: string(30, 1) }, optional: style },
  team: { required: { team_id: string(30, 1) }, optional: style },
  broadcast: { required: { range: oneOf("here", "channel", "everyone") }, optional: style },
  color: { required: { value: string(30, 1) }, optional: style },
  date: {
    required: { timestamp: whole(0, 9_999_999_999), format: string(200, 1) },
    optional: { ...style, url: url(3_000), fallback: string(200) },
  },
};

const inlines = list(typed(inline), 1_000);
const rich_text_section: Shape = { required: { elements: inlines } };

const parts: Record<string, Shape> = {
  rich_text_section,
  rich_text_list: {
    required: { elements: list(typed({ rich_text_section }), 1_000), style: oneOf("bullet", "ordered") },
    optional: { indent: whole(0, 8), offset: whole(0, 10_000), border: whole(0, 1) },
  },
  rich_text_quote: { required: { elements: inlines }, optional: { border: whole(0, 1) } },
  rich_text_preformatted: {
    required: { elements: list(typed(inline, "text", "link"), 1_000) },
    optional: { border: whole(0, 1), language: string(50) },
  },
};

/** The parts of a rich_text block. */
export const richTextElements: Rule = list(typed(parts), 1_000);

/** A rich_text block where it stands inside another, as in a table's cell. */
export const richTextCell: Shape = {
  required: { elements: richTextElements },
  optional: { block_id: string(255, 1) },
};
