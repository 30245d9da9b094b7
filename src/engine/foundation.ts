import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

/** What the engine stands on. */
export interface Foundation {
  store: Store;
  seal: Seal;
  clock: Clock;
  log: Logger;
}
