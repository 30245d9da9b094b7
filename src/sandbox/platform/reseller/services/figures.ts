import type { World } from "../../world/world.ts";

/** Figures that are the same for the same machine and minute; `share` is between 0 and 1. */
export interface Figure {
  at: number;
  share: number;
}

/** `count` moments up to now, `every` milliseconds apart. */
export function figures(world: World, id: string, count: number, every: number): Figure[] {
  const seed = Number.parseInt(id.slice(0, 4), 16);
  const last = Math.floor(world.clock.now() / every) * every;
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * every;
    return { at, share: (1 + Math.sin((at / 60_000 + seed) / 7)) / 2 };
  });
}
