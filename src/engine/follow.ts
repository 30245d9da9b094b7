import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import type { Chat, MessageRef } from "../chat/chat.ts";
import type { Clock } from "../clock.ts";
import { keyRefused } from "../identities/identities.ts";
import type { Client } from "../platform/transport.ts";
import type { Store } from "../storage/store.ts";
import { type Message, section } from "../views/blocks.ts";
import { duration } from "../views/format.ts";
import { type Access, inProject, type Session } from "./access.ts";
import { stepBlocks } from "./answers.ts";
import type { Json, Operation, Progress } from "./operation.ts";
import type { Registry } from "./registry.ts";

const Followed = z.object({
  v: z.literal(1),
  id: z.string(),
  command: z.string(),
  member: z.string(),
  slackUser: z.string(),
  keyId: z.string(),
  /** It is followed in the project that it was done in. */
  project: z.object({ id: z.string(), name: z.string() }).nullable().default(null),
  targetId: z.string(),
  targetName: z.string(),
  handle: z.json(),
  /** First line of the message: who did what. */
  lead: z.string(),
  text: z.string(),
  ref: z.object({ channel: z.string(), ts: z.string() }),
  since: z.number(),
  /** Looks in a row that the platform did not answer. */
  misses: z.number(),
});
type Followed = z.infer<typeof Followed>;

/** Keeps a message current until what it tells of has ended (design section 7). */
export interface Follow {
  start(what: {
    operation: Operation;
    session: Session;
    target: { id: string; name: string } | null;
    handle: Json;
    lead: string;
    text: string;
    ref: MessageRef;
  }): Promise<void>;
  /** Stops what is followed for a member whose key is gone. */
  stopFor(member: string): Promise<void>;
  running(member?: string): Promise<{ lead: string; text: string; since: number }[]>;
}

const prefix = "follow:";
/** Under a fifth of the hourly budget people come first; under a twentieth a follow-up waits for the next hour. */
const slowBelow = 0.2;
const waitBelow = 0.05;
/** An edit notifies nobody: who waited longer than this is told by a reply. */
const worthTelling = 20_000;

export function createFollow(deps: {
  store: Store;
  chat: Chat;
  access: Access;
  registry: Registry;
  clock: Clock;
  log: Logger;
}): Follow {
  const { store, chat, access, registry, clock, log } = deps;
  const kept = store.values("follows");

  async function look(item: Followed, operation: Operation): Promise<void> {
    const present = await access.session(item.member).catch(() => null);
    const session = present && inProject(present, item.project);
    if (!session || session.linked.keyId !== item.keyId) {
      return end(
        item,
        [],
        "failed",
        "I can no longer follow this: the key that it was done with is no longer linked. Look at it again with a command.",
      );
    }
    const limits = operation.follow ?? { every: 10_000, deadline: 60 * 60_000 };
    const wait = pauseFor(session.client, limits.every, clock.now());
    if (wait > limits.every * 10) return again(item, wait);
    try {
      const progress = await operation.poll(
        { client: session.client, actor: session.actor, targetId: item.targetId, since: item.since, now: clock.now() },
        item.handle,
      );
      await tell({ ...item, misses: 0 }, session, limits, progress, wait);
    } catch (error) {
      if (keyRefused(error))
        return end(
          item,
          session.actor.scopes,
          "failed",
          "I can no longer follow this: the platform no longer accepts the key.",
        );
      await missed(item, session, limits, error);
    }
  }

  async function tell(
    item: Followed,
    session: Session,
    limits: { every: number; deadline: number },
    progress: Progress,
    wait: number,
  ): Promise<void> {
    if (progress.state !== "working") return end(item, session.actor.scopes, progress.state, progress.text, progress);
    if (clock.now() - item.since > limits.deadline) return giveUp(item, session, limits.deadline);
    if (progress.text !== item.text)
      await chat.update(item.ref, workingMessage({ ...item, text: progress.text }), "progress");
    await again({ ...item, text: progress.text }, wait);
  }

  async function missed(
    item: Followed,
    session: Session,
    limits: { every: number; deadline: number },
    error: unknown,
  ): Promise<void> {
    log.warn({ err: error, command: item.command }, "A look at what is followed failed");
    if (clock.now() - item.since > limits.deadline) return giveUp(item, session, limits.deadline);
    const misses = item.misses + 1;
    if (misses === 3) {
      const text = `${item.text} The platform does not answer at the moment; I keep looking.`;
      await chat.update(item.ref, workingMessage({ ...item, text }), "progress");
    }
    await again({ ...item, misses }, Math.min(60_000, limits.every * 2 ** Math.min(misses, 5)));
  }

  async function giveUp(item: Followed, session: Session, deadline: number): Promise<void> {
    await end(
      item,
      session.actor.scopes,
      "failed",
      `I stopped looking after ${duration(deadline)}: it had not ended by then. It may still end. Look at it again with a command.`,
    );
  }

  async function again(item: Followed, ms: number): Promise<void> {
    await kept.set(item.id, item);
    await store.wakeups.wake(`${prefix}${item.id}`, clock.now() + ms);
  }

  async function end(
    item: Followed,
    scopes: readonly string[],
    state: "done" | "failed",
    text: string,
    progress?: Progress,
  ): Promise<void> {
    const took = clock.now() - item.since;
    const mark = state === "done" ? ":white_check_mark:" : ":x:";
    const line =
      state === "done"
        ? `${mark} ${text} It took ${duration(took)}. <@${item.slackUser}>`
        : `${mark} ${text} <@${item.slackUser}>`;
    const steps = stepBlocks(progress?.next ?? [], registry, scopes, item.targetName);
    await chat.update(item.ref, {
      text: `${item.lead} ${line}`,
      blocks: [section(item.lead), section(line), ...steps],
    });
    // Deleted only once it is told: a crash in between tells it again, which the edit absorbs.
    await kept.delete(item.id);
    if (took > worthTelling || state === "failed") {
      await chat.post(
        item.ref.channel,
        { text: line, blocks: [section(line)] },
        { thread: item.ref.ts, priority: "ending" },
      );
    }
  }

  store.wakeups.handle(prefix, async (wakeId) => {
    const id = wakeId.slice(prefix.length);
    const stored = await kept.get(id);
    if (stored === undefined) return;
    const parsed = Followed.safeParse(stored);
    const operation = parsed.success ? registry.find(parsed.data.command) : undefined;
    if (!parsed.success || !operation?.follow) return kept.delete(id);
    await look(parsed.data, operation);
  });

  return {
    async start({ operation, session, target, handle, lead, text, ref }) {
      const { member, slackUser } = session.actor;
      const item: Followed = {
        v: 1,
        id: randomUUID(),
        command: operation.command,
        member,
        slackUser,
        keyId: session.linked.keyId,
        project: session.actor.project,
        targetId: target?.id ?? "",
        targetName: target?.name ?? "",
        handle,
        lead,
        text,
        ref,
        since: clock.now(),
        misses: 0,
      };
      // Stored before the first look, so that a crash loses none.
      await again(item, operation.follow?.every ?? 0);
    },
    async stopFor(member) {
      for await (const [id, value] of kept.entries()) {
        const parsed = Followed.safeParse(value);
        if (!parsed.success || parsed.data.member !== member) continue;
        await kept.delete(id);
        await store.wakeups.cancel(`${prefix}${id}`);
      }
    },
    async running(member) {
      const found: { lead: string; text: string; since: number }[] = [];
      for await (const [, value] of kept.entries()) {
        const parsed = Followed.safeParse(value);
        if (parsed.success && (!member || parsed.data.member === member)) found.push(parsed.data);
      }
      return found;
    },
  };
}

/** What a message says while something goes on. */
export function workingMessage({ lead, text }: { lead: string; text: string }): Message {
  const line = `:hourglass_flowing_sand: ${text}`;
  return { text: `${lead} ${text}`, blocks: [section(lead), section(line)] };
}

function pauseFor(client: Client, every: number, now: number): number {
  const budget = client.budget();
  if (!budget) return every;
  const left = budget.remaining / budget.limit;
  if (left < waitBelow) return Math.max(every, budget.resetAt - now + 1_000);
  return left < slowBelow ? every * 5 : every;
}
