import type { World } from "../world/world.ts";

/** The number of a new order or document, after those of its kind. */
export function nextNumber(
  world: World,
  letters: "INV" | "ORD" | "PRO",
  earlier: ReadonlyMap<string, { number: string }>,
): string {
  if (world.settings.shapes.numbers === "with letters") return `${letters}-${1000 + earlier.size}`;
  const year = `${new Date(world.clock.now()).getUTCFullYear()}-`;
  return `${year}${1000 + [...earlier.values()].filter(({ number }) => number.startsWith(year)).length}`;
}
