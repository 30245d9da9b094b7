import type { Block } from "../../views/blocks.ts";
import type { Request } from "../request.ts";
import type { RequestStore } from "../store.ts";
import { targetRequestId } from "./record.ts";
import { askedBlocks, mostFailures, workBlocks } from "./view.ts";

/** Blocks that only a bulk request has: its targets, progress and failures. Empty for any other request. */
export async function bulkBlocks(requests: RequestStore, request: Request): Promise<Block[]> {
  const { bulk, id, state } = request;
  if (!bulk) return [];
  const targets = await requests.targets.read(id);
  if (state === "pending") return askedBlocks(request, targets);
  const unsuccessful = targets.flatMap((target, at) => {
    const outcome = bulk.outcomes[at];
    return outcome === "failed" || outcome === "unclear" || outcome === "left out" ? [{ target, at, outcome }] : [];
  });
  // Failures come first, and only the requests that are shown are read: a bulk request may have 2,000.
  const sorted = unsuccessful.toSorted((a, b) => rank(a.outcome) - rank(b.outcome));
  const reasons = await Promise.all(
    sorted.slice(0, mostFailures).map(async ({ target, at }) => {
      const part = await requests.read(targetRequestId(id, target.id, bulk.putOff[at]?.times ?? 0));
      return { name: target.name, outcome: part?.outcome ?? "" };
    }),
  );
  return workBlocks(request, targets, { reasons, others: sorted.length - reasons.length });
}

function rank(outcome: "failed" | "unclear" | "left out"): number {
  return ["failed", "unclear", "left out"].indexOf(outcome);
}
