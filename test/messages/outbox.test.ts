import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { SlackUnanswered } from "../../src/messages/chat/errors.ts";
import {
  alertTimer,
  createOutbox,
  type Notification,
  type NotificationSource,
  notificationTimer,
} from "../../src/messages/outbox.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openFile } from "../../src/storage/sqlite/file.ts";
import { handleLanes } from "../../src/storage/timers.ts";
import { raw } from "../storage/raw.ts";
import { shareFile } from "../storage/sqlite/place.ts";

const ref = { channel: "C1", ts: "1" };

type Placing = Parameters<typeof createOutbox>[0]["placeMessage"];

function openShared() {
  const clock = createSandboxClock();
  return { clock, file: shareFile(() => openFile(":memory:"), clock) };
}

/** `shared`: the store of another one, which another process has. */
async function outboxOf(
  placeMessage: Placing,
  sources: Record<string, NotificationSource["notifications"]>,
  unplaced: NotificationSource["unplaced"] = async () => {},
  { clock, file }: ReturnType<typeof openShared> = openShared(),
) {
  const log = pino({ level: "silent" });
  const { store } = file.open(log);
  const giveUp = () => file.giveUp(store.instance);
  onTestFinished(() => store.close());
  const outbox = createOutbox({ store, clock, placeMessage });
  for (const [kind, notifications] of Object.entries(sources)) outbox.source(kind, { notifications, unplaced });
  handleLanes(store.timers, outbox.timers);
  await store.timers.start();
  return { store, clock, file, giveUp, setTimer: (id: string) => store.timers.set(id, clock.now()) };
}

function notification(slot: string, text: string): Notification {
  const to = { in: "channel", channel: "C1", otherwise: null, lasting: false } as const;
  return { slot, to, message: { text, blocks: [] }, priority: "alert", since: 0 };
}

test("while hundreds of alerts wait for their turn in Slack, the answer that somebody waits for comes at once", async () => {
  const { promise: never, reject } = Promise.withResolvers<never>();
  const waiting: string[] = [];
  const placed: string[] = [];
  const { setTimer } = await outboxOf(
    async ({ subject }) => {
      if (subject.startsWith("alert:")) {
        waiting.push(subject);
        return never;
      }
      placed.push(subject);
      return { ref };
    },
    { alert: async () => [notification("card", "an alert")], request: async () => [notification("card", "a request")] },
  );
  // Before the store closes, which waits for running timers.
  onTestFinished(() => reject(new Error("The test is over")));
  for (let number = 0; number < 300; number += 1) await setTimer(alertTimer("alert", String(number)));
  await expect.poll(() => waiting.length).toBeGreaterThan(200);
  await setTimer(notificationTimer("request", "1"));
  await expect.poll(() => placed).toEqual(["request:1"]);
});

test("a message whose time to change comes while it is derived is derived once more", async () => {
  const shared = openShared();
  const { clock } = shared;
  const changesAt = clock.now() + 1_000;
  const placed: string[] = [];
  async function notifications() {
    const text = clock.now() < changesAt ? "not muted" : "muted";
    // The facts are read before the time, and the message is compared after it.
    if (text === "not muted") clock.skip(2_000);
    return [{ ...notification("card", text), changesAt }];
  }
  const place: Placing = async ({ message }) => {
    placed.push(message.text);
    return { ref };
  };
  const { setTimer } = await outboxOf(place, { alert: notifications }, undefined, shared);
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed).toEqual(["not muted", "muted"]);
});

test("a message that waits for its turn is posted with the newest facts, and needs no edit then", async () => {
  let revision = 1;
  const placed: string[] = [];
  const { setTimer } = await outboxOf(
    async ({ slot, message }) => {
      placed.push(`${slot} ${message.text}`);
      revision = 2;
      return { ref };
    },
    { alert: async () => [notification("card", `knows ${revision}`), notification("history", `knows ${revision}`)] },
  );
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed).toEqual(["card knows 1", "history knows 2"]);
});

test("a message that another instance has brought up to date meanwhile is compared anew, and what was noted of it is not undone", async () => {
  const placed: string[] = [];
  const { setTimer, store, clock } = await outboxOf(
    async ({ message, posted }) => {
      placed.push(`${message.text} ${posted?.ts ?? "new"}`);
      // The other instance notes its own while this one stands still over Slack's answer.
      if (placed.length === 1)
        await store
          .keyv(raw("deliveries"))
          .set("alert:1", { slots: { card: { ref: { channel: "C1", ts: "2" }, digest: "of a newer state" } } });
      return { ref: posted ?? ref };
    },
    { alert: async () => [notification("card", "the state")] },
  );
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed).toEqual(["the state new"]);
  clock.skip(1_000);
  await expect.poll(() => placed).toEqual(["the state new", "the state 2"]);
});

/** An outbox with one message of this text, whose second placing Slack leaves unanswered. */
async function withUnansweredEdit(text: () => string) {
  const placed: string[] = [];
  const outbox = await outboxOf(
    async ({ message, posted }) => {
      placed.push(message.text);
      if (placed.length === 2)
        throw new SlackUnanswered("chat.update", { maybeApplied: true, why: "Slack gave no answer" });
      return { ref: posted ?? ref };
    },
    { alert: async () => [notification("card", text())] },
  );
  return { ...outbox, placed };
}

test("an edit that Slack leaves unanswered is made once more some minutes later, and only once", async () => {
  let text = "first";
  const { placed, setTimer, clock, store } = await withUnansweredEdit(() => text);
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed).toEqual(["first"]);
  text = "second";
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed.length).toBe(2);
  // Only then is it known when the run is tried again.
  await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ failing: 1 }));
  clock.skip(1_000);
  await expect.poll(() => placed).toEqual(["first", "second", "second"]);
  await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ due: 0, failing: 0 }));
  clock.skip(3 * 60_000);
  await expect.poll(() => placed).toEqual(["first", "second", "second", "second"]);
  clock.skip(60 * 60_000);
  await setTimer(alertTimer("alert", "1"));
  await store.timers.stop();
  expect(placed).toHaveLength(4);
});

test("an edit after a process ended in the middle of one is made once more, since Slack may apply the older one later", async () => {
  let text = "first";
  const placed: string[] = [];
  const hanging = Promise.withResolvers<never>();
  const place: Placing = async ({ message, posted }) => {
    placed.push(message.text);
    return placed.length === 2 ? hanging.promise : { ref: posted ?? ref };
  };
  const sources = { alert: async () => [notification("card", text)] };
  const { setTimer, giveUp, ...shared } = await outboxOf(place, sources);
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed).toEqual(["first"]);
  text = "second";
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed.length).toBe(2);
  giveUp();
  text = "third";
  const { store, clock, setTimer: setAgain } = await outboxOf(place, sources, undefined, shared);
  await expect.poll(() => placed).toEqual(["first", "second", "third"]);
  await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ due: 0, failing: 0 }));
  clock.skip(3 * 60_000);
  await expect.poll(() => placed).toEqual(["first", "second", "third", "third"]);
  clock.skip(60 * 60_000);
  await setAgain(alertTimer("alert", "1"));
  await store.timers.stop();
  expect(placed).toHaveLength(4);
  hanging.reject(new Error("The test is over"));
});

test("an edit that Slack leaves unanswered, and that a newer edit follows later, is not made for ever", async () => {
  let text = "first";
  const { placed, setTimer, clock, store } = await withUnansweredEdit(() => text);
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => placed.length).toBe(1);
  text = "second";
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ failing: 1 }));
  clock.skip(1_000);
  await expect.poll(() => placed.length).toBe(3);
  await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ due: 0, failing: 0 }));
  clock.skip(3 * 60_000);
  await expect.poll(() => placed.length).toBe(4);
  // Each later run finds nothing to edit any more.
  for (let runs = 0; runs < 3; runs += 1) {
    await setTimer(alertTimer("alert", "1"));
    await expect.poll(() => store.timers.backlog()).toContainEqual(expect.objectContaining({ due: 0, failing: 0 }));
  }
  await store.timers.stop();
  expect(placed).toHaveLength(4);
});

test("an instance that another one has taken over from reports no message as undeliverable", async () => {
  const reasons: string[] = [];
  let placed = 0;
  const { setTimer, giveUp } = await outboxOf(
    async () => {
      placed += 1;
      if (placed === 1) await giveUp();
      return { unplaced: `try ${placed}` };
    },
    { alert: async () => [notification("card", "the state")] },
    async (_id, _slot, reason) => void reasons.push(reason),
  );
  await setTimer(alertTimer("alert", "1"));
  await setTimer(alertTimer("alert", "1"));
  await expect.poll(() => reasons).toContain("try 2");
  expect(reasons).not.toContain("try 1");
});
