import { type Block, section } from "./blocks.ts";

/** Below the limit of a section, with room for the text around it. */
const maxSectionText = 2_900;

/** Packs lines into as few sections as possible. */
export function sections(lines: string[]): Block[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < maxSectionText) texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text) => section(text));
}
