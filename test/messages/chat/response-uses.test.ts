import { expect, test } from "vitest";
import { createResponseUses, type ResponseUses, responseUses } from "../../../src/messages/chat/response-uses.ts";
import type { Store } from "../../../src/storage/store.ts";
import { openMemory } from "../../storage/memory.ts";

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

async function hasRecord(store: Store): Promise<boolean> {
  for await (const _ of store.scan(responseUses)) return true;
  return false;
}

async function usesOf(processes: ResponseUses[], times: number): Promise<number> {
  const takes = processes.flatMap((uses) => Array.from({ length: times }, () => uses.take(url)));
  return (await Promise.all(takes)).filter((taken) => taken).length;
}

/** A process that the URL came to. */
function receiving(store: Pick<Store, "keyv" | "read" | "transact">): ResponseUses {
  const uses = createResponseUses(store);
  uses.received(url);
  return uses;
}

test("the process that it came to uses a response URL five times, and no sixth", async () => {
  const { store } = await openMemory();
  const uses = receiving(store);
  expect(await usesOf([uses], 10)).toBe(slackTakes);
  // Its payload comes a second time.
  uses.received(url);
  expect(await usesOf([uses], 10)).toBe(0);
});

test.each([0, 1, 2, 3, 4, 5, 6])(
  "a response URL is used five times at most if the process is killed after %i uses, and another goes on",
  async (times) => {
    for (const lost of [false, true]) {
      const { store } = await openMemory();
      const before = await usesOf([receiving(lost ? losingSoon(store) : store)], times);
      // The dead process writes nothing any more.
      if (times > 0 && !lost) await expect.poll(() => hasRecord(store)).toBe(true);
      const after = await usesOf([createResponseUses(store)], 10);
      expect(before + after).toBeLessThanOrEqual(slackTakes);
      expect(before + after).toBeGreaterThanOrEqual(slackTakes - 1);
    }
  },
);

test("instances that go on at the same moment use a response URL five times at most", async () => {
  const { store } = await openMemory();
  const used = await usesOf([createResponseUses(store), createResponseUses(store)], 10);
  // One is left for a use of the process that it came to, which nobody can know of.
  expect(used).toBe(slackTakes - 1);
});

test("an instance that stood still counts what another used meanwhile, and what it uses at that moment", async () => {
  const { store } = await openMemory();
  const other = createResponseUses(store);
  expect(await usesOf([other], 2)).toBe(2);
  let meanwhile = 0;
  const frozen = receiving({
    ...store,
    async read(...asked) {
      const found = await store.read(...asked);
      if (meanwhile === 0) meanwhile = await usesOf([other], 2);
      return found;
    },
  });
  const first = await usesOf([frozen], 1);
  const later = await usesOf([frozen, other], 10);
  expect([first, meanwhile, later]).toEqual([1, 2, 0]);
});

test("a response URL whose further uses cannot be counted is not used, and is used on when they can", async () => {
  const { store } = await openMemory();
  let isAway = true;
  const uses = receiving({
    ...store,
    read: (...asked) => (isAway ? Promise.reject(new Error("The store is away")) : store.read(...asked)),
  });
  expect([await uses.take(url), await uses.take(url)]).toEqual([true, false]);
  isAway = false;
  expect(await usesOf([uses], 10)).toBe(slackTakes - 1);
});

test("each response URL is counted for itself", async () => {
  const { store } = await openMemory();
  const uses = receiving(store);
  await usesOf([uses], 10);
  expect(await uses.take(`${url}d`)).toBe(true);
});
