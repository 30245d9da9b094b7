import { type Block, section } from "./blocks.ts";

/** Close to what one section holds, with room for what is put around it. */
const most = 2_900;

/** Lines in as few sections as hold them. */
export function sections(lines: string[]): Block[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < most) texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text) => section(text));
}
