import { describe, expect, test } from "vitest";
import {
  chainOf,
  dueStep,
  type MadeStep,
  mentionWords,
  nextStep,
  nobody,
  type Reached,
  reachedWords,
  reachNotes,
  stepsSoFar,
  type WaitStep,
} from "../../../src/policy/responsibility/steps.ts";
import { moment } from "../../../src/views/format.ts";

const minute = 60_000;
const now = Date.parse("2026-11-28T10:00:00Z");
type Notified = Reached["notified"][number];

function person(slackUser: string, change: Partial<Notified> = {}): Notified {
  return { mention: `<@${slackUser}>`, slackUser, insteadOf: null, quietUntil: null, direct: false, ...change };
}
const heard: Reached = { notified: [person("U1")], skipped: [] };
const quiet: Reached = { notified: [person("U1", { quietUntil: now + minute })], skipped: [] };
const reach = async () => heard;
const later = (...after: number[]) =>
  after.map((minutes) => ({ to: `after ${minutes}`, after: minutes * minute, reach }));
const untouched = { takenBy: null, steps: [] };
const plan = (steps: readonly WaitStep[]) => steps.map(({ name, kind, at }) => [name, kind, at]);

function made(step: WaitStep, at: number, reached: Reached = heard): MadeStep {
  return { name: step.name, kind: step.kind, to: step.to, at, ...reached };
}

describe("the steps of what waits", () => {
  test("are those of its message, then the others, each so long after the one before, and an end", () => {
    const first = { to: "the first", reach: heard };
    expect(plan(chainOf("a", now, { first, later: later(20, 50) }))).toEqual([
      ["a", "notified", now],
      ["a:then-0", "escalated", { after: "a", ms: 20 * minute }],
      ["a:then-1", "escalated", { after: "a:then-0", ms: 30 * minute }],
      ["a:end", "unanswered", { after: "a:then-1", ms: 30 * minute }],
    ]);
    expect(plan(chainOf("a", now, { first: null, later: later(20) }))).toEqual([
      ["a:then-0", "escalated", now + 20 * minute],
      ["a:end", "unanswered", { after: "a:then-0", ms: 20 * minute }],
    ]);
    // Two at one time, in their order.
    expect(plan(chainOf("a", now, { first: null, later: later(20, 10) })).at(1)).toEqual([
      ...["a:then-1", "escalated", { after: "a:then-0", ms: 0 }],
    ]);
  });

  test("have no end where somebody heard it and nobody else follows, and one where nobody heard it", () => {
    const plain = chainOf("a", now, { first: { to: "the first", reach: heard }, later: [] });
    expect(plan(plain)).toEqual([["a", "notified", now]]);
    expect(plan(chainOf("a", now, { first: { to: "the first", reach: quiet }, later: [] }))).toEqual([
      ["a", "notified", now],
      ["a:end", "unanswered", { after: "a", ms: 0 }],
    ]);
    expect(chainOf("a", now, { first: null, later: [] })).toEqual([]);
  });

  test("come one after the other, at once after one that nobody hears", () => {
    const chain = chainOf("a", now, { first: { to: "the first", reach: heard }, later: later(20, 50) });
    const [first, second, third, end] = chain;
    if (!first || !second || !third || !end) throw new Error("There are four");
    expect(nextStep(untouched, { steps: chain })).toEqual({ step: first, at: now });
    const one = { takenBy: null, steps: [made(first, now)] };
    expect(nextStep(one, { steps: chain })).toEqual({ step: second, at: now + 20 * minute });
    const two = { takenBy: null, steps: [...one.steps, made(second, now + 25 * minute)] };
    expect(nextStep(two, { steps: chain })).toEqual({ step: third, at: now + 55 * minute });
    const unheard = { takenBy: null, steps: [...one.steps, made(second, now + 25 * minute, quiet)] };
    expect(nextStep(unheard, { steps: chain })).toEqual({ step: third, at: now + 25 * minute });
    const all = { takenBy: null, steps: chain.map((step) => made(step, now)) };
    expect(nextStep(all, { steps: chain })).toBe(null);
    expect(dueStep(all, { steps: chain }, now)).toBe(null);
    // One whose former step is no longer among them comes at once.
    expect(nextStep(untouched, { steps: chain.slice(1) })).toEqual({ step: second, at: 0 });
  });

  test("are held by a take and by a mute, and what the message did is not", () => {
    const chain = chainOf("a", now, { first: { to: "the first", reach: heard }, later: later(20) });
    const [first, second] = chain;
    if (!first || !second) throw new Error("There are two");
    const takenBy = { until: now + 60 * minute };
    expect(nextStep({ takenBy, steps: [] }, { steps: chain })).toEqual({ step: first, at: now });
    const steps = [made(first, now)];
    expect(nextStep({ takenBy, steps }, { steps: chain })?.at).toBe(takenBy.until);
    expect(nextStep({ takenBy: null, steps }, { steps: chain, heldUntil: now + 30 * minute })?.at).toBe(
      now + 30 * minute,
    );
    expect(nextStep({ takenBy: null, steps }, { steps: chain, heldUntil: now })?.at).toBe(now + 20 * minute);
    expect(nextStep({ takenBy: { until: now }, steps }, { steps: chain, heldUntil: null })?.at).toBe(now + 20 * minute);
    expect(dueStep({ takenBy: null, steps }, { steps: chain }, now + 20 * minute - 1)).toBe(null);
    expect(dueStep({ takenBy: null, steps }, { steps: chain }, now + 20 * minute)).toBe(second);
  });

  test("so far are those that were made and those of the message, in the order of their times", () => {
    const chain = chainOf("a", now, { first: { to: "the first", reach: heard }, later: later(20) });
    const [first, second] = chain;
    if (!first || !second) throw new Error("There are two");
    expect(stepsSoFar(untouched, { steps: chain })).toEqual([made(first, now)]);
    const early = made(second, now - minute);
    expect(stepsSoFar({ steps: [early] }, { steps: chain })).toEqual([early, made(first, now)]);
    const noted = made(first, now, quiet);
    expect(stepsSoFar({ steps: [noted] }, { steps: chain })).toEqual([noted]);
  });
});

describe("the words of a step", () => {
  const step = (kind: MadeStep["kind"], reached: Partial<Reached>): MadeStep => ({
    ...{ name: "a", kind, to: "`@ops`", at: now, notified: [], skipped: [] },
    ...reached,
  });

  test("name those who were notified, each once, and for whom", () => {
    const notified = [person("U1"), person("U2", { insteadOf: "caro" }), person("U1")];
    expect(reachedWords(step("notified", { notified }))).toBe(
      "Rackbell notified <@U1> and <@U2> for caro, who is away.",
    );
    expect(reachedWords(step("escalated", { notified: [person("U1")] }))).toBe("Rackbell notified <@U1>.");
    expect(reachedWords(step("reminded", { notified: [person("U1")] }))).toBe("Rackbell reminded <@U1>.");
    expect(reachedWords(step("escalated", { skipped: ["Dave left."] }))).toBe(
      "Nobody of `@ops` could be notified. Dave left.",
    );
    expect(reachedWords(step("unanswered", { skipped: ["Dave left."] }))).toBe(
      "Nobody has taken it, and no further step follows.",
    );
  });

  test("say who is in Do Not Disturb, a person of a group by their own mention", () => {
    const until = now + minute;
    const group = { mention: "<!subteam^S1>", quietUntil: until };
    const notified = [person("U1", group), person("U2"), { ...person("U3", group), slackUser: null }];
    expect(reachNotes({ notified, skipped: ["Dave left."] })).toEqual([
      `<@U1> is in Do Not Disturb until ${moment(until)}.`,
      `<!subteam^S1> is in Do Not Disturb until ${moment(until)}.`,
      "Dave left.",
    ]);
  });

  test("mention each once who reads it in the channel, and nobody who gets it directly", () => {
    const group = { mention: "<!subteam^S1>" };
    const notified = [person("U1"), person("U2", group), person("U3", group), person("U4", { direct: true })];
    expect(mentionWords({ notified, skipped: [] })).toBe("<@U1> <!subteam^S1>");
    expect(mentionWords({ notified: notified.slice(3), skipped: [] })).toBe(null);
    expect(mentionWords(nobody)).toBe(null);
  });
});
