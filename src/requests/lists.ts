import { unmarked } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { type Request, titleOf } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { outcomeOf } from "./view.ts";
import type { Viewer, VisibleRequest } from "./visibility.ts";

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

type ListApp = Pick<RequestsApp, "requests" | "visibilities">;

/** A page of open requests that the viewer may see, oldest first. */
export function openTo(app: ListApp, viewer: Viewer, query: ListQuery): Promise<VisiblePage> {
  return pageOf(app, app.requests.open, viewer, query);
}

/** A page of scheduled requests that the viewer may see, soonest first. */
export function plannedTo(app: ListApp, viewer: Viewer, query: ListQuery): Promise<VisiblePage> {
  return pageOf(app, app.requests.planned, viewer, query);
}

async function pageOf(
  { visibilities }: ListApp,
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

/** The request of this id, for a caller that checks the reader's right itself. */
export function readRequest({ requests }: Pick<RequestsApp, "requests">, id: string): Promise<Request | undefined> {
  return requests.read(id);
}

/** The member's requests that have not ended. */
export async function openOf({ requests }: Pick<RequestsApp, "requests">, member: string): Promise<Request[]> {
  return (await requests.of(member)).filter(({ part }) => part === null);
}

/** The requester's Slack id if the viewer may see that request, else null. */
export async function requesterFor(app: ListApp, id: string, viewer: Viewer): Promise<string | null> {
  const request = await app.requests.read(id);
  if (!request) return null;
  return (await app.visibilities.of(viewer).at(request)) === "hidden" ? null : request.slackUser;
}

/** The same for all readers of a channel. */
export async function requesterIn(app: ListApp, id: string, channel: string): Promise<string | null> {
  const request = await app.requests.read(id);
  return request && (await app.visibilities.isKnownIn(channel, request)) ? request.slackUser : null;
}

/** The present state of a request in plain words, for a page outside Slack. */
export async function stateText({ requests }: Pick<RequestsApp, "requests">, id: string): Promise<string> {
  const request = await requests.read(id);
  return request
    ? `${unmarked(titleOf(request))}: ${unmarked(outcomeOf(request))}`
    : "That request is no longer known.";
}
