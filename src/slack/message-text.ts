/** Fields of messages, blocks and attachments that contain visible text or a URL. */
const readable = new Set([
  "text",
  "fallback",
  "pretext",
  "title",
  "title_link",
  "from_url",
  "url",
  "footer",
  "author_name",
]);
/** A limit for nesting; Slack's own messages are flatter. */
const deepest = 20;

/** The visible text of a message with its blocks and attachments, as lines: other apps put their alerts' text in either. */
export function textOfMessage(message: unknown): string {
  return [...new Set(linesIn(message, 0))].join("\n");
}

function linesIn(part: unknown, depth: number): string[] {
  if (typeof part !== "object" || part === null || depth > deepest) return [];
  if (Array.isArray(part)) return part.flatMap((each: unknown) => linesIn(each, depth + 1));
  const isField = "short" in part || ("title" in part && "value" in part);
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") return linesIn(value, depth + 1);
    return readable.has(name) || (isField && name === "value") ? [value] : [];
  });
}
