import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { stepBlocks } from "../notifications/answers/answers.ts";
import type { Offer } from "../notifications/answers/offer.ts";
import { type NotificationSource, notificationTimer } from "../notifications/outbox.ts";
import { unitsOf } from "../platform/amounts.ts";
import { type Balance, readBalance } from "../platform/customer/account.ts";
import type { Limits } from "../records/limits.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";
import { context, section } from "../views/blocks.ts";
import { moment, money } from "../views/format.ts";
import { pollingMemory } from "./memory.ts";
import { paces, type Reader } from "./reader.ts";

const month = 30 * 24 * 60 * 60_000;
const kind = "balance";

const LowBalance = z.object({
  user: z.string(),
  balance: z.string(),
  below: z.string(),
  currency: z.string().nullable(),
  at: z.number(),
});
type LowBalance = z.infer<typeof LowBalance>;

/** Notifies the owner of the monitoring key, and nobody else, when the credit falls below the limit that an admin set. */
export interface BalanceMonitor {
  reader: Reader<"customer">;
  kind: string;
  notifications: NotificationSource;
}

const balanceLow = defineKind({ name: "low balance", namespace: "balance-lows", schema: LowBalance, version: 1 });

export function createBalanceMonitor(deps: {
  store: Store;
  clock: Clock;
  identities: Pick<Identities, "all">;
  /** The monitoring key's platform user, and the Slack user who set it; null where none is set. */
  owner: () => Promise<{ user: string | null; slackUser: string } | null>;
  limits: () => Promise<Limits>;
  /** Resolves the commands of the message's buttons. */
  offer: Offer;
}): BalanceMonitor {
  const { store, clock, identities, owner, limits, offer } = deps;
  const lows = store.keyv(balanceLow);
  const memory = store.keyv(pollingMemory);

  /** The member who linked a key of the same platform user; otherwise the admin who set the monitoring key. */
  async function ownerOf(): Promise<string | null> {
    const set = await owner();
    const linked = set?.user ? (await identities.all()).find(({ customer }) => customer?.user.id === set.user) : null;
    return linked?.customer?.slackUser ?? set?.slackUser ?? null;
  }

  async function checkBalance({ balance, currency }: Balance, below: string): Promise<void> {
    const isLow = unitsOf(balance) < unitsOf(below);
    // One notification for each limit: the next needs another limit, or a credit above it in between.
    const notifiedBelow = await memory.get("balance low");
    if (!isLow) {
      if (notifiedBelow !== undefined) await memory.delete("balance low");
      return;
    }
    const user = await ownerOf();
    if (notifiedBelow === below || user === null) return;
    const at = clock.now();
    await lows.set(String(at), { user, balance, below, currency, at }, month);
    await store.wakeups.wake(`${notificationTimer}${kind}:${at}`, at);
    await memory.set("balance low", below);
  }

  return {
    kind,
    reader: {
      name: "balance",
      every: paces.usual,
      async step(client) {
        const { balanceBelow } = await limits();
        if (balanceBelow !== null) await checkBalance(await readBalance(client), balanceBelow);
        return null;
      },
    },
    notifications: {
      async notifications(id) {
        const low = await lows.get(id);
        if (!low) return null;
        const to = { in: "direct", user: low.user } as const;
        return [{ slot: "low", to, message: lowMessage(low, offer), priority: "ending", since: low.at }];
      },
    },
  };
}

function lowMessage({ balance, below, currency, at }: LowBalance, offer: Offer) {
  const text = `:rotating_light: Your credit balance is ${money(balance, currency)}, below your limit of ${money(below, currency)}`;
  const steps = stepBlocks(
    [
      { label: "Balance", command: "billing balance" },
      { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
    ],
    offer,
  );
  return { text, blocks: [section(text), context(`found by reading ${moment(at)}; only you see this`), ...steps] };
}
