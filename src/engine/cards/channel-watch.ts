import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import { actions, type Message, section } from "../../views/blocks.ts";
import type { Access } from "../access.ts";
import { invocationButton, invokePrefix } from "../answers/buttons.ts";
import type { Foundation } from "../foundation.ts";
import { directTellings } from "../telling/direct.ts";
import { type Outbox, tellWake } from "../telling/outbox.ts";
import type { Subscriptions } from "./subscriptions.ts";

const kind = "channel-watch";
const day = 24 * 60 * 60_000;

const Refused = z.object({ channel: z.string(), reason: z.string(), at: z.number(), admins: z.array(z.string()) });
type Refused = z.infer<typeof Refused>;

/** Notices that a channel takes no alerts any more, and tells the admins, once a day at most until it takes one again. */
export interface ChannelWatch {
  /** Slack did not let an alert stand there; `reason` as the beginning of a sentence. */
  refused(channel: string, reason: string): Promise<void>;
  /** An alert stands there. */
  taken(channel: string): Promise<void>;
}

export function createChannelWatch(
  { store, clock, log }: Foundation,
  deps: {
    access: Pick<Access, "admins">;
    subscriptions: Pick<Subscriptions, "read">;
    outbox: Outbox;
    /** Tries to place what stands nowhere of that channel. */
    again: (channel: string) => Promise<unknown>;
  },
): ChannelWatch {
  const { access, subscriptions, outbox, again } = deps;
  const records = createRecords(store.values(kind), { name: "channel watch", schema: Refused, version: 1, log });
  const told = store.values(`${kind}-told`);

  outbox.source(kind, {
    async tellings(id) {
      const refused = await records.get(id);
      if (!refused) return null;
      return directTellings(refused.admins, { message: messageOf(refused), since: refused.at });
    },
  });

  return {
    async refused(channel, reason) {
      if ((await told.get(channel)) !== undefined) return;
      const { subscriptions: set } = await subscriptions.read();
      const admins = await access.admins(set.filter((one) => one.channel === channel).map(({ by }) => by));
      // While Slack does not tell who they are, the next alert that is refused tries again.
      if (admins.length === 0 || !(await told.claim(channel, true, day))) return;
      const at = clock.now();
      const id = `${channel}:${at}`;
      await records.set(id, { channel, reason, at, admins }, day);
      await store.wakeups.wake(`${tellWake}${kind}:${id}`, at);
    },
    async taken(channel) {
      // What waits for the channel need not wait for an admin.
      if ((await told.take(channel)) !== undefined) await again(channel);
    },
  };
}

function messageOf({ channel, reason }: Refused): Message {
  const text = `:warning: No alert reaches <#${channel}>: ${reason}. What comes is kept. It is posted once the channel takes alerts again, and you can have it tried at once.`;
  const button = (label: string, command: string) =>
    invocationButton(label, `${invokePrefix}${command}`, { command, input: {} }, { operation: undefined });
  const steps = [...button("Try again", "rackbell alerts replay"), ...button("What waits", "rackbell alerts log")];
  return { text, blocks: [section(text), ...actions(steps)] };
}
