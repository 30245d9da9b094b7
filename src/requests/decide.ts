import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import type { RequestChecks } from "./checks.ts";
import { endRequest } from "./endings.ts";
import { untouched } from "./facets/backup-first.ts";
import type { FindFor } from "./find-for.ts";
import type { Press } from "./press.ts";
import { isBackingUp, type Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { StateAnswers } from "./state-answers.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";
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
  findFor: FindFor;
  checks: Pick<RequestChecks, "may" | "mayOverride">;
  rules: Pick<Rules, "release">;
  visibilities: Visibilities;
  say: StateAnswers;
  clock: Clock;
}): Decide {
  const { requests, press, findFor, checks, rules, visibilities, say, clock } = deps;

  return {
    answerState: say.unseen,
    tellLost: say.lost,
    async press(id, origin, counted) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { counted });
    },
    async pressSecond(id, origin) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { second: true });
    },
    async copyFirst(id, origin) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { copyFirst: true });
    },
    async deny(id, origin, reason) {
      const request = await findFor("deny", id, origin);
      if (!request) return;
      await checks.may("deny", request, origin);
      const outcome = `<@${origin.slackUser}> denied it: ${reason} Nothing was done.`;
      if (!(await endRequest(requests, clock, request, { event: "deny", origin, outcome })))
        await say.state(id, origin);
    },
    async withdraw(id, origin) {
      const request = await findFor("withdraw", id, origin);
      if (!request) return;
      await checks.may("withdraw", request, origin);
      const outcome = isBackingUp(request) ? stoppedOutcome(request, origin.slackUser) : "";
      if (!(await endRequest(requests, clock, request, { event: "withdraw", origin, outcome })))
        return say.state(id, origin);
      if (isBackingUp(request) && request.price !== null) await rules.release(request);
      // The message with the outcome is in a channel that this admin may not read.
      const elsewhere = origin.home || origin.view !== null;
      if (!elsewhere && (await visibilities.of(origin).at(request)) !== "whole") await say.state(id, origin);
    },
    async breakable(id, origin) {
      const request = await findFor("override", id, origin);
      if (request) await checks.mayOverride(request, origin);
      return request !== null;
    },
    async override(id, origin, reason) {
      const request = await findFor("override", id, origin);
      if (request) await press(request, origin, { glass: reason });
    },
    async review(id, origin) {
      const request = await findFor("review", id, origin);
      if (!request?.glass) return;
      await checks.may("review", request, origin);
      const glass = { ...request.glass, reviewedBy: origin.slackUser };
      await step(requests, request, "review", { glass }, { said: `Reviewed by <@${origin.slackUser}>.` });
    },
  };
}

/** The outcome after a stop during the backup. The backup itself cannot be stopped. */
function stoppedOutcome(request: Request, by: string): string {
  const copy = request.copy?.step === "taking" ? " The copy goes on, and stays until it is deleted." : "";
  return `<@${by}> stopped it after the copy was begun. ${untouched(request)}${copy}`;
}
