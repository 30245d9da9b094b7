/** The fields of a message, its blocks and its attachments that people read, or that lead somewhere. */
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
/** Slack's own messages are flatter than this. */
const deepest = 20;

/** All that a message says, its blocks and attachments with it, as lines: alerts of other apps keep their words in either. */
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
