import { unmarked } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { type MemberRef, type Request, titleOf } from "./request.ts";
import { openRequests, readRequest, scheduledRequests, unfinishedOf } from "./store.ts";
import { outcomeOf } from "./view.ts";
import { accessOf, isKnownIn, type VisibleRequest } from "./visibility.ts";

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

/** A page of open requests that the viewer may see, oldest first. */
export function openTo(app: RequestsApp, viewer: MemberRef, query: ListQuery): Promise<VisiblePage> {
  return pageOf(app, openRequests, viewer, query);
}

/** A page of scheduled requests that the viewer may see, soonest first. */
export function plannedTo(app: RequestsApp, viewer: MemberRef, query: ListQuery): Promise<VisiblePage> {
  return pageOf(app, scheduledRequests, viewer, query);
}

async function pageOf(
  app: RequestsApp,
  list: typeof openRequests,
  viewer: MemberRef,
  { limit, after, reading = true }: ListQuery,
): Promise<VisiblePage> {
  const access = accessOf(app, viewer, { reading });
  const shown: VisibleRequest[] = [];
  let next = after;
  do {
    const page = await list(app, { limit: limit - shown.length, after: next });
    for (const request of page.requests) {
      // A target's own request is part of the bulk request's message.
      const visibility = request.part === null ? await access.at(request) : "hidden";
      const isOwn = request.requester.member === viewer.member;
      if (visibility !== "hidden") shown.push({ request, visibility, isOwn });
    }
    next = page.next;
  } while (next !== undefined && shown.length < limit);
  return { shown, next, isIncomplete: access.isIncomplete() };
}

/** The member's requests that have not ended. */
export async function openOf(app: RequestsApp, member: string): Promise<Request[]> {
  return (await unfinishedOf(app, member)).filter(({ part }) => part === null);
}

/** The requester's Slack id if the viewer may see that request, else null. */
export async function requesterFor(app: RequestsApp, id: string, viewer: MemberRef): Promise<string | null> {
  const request = await readRequest(app, id);
  if (!request) return null;
  return (await accessOf(app, viewer).at(request)) === "hidden" ? null : request.requester.slackUser;
}

/** The same for all readers of a channel. */
export async function requesterIn(app: RequestsApp, id: string, channel: string): Promise<string | null> {
  const request = await readRequest(app, id);
  return request && (await isKnownIn(app, channel, request)) ? request.requester.slackUser : null;
}

/** The present state of a request in plain words, for a page outside Slack. */
export async function stateText(app: RequestsApp, id: string): Promise<string> {
  const request = await readRequest(app, id);
  return request
    ? `${unmarked(titleOf(request))}: ${unmarked(outcomeOf(request))}`
    : "That request is no longer known.";
}
