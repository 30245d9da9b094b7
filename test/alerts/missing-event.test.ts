import { expect, test } from "vitest";
import type { LoggedEvent } from "../../src/alerts/event-log.ts";
import { createMissingEventCheck } from "../../src/alerts/missing-event.ts";
import { EventData } from "../../src/platform/reseller/events.ts";
import { requestOf } from "../requests/requests.ts";

/** True where the run raises `event.missing`, with events of these sources in the log. */
async function isSaid(sources: LoggedEvent["source"][]): Promise<boolean> {
  const said: string[] = [];
  const run = createMissingEventCheck({
    hearing: {
      concerns: async () => false,
      hear: async () => null,
      unheard: async (id) => requestOf({ id, state: "done" }),
      overdue: async (id) => void said.push(id),
      close: async () => undefined,
      done: async () => null,
      pollWaiting: async () => {},
    },
    raise: async (found) => void said.push(found.event),
    events: {
      newest: async ({ source }) => sources.filter((one) => source === undefined || one === source).map(kept),
    },
  });
  await run("expect:r1", { lane: "expect:", id: "r1", run: "1" });
  return said.length > 0;
}

function kept(source: LoggedEvent["source"]): LoggedEvent {
  const at = 1;
  const data = EventData.parse({});
  return {
    id: "1",
    at,
    event: "order.paid",
    timestamp: "",
    data,
    aside: null,
    source,
    askedBy: null,
    request: null,
    acted: false,
  };
}

test("an event is missed where the supplier tells of things here, and not where they were found by reading alone", async () => {
  expect(await isSaid(["told"])).toBe(true);
  expect(await isSaid(["found", "missed"])).toBe(false);
  expect(await isSaid([])).toBe(false);
});
