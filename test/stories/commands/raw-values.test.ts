import { expect, test } from "vitest";
import { isObject } from "../../../src/sandbox/slack/wire/json.ts";
import { passRound, read, untilReported } from "../polled.ts";
import { readEach } from "../reads.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Message, said } from "../story.ts";

// The platform writes for programs: its null is no unknown value, its ids are no names, and its states are no words.

/** A resource that has no name has its id alone in a cell. */
const uuid = /(?<!^\s*)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/m;

const rawValues: readonly [string, RegExp][] = [
  ["a null that reads as unknown", /\b(?<!price |failed-|price-)unknown\b(?! zone)/i],
  ["a field that is null", /nothing of it|not there/i],
  ["a field that says nothing", /\bAvailable\*?: yes/],
  ["a state as machines write it", /`[a-z]+(?:_[a-z]+)+`/],
  ["figures without their time", /Last figures?:/],
  ["a state that no sentence has", /is no machine/],
];

function faultsOf(command: string, text: string, patterns: readonly [string, RegExp][]): string[] {
  return patterns.flatMap(([fault, pattern]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`${command} has ${fault}: ${found}`];
  });
}

/** The answer with fields in every object that have no value. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (!isObject(value)) return value;
  const whole = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNulls(inner)]));
  return Array.isArray(value.errors) ? value : { ...whole, nothing_of_it: null, not_there: { nothing_of_it: null } };
}

test.each([0, 1, 2])(
  "no read shows an own id, a null, a state as machines write it or a bare figure (shape %i)",
  async (shape) => {
    const story = await startResellerStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.shapes.payload = shape;
    platform.faults.next({
      how: { rewrite: withNulls },
      method: "GET",
      path: /^(?!.*\/schema$)/,
      times: Number.POSITIVE_INFINITY,
    });
    const answers: [string, Message][] = [];
    await readEach(story, (command, answer) => answers.push([command, answer]));
    const faults: string[] = [];
    for (const [command, answer] of answers) {
      faults.push(...faultsOf(command, said(answer), [...rawValues, ["an id in place of a name", uuid]]));
      if (!JSON.stringify(answer.blocks).includes('"Details"')) continue;
      const details = await story.details(ana, answer);
      // The line at the end has the id, for whom it is asked for.
      faults.push(
        ...faultsOf(`the details of ${command}`, details, [...rawValues, ["an own id", /\*(?:ID|UUID)\*: `/]]),
      );
    }
    expect(faults).toEqual([]);
  },
  90_000,
);

test("a VPS without a machine has none yet, and an order's total is not said to be before tax", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-1", { instance: null });
  expect(said(await story.ask(ana, "/vps show web-1", "has no machine yet"))).not.toContain("is no machine");
  platform.faults.next({
    how: { rewrite: withTotals },
    method: "GET",
    path: /^\/reseller\/orders/,
    times: 5,
  });
  const card = await story.ask(ana, "/reseller order show ORD-1000", "17.00 EUR");
  const details = await story.details(ana, card, "20.57");
  expect(details).toContain("17.00 EUR excl. VAT");
  expect(details).not.toMatch(/20\.57[^\n]*excl\. VAT/);
});

function withTotals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTotals);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTotals(one)]));
  const sums = { total_amount: "20.57", wholesale_amount: "17.00", currency: "EUR", payment_mode: "invoice" };
  return "total_amount" in value ? { ...inner, ...sums } : inner;
}

test("the weekly report says in words what happened", async () => {
  const story = await read();
  for (const machine of ["web-1", "web-2"]) story.platform.change(machine, { instance: { state: "stopped" } });
  await passRound(story);
  const report = await untilReported(story, "2 × machine stopped");
  expect(report).not.toMatch(/\b(?:machine|service|order|invoice|image)\.[a-z]+/);
});
