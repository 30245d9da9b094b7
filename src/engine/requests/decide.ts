import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Access } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { RequestChecks } from "./checks.ts";
import { endRequest } from "./end.ts";
import { expire } from "./expire.ts";
import type { Press } from "./press.ts";
import { isCopying, isToReview, type Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";
import { untouched } from "./untouched.ts";

/** Decides requests by a press. No press is ever silent: one that comes too late, or from somebody else, is told what is so. */
export interface Decide {
  /** `counted`: how many they are, as the presser typed it, where it is for many. */
  press(id: string, origin: Origin, counted?: number): Promise<void>;
  /** As a press, and a copy is taken first. */
  copyFirst(id: string, origin: Origin): Promise<void>;
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  withdraw(id: string, origin: Origin): Promise<void>;
  /** An admin runs at once what others should have approved, and says why (design section 4). */
  breakGlass(id: string, origin: Origin, reason: string): Promise<void>;
  /** Another admin has looked at what was run so. */
  review(id: string, origin: Origin): Promise<void>;
  /** Says how a request stands to who does not see the request itself. */
  tellState(id: string, origin: Origin): Promise<void>;
}

export function createDecide(deps: {
  requests: RequestStore;
  press: Press;
  checks: RequestChecks;
  access: Pick<Access, "isAdmin">;
  rules: Pick<Rules, "release">;
  say: SayState;
  clock: Clock;
}): Decide {
  const { requests, press, checks, access, rules, say, clock } = deps;

  /** The request while it waits, else null, having told what is so. */
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
    tellState: say.unseen,
    async press(id, origin, counted) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { counted });
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
      const copying = read && isCopying(read) ? read : null;
      const decided = copying ?? (read?.state === "planned" ? read : null);
      const request = decided ?? (await waiting(id, origin));
      if (!request) return;
      const approved = request.approvals.some(({ member }) => member === origin.member);
      const own = origin.member === request.member || (decided !== null && approved);
      if (!own && !(await access.isAdmin(origin.slackUser)))
        throw new Refusal(
          `Only <@${request.slackUser}>${decided ? ", who approved it," : ""} or an admin can ${copying ? "stop" : "withdraw"} this.`,
        );
      const outcome = copying ? stoppedWords(copying, origin.slackUser) : "";
      if (!(await endRequest(requests, clock, request, { state: "withdrawn", origin, outcome })))
        return say.state(id, origin);
      if (copying && copying.price !== null) await rules.release(copying);
    },
    async breakGlass(id, origin, reason) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin, { glass: reason });
    },
    async review(id, origin) {
      const request = await requests.read(id);
      if (!request?.glass || !isToReview(request)) return say.state(id, origin);
      const { glass } = request;
      if (!(await access.isAdmin(origin.slackUser)) || origin.slackUser === glass.slackUser)
        throw new Refusal(`Another admin than <@${glass.slackUser}> must look at this.`);
      const note = { what: "reviewed", outcome: `Reviewed by <@${origin.slackUser}>.` };
      await requests.advance(request, { glass: { ...glass, reviewedBy: origin.slackUser } }, { note });
    },
  };
}

/** It was stopped while its copy was taken: the copy itself cannot be. */
function stoppedWords(request: Request, by: string): string {
  const copy = request.copy?.step === "taking" ? " The copy goes on, and stays until it is deleted." : "";
  return `<@${by}> stopped it after the copy was begun. ${untouched(request)}${copy}`;
}
