// polling/: reads in the background with the workspace's monitoring keys, and raises events that no webhook reported.
// May import: alerts/, resources/, audit/, notifications/, notifications/*, records/, access/, operation/, identities/, views/, platform/, platform/*, storage/, the clock.

import * as z from "zod";
import type { ObservedState } from "../alerts/alert-updater.ts";
import { type DetectedEvent, newestEvents, orderAndCustomerOf, storeDetected } from "../alerts/event-log.ts";
import { aspectOf } from "../alerts/events.ts";
import { newestEntries } from "../audit/audit.ts";
import { ran } from "../audit/kinds.ts";
import { eventNames as supplierEventNames } from "../platform/reseller/events.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import type { PollingRound, ReadersApp } from "./reader.ts";

const minute = 60_000;
/** A webhook may take this long: the supplier sends each minute, and its four tries wait for 15 minutes in all. Reseller spec section 6. */
const comesWithinMs = 16 * minute;
/** An action may appear in the audit log a little before the round that finds its outcome. */
const slackMs = 5 * minute;
/** How many of the newest log and audit entries are searched. */
const entriesSearched = 20;

const AspectState = z.object({
  /** Null: the first state that was observed is still in `next`. */
  state: z.string().nullable(),
  /** Since when, in milliseconds since the epoch; 0: since before the first round. */
  at: z.number(),
  /** A newer state and when it was first observed: the supplier's webhook about it may still arrive. */
  next: z.object({ state: z.string(), since: z.number() }).nullable(),
});
type AspectState = z.infer<typeof AspectState>;
/** `sides`: the aspects, under the name that they were first stored with. */
const ObservedResource = z.object({
  sides: z.record(z.string(), AspectState),
  /** When it was last stored, in milliseconds since the epoch. */
  at: z.number().default(0),
});
/** Longer than any pause of the app: what polling no longer knows is new to it, and raises events. */
const storedForMs = 365 * 24 * 60 * minute;
/** A resource that is still there is stored again this often, and not in each round. */
const renewedAfterMs = 30 * 24 * 60 * minute;

/** The event that a change of state is, unless the log has it already. */
export interface EventCandidate extends Omit<DetectedEvent, "unique" | "askedBy" | "request"> {
  /** Matches the members' commands that cause it, so that its requester gets no alert. Null: no command does. */
  by: RegExp | null;
  /** The command may have run at any time before, not only since the last round. */
  whenever?: boolean;
}

/** The present state of one aspect of a resource: a service's billing, its machine, its renewal. */
export interface Observation {
  aspect: string;
  state: string;
  /**
   * The event for the change from the state before (null: unknown); null where the change needs none. "later": its facts are still to be
   * read, so the change stays unobserved until then.
   */
  eventFor(before: string | null): EventCandidate | null | "later";
  /** Waits for the supplier's own webhook before it raises an event. */
  patient?: boolean;
}

// Polling was first called a sweep: what is stored stays where it is.
const observedResources = defineKind({
  name: "state of a resource",
  namespace: "sweep-seen",
  schema: ObservedResource,
  version: 1,
  ttlMs: storedForMs,
});

/** Compares a resource with its stored states, raises an event for each change that needs one, and stores the new states. */
export async function observe(
  app: ReadersApp,
  resource: string,
  observations: Observation[],
  round: PollingRound,
): Promise<void> {
  if (observations.length === 0) return;
  const { store, clock } = app;
  const before = await store.keyv(observedResources).get(resource);
  const changed: [string, AspectState][] = [];
  for (const observation of observations) {
    const aspect = await compare(app, resource, observation, before?.sides[observation.aspect], round);
    if (aspect) changed.push([observation.aspect, aspect]);
  }
  // Change only the observed aspects: polling the other API may have stored others meanwhile.
  const at = clock.now();
  if (changed.length > 0 || (before && at - before.at > renewedAfterMs))
    await update(store, observedResources, resource, (now) => ({
      sides: { ...now?.sides, ...Object.fromEntries(changed) },
      at,
    }));
}

/** Stores the state in which a member's action left an aspect. Does nothing for an aspect that was never observed. */
export async function noteState({ store, clock }: TimedApp, { resource, aspect, state }: ObservedState): Promise<void> {
  await update(store, observedResources, resource, (before) => {
    if (!before?.sides[aspect] || before.sides[aspect].state === state) return undefined;
    const at = clock.now();
    return { sides: { ...before.sides, [aspect]: { state, at, next: null } }, at };
  });
}

/** Since when the aspect has been in that state (milliseconds since the epoch; 0: since before the first round); null where it is in another. */
export async function stateSince(
  { store }: StoreApp,
  { resource, aspect, state }: ObservedState,
): Promise<number | null> {
  const found = (await store.keyv(observedResources).get(resource))?.sides[aspect];
  return found?.state === state ? found.at : null;
}

/** The requester and the request that caused the event through Rackbell, from the audit log; nulls where nobody did. */
async function causeOf(
  app: ReadersApp,
  { by, whenever = false, data }: EventCandidate,
  { since }: PollingRound,
): Promise<Pick<DetectedEvent, "askedBy" | "request">> {
  const nobody = { askedBy: null, request: null };
  if (by === null) return nobody;
  const { serviceId, orderId, externalOrderId, documentId, imageId } = data;
  const ids = [serviceId, orderId, externalOrderId, documentId, imageId].flatMap((id) => id ?? []);
  // A document is cancelled by a command about its service, so search the targets of the document's own commands, too.
  for (let next = ids.shift(); next !== undefined; next = ids.shift()) {
    const entries = await newestEntries(app, { about: next, limit: entriesSearched, begun: true });
    // A request that began and was refused has changed nothing. It may have run after that, at another press.
    const refused = new Set<string | null>();
    const own = entries.find(({ at, entry: { command, what, request } }) => {
      if (what === "refused") refused.add(request);
      return (whenever || at > since - slackMs) && by.test(command) && ran.has(what) && !refused.has(request);
    });
    if (own) return { askedBy: own.entry.slackUser, request: own.entry.request };
    if (next === documentId)
      ids.push(...entries.flatMap(({ entry }) => entry.target?.id ?? []).filter((id) => id !== next));
  }
  return nobody;
}

/**
 * `isLogged`: the log has the same event already, about the order or the service: it must be alerted once. `after`: as in DetectedEvent, for
 * an event about a service that others may find, too.
 */
async function searchLog(
  app: ReadersApp,
  { event, data }: EventCandidate,
): Promise<{ isLogged: boolean; after?: string | null }> {
  if (!reportedByWebhook.has(event)) return { isLogged: false };
  const names = [event, ...(sameAs.get(event) ?? [])];
  const ofOrder = event.startsWith("order.");
  const listed = ofOrder ? (data.services ?? []).map(({ serviceId }) => serviceId) : [];
  let after: string | null = null;
  for (const about of [ofOrder ? data.orderId : data.serviceId, ...listed]) {
    if (!about) continue;
    const logged = (await newestEvents(app, { about, limit: entriesSearched })).filter(({ aside }) => aside === null);
    // A service's states repeat, so only the newest event about that part of it counts.
    const last = ofOrder ? [] : logged.filter((one) => aspectOf(one) === aspectOf({ event, data })).slice(0, 1);
    if ((ofOrder ? logged : last).some((one) => names.includes(one.event))) return { isLogged: true };
    if (!ofOrder && logged.some((one) => one.event.startsWith("order.") && names.includes(one.event)))
      return { isLogged: true };
    after = logged[0]?.id ?? null;
  }
  return ofOrder || !data.serviceId ? { isLogged: false } : { isLogged: false, after };
}

/** Adds the order and the customer from the supplier's events, so that the event joins the same alert. */
async function withOrderFacts(app: ReadersApp, { data, ...candidate }: EventCandidate): Promise<EventCandidate> {
  if (!data.serviceId || data.orderId) return { ...candidate, data };
  return { ...candidate, data: { ...(await orderAndCustomerOf(app, data.serviceId)), ...data } };
}

/** Raises the event, if any, and returns the aspect to store; null where the stored one stays as it is. */
async function compare(
  app: ReadersApp,
  resource: string,
  { aspect, state, eventFor, patient = false }: Observation,
  before: AspectState | undefined,
  round: PollingRound,
): Promise<AspectState | null> {
  if (before?.state === state) return before.next ? { ...before, next: null } : null;
  const now: AspectState = { state, at: app.clock.now(), next: null };
  if (!before && round.first) return { ...now, at: 0 };
  const candidate = eventFor(before?.state ?? null);
  if (candidate === "later") return null;
  if (!candidate) return now;
  const { isLogged, ...place } = await searchLog(app, candidate);
  if (isLogged) return now;
  // A clock that was set back leaves a first time in the future: then the webhook's time begins again.
  const since = before?.next?.state === state ? Math.min(before.next.since, now.at) : now.at;
  if (patient && now.at - since < comesWithinMs)
    return { state: before?.state ?? null, at: before?.at ?? 0, next: { state, since } };
  const { by, whenever, ...found } = await withOrderFacts(app, candidate);
  // The name depends on the change alone: found again after a crash, the log refuses it as known.
  const unique = JSON.stringify([resource, aspect, before?.state ?? null, before?.at ?? 0, state]);
  await storeDetected(app, { ...found, ...place, ...(await causeOf(app, candidate, round)), unique });
  return now;
}

/** The events that the supplier's webhooks, or an event about the order, may have reported already. */
const reportedByWebhook = new Set<string>([...supplierEventNames, "order.completed", "order.failed"]);

/** Events about an order and about its services that mean the same. */
const sameAs = new Map<string, string[]>([
  ["order.completed", ["service.provisioned"]],
  ["order.failed", ["service.provisioning_failed"]],
  ["service.provisioning_failed", ["order.failed"]],
]);
