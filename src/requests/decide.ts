import type { Access } from "../access/access.ts";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { areTwoPeople, memberBeside, personOf } from "../identities/person.ts";
import type { Origin } from "../notifications/answers/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { RequestChecks } from "./checks.ts";
import { endRequest } from "./end.ts";
import { expire } from "./expire.ts";
import type { Press } from "./press.ts";
import { isBackingUp, isToReview, type Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { StateAnswers } from "./state-answers.ts";
import type { RequestStore } from "./store.ts";
import { untouched } from "./untouched.ts";
import type { Visibilities } from "./visibility.ts";

/** The buttons of a request. Every press gets an answer: one that changes nothing is answered with the state. */
export interface Decide {
  /** `counted`: the number of targets that the presser typed for a bulk request. */
  press(id: string, origin: Origin, counted?: number): Promise<void>;
  /** A press by somebody who saw that the same was ordered minutes ago. */
  pressSecond(id: string, origin: Origin): Promise<void>;
  /** A press that chooses the backup first. */
  copyFirst(id: string, origin: Origin): Promise<void>;
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  withdraw(id: string, origin: Origin): Promise<void>;
  /** Returns true while the request waits. Refuses a member who may not use the emergency override, before they type a reason. */
  breakable(id: string, origin: Origin): Promise<boolean>;
  /** An admin runs it at once without the approvals, and gives a reason (design section 4). */
  override(id: string, origin: Origin, reason: string): Promise<void>;
  /** Another admin confirms that they looked at an emergency override. */
  review(id: string, origin: Origin): Promise<void>;
  /** Notifies the presser that Rackbell restarted during their press, with the state of the request. */
  tellLost(id: string, origin: Origin, label: string): Promise<void>;
  /** Tells the state of a request to a presser whose modal does not show it. */
  answerState(id: string, origin: Origin): Promise<void>;
}

export function createDecide(deps: {
  requests: RequestStore;
  press: Press;
  checks: RequestChecks;
  access: Pick<Access, "isAdmin">;
  identities: Pick<Identities, "links" | "person">;
  rules: Pick<Rules, "release">;
  visibilities: Visibilities;
  say: StateAnswers;
  clock: Clock;
}): Decide {
  const { requests, press, checks, access, identities, rules, visibilities, say, clock } = deps;

  /** Returns the request while it waits. Otherwise tells the presser its state and returns null. */
  async function waiting(id: string, origin: Origin): Promise<Request | null> {
    const request = await requests.read(id);
    if (request?.state === "pending") {
      if (clock.now() < request.expiresAt) return request;
      await expire(requests, request);
    }
    await say.state(id, origin);
    return null;
  }

  return {
    answerState: say.unseen,
    tellLost: say.lost,
    async press(id, origin, counted) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { counted });
    },
    async pressSecond(id, origin) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { second: true });
    },
    async copyFirst(id, origin) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { copyFirst: true });
    },
    async deny(id, origin, reason) {
      const request = await waiting(id, origin);
      const operation = request && checks.operation(request);
      if (!request || !operation) return;
      await checks.presser(request, operation, origin);
      const outcome = `<@${origin.slackUser}> denied it: ${reason} Nothing was done.`;
      if (!(await endRequest(requests, clock, request, { state: "denied", origin, outcome })))
        await say.state(id, origin);
    },
    async withdraw(id, origin) {
      const read = await requests.read(id);
      const backingUp = read && isBackingUp(read) ? read : null;
      const decided = backingUp ?? (read?.state === "planned" ? read : null);
      const request = decided ?? (await waiting(id, origin));
      if (!request) return;
      const approved = request.approvals.some(({ member }) => member === origin.member);
      const own = origin.member === request.member || (decided !== null && approved);
      if (!own && !(await access.isAdmin(origin.slackUser)))
        throw new Refusal(
          `Only <@${request.slackUser}>${decided ? ", who approved it," : ""} or an admin can ${backingUp ? "stop" : "withdraw"} this.`,
        );
      const outcome = backingUp ? stoppedOutcome(backingUp, origin.slackUser) : "";
      if (!(await endRequest(requests, clock, request, { state: "withdrawn", origin, outcome })))
        return say.state(id, origin);
      if (backingUp && backingUp.price !== null) await rules.release(backingUp);
      // The message with the outcome is in a channel that this admin may not read.
      const elsewhere = origin.home || origin.view !== null;
      if (!elsewhere && (await visibilities.of(origin).at(request)) !== "whole") await say.state(id, origin);
    },
    async breakable(id, origin) {
      const request = await waiting(id, origin);
      if (request) await checks.mayOverride(request, origin);
      return request !== null;
    },
    async override(id, origin, reason) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { glass: reason });
    },
    async review(id, origin) {
      const request = await requests.read(id);
      if (!request?.glass || !isToReview(request)) return say.state(id, origin);
      const { glass } = request;
      const breaker = await identities.person(memberBeside(request.member, glass.slackUser));
      const isAnother = areTwoPeople(personOf(await identities.links(origin.member)), breaker);
      if (!isAnother || !(await access.isAdmin(origin.slackUser)))
        throw new Refusal(
          `Another admin than <@${glass.slackUser}> must look at this: another user of the platform, with a customer key linked.`,
        );
      const note = { what: "reviewed", outcome: `Reviewed by <@${origin.slackUser}>.` };
      await requests.advance(request, { glass: { ...glass, reviewedBy: origin.slackUser } }, { note });
    },
  };
}

/** The outcome after a stop during the backup. The backup itself cannot be stopped. */
function stoppedOutcome(request: Request, by: string): string {
  const copy = request.copy?.step === "taking" ? " The copy goes on, and stays until it is deleted." : "";
  return `<@${by}> stopped it after the copy was begun. ${untouched(request)}${copy}`;
}
