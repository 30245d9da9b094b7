import type { Fact } from "../../operation/answer.ts";
import { sentence, unmarked } from "../../views/text.ts";

/** The values of an act that the texts beside them do not name already, so that nothing is repeated. */
export function unshownValues({ described }: { described: readonly Fact[] }, shown: readonly string[]): Fact[] {
  return described.filter(({ value }) => !isShown(value, shown));
}

/** True if the texts name the value; "old → new" counts as named when both are. */
export function isShown(value: string, shown: readonly string[]): boolean {
  const texts = shown.map((text) => unmarked(text)).join("\n");
  return value.split(" → ").every((part) => names(texts, unmarked(part)));
}

/** The values as one line of plain text, for a dialog: "AS number: 64500. Announced prefixes: 192.0.2.0/24." */
export function valueSentences(values: readonly Fact[]): string {
  return values.map(({ label, value }) => sentence(`${label}: ${unmarked(value)}`)).join(" ");
}

/** Short values ("2", "yes") occur in any sentence by chance: they never count as named. */
const shortest = 3;

function names(text: string, value: string): boolean {
  if (value.length < shortest || value === "yes") return false;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + value.length] ?? " "}`;
    if (!/[\p{L}\p{N}_-]/u.test(around)) return true;
  }
  return false;
}
