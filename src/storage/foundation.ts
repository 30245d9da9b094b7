import type { Logger } from "pino";
import type { Clock } from "../process/clock.ts";
import type { Signer } from "../process/signer.ts";
import type { Seal } from "./seal.ts";
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

/** The parts of the foundation that most functions of the rooms take: the store, with the clock, and with the log. */
export type StoreApp = Pick<Foundation, "store">;
export type TimedApp = Pick<Foundation, "store" | "clock">;
export type LoggedApp = Pick<Foundation, "store" | "clock" | "log">;
