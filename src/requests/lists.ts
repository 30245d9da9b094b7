import type { RequestsApp } from "./app.ts";
import { proposerOf } from "./facets/agent/view.ts";
import type { MemberRef, Request } from "./request.ts";
import { openRequests, readRequest, readUnfinished, scheduledRequests } from "./store.ts";
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
export function scheduledTo(app: RequestsApp, viewer: MemberRef, query: ListQuery): Promise<VisiblePage> {
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
      const visible = request.part === null ? await access.show(request) : null;
      if (visible) shown.push(visible);
    }
    next = page.next;
  } while (next !== undefined && shown.length < limit);
  return { shown, next, isIncomplete: access.isIncomplete() };
}

/** The member's requests that have not ended. */
export async function readOpenRequests(app: RequestsApp, member: string): Promise<Request[]> {
  return (await readUnfinished(app, member)).filter(({ part }) => part === null);
}

/** The same as a list, each with the buttons that the member has. */
export async function ownOpen(app: RequestsApp, viewer: MemberRef): Promise<VisibleRequest[]> {
  const access = accessOf(app, viewer);
  const shown = await Promise.all((await readOpenRequests(app, viewer.member)).map((request) => access.show(request)));
  return shown.filter((visible) => visible !== null);
}

/** The requester's Slack id if the viewer may see that request, else null. */
export async function requesterFor(app: RequestsApp, id: string, viewer: MemberRef): Promise<string | null> {
  const request = await readRequest(app, id);
  if (!request) return null;
  return (await accessOf(app, viewer).at(request)) === "hidden" ? null : request.requester.slackUser;
}

/** The requester, or their agent, in words for all readers of a channel. */
export async function requesterIn(app: RequestsApp, id: string, channel: string): Promise<string | null> {
  const request = await readRequest(app, id);
  return request && (await isKnownIn(app, channel, request)) ? proposerOf(request) : null;
}
