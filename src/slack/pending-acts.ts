import type { Logger } from "pino";
import * as z from "#zod";
import { type CurrentAct, currentAct } from "../commands/guard.ts";
import { Origin } from "../messages/origin.ts";
import type { Reply } from "../messages/reply.ts";
import { type Clock, repeat, settles, sleep } from "../process/clock.ts";
import { beginTrace, type Work } from "../process/trace.ts";
import { scanIndex } from "../storage/create.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";

/** Milliseconds that an acknowledgement waits for the disk at most: Slack allows three seconds. */
const longestWaitMs = 1_000;
/** Milliseconds from a failed try to the next. */
const retryMs = 100;
/** Milliseconds after an answer until its act is removed, unless the next act writes the record anyway. */
const removedAfterMs = 200;
/** Milliseconds after which a lost act is no longer reported. */
const keptMs = 60 * 60_000;
const lookEveryMs = 60_000;
const lockMs = 60_000;
/** Acts in one record. More of them would make each arrival rewrite more than a page of the file. */
const mostInRecord = 4;

/** An act of a member: a command, a press or a form. `label`: its visible words. `request`: the request that it concerns. */
const MemberAct = z.object({
  origin: Origin,
  kind: z.enum(["command", "press", "form"]),
  label: z.string(),
  request: z.string().nullable(),
});
export type MemberAct = z.infer<typeof MemberAct>;

/** The pending acts of one instance, or some of them. Its key begins with the instance. */
const ActRecord = z.object({ acts: z.array(MemberAct) });
type ActRecord = z.infer<typeof ActRecord>;

/**
 * Stores each act before Slack gets its acknowledgement, until it is answered. If the process dies in between, another instance notifies
 * the member, who would otherwise wait for ever. If Slack takes no answer, this instance notifies them later.
 */
export interface PendingActs {
  /**
   * Stores the act, then runs `work` as the work of the current act, which acknowledges it. It is removed once `work` and all that held it
   * have ended. `meanwhile` runs while the act is being stored.
   */
  take(act: MemberAct, work: () => Promise<void>, meanwhile?: () => void): Promise<void>;
  /** Notifies members of acts that dead instances left or that Slack took no answer to, now and every minute. */
  start(): void;
  stop(): void;
}

/** An act that is not answered yet. `under`: how many tasks still work on it. */
interface PendingAct {
  act: MemberAct;
  slot: Slot;
  since: number;
  under: number;
  /** True once Slack took neither the answer nor the error in its place. */
  unanswered: boolean;
  /** Its trace: from its arrival until its work has ended. */
  trace: Work;
}

/** A record that this instance writes in place again and again, so that an act costs one page of the file and no entry of its index. */
interface Slot {
  key: string;
  pending: Set<PendingAct>;
  /** True while the record still has acts that were answered. */
  stale: boolean;
  /** True once the index has its key. */
  listed: boolean;
}

/** The keys of all records that may have acts: a search for them would have Redis visit every key that it has, of all deployments. */
const listName = "pending-acts";

const pendingActs = defineKind({
  name: "pending act",
  namespace: "pending-acts",
  schema: ActRecord,
  ttlMs: keptMs,
});

export function createPendingActs(deps: {
  store: Store;
  reply: Pick<Reply, "say">;
  /** Notifies the presser of a request whose answer was lost. */
  sayLost: (request: string, origin: Origin, lead: string) => Promise<void>;
  clock: Clock;
  log: Logger;
}): PendingActs {
  const { store, reply, sayLost, clock, log } = deps;
  const records = store.keyv(pendingActs);
  const released = store.keyv({ ...pendingActs, lasts: "soon" });
  const slots: Slot[] = [];
  let stopLooking = (): void => {};
  let stopped = false;

  function slotWithRoom(): Slot {
    const found = slots.find(({ pending }) => pending.size < mostInRecord);
    if (found) return found;
    const slot: Slot = { key: `${store.instance}:${slots.length}`, pending: new Set(), stale: false, listed: false };
    slots.push(slot);
    return slot;
  }

  /** Puts the key of a record into the index, or with null takes it out. */
  const list = (member: string, score: number | null): Promise<boolean> =>
    store.transact({ records: [], index: [{ name: listName, member, score }] });

  function recordOf({ pending }: Slot): ActRecord {
    return { acts: [...pending].map(({ act }) => act) };
  }

  /**
   * If the act cannot be stored, it runs all the same: the record matters only after a crash. It is tried again, since a store whose thread
   * died opens anew a moment later, and the process may die of the same cause soon after it.
   */
  async function keep(slot: Slot): Promise<void> {
    slot.stale = false;
    const until = clock.monotonic() + longestWaitMs;
    const attempt = async (): Promise<void> => {
      try {
        if (!slot.listed) slot.listed = await list(slot.key, clock.now());
        await records.set(slot.key, recordOf(slot));
      } catch (error) {
        log.warn({ err: error }, "A member's act could not be stored before its answer");
        if (stopped || clock.monotonic() >= until) return;
        await sleep(clock, retryMs);
        await attempt();
      }
    };
    await settles(attempt(), clock, longestWaitMs);
  }

  function hold(pending: PendingAct): () => void {
    pending.under += 1;
    return () => release(pending);
  }

  function release(pending: PendingAct): void {
    pending.under -= 1;
    if (pending.under > 0) return;
    pending.trace.end();
    if (!pending.unanswered) settle(pending);
  }

  function settle(pending: PendingAct): void {
    const { slot } = pending;
    slot.pending.delete(pending);
    const isWaiting = slot.stale;
    slot.stale = true;
    // A stop waits for no timer, and the next start would report what was answered.
    if (stopped) removeAnswered(slot);
    else if (!isWaiting) clock.after(removedAfterMs, () => removeAnswered(slot));
  }

  /** Nobody waits for this, so it is written together with the next commit. */
  function removeAnswered(slot: Slot): void {
    if (!slot.stale) return;
    slot.stale = false;
    released
      .set(slot.key, recordOf(slot))
      .catch((error: unknown) => log.warn({ err: error }, "An answered act could not be removed"));
  }

  /** Notifies the members of a dead instance's acts. One that cannot be notified now must not hide the others. */
  async function notifyMembers(key: string): Promise<void> {
    // The lock lets only one instance notify them.
    const locked = await store.locks.lock(`taken:${key}`, store.instance, lockMs);
    if ("holder" in locked) return;
    try {
      const stored = await records.get(key);
      let left = stored?.acts ?? [];
      for (const act of stored?.acts ?? []) {
        if (!(await notifyMember(act, "restarted"))) continue;
        left = left.filter((other) => other !== act);
        await records.set(key, { acts: left });
      }
      if (left.length > 0) return;
      await records.delete(key);
      await list(key, null);
    } finally {
      await store.locks.unlock(`taken:${key}`, locked.fence);
    }
  }

  async function notifyMember(act: MemberAct, why: keyof typeof lost): Promise<boolean> {
    const { origin, kind, label } = act;
    const { lead, next } = lost[why];
    const words = `:warning: ${lead} ${named[kind]}${label}.`;
    try {
      if (act.request !== null) await sayLost(act.request, origin, words);
      else await reply.say(origin, `${words} ${next} ${again[kind]}.`);
      return true;
    } catch (error) {
      log.warn({ err: error }, "A member could not be notified of a lost act yet");
      return false;
    }
  }

  async function notifyUnanswered(): Promise<void> {
    for (const pending of slots.flatMap((slot) => [...slot.pending])) {
      if (pending.under > 0) continue;
      const isOver = clock.now() - pending.since > keptMs;
      if (isOver || (await notifyMember(pending.act, "unanswered"))) settle(pending);
    }
  }

  async function look(): Promise<void> {
    await notifyUnanswered();
    for await (const { member } of scanIndex(store.index(listName))) {
      if (stopped) return;
      const [instance = ""] = member.split(":");
      if (instance !== store.instance && !(await store.alive(instance))) await notifyMembers(member);
    }
  }

  return {
    async take(act, work, meanwhile = () => {}) {
      const slot = slotWithRoom();
      const trace = beginTrace(act.kind, {}, act.request);
      const pending: PendingAct = { act, slot, since: clock.now(), under: 1, unanswered: false, trace };
      slot.pending.add(pending);
      trace.run(meanwhile);
      await keep(slot);
      const own: CurrentAct = {
        unanswered() {
          pending.unanswered = true;
        },
        hold: () => hold(pending),
      };
      await trace.run(() => currentAct.run(own, work)).finally(() => release(pending));
    },
    start() {
      stopLooking = repeat(clock, lookEveryMs, look, (error) =>
        log.warn({ err: error }, "Acts that an earlier process left could not be read"),
      );
    },
    stop() {
      stopped = true;
      stopLooking();
      for (const slot of slots) removeAnswered(slot);
    },
  };
}

const named: Record<MemberAct["kind"], string> = { command: "", press: "your press of ", form: "your form " };
const again: Record<MemberAct["kind"], string> = {
  command: "type it again",
  press: "press again",
  form: "fill it in again",
};

/** In both cases the act may have been done, and after a restart its answer may be visible already. */
const lost = {
  restarted: { lead: "Rackbell restarted while it worked on", next: "If no answer comes within a minute," },
  unanswered: { lead: "Slack did not take my answer to", next: "A change may be done already, so look first. Then" },
};
