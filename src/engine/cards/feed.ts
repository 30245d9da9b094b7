import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Hearing } from "../requests/hearing.ts";
import type { Bring } from "./channels.ts";
import type { Confirm } from "./confirm.ts";
import { toConfirm } from "./confirmation.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import type { Outcome, Outcomes } from "./outcomes.ts";
import { eventLine } from "./view.ts";

const sweepEveryMs = 60_000;
/** Between two pages, so that what still arrives does not wait for what has. */
const pauseMs = 100;

/** Brings a page of what was kept to its requests and cards, in the order in which it came, and looks again each minute: a wake-up between keeping and waking may be lost. */
export function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  hearing: Pick<Hearing, "concerns" | "hear">;
  confirm: Pick<Confirm, "ask">;
  outcomes: Pick<Outcomes, "note">;
  /** Brings it to its channels. */
  channels: Bring;
}): () => Promise<number> {
  const { store, clock, events, hearing, confirm, outcomes, channels } = deps;
  const cursor = store.values("alert-feed");

  async function bring(event: KeptEvent, concerns: boolean): Promise<Outcome> {
    const cause = concerns ? await hearing.hear(newsOf(event)) : null;
    const told = await channels(event, cause);
    const request = cause && { slackUser: cause.request.slackUser, expected: cause.expected };
    const shownOn = told.channels.flatMap(({ card }) => card ?? []);
    const thing = toConfirm(event);
    if (thing !== null && shownOn.length > 0) await confirm.ask(thing, shownOn);
    return { ...told, request };
  }

  /** What was brought and not noted when a crash comes is brought again, which changes nothing. */
  async function bringAll(page: KeptEvent[]): Promise<void> {
    // Most are about what nobody asked for here, which is found out of all at once.
    const concerns = await Promise.all(page.map((event) => hearing.concerns(newsOf(event))));
    const became: [id: string, Outcome][] = [];
    for (const [at, event] of page.entries()) became.push([event.id, await bring(event, concerns[at] === true)]);
    await Promise.all(became.map(([id, outcome]) => outcomes.note(id, outcome)));
  }

  return async () => {
    const kept = await cursor.get("last");
    const from = typeof kept === "string" ? kept : "";
    const { events: page, last, more } = await events.after(from);
    await bringAll(page.filter(({ aside }) => aside === null));
    if (last !== from) await cursor.note("last", last);
    return clock.now() + (more ? pauseMs : sweepEveryMs);
  };
}

function newsOf(event: KeptEvent) {
  const { orderId, serviceId, externalOrderId, services } = event.data;
  const about = [serviceId, ...(services ?? []).map((service) => service.serviceId), orderId];
  return {
    ...{ id: event.id, event: event.event, at: event.at, line: eventLine(event) },
    // A test event is about nothing but itself.
    about: [...about.filter((id) => typeof id === "string"), event.event],
    ownOrder: externalOrderId ?? null,
  };
}
