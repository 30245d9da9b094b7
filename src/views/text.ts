/** Escapes what Slack reads as markup, so that text from elsewhere cannot mention or link. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A name or other text of the platform's as inline code: it cannot mention, link or format, and is easy to copy. */
export function code(text: string, most = 100): string {
  // A backtick would end the code; its look-alike keeps the name readable.
  return `\`${escapeText(clip(oneLine(text), most)).replaceAll("`", "ˋ")}\``;
}

/** Prose of the platform's: one line, escaped, and with the characters that format replaced by their look-alikes. */
export function prose(text: string, most = 500): string {
  return escapeText(clip(oneLine(text), most))
    .replaceAll("*", "∗")
    .replaceAll("_", "＿")
    .replaceAll("~", "∼")
    .replaceAll("`", "ˋ");
}

/** Folds white space and drops characters that show nothing or turn the direction of writing. */
export function oneLine(text: string): string {
  const folded = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "");
  return folded.trim() || "(no name)";
}

/** At most `most` characters, whole ones, and an ellipsis where something was left out. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = "";
  for (const character of text) {
    if (kept.length + character.length > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** "a", "a and b", "a, b and c". */
export function listing(items: string[], word = "and"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** "1 VPS", "3 snapshots". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}
