import { expect, test } from "vitest";
import { checkpointMessages, lastPost } from "../../src/audit/posting.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";

test("only the newest checkpoint is reported as not posted: a later one may be in its channel", async () => {
  const { store, log } = await openMemory();
  const newest = { number: 2, at: 0, digest: "d", channel: "C1", postedAt: 0, problem: null };
  await store.keyv(raw("audit-posts")).set("newest", newest);
  const { unplaced } = checkpointMessages({ store, log }, () => []);
  await unplaced?.("1", "checkpoint", "The channel is archived");
  expect(await lastPost({ store })).toMatchObject({ problem: null });
  await unplaced?.("2", "checkpoint", "The channel is archived");
  expect(await lastPost({ store })).toMatchObject({ problem: "The channel is archived" });
});
