import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Seal } from "./seal.ts";
import type { Signer } from "./signer.ts";
import type { Store } from "./store.ts";

/** The parts that every room of the engine needs. */
export interface Foundation {
  store: Store;
  seal: Seal;
  /** Signs the audit log. */
  signer: Signer;
  clock: Clock;
  log: Logger;
}
