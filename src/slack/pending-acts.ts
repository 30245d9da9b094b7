import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { type Clock, settles } from "../clock.ts";
import { Origin } from "../notifications/answers/origin.ts";
import type { Reply } from "../notifications/answers/reply.ts";
import type { Requests } from "../requests/requests.ts";
import { createRecords } from "../storage/records.ts";
import type { Store } from "../storage/store.ts";
import { section } from "../views/blocks.ts";

/** Milliseconds that an acknowledgement waits for the disk at most: Slack allows three seconds. */
const longestWaitMs = 1_000;
/** Milliseconds after which a lost act is no longer reported. */
const keptMs = 60 * 60_000;
const lookEveryMs = 60_000;
const lockMs = 60_000;

/** An act of a member: a command, a press or a form. `label`: its visible words. `request`: the request that it concerns. */
const MemberAct = z.object({
  kind: z.enum(["command", "press", "form"]),
  label: z.string(),
  request: z.string().nullable(),
});
export type MemberAct = z.infer<typeof MemberAct>;

const StoredAct = z.object({ v: z.literal(1), origin: Origin, deed: MemberAct, instance: z.string() });

/**
 * Stores each acknowledged act until it is answered. If the process dies in between, another instance notifies the member, who would
 * otherwise wait for ever.
 */
export interface PendingActs {
  /** Stores the act, then runs `work`, which acknowledges it. The act is removed once `work` and all its held tasks have ended. */
  take(origin: Origin, deed: MemberAct, work: () => Promise<void>): Promise<void>;
  /** Keeps the current act stored until the returned function is called, too. */
  hold(): () => void;
  /** Notifies members of acts that dead instances left, now and every minute. */
  start(): void;
  stop(): void;
}

export function createPendingActs(deps: {
  store: Store;
  reply: Pick<Reply, "ephemeral">;
  requests: Pick<Requests, "tellLost">;
  clock: Clock;
  log: Logger;
}): PendingActs {
  const { store, reply, requests, clock, log } = deps;
  const records = createRecords(store.values("taken"), { name: "taken deed", schema: StoredAct, version: 1, log });
  const works = new AsyncLocalStorage<{ key: string; under: number }>();
  let callOff = (): void => {};
  let stopped = false;

  /** If the act cannot be stored, it runs all the same: the record matters only after a crash. */
  async function keep(key: string, origin: Origin, deed: MemberAct): Promise<void> {
    const stored = records.set(key, { v: 1, origin, deed, instance: store.instance }, keptMs);
    stored.catch((error: unknown) => log.warn({ err: error }, "What a member did was not kept until it is answered"));
    await settles(stored, clock, longestWaitMs);
  }

  function release(work: { key: string; under: number }): void {
    work.under -= 1;
    if (work.under > 0) return;
    records.delete(work.key).catch((error: unknown) => log.warn({ err: error }, "What was answered was not forgotten"));
  }

  async function notifyMember(key: string, { origin, deed }: z.infer<typeof StoredAct>): Promise<void> {
    // The lock lets only one instance notify the member.
    const locked = await store.locks.lock(`taken:${key}`, store.instance, lockMs);
    if ("holder" in locked) return;
    try {
      if (deed.request !== null) await requests.tellLost(deed.request, origin, deed.label);
      else await say(origin, lostWords(deed));
      await records.delete(key);
    } finally {
      await store.locks.unlock(`taken:${key}`, locked.fence);
    }
  }

  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  async function look(): Promise<void> {
    let after: string | undefined;
    do {
      const page = await records.scan({ after });
      for (const [key, stored] of page.records) {
        if (stored.instance === store.instance || (await store.alive(stored.instance))) continue;
        await notifyMember(key, stored).catch((error: unknown) =>
          log.warn({ err: error }, "A member was not told of a restart yet"),
        );
      }
      after = page.next;
    } while (after !== undefined && !stopped);
  }

  function lookAgain(): void {
    look()
      .catch((error: unknown) => log.warn({ err: error }, "What an earlier process left could not be read"))
      .finally(() => {
        if (!stopped) callOff = clock.after(lookEveryMs, lookAgain);
      });
  }

  return {
    async take(origin, deed, task) {
      const work = { key: randomUUID(), under: 1 };
      await keep(work.key, origin, deed);
      await works.run(work, task).finally(() => release(work));
    },
    hold() {
      const work = works.getStore();
      if (!work) return () => {};
      work.under += 1;
      return () => release(work);
    },
    start: lookAgain,
    stop() {
      stopped = true;
      callOff();
    },
  };
}

/** The act may have been done or answered just before the crash; then its answer is visible already. */
function lostWords({ kind, label }: MemberAct): string {
  const again = { command: "type it again", press: "press again", form: "fill it in again" }[kind];
  const what = {
    command: `worked on ${label}`,
    press: `worked on your press of ${label}`,
    form: `worked on your form ${label}`,
  };
  return `:warning: Rackbell restarted while it ${what[kind]}. If no answer comes within a minute, ${again}.`;
}
