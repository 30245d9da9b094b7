import * as z from "zod";
import type { StoreApp } from "../../../storage/foundation.ts";
import { defineKind } from "../../../storage/kind.ts";
import { upcastFacts } from "../../preconditions.ts";
import type { Request } from "../../request.ts";
import { type RequestStoreApp, readRequest } from "../../store.ts";
import { ApprovedTarget, type Bulk, targetRequestId, triesOf } from "./record.ts";

const TargetsRecord = z.object({ v: z.literal(3), targets: z.array(ApprovedTarget) });

/** Version 1 knew projects by their names alone, and no host names. */
const VersionOne = z.looseObject({ targets: z.array(z.looseObject({ project: z.string() })) });
/** Version 2 knew preconditions by their words alone. */
const VersionTwo = z.looseObject({ targets: z.array(z.looseObject({ material: z.unknown() })) });
const upcasts = {
  1: (older: unknown) => ({
    targets: VersionOne.parse(older).targets.map(({ project: name, ...target }) => ({
      ...target,
      project: name === "" ? null : { id: null, name },
    })),
  }),
  2: (older: unknown) => ({
    targets: VersionTwo.parse(older).targets.map(({ material, ...target }) => ({
      hostname: null,
      address: null,
      addressIs: "unread" as const,
      location: null,
      ...target,
      preconditions: upcastFacts(material),
    })),
  }),
};

/** Milliseconds. Longer than any request is stored, plus the time that it may wait. */
const targetsTtl = 90 * 24 * 60 * 60_000;

const targetsKind = defineKind({
  name: "list",
  namespace: "bulk-targets",
  schema: TargetsRecord,
  version: 3,
  upcasts,
  ttlMs: targetsTtl,
});

/** Stores the targets of a bulk request: once, before the request. They never change. */
export async function keepTargets({ store }: StoreApp, request: string, targets: ApprovedTarget[]): Promise<void> {
  await store.keyv(targetsKind).set(request, { v: 3, targets });
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
  return readRequest(app, targetRequestId(id, target.id, triesOf(bulk, at)));
}
