import type { Logger } from "pino";
import * as z from "zod";
import { createRecords } from "../../../storage/records.ts";
import type { Store } from "../../../storage/store.ts";
import { BulkTarget } from "./record.ts";

const Kept = z.object({ v: z.literal(1), targets: z.array(BulkTarget) });

/** As long as any request is kept, and the time that it may wait. */
const keptFor = 90 * 24 * 60 * 60_000;

/** The targets of requests for many: written once, before the request, and never changed. */
export interface BulkTargets {
  keep(request: string, targets: BulkTarget[]): Promise<void>;
  /** Empty where they are no longer kept. */
  read(request: string): Promise<BulkTarget[]>;
}

export function createBulkTargets({ store, log }: { store: Store; log: Logger }): BulkTargets {
  const records = createRecords(store.values("bulk-targets"), { name: "list", schema: Kept, version: 1, log });
  return {
    keep: (request, targets) => records.set(request, { v: 1, targets }, keptFor),
    read: async (request) => (await records.get(request))?.targets ?? [],
  };
}
