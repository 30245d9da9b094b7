import type { Admins } from "../access/admins.ts";
import type { Audit } from "../audit/audit.ts";
import type { People } from "../chat/people.ts";
import type { Identities } from "../identities/identities.ts";
import { hasLink, type Link } from "../identities/link.ts";
import { slackUserIn } from "../identities/person.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import { forgetLastCommand } from "../records/last-commands.ts";
import { forgetTemplates } from "../records/templates.ts";
import type { RequestsApp } from "../requests/app.ts";
import { endApprovalsOf, endRequestsOf } from "../requests/endings.ts";
import { isUnclear } from "../requests/unknown-outcome.ts";
import { forgetFavourites } from "../resources/favourites.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";

const lane = "leaver:";
const roundLane = "leavers:";
const roundWake = `${roundLane}round`;
const hour = 60 * 60_000;
/** Interval between the checks of two members; shorter when there are more members than fit into most of an hour. */
const apartMs = 1_000;
const roundMs = 50 * 60_000;

/** Erases the data of deactivated members (design section 4): at once when Slack sends an event, else within an hour. */
export interface Leavers {
  /**
   * Checks in Slack whether the member was deactivated, as soon as Slack answers, and erases their data if so. Else stores whether they
   * are an admin.
   */
  look(member: string): Promise<void>;
  /** Erases a member's keys, and ends the requests and approvals that depend on them. `why` is a sentence. Returns the erased links. */
  erase(member: string, why: string): Promise<Link[]>;
  start(): void;
  timers: LaneHandlers;
}

export function createLeavers(
  { store, clock, log }: Foundation,
  deps: {
    people: People;
    identities: Identities;
    requests: RequestsApp;
    audit: Audit;
    passkeys: Pick<Passkeys, "forget">;
    admins: Pick<Admins, "look">;
  },
): Leavers {
  const { people, identities, requests, audit, passkeys, admins } = deps;

  async function erase(member: string, why: string): Promise<Link[]> {
    const { customer, reseller } = await identities.links(member);
    const links = [customer, reseller].filter((link) => link !== null);
    for (const link of links) {
      await identities.unlink(member, link.api, { retire: await isUnclear(requests, link) });
      await endRequestsOf(requests, link, `${why} Nothing was done.`);
      await endApprovalsOf(requests, link);
    }
    return links;
  }

  const look = {
    atOnce: 1,
    async run(id: string) {
      const member = id.slice(lane.length);
      const user = slackUserIn(member);
      if (!(await people.person(user, { fresh: true })).deleted) {
        // Slack does not say since when somebody is an admin, so Rackbell records it every hour.
        if (hasLink(await identities.links(member))) await admins.look({ member, slackUser: user });
        return;
      }
      await Promise.all([forgetOwn(store, member), passkeys.forget(member)]);
      for (const { api, keyLabel } of await erase(member, "The one who asked for it was deactivated.")) {
        await audit.note({
          what: "key erased",
          member,
          slackUser: user,
          approver: null,
          keyLabel,
          command: "rackbell unlink",
          target: null,
          outcome: "The member was deactivated, so their key was erased.",
          request: null,
        });
        log.info({ api }, "A deactivated member's key was erased");
      }
    },
  };

  async function lookAtAll(): Promise<number> {
    const all = await identities.all();
    const apart = Math.min(apartMs, roundMs / Math.max(1, all.length));
    for (const [at, { member }] of all.entries())
      await store.wakeups.wake(`${lane}${member}`, clock.now() + Math.round(at * apart));
    return clock.now() + hour;
  }

  return {
    look: (member) => store.wakeups.wake(`${lane}${member}`, clock.now()),
    erase,
    timers: { [lane]: look, [roundLane]: lookAtAll },
    start() {
      store.wakeups
        .wake(roundWake, clock.now() + hour)
        .catch((error: unknown) => log.error({ err: error }, "The check for members who left has not started yet"));
    },
  };
}

/** Erases what is stored for the member alone; templates that they shared stay. */
async function forgetOwn(store: Store, member: string): Promise<void> {
  const app = { store };
  await Promise.all([forgetFavourites(app, member), forgetLastCommand(app, member), forgetTemplates(app, member)]);
}
