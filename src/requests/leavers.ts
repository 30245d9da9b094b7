import { reviewWatches } from "../alerts/watches/watches.ts";
import { allAgents, removeUnlinkedAgents } from "../members/identities/agents.ts";
import { hasLink, type Link, linksIn } from "../members/identities/link.ts";
import { slackUserIn } from "../members/identities/person.ts";
import { endAway } from "../members/people/away.ts";
import { forgetFavourites } from "../members/resources/favourites.ts";
import { forgetLastCommand } from "../members/settings/last-commands.ts";
import { forgetSaved } from "../members/settings/saved-commands.ts";
import { whyLeftOut } from "../members/slack-user.ts";
import { checkAdminRight } from "../messages/admins.ts";
import { forgetPasskeys, membersWithPasskeys } from "../passkeys/passkeys.ts";
import type { TimedApp } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import type { RequestsApp } from "./app.ts";
import { endApprovals, endRequests } from "./endings.ts";
import { isUnclear } from "./unknown-outcome.ts";

const lane = "leaver:";
const roundLane = "leavers:";
const roundTimer = `${roundLane}round`;
const hour = 60 * 60_000;
/** Interval between the checks of two members; shorter when there are more members than fit into most of an hour. */
const apartMs = 1_000;
const roundMs = 50 * 60_000;

/**
 * Checks in Slack whether the member was deactivated, as soon as Slack answers, and erases their data if so. Else stores
 * whether they are an admin. A guest's watches end. To be called at an event of Slack about the member: without one it takes up to an hour.
 */
export function checkMembership({ store, clock }: RequestsApp, member: string): Promise<void> {
  return store.timers.set(`${lane}${member}`, clock.now());
}

/**
 * Erases a member's keys, and ends the requests and approvals that depend on them. `why` is a sentence. True if a key is kept for an hour at
 * most, since the outcome of a request with it is still being checked.
 */
export async function eraseKeys(app: RequestsApp, links: readonly Link[], why: string): Promise<boolean> {
  let isAnyKept = false;
  for (const link of links) {
    const retire = await isUnclear(app, link);
    await app.identities.unlink(link.member, link.api, { retire });
    await endRequests(app, link, why);
    await endApprovals(app, link);
    isAnyKept ||= retire;
  }
  return isAnyKept;
}

/** Starts the hourly checks of all members. */
export function startMembershipChecks({ store, clock, log }: RequestsApp): void {
  store.timers
    .set(roundTimer, clock.now() + hour)
    .catch((error: unknown) => log.error({ err: error }, "The check for members who left has not started yet"));
}

export function membershipTimers(app: RequestsApp): LaneHandlers {
  return {
    [lane]: { atOnce: 1, run: (timerId) => eraseIfDeactivated(app, timerId.slice(lane.length)) },
    [roundLane]: () => checkAll(app),
  };
}

async function eraseIfDeactivated(app: RequestsApp, member: string): Promise<void> {
  const { people, identities, audit, log } = app;
  const user = slackUserIn(member);
  const person = await people.person(user, { fresh: true });
  if (whyLeftOut(person) !== null) await reviewWatches(app, member);
  if (!person.deleted) {
    // Slack does not say since when somebody is an admin, so Rackbell records it every hour.
    if (hasLink(await identities.links(member))) await checkAdminRight(app, { member, slackUser: user });
    return;
  }
  const [hadPasskeys] = await Promise.all([forgetPasskeys(app, member), forgetOwn(app, member)]);
  if (hadPasskeys) log.info("A deactivated member's passkeys were removed");
  const links = linksIn(await identities.links(member));
  await eraseKeys(app, links, "The one who asked for it was deactivated.");
  for (const { api, keyLabel } of links) {
    await audit.note({
      what: "key erased",
      member,
      slackUser: user,
      decidedBy: null,
      keyLabel,
      command: "rackbell unlink",
      target: null,
      outcome: "The member was deactivated, so their key was erased.",
      request: null,
    });
    log.info({ api }, "A deactivated member's key was erased");
  }
}

async function checkAll(app: RequestsApp): Promise<number> {
  const { identities, store, clock } = app;
  const known = [...(await identities.all()), ...(await allAgents(app))].map(({ member }) => member);
  // A member who unlinked their keys before they left still has passkeys.
  const all = [...new Set([...known, ...(await membersWithPasskeys(app))])];
  const apart = Math.min(apartMs, roundMs / Math.max(1, all.length));
  for (const [at, member] of all.entries())
    await store.timers.set(`${lane}${member}`, clock.now() + Math.round(at * apart));
  return clock.now() + hour;
}

/** Erases what is stored for the member alone; saved commands that they shared stay. */
async function forgetOwn(app: TimedApp, member: string): Promise<void> {
  await Promise.all([
    forgetFavourites(app, member),
    forgetLastCommand(app, member),
    forgetSaved(app, member),
    endAway(app, slackUserIn(member)),
    removeUnlinkedAgents(app, { member, customer: null, reseller: null }),
  ]);
}
