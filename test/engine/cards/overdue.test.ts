import { expect, test } from "vitest";
import type { KeptEvent } from "../../../src/engine/cards/event-log.ts";
import { createOverdue } from "../../../src/engine/cards/overdue.ts";
import { EventData } from "../../../src/platform/reseller/events.ts";
import { requestOf } from "../requests/requests.ts";

/** Whether it is said that nothing came, where the log holds events of these sources. */
async function isSaid(sources: KeptEvent["source"][]): Promise<boolean> {
  const said: string[] = [];
  const run = createOverdue({
    hearing: {
      concerns: async () => false,
      hear: async () => null,
      unheard: async (id) => requestOf({ id, state: "done" }),
      overdue: async (id) => void said.push(id),
      close: async () => undefined,
    },
    tell: async (found) => void said.push(found.event),
    events: {
      newest: async ({ source }) => sources.filter((one) => source === undefined || one === source).map(kept),
    },
  });
  await run("expect:r1");
  return said.length > 0;
}

function kept(source: KeptEvent["source"]): KeptEvent {
  const at = 1;
  const data = EventData.parse({});
  return { id: "1", at, event: "order.paid", timestamp: "", data, aside: null, source, askedBy: null };
}

test("an event is missed where the supplier tells of things here, and not where they were found by reading alone", async () => {
  expect(await isSaid(["told"])).toBe(true);
  expect(await isSaid(["found", "missed"])).toBe(false);
  expect(await isSaid([])).toBe(false);
});
