import type { Button } from "@slack/types";
import { characters } from "../process/plain-text.ts";
import type { Block } from "./blocks.ts";
import { limits } from "./limits.ts";
import { clip, oneLine, unmarked } from "./text.ts";

/** A button, and the text that it belongs to: of its own section, or of the section above its row. */
interface Placed {
  button: Button;
  about: string;
}

/**
 * The same blocks; of several buttons with one label, each also names its thing for a screen reader: "Open web-1". Read aloud one after
 * the other, ten times "Open" would tell nobody which is which.
 */
export function withButtonNames<M extends { blocks: Block[] }>(shown: M): M {
  const names = new Map(
    [...Map.groupBy(placedIn(shown.blocks), ({ button }) => button.text.text).values()]
      .filter((alike) => alike.length > 1)
      .flatMap(namesOf),
  );
  return names.size === 0 ? shown : { ...shown, blocks: shown.blocks.map((block) => withNames(block, names)) };
}

function placedIn(blocks: Block[]): Placed[] {
  let about = "";
  return blocks.flatMap((block) => {
    if (block.type === "header") about = block.text.text;
    if (block.type === "section") about = block.text?.text ?? about;
    const elements = block.type === "section" ? [block.accessory] : block.type === "actions" ? block.elements : [];
    return elements.flatMap((element) => (element?.type === "button" ? [{ button: element, about }] : []));
  });
}

/** From the shortest to the longest: the name in code marks, the words in bold, the first line. */
const readings = [
  (about: string) => /`[^`]+`/.exec(about)?.[0] ?? "",
  (about: string) => /\*(?:`[^`]+`|[^*`\n])+\*/.exec(about)?.[0] ?? "",
  (about: string) => about.split("\n")[0] ?? "",
];

/** Names in which no two of the buttons are alike; numbers tell apart those that have the same text. */
function namesOf(alike: Placed[]): [Button, string][] {
  const first = alike[0]?.button.text.text ?? "";
  const label = (about: string) => `${first} ${characters(oneLine(unmarked(about, () => "")))}`;
  const fits = (texts: string[]) => texts.every((text) => text.length <= limits.button.accessibilityLabel);
  const differ = (texts: string[]) => new Set(texts).size === texts.length;
  for (const read of readings) {
    const abouts = alike.map(({ about }) => read(about));
    const texts = abouts.map(label);
    if (abouts.every((about) => about !== "") && differ(texts) && fits(texts))
      return alike.map(({ button }, at) => [button, texts[at] ?? first]);
  }
  return alike.map(({ button, about }, at) => {
    const end = `, ${at + 1} of ${alike.length}`;
    const name = readings.map((read) => read(about)).find((text) => text !== "") ?? "";
    return [button, `${clip(name === "" ? first : label(name), limits.button.accessibilityLabel - end.length)}${end}`];
  });
}

function withNames(block: Block, names: Map<Button, string>): Block {
  const named = (button: Button): Button => {
    const name = names.get(button);
    return name === undefined || button.accessibility_label ? button : { ...button, accessibility_label: name };
  };
  if (block.type === "section" && block.accessory?.type === "button")
    return { ...block, accessory: named(block.accessory) };
  if (block.type !== "actions") return block;
  return {
    ...block,
    elements: block.elements.map((element) => (element.type === "button" ? named(element) : element)),
  };
}
