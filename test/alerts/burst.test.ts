import fc from "fast-check";
import { expect, test } from "vitest";
import { addToAlert, readAlert } from "../../src/alerts/alert.ts";
import { burstPage, holdInBurst, isHeld, updateHeld } from "../../src/alerts/burst.ts";
import { newestEvents, storeDelivery } from "../../src/alerts/event-log.ts";
import { alertEventNames, EventFacts, isLoud, type LoggedEvent } from "../../src/alerts/events.ts";
import { openMemory } from "../storage/memory.ts";

const minute = 60_000;
const alert = { channel: "C1", startedAt: 0, events: [], lateMentions: [], unplaced: null };

function suspended(number: number, at: number): LoggedEvent {
  const data = EventFacts.parse({ serviceId: `service-${number}` });
  const facts = { timestamp: "", aside: null, source: "webhook", askedBy: null, request: null, acted: false } as const;
  return { id: `event-${number}`, at, event: "service.suspended", ...facts, data };
}

test("whenever alerts come, at most five of any minute are messages of their own, and each other one is named in a message", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 40 }), async (gaps) => {
      const memory = await openMemory();
      const alone: number[] = [];
      const held: string[] = [];
      let at = 1_000_000;
      for (const [number, gap] of gaps.entries()) {
        at += gap;
        const one = { id: `alert-${number}`, channel: "C1", mentions: false };
        await holdInBurst(memory, one, suspended(number, at));
        const before = await isHeld(memory, one.id, alert);
        // A crash has the feed take the same event again.
        await holdInBurst(memory, one, suspended(number, at));
        expect(await isHeld(memory, one.id, alert)).toBe(before);
        if (before) held.push(one.id);
        else alone.push(at);
      }
      for (const from of alone) expect(alone.filter((to) => to >= from && to < from + minute).length).toBeLessThan(6);
      const named: string[] = [];
      for (const burst of held) {
        for (let after: string | undefined, isLast = false; !isLast; ) {
          const page = await burstPage(memory, burst, after);
          named.push(...page.alerts.map(({ id }) => id));
          after = page.next;
          isLast = after === undefined;
        }
      }
      // A burst has the id of its first alert, and each held alert is in one.
      expect(named.toSorted()).toEqual(held.toSorted());
    }),
    { numRuns: 30 },
  );
});

test("ten thousand alerts of one minute are one message with twenty lines, and ask the outbox for no more than it has room for", async () => {
  const memory = await openMemory();
  const many = 10_000;
  for (let number = 0; number < many; number += 1) {
    const one = { id: `alert-${number}`, channel: "C1", mentions: false };
    await holdInBurst(memory, one, suspended(number, 1_000_000 + number * 5));
  }
  const { alerts, total } = await burstPage(memory, "alert-5");
  expect({ named: alerts.length, total }).toEqual({ named: 20, total: many - 5 });
  const waiting = (await memory.store.timers.backlog()).reduce((sum, { due, failing }) => sum + due + failing, 0);
  expect(waiting).toBe(1);
});

test("the line of an alert in a burst names those services of a failed build that are not ready since", async () => {
  const memory = { ...(await openMemory()), wakeFeed: () => {} };
  const at = memory.clock.now();
  for (let number = 0; number < 5; number += 1)
    await holdInBurst(memory, { id: `alert-${number}`, channel: "C1", mentions: false }, suspended(number, at));
  const services = ["a", "b"].map((serviceId) => ({ serviceId }));
  const came = [
    ["service.provisioning_failed", { orderId: "o-1", orderNumber: "RES-1", services }],
    ["service.provisioned", { orderId: "o-1", serviceId: "b" }],
  ] as const;
  const lines: (string | undefined)[] = [];
  for (const [event, data] of came) {
    const delivery = { event, timestamp: new Date(at).toISOString(), data };
    await storeDelivery(memory, { event: delivery, body: Buffer.from(event), deliveryId: event });
    const [logged] = await newestEvents(memory, { limit: 1 });
    if (!logged) throw new Error("The log has no event");
    const nobody = { mutedUntil: null, askedBy: null, mention: null, call: null, unmentioned: 0 };
    const entry = { id: logged.id, loud: false, waits: "no" as const, ...nobody };
    const added = await addToAlert(memory, logged, { channel: "C1", alertKeys: ["order:o-1"], starts: true, entry });
    const id = added?.id ?? "";
    await holdInBurst(memory, { id, channel: "C1", mentions: false }, logged);
    lines.push((await burstPage(memory, id)).alerts[0]?.line);
  }
  expect(lines[0]).toContain("`a` and `b` of order `RES-1` could not be built");
  expect(lines[1]).toContain("`a` of order `RES-1` could not be built");
});

test("a failure, suspension or end posts a held alert, with each quiet event that the alert can have begun with", async () => {
  const quiet = alertEventNames.filter((event) => !isLoud({ ...suspended(0, 0), event }));
  const loud = alertEventNames.filter((event) => isLoud({ ...suspended(0, 0), event }));
  expect(Math.min(quiet.length, loud.length)).toBeGreaterThan(8);
  const memory = await openMemory();
  const add = async (logged: LoggedEvent, alertKey: string) => {
    const entry = {
      id: logged.id,
      loud: isLoud(logged),
      waits: "here" as const,
      mutedUntil: null,
      askedBy: null,
      mention: null,
      call: null,
      unmentioned: 0,
    };
    const added = await addToAlert(memory, logged, { channel: "C1", alertKeys: [alertKey], starts: true, entry });
    const one = { id: added?.id ?? "", channel: "C1", mentions: false, loud: entry.loud };
    await (added?.begun ? holdInBurst(memory, one, logged) : updateHeld(memory, one, logged));
    return one.id;
  };
  const held = async (id: string) => isHeld(memory, id, (await readAlert(memory, id)) ?? alert);
  const pairs = quiet.flatMap((first) => loud.map((then) => ({ first, then })));
  let at = 1_000_000;
  for (const [round, { first, then }] of pairs.entries()) {
    at += 60 * minute;
    const eventOf = (name: string, event: string, later: number) =>
      ({ ...suspended(0, at + later), id: `${name}-${round}`, event }) satisfies LoggedEvent;
    for (let number = 0; number < 5; number += 1)
      await add(eventOf(`other-${number}`, first, number), `${round}:${number}`);
    const id = await add(eventOf("first", first, 10), `${round}:own`);
    expect(await held(id)).toBe(true);
    for (const other of quiet) await add(eventOf(`quiet-${other}`, other, minute), `${round}:own`);
    expect([first, await held(id)]).toEqual([first, true]);
    await add(eventOf("then", then, 10 * minute), `${round}:own`);
    expect([first, then, await held(id)]).toEqual([first, then, false]);
  }
});
