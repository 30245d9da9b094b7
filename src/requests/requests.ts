// requests/: what changes something, from asking to its end: made, shown, checked at the press, run once, reconciled.
// May import: requests/*, policy/, policy/*, alerts/, resources/, audit/, notifications/, notifications/*, records/, access/, operation/, identities/, chat/, views/, platform/*, storage/, the clock.

import type { Clock } from "../clock.ts";
import type { Link } from "../identities/link.ts";
import type { Timers } from "../storage/store.ts";
import type { Start } from "./ask.ts";
import type { AskAgain } from "./ask-again.ts";
import type { Decide } from "./decide.ts";
import type { Delegate } from "./delegate.ts";
import { endApprovalsOf, voidWaiting } from "./endings.ts";
import type { DecideBulk } from "./facets/bulk/decide.ts";
import type { ProposeBulk } from "./facets/bulk/propose.ts";
import type { Reschedule } from "./facets/schedule.ts";
import type { Request } from "./request.ts";
import { bulkTimer, jobTimer, type RequestStore } from "./store.ts";
import type { Viewer, Visibilities, VisibleRequest } from "./visibility.ts";

/** The page of a list. `reading`: whether the platform may be called for the viewer's resources. */
interface ListQuery {
  limit: number;
  after?: string | undefined;
  reading?: boolean;
}

/** A page of requests that the viewer may see. `isIncomplete`: some of the viewer's resources could not be read. */
export interface VisiblePage {
  shown: VisibleRequest[];
  next: string | undefined;
  isIncomplete: boolean;
}

/** Everything that changes something on the platform, decided first or run at once (design section 4). */
export interface Requests extends Decide, Start, Reschedule {
  delegate: Delegate;
  askAgain: AskAgain;
  /** Bulk requests and their buttons. */
  bulk: DecideBulk & { ask: ProposeBulk };
  /** A page of open requests that the viewer may see, oldest first. */
  openTo(viewer: Viewer, query: ListQuery): Promise<VisiblePage>;
  /** A page of scheduled requests that the viewer may see, soonest first. */
  plannedTo(viewer: Viewer, query: ListQuery): Promise<VisiblePage>;
  /** Decides which requests and maintenance windows of other people a viewer may see. */
  lookOf: Visibilities["of"];
  /** The requester's Slack id if the viewer may see that request, else null. */
  requesterFor(id: string, viewer: Viewer): Promise<string | null>;
  /** The same for all readers of a channel. */
  requesterIn(id: string, channel: string): Promise<string | null>;
  /** The member's requests that have not ended. */
  of(member: string): Promise<Request[]>;
  /** Voids a member's waiting requests, and ends their tracking, after the key was removed. */
  endFor(link: Pick<Link, "member" | "keyId">, why: string): Promise<void>;
  /** Removes a member's approvals after they unlinked a key: a schedule becomes void, and the first of two approvals no longer counts. */
  endApprovalsOf(link: Pick<Link, "member" | "api">): Promise<void>;
  /** True if a request with this key has an unknown outcome. */
  isUnclear(link: Pick<Link, "member" | "keyId">): Promise<boolean>;
}

export function createRequests(deps: {
  requests: RequestStore;
  start: Start;
  bulk: Requests["bulk"];
  delegate: Delegate;
  askAgain: AskAgain;
  decide: Decide;
  move: Reschedule;
  visibilities: Visibilities;
  wakeups: Timers;
  clock: Clock;
}): Requests {
  const { requests, start, bulk, delegate, askAgain, decide, move, visibilities, wakeups, clock } = deps;

  async function pageOf(
    list: RequestStore["open"],
    viewer: Viewer,
    { limit, after, reading = true }: ListQuery,
  ): Promise<VisiblePage> {
    const access = visibilities.of(viewer, { reading });
    const shown: VisibleRequest[] = [];
    let next = after;
    do {
      const page = await list({ limit: limit - shown.length, after: next });
      for (const request of page.requests) {
        // A target's own request is part of the bulk request's message.
        const visibility = request.part === null ? await access.at(request) : "hidden";
        if (visibility !== "hidden") shown.push({ request, visibility });
      }
      next = page.next;
    } while (next !== undefined && shown.length < limit);
    return { shown, next, isIncomplete: access.isIncomplete() };
  }

  return {
    ...decide,
    ...start,
    ...move,
    bulk,
    delegate,
    askAgain,
    openTo: (viewer, query) => pageOf(requests.open, viewer, query),
    plannedTo: (viewer, query) => pageOf(requests.planned, viewer, query),
    lookOf: visibilities.of,
    async requesterFor(id, viewer) {
      const request = await requests.read(id);
      if (!request) return null;
      return (await visibilities.of(viewer).at(request)) === "hidden" ? null : request.slackUser;
    },
    async requesterIn(id, channel) {
      const request = await requests.read(id);
      return request && (await visibilities.isKnownIn(channel, request)) ? request.slackUser : null;
    },
    of: async (member) => (await requests.of(member)).filter(({ part }) => part === null),
    async endFor({ member, keyId }, why) {
      for (const request of await requests.of(member)) {
        if (request.keyId !== keyId) continue;
        if (request.state === "pending" || request.state === "planned") await voidWaiting(requests, request, why);
        // The next poll finds that the key is gone, and ends the tracking.
        const wake = request.bulk ? bulkTimer : jobTimer;
        if (request.state === "working") await wakeups.wake(`${wake}${request.id}`, clock.now());
      }
    },
    endApprovalsOf: (link) => endApprovalsOf(requests, link),
    async isUnclear({ member, keyId }) {
      const open = await requests.of(member);
      return open.some(
        (request) => request.keyId === keyId && (request.state === "unknown" || request.state === "claimed"),
      );
    },
  };
}
