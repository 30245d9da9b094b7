import * as z from "#zod";
import type { StoreApp } from "../../../storage/foundation.ts";
import { defineKind } from "../../../storage/kind.ts";
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

/** Stores the targets of a bulk request: once, before the request. They never change. */
export async function keepTargets({ store }: StoreApp, request: string, targets: ApprovedTarget[]): Promise<void> {
  await store.keyv(targetsKind).set(request, { targets });
}

/** The targets in their order; empty after they expired. */
export async function readTargets({ store }: StoreApp, request: string): Promise<ApprovedTarget[]> {
  return (await store.keyv(targetsKind).get(request))?.targets ?? [];
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
