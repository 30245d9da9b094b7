import { unreadWords } from "../../alerts/polling/failing.ts";
import { pollingProblems, pollNow } from "../../alerts/polling/polling.ts";
import { type Filter, filtersByProduct } from "../../alerts/subscriptions.ts";
import type { WorkspaceSecret } from "../../members/identities/workspace.ts";
import type { Settings } from "../../members/settings/settings.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { moment } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";

export const alertsStep = { label: "All channels", command: "rackbell alerts" };
const connectStep = { label: "Connect…", command: "rackbell connect" };

/** `one`: the only place that a confined key sees, and what follows for the others. */
const reads: Record<
  ApiName,
  { name: "customer-reader" | "reseller-reader"; what: string; unread: string; one: [noun: string, follows: string] }
> = {
  customer: {
    name: "customer-reader",
    what: "your own services, documents, orders and images",
    unread: "No alerts about your own services, documents, orders and images: no customer monitoring key is set.",
    one: ["project", "Services, orders and images of other projects raise no alert."],
  },
  reseller: {
    name: "reseller-reader",
    what: "resold services",
    unread:
      "Alerts about resold services come by webhook alone: no reseller monitoring key is set to find lost webhooks.",
    one: ["customer", "Rackbell finds no lost webhook about another customer's services and orders."],
  },
};

/** The words for a monitoring key that sees one project or customer alone; empty for one that sees all. Only admins get the name. */
export function confinedWords(
  api: ApiName,
  { confinedTo }: Pick<WorkspaceSecret, "confinedTo">,
  { named }: { named: boolean },
): string {
  if (confinedTo === null) return "";
  const [noun, follows] = reads[api].one;
  return ` :warning: The key sees one ${noun} alone${named ? `: ${code(confinedTo)}` : ""}. ${follows}`;
}

/** The sentences for each API: polling reads it, or cannot, or cannot read some of its lists. `named`: as in `confinedWords`. */
export async function readingLines(
  context: Pick<AppContext, "connection" | "store">,
  { named }: { named: boolean },
): Promise<string[]> {
  const lines = await Promise.all(
    (["customer", "reseller"] as const).map(async (api) => {
      const { name, what, unread } = reads[api];
      const about = await context.connection.about(name);
      if (!about) return [`:grey_question: ${unread}`];
      const problems = await pollingProblems(context, api);
      const polled = problems.some(({ all }) => all)
        ? []
        : [`:eyes: I poll ${what}.${confinedWords(api, about, { named })}`];
      return [
        ...polled,
        ...problems.map((unread) => {
          const lists = unread.all ? `poll ${what}` : `read ${unreadWords(unread)}`;
          return `:warning: I cannot ${lists} since ${moment(unread.since)}. ${unread.why}`;
        }),
      ];
    }),
  );
  return lines.flat();
}

/** The button that sets the key for alerts about one's own servers, while there is none. */
export async function monitoringStep({ connection }: Pick<AppContext, "connection">): Promise<Step[]> {
  if (await connection.about(reads.customer.name)) return [];
  return [{ label: "Set the monitoring key…", command: "rackbell connect", style: "primary" }];
}

async function monitoredApis({ connection }: Pick<AppContext, "connection">): Promise<ApiName[]> {
  const apis: ApiName[] = [];
  for (const api of ["customer", "reseller"] as const) if (await connection.about(reads[api].name)) apis.push(api);
  return apis;
}

/** A warning for a filter on products, if no monitoring key reads the products. The end of a text; empty if the filter works. */
export async function unreadProducts(context: Pick<AppContext, "connection">, filter: Filter): Promise<string> {
  if (!filtersByProduct(filter)) return "";
  const monitored = await monitoredApis(context);
  const unread = (["customer", "reseller"] as const).filter((api) => !monitored.includes(api));
  if (unread.length === 0) return "";
  return ` Webhooks name no product, and no monitoring key shows those of ${unread.map((api) => reads[api].what).join(" and of ")}: their events pass every product filter. \`/rackbell connect\` takes such keys.`;
}

/** The limits for alerts about due dates, renewals and the balance. */
export function limitsLine({ dueDays, renewalDays, balanceBelow }: Settings): string {
  const low = balanceBelow === null ? "off" : `below ${balanceBelow}`;
  return `Alerts come ${count(dueDays, "day")} before a payment is due, and ${count(renewalDays, "day")} before a renewal. Low-balance alert: ${low}.`;
}

/** Polls now instead of in a few minutes. */
export async function lookNow(context: AppContext): Promise<Answer> {
  const set = await monitoredApis(context);
  if (set.length === 0)
    throw new Refusal("No monitoring key is set, so polling is off. Nothing was done.", [connectStep]);
  for (const api of set) await pollNow(context, api, { atOnce: true });
  return {
    text: `I poll ${set.map((api) => reads[api].what).join(" and ")} now. Alerts go where \`/rackbell alerts\` says. A large account takes longer: polling uses at most a fifth of a monitoring key's calls.`,
    next: [alertsStep],
  };
}
