import { expect, onTestFinished, test } from "vitest";
import { currentAct } from "../../src/commands/guard.ts";
import { noInteraction, type Origin } from "../../src/messages/origin.ts";
import { createPendingActs } from "../../src/slack/pending-acts.ts";
import { openMemory } from "../storage/memory.ts";
import { listed, place, raw } from "../storage/raw.ts";

const origin: Origin = { member: "T1:U1", slackUser: "U1", channel: "C1", ...noInteraction };
const command = (label: string) => ({ origin, kind: "command" as const, label, request: null });

/**
 * A store that a dead instance has left, and an instance that starts on it. `deaf`: a label of which Slack takes no notification.
 * `still`: no timer of the instance ever fires.
 */
async function afterCrash({ deaf, still = false }: { deaf?: string; still?: boolean } = {}) {
  const { store, clock: time, log } = await openMemory();
  const clock = still ? { ...time, after: () => () => {} } : time;
  const notified: string[] = [];
  const tried: string[] = [];
  const reply = {
    say: async (_: unknown, text: string) => {
      tried.push(text);
      if (deaf !== undefined && text.includes(deaf)) throw new Error("Slack does not answer");
      notified.push(text);
    },
  };
  const acts = createPendingActs({ store, reply, sayLost: async () => {}, clock, log });
  onTestFinished(() => acts.stop());
  return { store, acts, notified, tried, clock: time, left: store.keyv(raw("pending-acts")) };
}

const soon = { timeout: 20_000 };

test("a member who cannot be notified now hides no other, and is left for the next look", async () => {
  const { acts, notified, left, store } = await afterCrash({ deaf: "second" });
  await left.set("dead:0", { acts: [command("first"), command("second"), command("third")] });
  await place(store, "pending-acts", "dead:0", 1);
  acts.start();
  await expect.poll(() => left.get("dead:0"), soon).toEqual({ acts: [command("second")] });
  expect(notified).toEqual([expect.stringContaining("first"), expect.stringContaining("third")]);
});

test("acts of one moment share a few records, and none of them is left once they are answered", async () => {
  const { acts, store } = await afterCrash();
  const answered = Promise.withResolvers<void>();
  const taken = ["a", "b", "c", "d", "e", "f"].map((label) => acts.take(command(label), () => answered.promise));
  const stored = async () => [...(await listed(store, raw("pending-acts"))).values()];
  await expect
    .poll(stored, soon)
    .toMatchObject([{ acts: ["a", "b", "c", "d"].map(command) }, { acts: ["e", "f"].map(command) }]);
  answered.resolve();
  await Promise.all(taken);
  await expect.poll(stored, soon).toMatchObject([{ acts: [] }, { acts: [] }]);
});

test("an act that is answered during a stop is removed at once: no timer fires any more", async () => {
  const { acts, store } = await afterCrash({ still: true });
  const later = Promise.withResolvers<void>();
  await acts.take(command("answered"), async () => {});
  const running = acts.take(command("under way"), () => later.promise);
  const stored = async () => [...(await listed(store, raw("pending-acts"))).values()];
  await expect.poll(stored, soon).toMatchObject([{ acts: [command("under way")] }]);
  acts.stop();
  later.resolve();
  await running;
  await expect.poll(stored, soon).toMatchObject([{ acts: [] }]);
});

test("an act answered just before a stop is removed by it", async () => {
  const { acts, store } = await afterCrash({ still: true });
  await acts.take(command("answered"), async () => {});
  acts.stop();
  const stored = async () => [...(await listed(store, raw("pending-acts"))).values()];
  await expect.poll(stored, soon).toMatchObject([{ acts: [] }]);
});

test("an act whose answer Slack never takes is given up after an hour", async () => {
  const { acts, tried, clock } = await afterCrash({ deaf: "lost" });
  await acts.take(command("lost"), async () => currentAct.getStore()?.unanswered());
  acts.start();
  await expect.poll(() => tried.length, soon).toBe(1);
  async function minute(): Promise<void> {
    clock.skip(60_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (let minutes = 0; minutes < 59; minutes += 1) await minute();
  expect(tried.length).toBeGreaterThan(50);
  for (let minutes = 0; minutes < 3; minutes += 1) await minute();
  const then = tried.length;
  for (let minutes = 0; minutes < 10; minutes += 1) await minute();
  expect(tried).toHaveLength(then);
});
