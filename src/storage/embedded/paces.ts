import type { Clock } from "../../clock.ts";
import type { Paces } from "../store.ts";

/** Below this many names nobody looks for those whose turns are over. */
const fewNames = 1_000;

/** Paces of all openings of a file, in memory: how far the turns that were taken reach. */
export function createPaces(clock: Clock): Paces {
  const reaches = new Map<string, number>();
  let tidyAbove = fewNames;

  function tidy(now: number): void {
    for (const [name, reach] of reaches) if (reach <= now) reaches.delete(name);
    tidyAbove = Math.max(fewNames, 2 * reaches.size);
  }

  return {
    async take(name, { burst, everyMs }) {
      const now = clock.monotonic();
      const reach = Math.max(reaches.get(name) ?? 0, now);
      const wait = reach - now - (burst - 1) * everyMs;
      if (wait > 0) return wait;
      reaches.set(name, reach + everyMs);
      if (reaches.size > tidyAbove) tidy(now);
      return 0;
    },
  };
}
