import { LRUCache } from "lru-cache";
import * as z from "#zod";
import { oncePer } from "../../../process/once-per.ts";
import type { StoreApp } from "../../../storage/foundation.ts";
import { defineKind } from "../../../storage/kind.ts";
import type { Store } from "../../../storage/store.ts";
import type { Request } from "../../request.ts";
import { type RequestStoreApp, readRequest } from "../../store.ts";
import { partId } from "../part/record.ts";
import { ApprovedTarget, type Bulk, triesOf } from "./record.ts";

const TargetsRecord = z.object({ targets: z.array(ApprovedTarget) });

/** Milliseconds. Longer than any request is stored, plus the time that it may wait. */
const targetsTtl = 90 * 24 * 60 * 60_000;

const targetsKind = defineKind({
  name: "list",
  namespace: "bulk-targets",
  schema: TargetsRecord,
  ttlMs: targetsTtl,
});

/** Targets in memory, of all bulk requests together: four of the largest. */
const mostRead = 8_000;

/**
 * The targets that were read, by request. Each step of a bulk request and each edit of its message needs all of them, and to read 2,000 from
 * their text takes 12 ms.
 */
const targetsIn = oncePer(
  (_: Store) =>
    new LRUCache<string, ApprovedTarget[]>({ maxSize: mostRead, sizeCalculation: (targets) => targets.length }),
);

/** Stores the targets of a bulk request: once, before the request. They never change. */
export async function keepTargets({ store }: StoreApp, request: string, targets: ApprovedTarget[]): Promise<void> {
  await store.keyv(targetsKind).set(request, { targets });
  targetsIn(store).delete(request);
}

/** The targets in their order; empty after they expired. */
export async function readTargets({ store }: StoreApp, request: string): Promise<ApprovedTarget[]> {
  const known = targetsIn(store).get(request);
  if (known) return known;
  const targets = (await store.keyv(targetsKind).get(request))?.targets ?? [];
  if (targets.length > 0) targetsIn(store).set(request, targets);
  return targets;
}

/** The request of the target at `at`, of its latest try; undefined while none was stored. */
export function readTargetRequest(
  app: Pick<RequestStoreApp, "store">,
  id: string,
  bulk: Bulk,
  at: number,
  target: ApprovedTarget,
): Promise<Request | undefined> {
  return readRequest(app, partId(id, target.id, triesOf(bulk, at)));
}
