import type { StoredEffect } from "../operation/effects.ts";
import { verbWordsOf } from "../operation/registry.ts";
import { type AlertsApp, type CausingRequest, doneTimer } from "./app.ts";
import { type DetectedEvent, newestEvents, storeDetected } from "./event-log.ts";
import {
  type EventName,
  eventReporting,
  eventResource,
  forService,
  type LoggedEvent,
  lastingFacts,
  latestByAspect,
  reportedState,
} from "./events.ts";

/** How many of the newest events about the resource are searched for an alert to update. */
const eventsSearched = 20;

/** A state of the target that the end of an act proves. */
interface ActEnd {
  aspect: string;
  state: string;
}

/** One aspect of a resource, by the resource's platform id, and the state in which a member's act left it. */
export interface LeftState extends ActEnd {
  id: string;
  /** The request of the act. */
  request: string;
}

/**
 * Updates the alerts of a resource as soon as a member's act on it has ended, and polls the jobs that waited for that act.
 * The next poll or the supplier's event may come minutes later. Until then the alert would call for something that is done.
 */
export async function updateAlerts(
  app: Pick<AlertsApp, "store" | "clock" | "causes" | "wakeFeed" | "onGone">,
  /** Stores the new state for polling: otherwise polling would still compare with the old one, and miss a return to it. */
  note: (left: LeftState) => Promise<void>,
  timerId: string,
): Promise<void> {
  const { causes } = app;
  const request = await causes.readDone(timerId.slice(doneTimer.length));
  if (!request?.target) return;
  await causes.pollWaiting(request);
  await causes.noteLaterAct(request.id);
  if (request.endUnknown || isPartial(request)) return;
  const { id } = request.target;
  const ends = request.effects.flatMap((effect) => endOf(effect));
  const isTargetGone = isGoneAfter(request, ends);
  if (isTargetGone) await app.onGone(id, `<@${request.slackUser}> had it destroyed.`);
  for (const { aspect, state } of ends) await note({ id, aspect, state, request: request.id });
  if (ends.length === 0 && !isTargetGone) return;
  const found = await newestEvents(app, { about: id, limit: eventsSearched });
  const shown = found.filter(({ aside }) => aside === null).map((event) => forService(id, event));
  for (const event of latestByAspect(shown.toReversed())) {
    const next = eventResource(event) === id ? eventAfter(event, ends, isTargetGone) : null;
    if (next) await storeDetected(app, derivedEvent(request, event, next));
  }
}

/**
 * The event to which the act led from this one; null where that shows its state already, or the act leaves that as it was. A target that is
 * gone has none of its other aspects any more: no machine that is down, no renewal.
 */
function eventAfter(event: LoggedEvent, ends: readonly ActEnd[], isTargetGone: boolean): EventName | null {
  const reported = reportedState(event.event);
  const end = ends.find(({ aspect }) => aspect === reported?.aspect);
  if (end && end.state === reported?.state) return null;
  const reporting = (family: string, { aspect, state }: ActEnd) => eventReporting(family, aspect, state);
  if (isTargetGone) return ends.flatMap((one) => reporting("service", one) ?? [])[0] ?? "resource.gone";
  return end ? reporting(event.event.split(".")[0] ?? "", end) : null;
}

/** True where the act ended its target for good. What has no states is deleted by its verb. */
function isGoneAfter({ command }: CausingRequest, ends: readonly ActEnd[]): boolean {
  return verbWordsOf({ command }) === "delete" || ends.some(({ state }) => state === "terminated" || state === "gone");
}

function endOf({ on, aspect, to, later }: StoredEffect): ActEnd[] {
  const [state, other] = to;
  return on === "target" && !later && state !== undefined && other === undefined ? [{ aspect, state }] : [];
}

/** True where the act offers itself as its next step: a part of the amount was paid, so the alert still applies. */
function isPartial({ command, target, next }: CausingRequest): boolean {
  return next.some((step) => step.command === command && step.target === target?.id);
}

function derivedEvent({ id, slackUser }: CausingRequest, from: LoggedEvent, event: EventName): DetectedEvent {
  const { source } = from;
  return {
    event,
    data: lastingFacts(from),
    askedBy: slackUser,
    request: id,
    acted: true,
    // Never "webhook": only the supplier's own event proves that their deliveries arrive.
    source: source === "polling" ? "polling" : "missed",
    // One act ends several aspects by one event.
    unique: `acted ${id} ${event}`,
  };
}
