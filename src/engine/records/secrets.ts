import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Chat } from "../../chat/chat.ts";
import type { Secret } from "../../operation/answer.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { actions, button, section } from "../../views/blocks.ts";

const life = 60 * 60_000;

const Offered = z.object({ v: z.literal(1), member: z.string(), title: z.string(), sealed: z.string() });
const Secrets = z.array(z.object({ label: z.string(), value: z.string() }));

export const revealAction = "reveal";

export interface Secrets {
  /** Seals them first, then offers them to the member in their direct messages; they last an hour. */
  offer(to: { member: string; slackUser: string }, title: string, secrets: Secret[]): Promise<void>;
  /** What a Reveal button stands for; null when it is gone or somebody else's. */
  open(id: string, member: string): Promise<{ title: string; secrets: Secret[] } | null>;
  /** Erases it: the member has it. */
  acknowledge(id: string, member: string): Promise<void>;
}

/** One-time secrets: never in a channel, never in a log, shown in a modal to their asker alone (design section 4). */
export function createSecrets({ store, seal, chat }: { store: Store; seal: Seal; chat: Chat }): Secrets {
  const kept = store.values("secrets");

  async function find(id: string, member: string): Promise<z.infer<typeof Offered> | null> {
    const parsed = Offered.safeParse(await kept.get(id));
    return parsed.success && parsed.data.member === member ? parsed.data : null;
  }

  return {
    async offer({ member, slackUser }, title, secrets) {
      const id = randomUUID();
      const sealed = seal.seal(JSON.stringify(secrets), `${member}:${id}`);
      await kept.set(id, { v: 1, member, title, sealed }, life);
      const text = `${title}: shown once, to you alone. It is erased when you have noted it, or after an hour.`;
      await chat.postDirectMessage(slackUser, {
        text,
        blocks: [section(text), ...actions([button("Reveal", revealAction, id, { style: "primary" })])],
      });
    },
    async open(id, member) {
      const found = await find(id, member);
      if (!found) return null;
      return { title: found.title, secrets: Secrets.parse(JSON.parse(seal.open(found.sealed, `${member}:${id}`))) };
    },
    async acknowledge(id, member) {
      if (await find(id, member)) await kept.delete(id);
    },
  };
}
