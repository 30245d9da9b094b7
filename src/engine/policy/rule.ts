import * as z from "zod";

/** What must happen before something is done, from the loosest to the strictest. */
export const demands = ["allowed", "self", "peer", "peers", "never"] as const;
export type Demand = (typeof demands)[number];

export const Limit = z.object({ amount: z.string(), currency: z.string() });
export type Limit = z.infer<typeof Limit>;

/** In one of these channels, or in none of them: what has no channel (Home, a schedule) is in none. */
export const Channels = z.object({ are: z.enum(["in", "outside"]), ids: z.array(z.string()).min(1) });
export type Channels = z.infer<typeof Channels>;

/** What a rule is about; null stands for anything. */
export const Condition = z.object({
  risk: z.enum(["read", "change", "spend", "destroy"]).nullable(),
  /** A command or the beginning of some: "vps cancel", "vps". */
  command: z.string().nullable(),
  /** A project by its name; what does not tell its project counts as in it. */
  project: z.string().nullable(),
  channels: Channels.nullable(),
  /** At a time in which no admin's maintenance window of the machine is open; left out: at any time. */
  outsideWindows: z.literal(true).optional(),
  /** A price above this in one request. */
  over: Limit.nullable(),
  /** What a member spends within 24 hours, with this request, above this. */
  overInDay: Limit.nullable(),
});
export type Condition = z.infer<typeof Condition>;

export const Rule = z.object({
  id: z.string(),
  when: Condition,
  demand: z.enum(demands),
  /** An admin may run at once what needs a peer by this rule, loudly and reviewed afterwards. */
  breakGlass: z.boolean(),
});
export type Rule = z.infer<typeof Rule>;

export function strictness(demand: Demand): number {
  return demands.indexOf(demand);
}
