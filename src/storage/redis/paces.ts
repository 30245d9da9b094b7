import { checkText } from "../checks.ts";
import { RunLost } from "../errors.ts";
import type { Paces } from "../store.ts";
import type { Calls } from "./calls.ts";
import { keyPart } from "./names.ts";
import { signLastsMs } from "./presence.ts";
import { takeTurn } from "./scripts/paces.ts";

/** Paces that all instances on a Redis keep together. */
export function createPaces(calls: Calls, instance: string): Paces {
  return {
    async take(name, { burst, everyMs }, run) {
      const proof = run ? [run.lane, run.id, run.run, instance, signLastsMs] : [];
      const wait = await calls.writeVolatile(takeTurn, keyPart(checkText(name)), burst, everyMs, ...proof);
      if (run && wait < 0) throw new RunLost(run.lane + run.id);
      return wait;
    },
  };
}
