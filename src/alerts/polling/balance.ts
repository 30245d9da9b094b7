import * as z from "#zod";
import type { SupplierConnection } from "../../members/identities/connection.ts";
import type { Identities } from "../../members/identities/identities.ts";
import { readSettings } from "../../members/settings/settings.ts";
import { notify } from "../../messages/answers/notices.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { type Balance, readBalance } from "../../platform/customer/account.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { moment, money } from "../../views/format.ts";
import { intervals, nothingRead, type Reader, readerMemory } from "./reader.ts";

/** The parts of the app that notify of a low balance. */
export interface BalanceApp extends TimedApp {
  identities: Pick<Identities, "all">;
  connection: Pick<SupplierConnection, "about">;
}

/** Notifies the owner of the monitoring key, and nobody else, when the credit falls below the limit that an admin set. */
export function balanceReader(app: BalanceApp): Reader<"customer"> {
  return {
    name: "balance",
    every: intervals.usual,
    async step(client, _cursor, { key }) {
      const { balanceBelow: below } = await readSettings(app);
      if (below === null) {
        await readerMemory(app).delete(notified);
        return nothingRead;
      }
      await checkBalance(app, await readBalance(client), { below, key });
      return null;
    },
  };
}

/** The member who linked a key of the same platform user; otherwise the admin who set the monitoring key. */
async function findOwner({ connection, identities }: BalanceApp): Promise<string | null> {
  const set = await connection.about("customer-reader");
  const linked = set?.user ? (await identities.all()).find(({ customer }) => customer?.user.id === set.user) : null;
  return linked?.customer?.slackUser ?? set?.slackUser ?? null;
}

/** Key of the memory: the limit and the monitoring key of the last notification. */
const notified = "balance low";
const Notified = z.object({ below: z.string(), key: z.string() }).nullable().catch(null);

async function checkBalance(
  app: BalanceApp,
  { balance, currency }: Balance,
  { below, key }: { below: string; key: string },
): Promise<void> {
  const memory = readerMemory(app);
  const isLow = unitsOf(balance) < unitsOf(below);
  // One notification for each limit and key: the next needs another of them, or a credit above the limit in between.
  const last = Notified.parse((await memory.get(notified)) ?? null);
  if (!isLow) {
    if (last) await memory.delete(notified);
    return;
  }
  const user = await findOwner(app);
  const isKnown = last?.below === below && last.key === key;
  if (isKnown || user === null) return;
  await notify(app, {
    to: { users: [user] },
    text: `:rotating_light: Your credit balance is ${money(balance, currency)}, below your limit of ${money(below, currency)}`,
    aside: `found by reading ${moment(app.clock.now())}; only you see this`,
    steps: [
      { label: "Balance", command: "billing balance" },
      { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
    ],
  });
  await memory.set(notified, { below, key });
}
