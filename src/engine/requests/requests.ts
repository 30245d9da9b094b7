// engine/requests/: what changes something, from asking to its end: made, shown, checked at the press, run once, reconciled.
// May import: engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import type { Clock } from "../../clock.ts";
import type { Link } from "../../identities/link.ts";
import type { Wakeups } from "../../storage/store.ts";
import type { AskBulk } from "./bulk/ask.ts";
import type { DecideBulk } from "./bulk/decide.ts";
import type { Decide } from "./decide.ts";
import type { HandOver } from "./hand-over.ts";
import type { Move } from "./move.ts";
import { isAskedAlone, type Request } from "./request.ts";
import type { Start } from "./start.ts";
import { bulkWake, followWake, type RequestStore } from "./store.ts";

/** Everything that changes something on the platform: what is asked first and what is done at once (design section 4). */
export interface Requests extends Decide, Start, Move {
  handOver: HandOver;
  /** For many at once, and what can be pressed on that. */
  bulk: DecideBulk & { ask: AskBulk };
  /** A page of the open ones that a member may see, oldest first: what is asked of everybody, and their own. */
  openTo(
    member: string,
    query: { limit: number; after?: string | undefined },
  ): Promise<{ requests: Request[]; next: string | undefined }>;
  /** A page of what is decided and waits for its time, soonest first, of everybody; `of` has a member's own. */
  planned: RequestStore["planned"];
  /** What goes on for a member: what they asked and is not ended, and what is followed for them. */
  of(member: string): Promise<Request[]>;
  /** Ends what rests on a key that is gone: what waits becomes void, and what is followed is said to be followed no more. */
  endFor(link: Pick<Link, "member" | "keyId">, why: string): Promise<void>;
  /** Whether anything that was done with a key is not clear yet. */
  isUnclear(link: Pick<Link, "member" | "keyId">): Promise<boolean>;
}

export function createRequests(deps: {
  requests: RequestStore;
  start: Start;
  bulk: Requests["bulk"];
  handOver: HandOver;
  decide: Decide;
  move: Move;
  wakeups: Wakeups;
  clock: Clock;
}): Requests {
  const { requests, start, bulk, handOver, decide, move, wakeups, clock } = deps;
  return {
    ...decide,
    ...start,
    ...move,
    bulk,
    handOver,
    async openTo(member, { limit, after }) {
      const found: Request[] = [];
      let next = after;
      do {
        const page = await requests.open({ limit: limit - found.length, after: next });
        found.push(...page.requests.filter((request) => isShownTo(request, member)));
        next = page.next;
      } while (next !== undefined && found.length < limit);
      return { requests: found, next };
    },
    planned: requests.planned,
    of: async (member) => (await requests.of(member)).filter(({ part }) => part === null),
    async endFor({ member, keyId }, why) {
      for (const request of await requests.of(member)) {
        if (request.keyId !== keyId) continue;
        if (request.state === "pending" || request.state === "planned")
          await requests.advance(request, { state: "void", outcome: why, sealed: null }, { note: { what: "void" } });
        // The poll finds the key gone, and says so.
        const wake = request.bulk ? bulkWake : followWake;
        if (request.state === "working") await wakeups.wake(`${wake}${request.id}`, clock.now());
      }
    },
    async isUnclear({ member, keyId }) {
      const open = await requests.of(member);
      return open.some(
        (request) => request.keyId === keyId && (request.state === "unknown" || request.state === "claimed"),
      );
    },
  };
}

/** What is asked of everybody, and their own; one of many is shown with the whole. */
function isShownTo(request: Request, member: string): boolean {
  return request.part === null && (request.member === member || !isAskedAlone(request));
}
