import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Seal } from "../storage/seal.ts";
import type { Signer } from "../storage/signer.ts";
import type { Store } from "../storage/store.ts";

/** What the engine stands on. */
export interface Foundation {
  store: Store;
  seal: Seal;
  /** Signs the record of who did what. */
  signer: Signer;
  clock: Clock;
  log: Logger;
}
