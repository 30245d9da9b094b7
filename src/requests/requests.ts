// requests/: what changes something, from asking to its end: made, shown, checked at the press, run once, reconciled.
// May import: requests/, requests/*, policy/, policy/*, alerts/, resources/, passkeys/, audit/, notifications/, notifications/*, records/, access/, operation/, identities/, chat/, views/, webauthn/, platform/*, storage/, the clock, trace.ts.

import type { Link } from "../identities/link.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Invocation } from "../operation/operation.ts";
import type { LinkFor } from "../passkeys/links.ts";
import { unmarked } from "../views/text.ts";
import type { Assertion, SignedFacts } from "../webauthn/assertion.ts";
import type { RequestsApp } from "./app.ts";
import { admitReading, startAct } from "./ask.ts";
import { askAgain } from "./ask-again.ts";
import { approversAnew } from "./audience.ts";
import type { Proposal } from "./create.ts";
import { type AskedFirst, admits, deny, press, review, withdraw } from "./decide.ts";
import { delegate } from "./delegate.ts";
import { showDetails, takeRequest } from "./details.ts";
import { allOf, endApprovalsOf, voidWaiting } from "./endings.ts";
import { askForFailed, askForRest, listBulk, stopBulk } from "./facets/bulk/decide.ts";
import { type BulkProposal, proposeBulk } from "./facets/bulk/propose.ts";
import { askForWayBack } from "./facets/bulk/way-back.ts";
import type { PasskeyPage } from "./facets/passkey/page.ts";
import { findReschedulable, move } from "./facets/schedule/change.ts";
import { type Request, titleOf } from "./request.ts";
import { bulkTimer, jobTimer, type RequestStore } from "./store.ts";
import { outcomeOf } from "./view.ts";
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
export interface Requests {
  /** `counted`: the number of targets that the presser typed for a bulk request. See `press` of `decide.ts`. */
  press(id: string, origin: Origin, counted?: number): Promise<void>;
  /** A press by somebody who saw that the same was ordered minutes ago. */
  pressSecond(id: string, origin: Origin): Promise<void>;
  /** A press that chooses the backup first. */
  copyFirst(id: string, origin: Origin): Promise<void>;
  /** The request and its page, as somebody who opened a link sees them; null if the request is gone. Changes nothing. */
  passkeyPage(link: LinkFor<"decision">): Promise<{ request: Request; page: PasskeyPage; facts: SignedFacts } | null>;
  /** The press of a link, with what a passkey signed on its page. It goes on as any press does. */
  pressProven(link: LinkFor<"decision">, assertion: Assertion): Promise<void>;
  /** The present state of a request in plain words, for the page. */
  stateText(id: string): Promise<string>;
  /** An admin runs it at once without the approvals, and gives a reason (design section 4). */
  override(id: string, origin: Origin, reason: string): Promise<void>;
  /** See the functions of these names in `decide.ts`. */
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  /** `by`: the requester's agent, in words, if that withdraws it. */
  withdraw(id: string, origin: Origin, by?: string): Promise<void>;
  admits(event: AskedFirst, id: string, origin: Origin): Promise<boolean>;
  review(id: string, origin: Origin): Promise<void>;
  /** See the functions of `details.ts`. */
  showDetails(id: string, origin: Origin): Promise<void>;
  take(value: string, origin: Origin): Promise<void>;
  /** Notifies a presser whose answer was lost of the state of the request. `lead`: says how it was lost. */
  tellLost(id: string, origin: Origin, lead: string): Promise<void>;
  /** Tells the state of a request to a presser whose modal does not show it. */
  answerState(id: string, origin: Origin): Promise<void>;
  /** See `startAct` and `admitReading` of `ask.ts`. */
  act(proposal: Proposal, asksFirst: () => Promise<boolean>): Promise<void>;
  admitReading(proposal: Omit<Proposal, "generated">): Promise<void>;
  /** See the functions of these names. */
  delegate(invocation: Invocation, origin: Origin): Promise<void>;
  askAgain(id: string, origin: Origin): Promise<Invocation | null>;
  findReschedulable(id: string, origin: Origin): Promise<Request | null>;
  move(id: string, origin: Origin, at: number): Promise<void>;
  /** Bulk requests and their buttons. */
  bulk: {
    ask(proposal: BulkProposal): Promise<void>;
    stop(id: string, origin: Origin): Promise<void>;
    again(id: string, origin: Origin): Promise<void>;
    rest(id: string, origin: Origin): Promise<void>;
    wayBack(id: string, origin: Origin): Promise<void>;
    list(id: string, origin: Origin): Promise<void>;
  };
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
  /** The request of this id, for a caller that checks the reader's right itself. */
  read(id: string): Promise<Request | undefined>;
  /** The member's requests that have not ended. */
  of(member: string): Promise<Request[]>;
  /** Voids a member's waiting requests, and ends their tracking, after the key was removed. */
  endFor(link: Pick<Link, "member" | "keyId">, why: string): Promise<void>;
  /** Removes a member's approvals after they unlinked a key: a schedule becomes void, and the first of two approvals no longer counts. */
  endApprovalsOf(link: Pick<Link, "member" | "api">): Promise<void>;
  /** Calls a member who linked a key to the requests that had too few approvers. */
  callNewApprover(member: Viewer): Promise<void>;
  /** True if a request with this key has an unknown outcome. */
  isUnclear(link: Pick<Link, "member" | "keyId">): Promise<boolean>;
}

export function createRequests(app: RequestsApp): Requests {
  const { requests, visibilities, say, clock } = app;
  const { wakeups } = app.store;

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
    press: (id, origin, counted) => press(app, id, origin, { counted }),
    pressSecond: (id, origin) => press(app, id, origin, { second: true }),
    copyFirst: (id, origin) => press(app, id, origin, { copyFirst: true }),
    override: (id, origin, reason) => press(app, id, origin, { glass: reason }),
    async passkeyPage(link) {
      const request = await requests.read(link.purpose.request);
      return request ? { request, ...(await app.gate.signedFacts(request, link)) } : null;
    },
    pressProven: ({ purpose, origin }, assertion) =>
      press(app, purpose.request, origin, { ...purpose.manner, assertion }),
    async stateText(id) {
      const request = await requests.read(id);
      return request
        ? `${unmarked(titleOf(request))}: ${unmarked(outcomeOf(request))}`
        : "That request is no longer known.";
    },
    deny: (id, origin, reason) => deny(app, id, origin, reason),
    withdraw: (id, origin, by) => withdraw(app, id, origin, by),
    admits: (event, id, origin) => admits(app, event, id, origin),
    review: (id, origin) => review(app, id, origin),
    showDetails: (id, origin) => showDetails(app, id, origin),
    take: (value, origin) => takeRequest(app, value, origin),
    tellLost: say.lost,
    answerState: say.unseen,
    act: (proposal, asksFirst) => startAct(app, proposal, asksFirst),
    admitReading: (proposal) => admitReading(app, proposal),
    delegate: (invocation, origin) => delegate(app, invocation, origin),
    askAgain: (id, origin) => askAgain(app, id, origin),
    findReschedulable: (id, origin) => findReschedulable(app, id, origin),
    move: (id, origin, at) => move(app, id, origin, at),
    bulk: {
      ask: (proposal) => proposeBulk(app, proposal),
      stop: (id, origin) => stopBulk(app, id, origin),
      again: (id, origin) => askForFailed(app, id, origin),
      rest: (id, origin) => askForRest(app, id, origin),
      wayBack: (id, origin) => askForWayBack(app, id, origin),
      list: (id, origin) => listBulk(app, id, origin),
    },
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
    read: requests.read,
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
    async callNewApprover({ slackUser }) {
      for await (const request of allOf(requests.open)) {
        const operation = request.state === "pending" ? app.checks.operation(request) : null;
        const found = operation && (await approversAnew(app, request, operation, slackUser));
        if (!found?.called) continue;
        const { mention, tooFew } = found;
        const called = [
          ...request.called.filter((call) => call.slackUser !== slackUser),
          { slackUser, at: clock.now() },
        ];
        await requests.amend(request, { mention, tooFew, called });
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
