import type { FailureCode } from "./service.ts";
import { createShapes, type Shapes } from "./shapes.ts";

/** The decisions of the platform's operator. A test changes them in place. */
export interface Settings {
  /** False: every route, the public ones too, answers FEATURE_DISABLED. */
  api: boolean;
  hourlyLimit: number;
  /** Milliseconds that the platform's own clock is ahead of everybody's, below zero where it is behind. */
  clockAhead: number;
  modules: { inventory: boolean; native_vps: boolean; game: boolean };
  /** No answer from the hosts: 503 at the last of the checks. */
  hypervisorDown: boolean;
  customImagesMax: number;
  reservedSnapshotPrefixes: string[];
  /** The kind of document that billing issues. */
  document: "invoice" | "proforma";
  /** Credit pays orders and add-ons by itself; upgrades never. */
  autoCredit: boolean;
  /** A converted proforma names its invoice. */
  recordsConversion: boolean;
  /** In percent. */
  vatRate: number;
  /** In cents: what hourly products want to see on the balance. */
  hourlyMinimum: number;
  /** While set, every build fails with this code. */
  buildFailure: FailureCode | null;
  /** Rows on a page at most, on top of the limit of each list: a small estate is then read page by page. */
  pageCap: number;
  shapes: Shapes;
  /** Routes such as `"POST /vps/{id}/capture"` that this platform does not have. */
  dropped: string[];
}

export function createSettings(hourlyLimit: number): Settings {
  return {
    api: true,
    hourlyLimit,
    clockAhead: 0,
    modules: { inventory: true, native_vps: true, game: true },
    hypervisorDown: false,
    customImagesMax: 10,
    reservedSnapshotPrefixes: ["auto-", "system-", "backup-"],
    document: "invoice",
    autoCredit: false,
    recordsConversion: true,
    vatRate: 21,
    hourlyMinimum: 500,
    buildFailure: null,
    pageCap: 200,
    shapes: createShapes(),
    dropped: [],
  };
}
