import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, nullIfRefused } from "../../platform/http/errors.ts";
import { storeDetected } from "../event-log.ts";
import { forService, type LoggedEvent, lastingFacts, otherResources, serviceIn } from "../events.ts";
import { openAlerts, openEventsOf } from "../open.ts";
import { readRouting } from "../subscriptions.ts";
import { isObserved, noteAbsent } from "./observations.ts";
import type { OpenResources, PollingRound, ReadersApp } from "./reader.ts";

/** So many open alerts of a channel are looked at in a round: a storm has thousands. */
const mostAlerts = 500;

/** The resources of open alerts that one list shows, by their events. */
export function openResources<A extends ApiName, Row>(
  app: ReadersApp,
  list: {
    kind: "service" | "image";
    /** The aspects that the list observes; the first of them of each row. */
    aspects: readonly [string, ...string[]];
    idOf: (row: Row) => string;
    /** True for an event about a resource that only this list shows to be gone. */
    judges: (event: LoggedEvent) => boolean;
    read: (client: ApiClient<A>, id: string) => Promise<Row>;
    see: (row: Row, round: PollingRound) => Promise<void>;
  },
): OpenResources<A, Row> {
  const { kind, aspects, idOf, judges, read, see } = list;
  const note = (id: string, known: boolean) => noteAbsent(app, { resource: `${kind}:${id}`, aspects, known });

  async function openById(): Promise<Map<string, LoggedEvent>> {
    const open = (await openEvents(app)).filter(judges);
    return new Map(open.flatMap((event) => resourcesOf(event).map((id) => [id, event] as const)));
  }

  return {
    idOf,
    forget: (id) => note(id, false),
    async find() {
      const ids = [...(await openById()).keys()];
      // A key that never showed it cannot show that it is gone.
      const observed = await Promise.all(ids.map((id) => isObserved(app, `${kind}:${id}`, aspects[0])));
      return ids.filter((_, at) => observed[at]);
    },
    async check(client, id, round) {
      const row = await read(client, id).catch(nullIfRefused(404));
      if (row) return see(row, round);
      const event = (await openById()).get(id);
      if (event) await storeGone(app, id, event);
      await note(id, true);
    },
  };
}

/** Raises that the platform no longer shows the resource of this event, which ends its alerts. */
export async function storeGone(app: ReadersApp, id: string, event: LoggedEvent): Promise<void> {
  await storeDetected(app, {
    event: "resource.gone",
    data: lastingFacts(forService(id, event)),
    source: event.source === "polling" ? "polling" : "missed",
    askedBy: null,
    request: null,
    unique: JSON.stringify(["gone", id, event.id]),
  });
}

async function openEvents(app: ReadersApp): Promise<LoggedEvent[]> {
  const { subscriptions } = await readRouting(app);
  const events: LoggedEvent[] = [];
  for (const channel of new Set(subscriptions.map((one) => one.channel))) {
    let looked = 0;
    for await (const id of openAlerts(app, channel)) {
      events.push(...(await openEventsOf(app, id)));
      looked += 1;
      if (looked >= mostAlerts) break;
    }
  }
  return events;
}

/** The ids of the image, or of the services, that an event is about. A document is read by its own reader. */
function resourcesOf(event: LoggedEvent): string[] {
  const { documentId, imageId } = event.data;
  if (documentId) return [];
  const ids = imageId ? [imageId] : [serviceIn(event.data), ...otherResources(event)];
  return [...new Set(ids)].filter((id) => typeof id === "string");
}
