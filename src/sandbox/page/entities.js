const characters = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Turns the three entities that Slack knows back into characters, once. */
export function decode(text) {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => characters[entity]);
}
