import { type Request, wasSent } from "./request.ts";
import type { RequestStore } from "./store.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** They send once a minute, and again after 1, 2 and 4 minutes where this app did not answer. */
const usuallyWithin = 10 * minute;
/** What somebody waits for. */
const awaitedWithin = 5 * minute;
/** Milliseconds within which an event must come of it. */
export function expectedWithin({ expects }: Pick<Request, "expects">): number {
  return expects?.awaited ? awaitedWithin : usuallyWithin;
}

/** What is heard of for a hundred services is told of the last ones. */
const mostHeard = 100;

/** An event of the supplier's, as far as a request is concerned. */
export interface News {
  /** The event's id in the log, its name, and when it came. */
  id: string;
  event: string;
  at: number;
  /** The order and the services that it is about, by the platform's ids. */
  about: string[];
  /** What the partner calls the order: a request's id where it was made here. */
  ownOrder: string | null;
  /** What it says, in mrkdwn. */
  line: string;
}

/** The request that an event came of; `expected`: nothing in it is news to who asked. */
export interface Cause {
  request: Request;
  expected: boolean;
}

/** What the supplier tells of what was done through Rackbell (design section 6). */
export interface Hearing {
  /** Whether there is any request that it may have come of. */
  concerns(news: News): Promise<boolean>;
  /** The request that it came of, which has it among what was heard of it from here on; null where nobody asked for it here. */
  hear(news: News): Promise<Cause | null>;
  /** The request, where it was done and nothing that must come of it has come. */
  unheard(id: string): Promise<Request | null>;
  /** Notes that this was said. */
  overdue(id: string): Promise<void>;
  /** Waits for nothing any more. Before the time that this answers with, it is too early (milliseconds since the epoch). */
  close(id: string): Promise<number | undefined>;
}

export function createHearing(requests: RequestStore, clock: { now(): number }): Hearing {
  async function candidates({ about, ownOrder }: News): Promise<Request[]> {
    const found = await Promise.all([...new Set(about)].map((id) => requests.expecting(id)));
    const own = ownOrder === null ? undefined : await requests.read(ownOrder);
    const byId = new Map([...found.flat(), ...(own ? [own] : [])].map((request) => [request.id, request]));
    return [...byId.values()].sort((a, b) => a.createdAt - b.createdAt);
  }

  async function causeOf(news: News): Promise<Cause | null> {
    const all = await candidates(news);
    const { event, id } = news;
    // Told once more after a crash in between, it came of the same one.
    const before = all.find(({ heard }) => heard.some((one) => one.id === id));
    const request =
      before ??
      all.find((one) => waitsFor(one, event)) ??
      all.find((one) => wasSent(one) && one.expects?.later.includes(event)) ??
      all.findLast(({ expects }) => expects?.failing.includes(event));
    return request ? { request, expected: !request.expects?.failing.includes(event) } : null;
  }

  /** Changes the request as it is now: others take steps of it at the same moment. */
  async function change(
    id: string,
    of: (request: Request) => Partial<Request> | null,
    along: Parameters<RequestStore["advance"]>[2] = {},
  ): Promise<Request | null> {
    for (;;) {
      const request = await requests.read(id);
      const changed = request ? of(request) : null;
      if (!request || changed === null) return null;
      const advanced = await requests.advance(request, changed, { ...along, aside: true });
      if (advanced) return advanced;
    }
  }

  return {
    concerns: async (news) => (await candidates(news)).length > 0,
    async hear(news) {
      const cause = await causeOf(news);
      if (!cause) return null;
      const { id, event, at, line } = news;
      // An event is no proof, and a reason to look at once.
      const along = cause.request.state === "unknown" ? { lookAt: clock.now() } : {};
      const heard = await change(
        cause.request.id,
        (now) =>
          now.heard.some((one) => one.id === id)
            ? null
            : { heard: [...now.heard, { id, event, at, line }].slice(-mostHeard) },
        along,
      );
      return heard ? { ...cause, request: heard } : cause;
    },
    async unheard(id) {
      const request = await requests.read(id);
      if (!request?.expects || request.overdueAt !== null || request.expects.first.length === 0) return null;
      return wasSent(request) && !isHeard(request) ? request : null;
    },
    async overdue(id) {
      await change(id, ({ overdueAt }) => (overdueAt === null ? { overdueAt: clock.now() } : null));
    },
    async close(id) {
      const request = await requests.read(id);
      if (!request?.expects || request.expects.over) return undefined;
      const until = request.createdAt + day;
      if (clock.now() < until) return until;
      await change(id, ({ expects }) => expects && { expects: { ...expects, over: true } }, { silent: true });
      return undefined;
    },
  };
}

function waitsFor(request: Request, event: string): boolean {
  return wasSent(request) && !isHeard(request) && (request.expects?.first.includes(event) ?? false);
}

/** One of the events that must come of it has come, or one that says that it came to nothing. */
export function isHeard({ expects, heard }: Request): boolean {
  return heard.some(({ event }) => expects?.first.includes(event) || expects?.failing.includes(event));
}
