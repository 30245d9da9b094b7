import { isUuid } from "../../operation/input.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { asShown } from "../../views/text.ts";
import type { BoundOperation } from "./bound.ts";

/** The targets and values of a command, as a member could type them again. */
export interface CommandWords {
  targets: readonly string[];
  input: Record<string, unknown>;
}

/**
 * Replaces the ids in a command by the names that the member's key knows: a form or a button gave ids. An id stays where two resources
 * have its name, and where its list cannot be read.
 */
export async function withNames(bound: BoundOperation, { targets, input }: CommandWords): Promise<CommandWords> {
  const { operation } = bound;
  const [first = null] = targets;
  const entries = targets.some(isUuid) ? (await bound.listing()).entries : [];
  const named = targets.map((id) => onlyName(entries, id));
  const values: Record<string, unknown> = { ...input };
  for (const field of operation.chosen) {
    const given = [input[field]].flat().filter(isUuid);
    if (given.length === 0 || (operation.target !== null && !isUuid(first))) continue;
    const choices = (await bound.choices(field, first, input)).map(({ value, label }) => ({ id: value, name: label }));
    const words = [input[field]].flat().map((value) => (isUuid(value) ? onlyName(choices, value) : value));
    values[field] = Array.isArray(input[field]) ? words : words[0];
  }
  return { targets: named, input: values };
}

function onlyName(all: readonly { id: string; name: PlainText }[], id: string): string {
  const name = all.find((one) => one.id === id)?.name;
  if (name === undefined) return id;
  const shown = asShown(name);
  return all.filter((one) => asShown(one.name) === shown).length === 1 ? characters(name) : id;
}
