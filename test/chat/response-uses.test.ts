import { expect, test } from "vitest";
import { createResponseUses } from "../../src/chat/response-uses.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";

const url = "https://hooks.slack.example/actions/T1/1/abc";
/** Slack answers `used_url` to the sixth. */
const slackTakes = 5;

/** The same store for a process that dies before what is written "soon" reaches the disk. */
function losingSoon(store: Store): Pick<Store, "keyv" | "read" | "transact"> {
  return {
    read: store.read,
    transact: store.transact,
    keyv(kind) {
      const keyv = store.keyv(kind);
      return kind.lasts === "soon" ? Object.assign(Object.create(keyv), { set: async () => true }) : keyv;
    },
  };
}

async function usesOf(processes: { take(url: string): Promise<boolean> }[], times: number): Promise<number> {
  const takes = processes.flatMap((uses) => Array.from({ length: times }, () => uses.take(url)));
  return (await Promise.all(takes)).filter((taken) => taken).length;
}

test.each([0, 1, 2, 3, 4, 5, 6])(
  "a response URL is used five times at most if the process is killed after %i uses, and another goes on",
  async (times) => {
    for (const lost of [false, true]) {
      const { store } = await openMemory();
      const before = await usesOf([createResponseUses(lost ? losingSoon(store) : store)], times);
      const after = await usesOf([createResponseUses(store)], 10);
      expect(before + after).toBeLessThanOrEqual(slackTakes);
      expect(before + after).toBeGreaterThanOrEqual(slackTakes - 1);
    }
  },
);

test("two instances that answer at the same moment use a response URL five times at most", async () => {
  const { store } = await openMemory();
  const processes = [createResponseUses(store), createResponseUses(store)];
  expect(await usesOf(processes, 10)).toBeLessThanOrEqual(slackTakes);
});

test("a response URL whose uses cannot be counted is not used, and one that was counted is counted on", async () => {
  const { store } = await openMemory();
  let isAway = true;
  const uses = createResponseUses({
    ...store,
    read: (...asked) => (isAway ? Promise.reject(new Error("The store is away")) : store.read(...asked)),
  });
  expect(await uses.take(url)).toBe(false);
  isAway = false;
  expect(await usesOf([uses], 10)).toBe(slackTakes - 1);
});

test("each response URL is counted for itself", async () => {
  const { store } = await openMemory();
  const uses = createResponseUses(store);
  await usesOf([uses], 10);
  expect(await uses.take(`${url}d`)).toBe(true);
});
