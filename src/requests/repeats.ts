import * as z from "#zod";
import type { CreatedResource } from "../operation/act.ts";
import { backupField } from "../operation/backup.ts";
import { Refusal } from "../operation/errors.ts";
import { reasonField } from "../operation/reason.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import { momentAgo } from "../views/format.ts";
import { code, listing } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import type { Draft, Proposal } from "./create.ts";
import {
  type Amendment,
  isForRequesterAlone,
  type NewRequest,
  type Request,
  resourceKeyOf,
  wasSent,
} from "./request.ts";
import { openedInput } from "./sealed.ts";
import { openAbout, readRequest } from "./store.ts";
import { isKnownIn } from "./visibility.ts";

/** An agent proposed what waits already: nobody is notified, and the agent gets that request if it is its own. */
export class DuplicateOpen extends Refusal {
  readonly request: Request;

  constructor(request: Request) {
    super("A request for this is open. Nothing new was requested.");
    this.request = request;
  }
}

/** A request for the same that waits, for a decision or its scheduled time, or that is under way. */
export type Duplicate = Request & { state: "pending" | "scheduled" | "working" };

/** Finds the request that waits for the same act, from any member; requests that the member may not know of are skipped. */
export async function findDuplicate(
  app: RequestsApp,
  draft: Draft,
  { replaces }: Pick<Proposal, "replaces">,
): Promise<Duplicate | undefined> {
  const { requester, schedule, acts } = draft;
  const now = app.clock.now();
  const comparable = comparableInput(app, draft);
  return (await openAbout(app, resourceKeyOf(draft))).find(
    (request): request is Duplicate =>
      request.id !== replaces?.request &&
      (request.state === "pending" || (request.state === "scheduled" && schedule !== null)) &&
      now < request.expiresAt &&
      request.schedule?.at === schedule?.at &&
      request.acts[0] === acts[0] &&
      (request.requester.member === requester.member || !isForRequesterAlone(request)) &&
      request.requester.project?.id === requester.project?.id &&
      comparableInput(app, request) === comparable,
  );
}

/** The comparable input: without the reason, a backup first, generated values, and the input that names the act. */
function comparableInput(app: RequestsApp, request: Pick<Request, "id" | "command" | "input">): string {
  const operation = app.registry.find(request.command);
  const does = operation?.api === "app" ? undefined : operation?.does;
  const naming = does && "input" in does ? does.input : null;
  const { generated } = request.input;
  const values = Object.entries(openedInput(app, request)).filter(
    ([name]) => ![reasonField, backupField, naming].includes(name) && !generated.includes(name),
  );
  return JSON.stringify(values.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Milliseconds. The requester may not know about the same order in this time. */
const repeatsWithinMs = 10 * 60_000;
/** Milliseconds from a press to its claim. After that the process died, and the order was not made. */
const claimedWithinMs = 60_000;

const Recent = z.object({
  orders: z.array(z.object({ id: z.string(), at: z.number() })),
});
type Recent = z.infer<typeof Recent>;
const recentOrders = defineKind({
  name: "recent order",
  namespace: "recent-orders",
  schema: Recent,
  ttlMs: repeatsWithinMs,
});

/**
 * Requests that ordered the same within minutes, except those that the presser saw: two members may order one server in the same minutes
 * without knowing.
 */
export function unseenRepeats(app: RequestsApp, request: NewRequest, makes: readonly CreatedResource[]) {
  return forEachMade(makes, async (made) => (await findEarlier(app, request, made)).unseen);
}

/** The same. If there are none, records this order before its claim, so that later ones find it. */
export function enterOrder(app: RequestsApp, request: Request, makes: readonly CreatedResource[]): Promise<Request[]> {
  return forEachMade(makes, (made) => record(app, request, made));
}

async function forEachMade(
  makes: readonly CreatedResource[],
  find: (made: CreatedResource) => Promise<Request[]>,
): Promise<Request[]> {
  const found = new Map<string, Request>();
  for (const made of makes) for (const other of await find(made)) found.set(other.id, other);
  return [...found.values()];
}

/** Reads and records in one transaction: of two orders within a second, the second one finds the first. */
async function record(app: RequestsApp, request: Request, made: CreatedResource): Promise<Request[]> {
  const { store, clock } = app;
  for (;;) {
    const { stored, others, unseen } = await findEarlier(app, request, made);
    if (unseen.length > 0) return unseen;
    const orders = [...others, { id: request.id, at: clock.now() }];
    if (await store.transact({ records: [replacing(stored, { orders })] })) return [];
  }
}

async function findEarlier(app: RequestsApp, request: NewRequest, { what, named }: CreatedResource) {
  const { store, clock } = app;
  const key = `${accountKeyOf(request)} ${what}`;
  const now = clock.now();
  const stored = await store.read(recentOrders, key);
  const others = (stored.value?.orders ?? []).filter(({ id, at }) => id !== request.id && now - at < repeatsWithinMs);
  const made = (await Promise.all(others.map((one) => madeOrder(app, one, now)))).flat();
  const unseen = made.filter(
    ({ id, requester: { member } }) => !request.repeats.includes(id) && (named || member !== request.requester.member),
  );
  return { stored, others, unseen };
}

async function madeOrder(app: RequestsApp, { id, at }: Recent["orders"][number], now: number): Promise<Request[]> {
  const request = await readRequest(app, id);
  if (!request) return [];
  const isPressed = request.state === "pending" && (request.attemptedAt ?? 0) < at && now - at < claimedWithinMs;
  return isPressed || wasSent(request) ? [request] : [];
}

/** Members of one account share its products. A workspace has one reseller account. */
function accountKeyOf({ api, requester: { account, platformUser, member } }: NewRequest): string {
  return api === "reseller" ? "reseller" : (account ?? platformUser ?? member);
}

/**
 * The change that asks whether a second order is meant, with the earlier orders as sentences. Readers of a channel learn nothing more of an
 * order that was made in private.
 */
export async function repeatedChange(
  app: Pick<RequestsApp, "people">,
  request: NewRequest,
  others: readonly Request[],
): Promise<Amendment> {
  const alone = isForRequesterAlone(request);
  const sentences = await Promise.all(
    others.map(async (other) => {
      const ago = momentAgo(other.decidedAt ?? other.changedAt);
      if (!alone && !(await isKnownIn(app, request.channel, other))) return `Somebody ordered the same ${ago}.`;
      const isOwn = alone && other.requester.member === request.requester.member;
      const who = isOwn ? "You" : `<@${other.requester.slackUser}>`;
      const what = Object.entries(other.review.preconditions).filter(([key]) =>
        /^(what( \d+)?|hostname|buyer)$/.test(key),
      );
      return `${who} ordered the same ${ago}: ${listing(what.map(([, { text }]) => text)) || code(other.verb)}.`;
    }),
  );
  const question = `${sentences.join(" ")} This request has ordered nothing yet. Do you want a second one?`;
  return {
    repeats: [...request.repeats, ...others.map(({ id }) => id)],
    outcome: question,
    review: { ...request.review, press: "Order a second one" },
  };
}
