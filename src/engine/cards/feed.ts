import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Hearing } from "../requests/hearing.ts";
import type { Bring } from "./channels.ts";
import type { Confirm } from "./confirm.ts";
import { toConfirm } from "./confirmation.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import type { Outcomes } from "./outcomes.ts";
import { eventLine } from "./view.ts";

const sweepEveryMs = 60_000;

/** Brings what was kept to its requests and cards, in the order in which it came, and looks again each minute: a wake-up between keeping and waking may be lost. */
export function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  hearing: Pick<Hearing, "hear">;
  confirm: Pick<Confirm, "ask">;
  outcomes: Pick<Outcomes, "note">;
  /** Brings it to its channels. */
  channels: Bring;
}): () => Promise<number> {
  const { store, clock, events, hearing, confirm, outcomes, channels } = deps;
  const cursor = store.values("alert-feed");

  async function bring(event: KeptEvent): Promise<void> {
    if (event.aside !== null) return;
    const cause = await hearing.hear(newsOf(event));
    const told = await channels(event, cause);
    const request = cause && { slackUser: cause.request.slackUser, expected: cause.expected };
    await outcomes.note(event.id, { ...told, request });
    const shownOn = told.channels.flatMap(({ card }) => card ?? []);
    const thing = toConfirm(event);
    if (thing !== null && shownOn.length > 0) await confirm.ask(thing, shownOn);
  }

  return async () => {
    for (;;) {
      const from = await cursor.get("last");
      const page = await events.after(typeof from === "string" ? from : "");
      for (const event of page.events) await bring(event);
      if (page.last === null) return clock.now() + sweepEveryMs;
      await cursor.set("last", page.last);
    }
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
