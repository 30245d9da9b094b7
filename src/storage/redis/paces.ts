import type { Paces } from "../store.ts";
import { checkText } from "../values.ts";
import type { Calls } from "./calls.ts";
import { keyPart } from "./keyed.ts";
import { takeTurn } from "./scripts/paces.ts";

/** Paces that all instances on a Redis keep together. */
export function createPaces(calls: Calls): Paces {
  return {
    take: async (name, { burst, everyMs }) => calls.tell(takeTurn, keyPart(checkText(name)), burst, everyMs),
  };
}
