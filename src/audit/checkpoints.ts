import * as z from "#zod";
import type { Foundation, StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Log } from "../storage/store.ts";
import {
  Checkpoint,
  checkSignatures,
  digestOfCheckpoint,
  entryPlace,
  isSignedNow,
  makeCheckpoint,
} from "./checkpoint.ts";
import { auditEntries, keptForever } from "./entry.ts";
import { checkProof } from "./proof.ts";

// The chain of checkpoints: each one fixes the entries since the one before it (see the guide: audit-log.md).

const name = "audit-checkpoints";
const headKey = "newest";
/** Any value, since one that is no checkpoint must be found and reported, and replaced. */
const checkpointHead = defineKind({ name: "newest checkpoint", namespace: "audit-head", schema: z.unknown() });
/** Entries that one turn reads, checks and digests: 500 would block everybody else for 9 ms. */
const mostEntries = 100;
const pageSize = 200;

type CheckpointsApp = Pick<Foundation, "store" | "signer" | "clock" | "log">;

function checkpointLog({ store }: StoreApp): Log {
  return store.log(name, { retentionMs: keptForever });
}

/** The newest checkpoint; null before the first, and when the stored value is none. */
export async function newestCheckpoint({ store }: StoreApp): Promise<Checkpoint | null> {
  return Checkpoint.safeParse(await store.keyv(checkpointHead).get(headKey)).data ?? null;
}

/** The stored checkpoints, oldest first; null where a stored value is none. */
export async function* allCheckpoints(app: StoreApp): AsyncGenerator<{ id: string; checkpoint: Checkpoint | null }> {
  let after = "";
  for (;;) {
    const page = await checkpointLog(app).read({ after, limit: pageSize });
    for (const { id, data } of page) yield { id, checkpoint: Checkpoint.safeParse(data).data ?? null };
    after = page.at(-1)?.id ?? after;
    if (page.length < pageSize) return;
  }
}

/** Takes checkpoints until all new entries are fixed. `start`: the log begins after that checkpoint from now on. */
export async function takeCheckpoints(app: CheckpointsApp, start?: number): Promise<void> {
  while ((await takeOne(app, start)) === "more");
}

async function takeOne(app: CheckpointsApp, start: number | undefined): Promise<"more" | "all"> {
  const { store, signer, clock, log } = app;
  const stored = await store.read(checkpointHead, headKey);
  const head = Checkpoint.safeParse(stored.value).data ?? null;
  const after = head?.through ?? "";
  const found = await auditEntries(app).read({ after, limit: mostEntries });
  const begins = start !== undefined && start > (head?.start ?? 0);
  if (head && found.length === 0 && !begins && isSignedNow(signer, head)) return "all";
  const severed = stored.was !== undefined && (head === null || checkSignatures(signer, head) !== "right");
  if (severed) log.error("Rackbell did not write the newest checkpoint of the audit log: verify the log");
  const checkpoint = makeCheckpoint(signer, found, {
    number: (head?.number ?? 0) + 1,
    at: clock.now(),
    after,
    strange: found.filter((entry) => checkProof(signer, entry) !== "right").map(({ id }) => entryPlace(id)),
    start: begins ? start : (head?.start ?? 0),
    previous: head && digestOfCheckpoint(head),
    severed,
  });
  const taken = await store.transact({
    records: [replacing(stored, checkpoint)],
    log: [{ log: name, retentionMs: keptForever, at: checkpoint.at, subjects: [], data: checkpoint }],
  });
  // If another instance was quicker, the next turn takes what is left.
  return taken && found.length < mostEntries ? "all" : "more";
}

/** Deletes the entries and checkpoints before the beginning that the newest checkpoint states. */
export async function cutBeforeStart(app: StoreApp): Promise<void> {
  const start = (await newestCheckpoint(app))?.start ?? 0;
  let passed: string | undefined;
  for await (const { id, checkpoint } of allCheckpoints(app)) {
    if (checkpoint && checkpoint.number >= start) {
      if (checkpoint.number === start) await auditEntries(app).cut(checkpoint.through);
      break;
    }
    passed = id;
  }
  if (passed !== undefined) await checkpointLog(app).cut(passed);
}
