import fc from "fast-check";
import { expect, test } from "vitest";
import { newestEntries } from "../../../src/audit/audit.ts";
import {
  pressTake,
  readResponsibility,
  responsibilityTimer,
  responsibilityTimers,
  type WaitingSubject,
} from "../../../src/policy/responsibility/responsibility.ts";
import { chainOf, type Reached } from "../../../src/policy/responsibility/steps.ts";
import { openApp } from "../../requests/requests.ts";

const minute = 60_000;
const subject = { kind: "alert", id: "C1:service:web-1" };

/** A step reaches somebody who hears it, somebody in Do Not Disturb, or nobody. */
const outcomes = ["heard", "quiet", "nobody"] as const;
type Outcome = (typeof outcomes)[number];

function reached(outcome: Outcome, user: string, now: number): Reached {
  if (outcome === "nobody") return { notified: [], skipped: [`<@${user}> has linked no key.`] };
  const quietUntil = outcome === "quiet" ? now + 300 * minute : null;
  const one = { mention: `<@${user}>`, slackUser: user, insteadOf: null, quietUntil, direct: false };
  return { notified: [one], skipped: [] };
}

const passing = fc.record({ deed: fc.constant("pass"), minutes: fc.integer({ min: 0, max: 90 }) });
const running = fc.record({ deed: fc.constant("run"), instances: fc.integer({ min: 1, max: 3 }) });
const crashing = fc.record({ deed: fc.constant("crash") });
const pressing = fc.record({
  deed: fc.constant("press"),
  by: fc.constantFrom("UBEN", "UCARO"),
  release: fc.boolean(),
});
const deeds = fc.array(fc.oneof(passing, running, crashing, pressing), { maxLength: 12 });

const plans = fc.record({
  first: fc.option(fc.constantFrom(...outcomes)),
  later: fc.array(fc.record({ after: fc.integer({ min: 1, max: 60 }), outcome: fc.constantFrom(...outcomes) }), {
    maxLength: 2,
  }),
});

test("in any order of presses, times and crashes each step comes once, none during a take, and at the end none is missing", async () => {
  await fc.assert(
    fc.asyncProperty(plans, deeds, async (plan, story) => {
      const { app, clock } = await openApp();
      let crashes = false;
      const waiting: WaitingSubject = {
        steps: chainOf("web-1", clock.now(), {
          first: plan.first ? { to: "the first", reach: reached(plan.first, "UFIRST", clock.now()) } : null,
          later: plan.later.map(({ outcome }, at) => ({
            to: `the next ${at}`,
            after: plan.later.slice(0, at + 1).reduce((sum, { after }) => sum + after, 0) * minute,
            async reach() {
              if (crashes) throw new Error("The process ends here");
              return reached(outcome, `UNEXT${at}`, clock.now());
            },
          })),
        }),
        endsAt: null,
        audited: {
          ...{ id: null, member: "T:UANA", slackUser: "UANA", decidedBy: null, keyLabel: "", command: "vps show" },
          ...{ target: null, outcome: "" },
        },
        lastActOf: () => null,
        messageTimer: "notify:alert:C1:service:web-1",
      };
      const [handler] = Object.values(responsibilityTimers(app, { alert: async () => waiting }));
      const id = responsibilityTimer(subject);
      const token = { lane: "responsible:", id, run: "1", repeats: false };
      const run = async () => (typeof handler === "function" ? handler : handler?.run)?.(id, token);
      for (const one of story) {
        if ("minutes" in one) clock.skip(one.minutes * minute);
        if ("instances" in one) await Promise.all(Array.from({ length: one.instances }, run));
        if ("by" in one) await pressTake(app, subject, waiting, { slackUser: one.by, release: one.release });
        crashes = one.deed === "crash";
        if (crashes) await run().catch(() => {});
        crashes = false;
      }
      for (let at = await run(); at !== undefined; at = await run()) clock.skip(Math.max(0, at - clock.now()));
      const { steps, takenBy } = await readResponsibility(app, subject);
      expect(takenBy).toBeNull();
      // A step twice is a name twice, and one that was forgotten is absent.
      expect(steps.map(({ name }) => name)).toEqual(waiting.steps.map(({ name }) => name));
      const entries = (await newestEntries(app, { limit: 100 })).toReversed().map(({ entry }) => entry);
      expect(entries.flatMap(({ what }) => steps.filter(({ kind }) => kind === what).slice(0, 1))).toHaveLength(
        steps.length,
      );
      // Between a take and its end, the audit log has no step.
      let isTaken = false;
      for (const { what } of entries) {
        if (what === "taken") isTaken = true;
        else if (what === "released" || what === "gone back") isTaken = false;
        else expect([what, isTaken && what !== "notified"]).toEqual([what, false]);
      }
      const says = steps.some(({ kind, notified }) => notified.length > 0 || kind === "unanswered");
      expect(says || waiting.steps.length === 0).toBe(true);
    }),
    { numRuns: 80 },
  );
});
