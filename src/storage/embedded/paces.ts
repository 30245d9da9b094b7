import type { Clock } from "../../clock.ts";
import type { Paces } from "../store.ts";
import type { Runs } from "./runs.ts";

/** Names whose turns are over are removed only above this number. */
const fewNames = 1_000;

/** Paces of all openings of a file, in memory: for each name the time up to which turns are taken. */
export function createPaces(clock: Clock, runs: Pick<Runs, "prove">): Paces {
  const reaches = new Map<string, number>();
  let tidyAbove = fewNames;

  function tidy(now: number): void {
    for (const [name, reach] of reaches) if (reach <= now) reaches.delete(name);
    tidyAbove = Math.max(fewNames, 2 * reaches.size);
  }

  return {
    async take(name, { burst, everyMs }, run) {
      if (run) runs.prove(run);
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
