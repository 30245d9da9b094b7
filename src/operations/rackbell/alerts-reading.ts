import * as z from "zod";
import { type Filter, filtersByProduct } from "../../alerts/subscriptions.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import type { Settings } from "../../records/settings.ts";
import { count } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { defineAppOperation } from "../app-operation.ts";

const alertsStep = { label: "All channels", command: "rackbell alerts" };
const connectStep = { label: "Connect…", command: "rackbell connect" };

const reads: Record<ApiName, { name: "customer-reader" | "reseller-reader"; what: string; unread: string }> = {
  customer: {
    name: "customer-reader",
    what: "your own services, documents, orders and images",
    unread:
      "Your own services, documents, orders and images ring nowhere: no event tells of them, and no customer reading key is set.",
  },
  reseller: {
    name: "reseller-reader",
    what: "resold services",
    unread:
      "Resold services ring by the supplier's events alone: no reseller reading key is set that would find what they miss.",
  },
};

/** One sentence for each API: polling reads it, or cannot. */
export async function readingLines({ connection, sweep }: AppContext): Promise<string[]> {
  return Promise.all(
    (["customer", "reseller"] as const).map(async (api) => {
      const { name, what, unread } = reads[api];
      if (!(await connection.about(name))) return `:grey_question: ${unread}`;
      if ((await sweep.problem(api)) === "key rejected")
        return `:warning: I cannot look at ${what}: the platform no longer accepts the ${api} reading key. Set another with \`/rackbell connect\`.`;
      return `:eyes: I look at ${what} in the background.`;
    }),
  );
}

/** A warning for a filter on products, if no monitoring key reads the products. The end of a text; empty if the filter works. */
export async function unreadProducts({ connection }: Pick<AppContext, "connection">, filter: Filter): Promise<string> {
  if (!filtersByProduct(filter)) return "";
  const unread: string[] = [];
  for (const api of ["customer", "reseller"] as const)
    if (!(await connection.about(reads[api].name))) unread.push(reads[api].what);
  if (unread.length === 0) return "";
  return ` No event names a product, and no reading key shows those of ${unread.join(" and of ")}: what comes of these rings whatever its product is. \`/rackbell connect\` takes such keys.`;
}

/** The limits for alerts about due dates, renewals and the balance. */
export function limitsLine({ dueDays, renewalDays, balanceBelow }: Settings): string {
  const low = balanceBelow === null ? "at no balance" : `when the balance falls under ${balanceBelow}`;
  return `Documents ring ${count(dueDays, "day")} before they are due, renewals ${count(renewalDays, "day")} before. The owner of the customer reading key is told ${low}.`;
}

const days = z.number().int().min(0).max(90).optional();

export const alertsLimits = defineAppOperation({
  command: "rackbell alerts limits",
  summary: "For admins: set how near a payment or a renewal, and how low the balance, is worth an alert",
  admins: true,
  verb: "Set limits",
  input: z.object({
    due: days.meta({ title: "Documents: days before they are due", description: "Empty: as it is" }),
    renewal: days.meta({ title: "Renewals: days before", description: "Empty: as it is" }),
    balance: z.string().max(20).optional().meta({
      title: "Balance: under this amount",
      description:
        "Such as 50; none tells at no balance. Only the owner of the customer reading key is told. Empty: as it is",
    }),
  }),
  async present({ settings }) {
    const { dueDays, renewalDays, balanceBelow } = await settings.read();
    return { due: dueDays, renewal: renewalDays, balance: balanceBelow ?? "none" };
  },
  async run({ context, input: { due, renewal, balance } }) {
    const set = await context.settings.change({
      ...(due === undefined ? {} : { dueDays: due }),
      ...(renewal === undefined ? {} : { renewalDays: renewal }),
      ...(balance === undefined ? {} : { balanceBelow: balanceOf(balance) }),
    });
    return { text: limitsLine(set), next: [alertsStep] };
  },
});

function balanceOf(typed: string): string | null {
  const text = typed.trim();
  if (text.toLowerCase() === "none") return null;
  if (/^\d{1,12}(\.\d{1,2})?$/.test(text)) return text;
  throw wrongInput("balance", "Balance: an amount such as 50 or 12.50, without the currency, or none.");
}

export const alertsLook = defineAppOperation({
  command: "rackbell alerts look",
  synonyms: ["poll"],
  summary: "For admins: look now at what is otherwise looked at every few minutes",
  admins: true,
  verb: "Look now",
  input: z.object({}),
  async run({ context }) {
    const set: ApiName[] = [];
    for (const api of ["customer", "reseller"] as const)
      if (await context.connection.about(reads[api].name)) set.push(api);
    if (set.length === 0)
      throw new Refusal("No reading key is set, so there is nothing to look with. Nothing was done.", [connectStep]);
    for (const api of set) await context.sweep.go(api, { atOnce: true });
    return {
      text: `I look now at ${set.map((api) => reads[api].what).join(" and at ")}. What is new rings where \`/rackbell alerts\` says. A large account takes longer: a reading key gives at most a fifth of its calls to this.`,
      next: [alertsStep],
    };
  },
});
