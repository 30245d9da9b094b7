import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { scanIndex } from "../../storage/create.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { deleting, replacing } from "../../storage/record.ts";
import type { AdminApp } from "../access/access.ts";

/** A member said that they are away: others are notified in their place until they are back. It gives nobody a right. */
const Away = z.object({
  slackUser: z.string(),
  /** In milliseconds since the epoch. */
  since: z.number(),
  until: z.number(),
  /** The Slack ids of those who stand in, the first choice before the second. */
  to: z.array(z.string()),
  reason: PlainText.nullable(),
});
export type Away = z.infer<typeof Away>;

const absences = defineKind({ name: "absence", namespace: "absences", schema: Away });
/** All who are away, by the end of that. */
const awayIndex = "away";

/** The absence of a member; null while they are here. */
export async function readAway({ store }: StoreApp, slackUser: string, at: number): Promise<Away | null> {
  const found = await store.keyv(absences).get(slackUser);
  return found && found.until > at ? found : null;
}

/** Everybody who is away, whoever is back first before the others. */
export async function allAway({ store }: StoreApp, at: number): Promise<Away[]> {
  const found: Away[] = [];
  for await (const { member, score } of scanIndex(store.index(awayIndex))) {
    const away = score > at ? await readAway({ store }, member, at) : null;
    // A record that has expired leaves its index entry behind.
    if (away) found.push(away);
    else if (score <= at) await store.transact({ records: [], index: [{ name: awayIndex, member, score: null }] });
  }
  return found;
}

export async function setAway({ store, clock }: TimedApp, away: Away): Promise<void> {
  for (;;) {
    const before = await store.read(absences, away.slackUser);
    const index = [{ name: awayIndex, member: away.slackUser, score: away.until }];
    if (await store.transact({ records: [replacing(before, away, away.until - clock.now())], index })) return;
  }
}

/** The member is back. Resolves with what ended; null if they were here. */
export async function endAway({ store, clock }: TimedApp, slackUser: string): Promise<Away | null> {
  for (;;) {
    const before = await store.read(absences, slackUser);
    if (!before.value) return null;
    const index = [{ name: awayIndex, member: slackUser, score: null }];
    if (!(await store.transact({ records: [deleting(before)], index }))) continue;
    return before.value.until > clock.now() ? before.value : null;
  }
}

/** The parts of the app that say who stands in. */
type AwayApp = Pick<AdminApp, "people"> & StoreApp;

/** Why somebody who was named does not stand in. */
export const NoStandIn = z.enum(["is away as well", "left", "could not act"]);
type NoStandIn = z.infer<typeof NoStandIn>;

/** The person who is notified in the place of a member who is away. */
export interface StandIn {
  /** Null if none of those who were named can. */
  to: string | null;
  until: number;
  reason: PlainText | null;
  /** Those who were named before, and why they were passed over. */
  refused: { slackUser: string; why: NoStandIn }[];
}

/** Lets a person through who could do what somebody is to be notified of. */
type MayAct = (slackUser: string) => boolean | Promise<boolean>;
const anybody: MayAct = () => true;

/** The stand-in of a member at a time; null while the member is here. */
export async function standInFor(
  app: AwayApp,
  slackUser: string,
  at: number,
  mayAct: MayAct = anybody,
): Promise<StandIn | null> {
  const away = await readAway(app, slackUser, at);
  return away && standInOf(app, away, at, mayAct);
}

/**
 * Of those whom a member named the first counts who is here, or the stand-in of such a person in turn, and whom `mayAct` lets through: nobody
 * is notified of what they could not do.
 */
export async function standInOf(
  app: AwayApp,
  { slackUser, until, reason, to }: Omit<Away, "since">,
  at: number,
  mayAct: MayAct = anybody,
): Promise<StandIn> {
  const refused: StandIn["refused"] = [];
  const seen = new Set([slackUser]);
  const next = [...to];
  for (let named = next.shift(); named !== undefined; named = next.shift()) {
    // In a circle each is looked at once.
    if (seen.has(named)) continue;
    seen.add(named);
    const theirs = await readAway(app, named, at);
    const why = theirs ? "is away as well" : await reasonAgainst(app, named, mayAct);
    if (why === null) return { to: named, until, reason, refused };
    refused.push({ slackUser: named, why });
    next.unshift(...(theirs?.to ?? []));
  }
  return { to: null, until, reason, refused };
}

async function reasonAgainst({ people }: AwayApp, slackUser: string, mayAct: MayAct): Promise<NoStandIn | null> {
  // While Slack does not answer they count as there: what they press is checked anyway.
  const person = await people.person(slackUser).catch(() => null);
  if (person && (person.deleted || person.outsider !== null)) return "left";
  return (await mayAct(slackUser)) ? null : "could not act";
}

/** Those for whom a member is notified now. */
export async function standsInFor(app: AwayApp, slackUser: string, at: number): Promise<Away[]> {
  const found: Away[] = [];
  for (const away of await allAway(app, at)) if ((await standInOf(app, away, at)).to === slackUser) found.push(away);
  return found;
}
