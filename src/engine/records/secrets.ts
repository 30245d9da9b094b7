import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Secret } from "../../operation/answer.ts";
import { createRecords } from "../../storage/records.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { actions, button, type Message, section } from "../../views/blocks.ts";
import type { TellingSource } from "../telling/outbox.ts";
import { tellWake } from "../telling/outbox.ts";

/** Until somebody has seen it, so that an outage of Slack does not erase a password before anybody read it. */
const unseenLife = 24 * 60 * 60_000;
/** From its first reveal on. */
const seenLife = 60 * 60_000;
/** How long its message can still be brought up to date. */
const kept = 7 * 24 * 60 * 60_000;

const Offered = z.object({
  v: z.literal(2),
  member: z.string(),
  slackUser: z.string(),
  title: z.string(),
  /** Null once it is erased. */
  sealed: z.string().nullable(),
  state: z.enum(["offered", "revealed", "noted", "expired"]),
  changedAt: z.number(),
  /** When it is erased, whoever has seen it by then. */
  until: z.number(),
});
type Offered = z.infer<typeof Offered>;
const Secrets = z.array(z.object({ label: z.string(), value: z.string(), link: z.boolean().optional() }));

export const revealAction = "reveal";
const kind = "secret";
const wake = "secret:";
const namespace = "secrets";

export interface Secrets {
  /** Seals them, and offers them to the member in their direct messages; a second offer of the same id is the same one. */
  offer(id: string, to: { member: string; slackUser: string }, title: string, secrets: Secret[]): Promise<void>;
  /** What a Reveal button stands for; null when it is gone or somebody else's. Its hour begins at the first time. */
  reveal(id: string, member: string): Promise<{ title: string; secrets: Secret[] } | null>;
  /** Erases it: the member has it. */
  acknowledge(id: string, member: string): Promise<void>;
  tellings: TellingSource;
}

/** One-time secrets: never in a channel, never in a log, shown in a modal to their asker alone (design section 4). */
export function createSecrets(deps: { store: Store; seal: Seal; clock: Clock; log: Logger }): Secrets {
  const { store, seal, clock, log } = deps;
  const records = createRecords(store.values(namespace), { name: "one-time secret", schema: Offered, version: 2, log });

  async function advance(id: string, before: Offered | undefined, change: Offered): Promise<boolean> {
    const now = clock.now();
    return store.commit({
      record: { namespace, key: id, expected: before, value: records.freeze(id, Offered.parse(change)), ttlMs: kept },
      wake: [
        { id: `${tellWake}${kind}:${id}`, at: now },
        ...(change.sealed === null ? [] : [{ id: `${wake}${id}`, at: change.until }]),
      ],
    });
  }

  async function find(id: string, member: string): Promise<Offered | null> {
    const offered = await records.get(id);
    return offered?.member === member && offered.sealed !== null ? offered : null;
  }

  store.wakeups.handle(wake, async (wakeId) => {
    const id = wakeId.slice(wake.length);
    const offered = await records.get(id);
    if (!offered || offered.sealed === null) return;
    if (clock.now() < offered.until) return offered.until;
    await advance(id, offered, { ...offered, sealed: null, state: "expired", changedAt: clock.now() });
  });

  return {
    async offer(id, { member, slackUser }, title, secrets) {
      const now = clock.now();
      const sealed = seal.seal(JSON.stringify(secrets), `${member}:${id}`);
      const times = { changedAt: now, until: now + unseenLife };
      await advance(id, undefined, { v: 2, member, slackUser, title, sealed, state: "offered", ...times });
    },
    async reveal(id, member) {
      const offered = await find(id, member);
      if (!offered?.sealed || clock.now() >= offered.until) return null;
      if (offered.state === "offered") {
        const until = Math.min(offered.until, clock.now() + seenLife);
        await advance(id, offered, { ...offered, state: "revealed", until, changedAt: clock.now() });
      }
      const { title, sealed } = offered;
      return { title, secrets: Secrets.parse(JSON.parse(seal.open(sealed, `${member}:${id}`))) };
    },
    async acknowledge(id, member) {
      const offered = await find(id, member);
      if (offered) await advance(id, offered, { ...offered, sealed: null, state: "noted", changedAt: clock.now() });
    },
    tellings: {
      async tellings(id) {
        const offered = await records.get(id);
        if (!offered) return null;
        const { slackUser: user, changedAt } = offered;
        // Its last change is at most its life after it was offered.
        const since = changedAt - unseenLife;
        const message = messageOf(id, offered);
        return [{ slot: "offer", to: { in: "direct", user }, message, priority: "answer", since }];
      },
    },
  };
}

const lines: Record<Offered["state"], string> = {
  offered:
    "shown once, to you alone. It is erased when you have noted it, an hour after you first looked, or after a day.",
  revealed: "shown to you. It is erased when you have noted it, or within the hour.",
  noted: "you have noted it, so it is erased.",
  expired: "erased: its time is over. Set a new one if you did not note it.",
};

function messageOf(id: string, { title, state, sealed }: Offered): Message {
  const text = `${title}: ${lines[state]}`;
  const reveal = sealed === null ? [] : [button("Reveal", revealAction, id, { style: "primary" })];
  return { text, blocks: [section(text), ...actions(reveal)] };
}
