import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { type Chat, type MessageRef, SlackRefused } from "../../chat/chat.ts";
import type { Priority } from "../../chat/rate-limiter.ts";
import type { Clock } from "../../clock.ts";
import type { Link } from "../../identities/link.ts";
import type { Json, Progress } from "../../operation/answer.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import type { Budget } from "../../platform/http/transport.ts";
import { scanAll } from "../../storage/scan-all.ts";
import type { Store } from "../../storage/store.ts";
import { type Block, context, type Message, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import type { Access } from "../access.ts";
import { stepBlocks } from "../answers/answers.ts";
import { errorText } from "../answers/error-text.ts";
import { type Offer, offerTo } from "../answers/offer.ts";
import type { Binder, BoundOperation } from "../bound.ts";

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
  /** Under it, in small: what was asked, where it was asked first. */
  aside: z.string().default(""),
  ref: z.object({ channel: z.string(), ts: z.string() }),
  since: z.number(),
  /** Looks in a row that the platform did not answer. */
  misses: z.number(),
});
type Followed = z.infer<typeof Followed>;

/** Keeps a message current until what it tells of has ended (design section 7). */
export interface Follow {
  start(what: {
    bound: BoundOperation;
    target: { id: string; name: string } | null;
    handle: Json;
    lead: string;
    text: string;
    aside?: string;
    ref: MessageRef;
  }): Promise<void>;
  /** Ends, with a word, what is followed for a member whose key is gone: call it when it is. */
  stopFor(link: Pick<Link, "member" | "keyId">): Promise<void>;
  running(member?: string): Promise<{ lead: string; text: string; since: number }[]>;
}

const prefix = "follow:";
/** Under a fifth of the hourly budget people come first; under a twentieth a follow-up waits for the next hour. */
const slowBelow = 0.2;
const waitBelow = 0.05;
/** An edit notifies nobody: who waited longer than this is told by a reply. */
const worthTelling = 20_000;
const marks = { done: ":white_check_mark:", failed: ":x:", left: ":grey_question:" };

export function createFollow(deps: {
  store: Store;
  chat: Chat;
  access: Access;
  binder: Binder;
  registry: Registry;
  clock: Clock;
  log: Logger;
}): Follow {
  const { store, chat, access, binder, registry, clock, log } = deps;
  const kept = store.values("follows");

  const underWay = new Map<string, Promise<Progress>>();

  async function look(item: Followed, operation: PlatformOperation): Promise<void> {
    const found = await binder.bindIfLinked(operation, item.member);
    const bound = found?.in(item.project);
    if (!bound || bound.link.keyId !== item.keyId)
      return leave(item, () => null, "the key that it was done with is no longer linked");
    const offer = offerTo(bound.links, registry);
    const limits = operation.follow ?? { every: 10_000, deadline: 60 * 60_000 };
    const wait = pauseFor(bound.budget(), limits.every, clock.now());
    if (wait > limits.every * 10) return rest(item, clock.now() + wait);
    const looked = await poll(item, bound);
    if ("progress" in looked) return tell({ ...item, misses: 0 }, offer, limits, looked.progress, wait);
    await access.markRejected(item.member, looked.error);
    if (keyRejected(looked.error)) return leave(item, offer, "the platform no longer accepts the key");
    await missed(item, offer, limits, looked.error);
  }

  // Only the look itself is caught: a failure to tell of it must not read as the platform's.
  async function poll(item: Followed, bound: BoundOperation): Promise<{ progress: Progress } | { error: unknown }> {
    const { targetId, since } = item;
    // Followers of one thing look together only with the same key: what one may see, another may not.
    const key = JSON.stringify([bound.link.api, item.keyId, item.command, targetId, item.handle]);
    const running = underWay.get(key) ?? bound.poll({ targetId, since, now: clock.now() }, item.handle);
    underWay.set(key, running);
    try {
      return { progress: await running };
    } catch (error) {
      return { error };
    } finally {
      underWay.delete(key);
    }
  }

  async function tell(
    item: Followed,
    offer: Offer,
    limits: { every: number; deadline: number },
    progress: Progress,
    wait: number,
  ): Promise<void> {
    if (progress.state !== "working") return end(item, offer, progress.state, progress.text, progress);
    if (clock.now() - item.since > limits.deadline) return giveUp(item, offer, limits.deadline);
    const steps = stepBlocks(progress.next ?? [], offer, item.targetName);
    await again(await working(item, progress.text, steps), Math.max(wait, progress.every ?? 0));
  }

  async function missed(
    item: Followed,
    offer: Offer,
    limits: { every: number; deadline: number },
    error: unknown,
  ): Promise<void> {
    log.warn({ err: error, command: item.command }, "A look at what is followed failed");
    if (clock.now() - item.since > limits.deadline) return giveUp(item, offer, limits.deadline);
    const trouble = errorText(error, clock.now());
    if (trouble.again !== null && trouble.again - clock.now() > limits.every * 10) return rest(item, trouble.again);
    const misses = item.misses + 1;
    const refused = error instanceof PlatformRefused && error.status < 500 && error.status !== 429;
    if (misses === 3 && refused) return leave(item, offer, `the platform does not show it any more (${error.status})`);
    const told =
      misses === 3 ? await working(item, "The platform does not answer at the moment; I keep looking.") : item;
    await again({ ...told, misses }, Math.min(60_000, limits.every * 2 ** Math.min(misses, 5)));
  }

  /** Waits until the key has calls left: people come first. */
  async function rest(item: Followed, until: number): Promise<void> {
    const told = await working(item, `Your key has few calls left in this hour, so I look again ${moment(until)}.`);
    await again(told, until - clock.now());
  }

  /** Says how far it is, if that is news. */
  async function working(item: Followed, text: string, steps: Block[] = []): Promise<Followed> {
    if (text === item.text) return item;
    const now = { ...item, text };
    await edit(item, workingMessage(now, steps), "progress");
    return now;
  }

  /** Edits the message; false if Slack no longer has it. */
  async function edit(item: Followed, message: Message, priority: Priority): Promise<boolean> {
    try {
      await chat.update(item.ref, message, priority);
      return true;
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      log.warn({ err: error, command: item.command }, "The message of what is followed could not be edited");
      return false;
    }
  }

  async function giveUp(item: Followed, offer: Offer, deadline: number): Promise<void> {
    const text = `I stopped looking after ${duration(deadline)}: it had not ended by then. It may still end; look at it yourself.`;
    await end(item, offer, "left", text);
  }

  async function leave(item: Followed, offer: Offer, why: string): Promise<void> {
    await end(item, offer, "left", `I can no longer follow this: ${why}. It goes on without me; look at it yourself.`);
  }

  async function again(item: Followed, ms: number): Promise<void> {
    await kept.set(item.id, item);
    await store.wakeups.wake(`${prefix}${item.id}`, clock.now() + ms);
  }

  async function end(
    item: Followed,
    offer: Offer,
    state: "done" | "failed" | "left",
    text: string,
    progress?: Progress,
  ): Promise<void> {
    const took = clock.now() - item.since;
    const line = `${marks[state]} ${text}${state === "done" ? ` It took ${duration(took)}.` : ""} <@${item.slackUser}>`;
    const message: Message = {
      text: `${item.lead} ${line}`,
      blocks: [
        section(item.lead),
        section(line),
        ...(item.aside ? [context(item.aside)] : []),
        ...stepBlocks(progress?.next ?? [], offer, item.targetName),
      ],
    };
    const shown = await edit(item, message, "ending");
    // Deleted only once it is told: a crash in between tells it again, which the edit absorbs.
    if (!shown) await chat.postDirectMessage(item.slackUser, message);
    await kept.delete(item.id);
    if (shown && (took > worthTelling || state !== "done")) {
      const reply = { text: line, blocks: [section(line)] };
      await chat.post(item.ref.channel, reply, { thread: item.ref.ts, priority: "ending" });
    }
  }

  store.wakeups.handle(prefix, async (wakeId) => {
    const id = wakeId.slice(prefix.length);
    const stored = await kept.get(id);
    if (stored === undefined) return;
    const parsed = Followed.safeParse(stored);
    const operation = parsed.success ? registry.find(parsed.data.command) : undefined;
    if (!parsed.success || !operation || operation.api === "app" || !operation.follow) return kept.delete(id);
    await look(parsed.data, operation);
  });

  return {
    async start({ bound, target, handle, lead, text, aside = "", ref }) {
      const { operation, actor, link } = bound;
      const { member, slackUser } = actor;
      const item: Followed = {
        v: 1,
        id: randomUUID(),
        command: operation.command,
        member,
        slackUser,
        keyId: link.keyId,
        project: actor.project,
        targetId: target?.id ?? "",
        targetName: target?.name ?? "",
        handle,
        lead,
        text,
        aside,
        ref,
        since: clock.now(),
        misses: 0,
      };
      // Stored before the first look, so that a crash loses none.
      await again(item, operation.follow?.every ?? 0);
    },
    async stopFor({ member, keyId }) {
      for await (const [id, value] of scanAll(kept)) {
        const parsed = Followed.safeParse(value);
        if (!parsed.success || parsed.data.member !== member || parsed.data.keyId !== keyId) continue;
        // The look finds the key gone, and says so.
        await store.wakeups.wake(`${prefix}${id}`, clock.now());
      }
    },
    async running(member) {
      const found: { lead: string; text: string; since: number }[] = [];
      for await (const [, value] of scanAll(kept)) {
        const parsed = Followed.safeParse(value);
        if (parsed.success && (!member || parsed.data.member === member)) found.push(parsed.data);
      }
      return found;
    },
  };
}

/** What a message says while something goes on. */
export function workingMessage(
  { lead, text, aside = "" }: { lead: string; text: string; aside?: string },
  steps: Block[] = [],
): Message {
  const line = `:hourglass_flowing_sand: ${text}`;
  return {
    text: `${lead} ${text}`,
    blocks: [section(lead), section(line), ...(aside ? [context(aside)] : []), ...steps],
  };
}

function pauseFor(budget: Budget | undefined, every: number, now: number): number {
  if (!budget) return every;
  const left = budget.remaining / budget.limit;
  if (left < waitBelow) return Math.max(every, budget.resetAt - now + 1_000);
  return left < slowBelow ? every * 5 : every;
}
