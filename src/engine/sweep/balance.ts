import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { type Balance, readBalance } from "../../platform/customer/account.ts";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import { context, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { stepBlocks } from "../answers/answers.ts";
import type { Offer } from "../answers/offer.ts";
import { type TellingSource, tellWake } from "../telling/outbox.ts";
import type { Limits } from "./limits.ts";
import { paces, type Reader } from "./reader.ts";

const month = 30 * 24 * 60 * 60_000;
const kind = "balance";

const Low = z.object({
  user: z.string(),
  balance: z.string(),
  below: z.string(),
  currency: z.string().nullable(),
  at: z.number(),
});
type Low = z.infer<typeof Low>;

/** Tells the owner of the reading key, and nobody else, when the credit falls under what an admin has set. */
export interface BalanceWatch {
  reader: Reader<"customer">;
  kind: string;
  tellings: TellingSource;
}

export function createBalanceWatch(deps: {
  store: Store;
  clock: Clock;
  log: Logger;
  identities: Pick<Identities, "all">;
  /** The reading key's: whose it is at the platform, and who set it. */
  owner: () => Promise<{ user: string | null; slackUser: string } | null>;
  limits: () => Promise<Limits>;
  /** For the buttons under what is told. */
  offer: Offer;
}): BalanceWatch {
  const { store, clock, log, identities, owner, limits, offer } = deps;
  const lows = createRecords(store.values("balance-lows"), { name: "low balance", schema: Low, version: 1, log });
  const memory = store.values("sweep-memory");

  /** The member who has linked a key of the same user of the platform's; else the admin who connected this one. */
  async function ownerOf(): Promise<string | null> {
    const set = await owner();
    const linked = set?.user ? (await identities.all()).find(({ customer }) => customer?.user.id === set.user) : null;
    return linked?.customer?.slackUser ?? set?.slackUser ?? null;
  }

  async function look({ balance, currency }: Balance, below: string): Promise<void> {
    const isLow = unitsOf(balance) < unitsOf(below);
    // It rings once for each limit that it falls under, until it has been above.
    const known = await memory.get("balance low");
    if (!isLow) return known === undefined ? undefined : memory.delete("balance low");
    const user = await ownerOf();
    if (known === below || user === null) return;
    const at = clock.now();
    await lows.set(String(at), { user, balance, below, currency, at }, month);
    await store.wakeups.wake(`${tellWake}${kind}:${at}`, at);
    await memory.set("balance low", below);
  }

  return {
    kind,
    reader: {
      name: "balance",
      every: paces.usual,
      async step(client) {
        const { balanceBelow } = await limits();
        if (balanceBelow !== null) await look(await readBalance(client), balanceBelow);
        return null;
      },
    },
    tellings: {
      async tellings(id) {
        const low = await lows.get(id);
        if (!low) return null;
        const to = { in: "direct", user: low.user } as const;
        return [{ slot: "low", to, message: lowMessage(low, offer), priority: "ending", since: low.at }];
      },
    },
  };
}

function lowMessage({ balance, below, currency, at }: Low, offer: Offer) {
  const text = `:rotating_light: Your credit balance is ${money(balance, currency)}, under the ${money(below, currency)} at which you are told`;
  const steps = stepBlocks(
    [
      { label: "Balance", command: "billing balance" },
      { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
    ],
    offer,
  );
  return { text, blocks: [section(text), context(`found by reading ${moment(at)}; only you see this`), ...steps] };
}
