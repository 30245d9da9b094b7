// alerts/polling/: reads in the background with the workspace's monitoring keys, and raises events that no webhook reported.

import * as z from "#zod";
import type { Aspect, EffectiveAct, StoredEffect } from "../../operation/effects.ts";
import { eventNames as supplierEventNames } from "../../platform/reseller/events.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import type { LeftState } from "../alert-updater.ts";
import { type DetectedEvent, findOrderAndCustomer, newestEvents, storeDetected } from "../event-log.ts";
import {
  aspectOf,
  comesWithinMs,
  type EventFacts,
  eventResource,
  forService,
  isGone,
  isLoud,
  isOfOrder,
  isServiceEnd,
  type LoggedEvent,
  lastingFacts,
  latestByAspect,
  reportedState,
  seemsLate,
} from "../events.ts";
import { newestAbout } from "../present.ts";
import type { PollingRound, ReadersApp } from "./reader.ts";

const minute = 60_000;
/** How many of the newest log entries are searched. */
const entriesSearched = 20;
/** An aspect keeps so many marks of what acts have led to: an act leaves at most four. */
const mostSpent = 20;

const AspectState = z.object({
  /** Null: the first state that was observed is still in `next`. */
  state: z.string().nullable(),
  /** Since when, in milliseconds since the epoch; 0: since before the first round. */
  at: z.number(),
  /** A newer state and when it was first observed: the supplier's webhook about it may still arrive. */
  next: z.object({ state: z.string(), since: z.number() }).nullable(),
  /** The request whose act led to the state; null if none did. */
  by: z.string().nullable(),
  /** The state is one that an act passes through, from the state before. */
  passing: z.object({ request: z.string(), was: z.string().nullable() }).nullable(),
  /** The states to which acts have led already, by `spentMark`. */
  spent: z.array(z.string()),
  /** An act left it so, and no reading has shown it yet. */
  unread: z.boolean(),
});
type AspectState = z.infer<typeof AspectState>;
/** A state of which nothing more is known. */
const unexplained: AspectState = { state: null, at: 0, next: null, by: null, passing: null, spent: [], unread: false };
const ObservedResource = z.object({
  aspects: z.record(z.string(), AspectState),
  /** When it was last stored, in milliseconds since the epoch. */
  at: z.number(),
});
/** Longer than any pause of the app: what polling no longer knows is new to it, and raises events. */
const storedForMs = 365 * 24 * 60 * minute;
/** A resource that is still there is stored again this often, and not in each round. */
const renewedAfterMs = 30 * 24 * 60 * minute;

/** The event that a change of state is, unless the log has it already. */
export interface EventCandidate extends Omit<DetectedEvent, "unique" | "askedBy" | "request"> {
  /** The state to which an act must lead in order to have caused it, so that its requester gets no alert. Null: no act does. */
  led: { aspect: Aspect; state: string } | null;
}

/** The state of an aspect of which nothing is to be said. It is an observation only after another state. */
export const noState = "none";

/** The present state of one aspect of a resource: a service's billing, its machine, its renewal. */
export interface Observation {
  aspect: string;
  state: string;
  /** When the platform last reported it, in milliseconds since the epoch; null or absent if it does not say. */
  reportedAt?: number | null;
  /**
   * The event for the change from the state before (null: unknown); null where the change needs none. "later": its facts are still to be
   * read, so the change stays unobserved until then.
   */
  eventFor(before: string | null): EventCandidate | null | "later";
  /** Waits for the supplier's own webhook before it raises an event. */
  patient?: boolean;
  /** It ends the failure, suspension or withholding that the log shows, whatever states came in between. */
  returns?: boolean;
}

const observedResources = defineKind({
  name: "state of a resource",
  namespace: "observed-resources",
  schema: ObservedResource,
  ttlMs: storedForMs,
  // The run of the timer that writes it ends after it, so a power cut that takes it has the run repeated. A round writes one after the other:
  // held batches of 10 ms would take it 50 seconds more for 5,000 machines.
  lasts: "system",
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
    const known = before?.aspects[observation.aspect];
    if (observation.state === noState && !known) continue;
    const aspect = await compare(app, resource, observation, known, round);
    if (aspect) changed.push([observation.aspect, aspect]);
  }
  const unchanged = observations.filter(
    ({ patient, aspect, state }) => patient && before?.aspects[aspect]?.state === state,
  );
  await correctLog(app, resource, unchanged);
  // Change only the observed aspects: polling the other API may have stored others meanwhile.
  const at = clock.now();
  if (changed.length > 0 || (before && at - before.at > renewedAfterMs))
    await update(store, observedResources, resource, (now) => ({
      aspects: { ...now?.aspects, ...Object.fromEntries(changed) },
      at,
    }));
}

/** The places in which the states of an aspect are stored, by the platform id of the resource. */
const places: Readonly<Record<string, (id: string) => [resource: string, aspect: string][]>> = {
  power: (id) => [[`service:${id}`, "power"]],
  billing: (id) => [
    [`service:${id}`, "billing"],
    [`service:${id}`, "sold"],
  ],
  payment: (id) => [
    [`document:${id}`, "payment"],
    [`sold-order:${id}`, "payment"],
  ],
};

/**
 * Stores the state in which a member's act left an aspect. Power is stored even if polling never observed it: Home tells by it whether a
 * machine was stopped on purpose.
 */
export async function noteState({ store, clock }: TimedApp, { id, aspect, state, request }: LeftState): Promise<void> {
  for (const [resource, stored] of places[aspect]?.(id) ?? [])
    await update(store, observedResources, resource, (now) => {
      const before = now?.aspects[stored];
      if (!before && aspect !== "power") return undefined;
      const at = clock.now();
      const spent = [...(before?.spent ?? []), spentMark(request, state, null)].slice(-mostSpent);
      const left = { ...unexplained, state, at, by: request, spent, unread: before?.unread ?? true };
      return { aspects: { ...now?.aspects, [stored]: left }, at };
    });
}

/** True where polling has observed this aspect of the resource, and it is not gone. */
export async function isObserved({ store }: StoreApp, resource: string, aspect: string): Promise<boolean> {
  const found = (await store.keyv(observedResources).get(resource))?.aspects[aspect];
  return found !== undefined && found.state !== noState;
}

/**
 * Stores that these aspects of a resource have no state any more: if it is shown again, a failure that it still has raises an event. With
 * `known` false they are forgotten: then the resource is new, as for a key that cannot see it.
 */
export async function noteAbsent(
  { store, clock }: TimedApp,
  { resource, aspects, known }: { resource: string; aspects: readonly string[]; known: boolean },
): Promise<void> {
  await update(store, observedResources, resource, (now) => {
    if (!now) return undefined;
    const at = clock.now();
    const none = { ...unexplained, state: noState, at };
    const after = Object.entries(now.aspects).flatMap(([aspect, state]): [string, AspectState][] => {
      if (!aspects.includes(aspect)) return [[aspect, state]];
      return known ? [[aspect, none]] : [];
    });
    return { aspects: Object.fromEntries(after), at };
  });
}

/** The states of a machine that is down. */
const downStates: readonly string[] = ["stopped", "paused", "error", "orphaned"];

/**
 * Since when a machine is down although no act led there, in milliseconds since the epoch; `since` is null if that is unknown. Null if it is
 * up, if an act led there, or if it was down when polling first saw it.
 */
export async function unaskedDown(
  app: TimedApp & Pick<ReadersApp, "causes">,
  id: string,
  state: string,
): Promise<{ since: number | null } | null> {
  const power = (await app.store.keyv(observedResources).get(`service:${id}`))?.aspects.power;
  if (!power || !downStates.includes(state)) return null;
  if (power.state === state) return power.at === 0 || power.by !== null ? null : { since: power.at };
  if (power.state !== null && downStates.includes(power.state)) return null;
  // It went down after polling, or an act, last left it up. An act that polling has not seen yet may have stopped it.
  const now = app.clock.now();
  const acts = (await app.causes.actsOn(id)).map((act): RelatedAct => ({ ...act, on: "target" }));
  const act = leadingAct(acts, { aspect: "power", state }, { before: power, reportedAt: null, now });
  return act ? null : { since: null };
}

/** Since when the aspect has been in that state (milliseconds since the epoch; 0: since before the first round); null where it is in another. */
export async function stateSince(
  { store }: StoreApp,
  { resource, aspect, state }: { resource: string; aspect: string; state: string },
): Promise<number | null> {
  const found = (await store.keyv(observedResources).get(resource))?.aspects[aspect];
  return found?.state === state ? found.at : null;
}

/** How an act is about a resource that is found: it is the target, the act made it, or it is a document for the target. */
interface RelatedAct extends EffectiveAct {
  on: StoredEffect["on"];
}

/** The acts on all resources that the event names, newest first of each. */
async function relatedActs(app: ReadersApp, { event, data }: Omit<EventCandidate, "led">): Promise<RelatedAct[]> {
  const { serviceId, orderId, externalOrderId, documentId, imageId } = data;
  const ids = [serviceId, orderId, externalOrderId, documentId, imageId].flatMap((id) => id ?? []);
  const subject = eventResource({ event, data });
  const found = await Promise.all(
    ids.map(async (id) => {
      const acts = await app.causes.actsOn(id);
      // Another charge of an order makes its services.
      return acts.map((act): RelatedAct => ({ ...act, on: act.target === subject ? "target" : "made" }));
    }),
  );
  const acts = found.flat();
  if (!documentId) return acts;
  // A document is cancelled by an act on its service, so search the targets of the document's own acts, too.
  const services = new Set(acts.flatMap(({ target }) => (target === null || target === documentId ? [] : [target])));
  const others = await Promise.all([...services].map((id) => app.causes.actsOn(id)));
  return [...acts, ...others.flat().map((act): RelatedAct => ({ ...act, on: "documents" }))];
}

/** Milliseconds. The platform may show an older state for so long after an act has ended: then a second reading must confirm it. */
const lagMs = 15 * minute;
/** Milliseconds. A page that is read again after a crash is no second reading. */
const secondReadingMs = minute;

/** The act that led to the state; null if none did. An act leads to each of its states once, and only until it has ended. */
function leadingAct(
  acts: readonly RelatedAct[],
  { aspect, state }: NonNullable<EventCandidate["led"]>,
  { before, reportedAt, now }: { before: AspectState | undefined; reportedAt: number | null; now: number },
): RelatedAct | null {
  /** It ended before the last known state began, or led to the state already, and this is no report of that again. */
  function isOver({ endsAt, request }: RelatedAct): boolean {
    if (!before) return false;
    if (endsAt < before.at) return true;
    const isSpent = before.spent.includes(spentMark(request, state, null));
    const isAgain = reportedAt !== null && before.spent.includes(spentMark(request, state, reportedAt));
    return isSpent && !isAgain;
  }

  function leads(act: RelatedAct, { through, to, failing, later }: StoredEffect): boolean {
    if (later) return [...to, ...failing].includes(state);
    if (isOver(act)) return false;
    const isBack = to.length === 0 && before?.passing?.request === act.request && before.passing.was === state;
    if (isBack || (act.reached && to.includes(state))) return true;
    return now < act.endsAt && [...through, ...to].includes(state);
  }

  const isAbout = (act: RelatedAct, effect: StoredEffect) => effect.aspect === aspect && effect.on === act.on;
  return acts.find((act) => act.effects.some((effect) => isAbout(act, effect) && leads(act, effect))) ?? null;
}

/** An act has led to the state; with `reportedAt`, in that report of the platform's. */
function spentMark(request: string, state: string, reportedAt: number | null): string {
  return [request, state, ...(reportedAt === null ? [] : [reportedAt])].join(" ");
}

/** The act leads through the state, and not to it: a resource that stays so after its end needs an alert. */
function passesThrough(act: RelatedAct, { aspect, state }: NonNullable<EventCandidate["led"]>): boolean {
  return act.effects.some(
    (effect) => effect.aspect === aspect && effect.through.includes(state) && !effect.to.includes(state),
  );
}

/** An act on this aspect has ended just now, and the platform does not date the state later: it may be one from before the end. */
function mayLag(
  acts: readonly RelatedAct[],
  led: EventCandidate["led"],
  reportedAt: number | null,
  now: number,
): boolean {
  return acts.some(
    ({ effects, endsAt }) =>
      effects.some(({ aspect, later }) => aspect === led?.aspect && !later) &&
      endsAt <= now &&
      now - endsAt < lagMs &&
      !(reportedAt !== null && reportedAt > endsAt),
  );
}

interface FoundInLog {
  /** The log has the same event already, about the order or the service: it must be alerted once. */
  isLogged: boolean;
  /** The webhook by which the log has it, where that seemed late, so that no alert shows it. */
  late?: LoggedEvent | undefined;
  /** As in DetectedEvent, for an event about a service that others may find, too. */
  after?: string | null;
}

async function searchLog(
  app: ReadersApp,
  { event, data }: EventCandidate,
  before: AspectState | undefined,
): Promise<FoundInLog> {
  if (!isReportedByOthers(event)) return { isLogged: false };
  const names = [event, ...(sameAs.get(event) ?? [])];
  const isSame = (logged: LoggedEvent) => names.includes(logged.event);
  const { serviceId } = data;
  if (isOfOrder(event) || !serviceId) {
    // A build may fail again, so older failures do not count. A payment's events come once.
    const since = before && !isOfOrder(event) ? before.at - comesWithinMs : 0;
    const abouts = [data.orderId, ...(data.services ?? []).map((service) => service.serviceId)];
    const logged = await Promise.all(abouts.map((about) => loggedAbout(app, about)));
    const same = logged.flat().filter((one) => isSame(one) && one.at >= since);
    const isLate = async (one: LoggedEvent) => !isOfOrder(event) && seemsLate(one, await newestAbout(app, one, one.id));
    const late = await Promise.all(same.map(isLate));
    return { isLogged: late.includes(false), late: same[late.indexOf(true)] };
  }
  // A failed order lists its services. A service's states repeat, so only its present one counts.
  const logged = (await loggedAbout(app, serviceId)).map((one) => forService(serviceId, one));
  const isOfAspect = (one: LoggedEvent) => aspectOf(one) === aspectOf({ event, data });
  // Of the whole log: a resource that was gone has no state from before.
  const isLogged = latestByAspect(logged.toReversed()).some((one) => isOfAspect(one) && isSame(one));
  if (isLogged) return { isLogged };
  const newest = logged.find((one) => isOfAspect(one) || isGone(one));
  return { isLogged, late: newest && isSame(newest) ? newest : undefined, after: logged[0]?.id ?? null };
}

/** The event of what was read, with the reasons of the webhook that it confirms. */
function withLate<C extends Pick<EventCandidate, "source" | "data">>(found: C, late: LoggedEvent | undefined): C {
  return late ? { ...found, source: "confirmed", data: withFacts(late.data, found.data) } : found;
}

/** The facts from before, but for those that a read names. */
function withFacts(before: EventFacts, read: EventCandidate["data"]): EventCandidate["data"] {
  const known = Object.entries(read).filter(([, fact]) => fact !== null && fact !== undefined);
  return { ...before, ...Object.fromEntries(known) };
}

/** The stored state; of a return, the failure, suspension or withholding that the log shows as the service's present state. */
async function stateBefore(
  app: StoreApp,
  resource: string,
  { returns }: Observation,
  stored: string | null,
): Promise<string | null> {
  if (!returns) return stored;
  const id = resource.slice(resource.indexOf(":") + 1);
  const logged = (await loggedAbout(app, id)).map((one) => forService(id, one));
  const present = latestByAspect(logged.toReversed()).find((one) => aspectOf(one) === `service:${id}`);
  const isOpen = present && isLoud(present) && !isServiceEnd(present);
  return (isOpen && reportedState(present.event)?.state) || stored;
}

/** The newest events in the log about the order or the service, which were not put aside. */
async function loggedAbout(app: StoreApp, about: string | null | undefined): Promise<LoggedEvent[]> {
  if (!about) return [];
  return (await newestEvents(app, { about, limit: entriesSearched })).filter(({ aside }) => aside === null);
}

/** Adds the order and the customer from the supplier's events, so that the event joins the same alert. */
async function withOrderFacts<C extends Pick<EventCandidate, "data">>(app: ReadersApp, candidate: C): Promise<C> {
  const { data } = candidate;
  if (!data.serviceId || data.orderId) return candidate;
  return { ...candidate, data: { ...(await findOrderAndCustomer(app, data.serviceId)), ...data } };
}

/** Raises the event, if any, and returns the aspect to store; null where the stored one stays as it is. */
async function compare(
  app: ReadersApp,
  resource: string,
  observation: Observation,
  before: AspectState | undefined,
  round: PollingRound,
): Promise<AspectState | null> {
  const { state } = observation;
  if (before?.state === state && !before.passing)
    return before.next || before.unread ? { ...before, next: null, unread: false } : null;
  const now: AspectState = { ...unexplained, spent: before?.spent ?? [], state, at: app.clock.now() };
  if ((!before || before.unread) && round.first) return { ...now, at: 0 };
  const passing = before?.state === state ? before.passing : null;
  const was = passing ? passing.was : (before?.state ?? null);
  const candidate = observation.eventFor(await stateBefore(app, resource, observation, was));
  if (candidate === "later") return null;
  if (!candidate) return now;
  const { isLogged, late, ...place } = await searchLog(app, candidate, before);
  const found = { ...withLate(candidate, late), ...place };
  return isLogged ? now : raise(app, resource, found, { observation, before, passing, now });
}

/**
 * Raises the event of the state that is read where the log's newest webhook about it says another: that one was late, or the next one was
 * lost, and no change is read any more. Resolves to when to read again (milliseconds since the epoch) if a webhook may still come; else null.
 */
export async function correctLog(
  app: Pick<ReadersApp, "store" | "clock" | "wakeFeed">,
  resource: string,
  observations: readonly Pick<Observation, "eventFor">[],
): Promise<number | null> {
  if (observations.length === 0) return null;
  const id = resource.slice(resource.indexOf(":") + 1);
  // Each round comes here for each resource that is sold, so that the log is read once for all that is observed of it.
  const logged = (await loggedAbout(app, id)).toReversed();
  const latest = latestByAspect(logged);
  const pairs = observations.flatMap((observation) => latest.map((event) => ({ observation, event })));
  let again: number | null = null;
  for (const { observation, event } of pairs) {
    const found = correctionOf(event, id, observation);
    if (!found) continue;
    const newest = logged.findLast((one) => aspectOf(one) === aspectOf(event));
    const correction = withLate(found, newest?.event === found.event ? newest : undefined);
    const correctAt = event.at + comesWithinMs;
    if (app.clock.now() < correctAt) again = Math.min(again ?? correctAt, correctAt);
    else await storeDetected(app, { ...correction, unique: JSON.stringify(["corrects", event.id, correction.event]) });
  }
  return again;
}

/** The event of what is read, if it says another state than this webhook, which is no end, and none from before it. */
function correctionOf(
  event: LoggedEvent,
  id: string,
  { eventFor }: Pick<Observation, "eventFor">,
): Omit<DetectedEvent, "unique"> | null {
  const said = reportedState(event.event);
  const candidate = event.source === "webhook" && said !== null && !isServiceEnd(event) ? eventFor(said.state) : null;
  if (candidate === null || candidate === "later" || eventResource(candidate) !== id) return null;
  const read = reportedState(candidate.event);
  if (read?.aspect !== said?.aspect || read?.state === said?.state) return null;
  const { led: _, data, ...detected } = candidate;
  const correction = { ...detected, data: withFacts(lastingFacts(event), data), askedBy: null, request: null };
  const [newest, other] = latestByAspect([event, { ...event, ...correction }]);
  return newest === event || other !== undefined ? null : correction;
}

/** Raises the event of a change, unless an act is still under way, or a webhook or a second reading is still to come. Returns as `compare`. */
async function raise(
  app: ReadersApp,
  resource: string,
  { led, ...detected }: EventCandidate,
  change: {
    observation: Observation;
    before: AspectState | undefined;
    passing: AspectState["passing"];
    now: AspectState;
  },
): Promise<AspectState | null> {
  const { observation, before, passing, now } = change;
  const { aspect, state, reportedAt = null, patient = false } = observation;
  const { at } = now;
  const acts = led ? await relatedActs(app, detected) : [];
  const isUnderWay = passing && acts.some((act) => act.request === passing.request && at < act.endsAt);
  if (isUnderWay) return null;
  const act = led && !passing ? leadingAct(acts, led, { before, reportedAt, now: at }) : null;
  const since = firstSeen(before, state, at);
  const isSecond = before?.next?.state === state && at - since >= secondReadingMs;
  const waits = (patient && at - since < comesWithinMs) || (!act && !isSecond && mayLag(acts, led, reportedAt, at));
  if (waits) return { ...unexplained, ...before, next: { state, since } };
  const found = await withOrderFacts(app, detected);
  const was = before?.state ?? null;
  // The name depends on the change alone: found again after a crash, the log refuses it as known.
  const unique = JSON.stringify([resource, aspect, was, before?.at ?? 0, state]);
  const cause = act ? { askedBy: act.slackUser, request: act.request } : { askedBy: null, request: null };
  await storeDetected(app, { ...found, ...cause, unique });
  return act && led ? explained(now, act, led, { was, reportedAt }) : now;
}

/** A clock that was set back leaves a first time in the future: then the time begins again. */
function firstSeen(before: AspectState | undefined, state: string, at: number): number {
  return before?.next?.state === state ? Math.min(before.next.since, at) : at;
}

/** The state with the act that led to it. */
function explained(
  now: AspectState,
  act: RelatedAct,
  led: NonNullable<EventCandidate["led"]>,
  { was, reportedAt }: { was: string | null; reportedAt: number | null },
): AspectState {
  const { request } = act;
  const marks = [null, ...(reportedAt === null ? [] : [reportedAt])].map((at) => spentMark(request, led.state, at));
  return {
    ...now,
    by: request,
    passing: passesThrough(act, led) ? { request, was } : null,
    spent: [...now.spent, ...marks].slice(-mostSpent),
  };
}

/** True where a webhook, an event about the order, or the reader of the other API may have reported the same already. */
function isReportedByOthers(event: string): boolean {
  const aspect = reportedState(event)?.aspect;
  return supplierEventNames.some((name) => name === event) || aspect === "billing" || aspect === "building";
}

/** Events about an order and about its services that mean the same. */
const sameAs = new Map<string, string[]>([
  ["order.completed", ["service.provisioned"]],
  ["order.failed", ["service.provisioning_failed"]],
  ["service.provisioning_failed", ["order.failed"]],
]);
