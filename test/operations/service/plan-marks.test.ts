import { expect, test } from "vitest";
import { becamePlan, type PlanMarks } from "../../../src/operations/service/plan-change.ts";

const small: PlanMarks = { id: null, name: "Game box", price: "10.00 monthly", disk: "25" };
const large: PlanMarks = { id: null, name: "Game box plus", price: "20.00 monthly", disk: "50" };
const namesake: PlanMarks = { ...large, name: small.name };

// The plans of before and on offer, the plan that the platform shows after a lost answer, and the outcome.
test.each([
  ["the name of the plan on offer", { now: small, after: large }, { ...small, name: large.name }, true],
  ["its price", { now: small, after: namesake }, { ...small, price: large.price }, true],
  ["its disk", { now: small, after: namesake }, { ...small, disk: large.disk }, true],
  ["all as before, and another name on offer", { now: small, after: large }, small, false],
  ["all as before, and the same name on offer", { now: small, after: namesake }, small, undefined],
  ["a name that is neither", { now: small, after: large }, { ...small, name: "Other" }, undefined],
  ["another price that is neither", { now: small, after: large }, { ...small, price: "11.00 monthly" }, undefined],
  [
    "the id of the plan on offer",
    { now: { ...small, id: "a" }, after: { ...small, id: "b" } },
    { ...small, id: "b" },
    true,
  ],
  ["the id of before", { now: { ...small, id: "a" }, after: { ...small, id: "b" } }, { ...small, id: "a" }, false],
  ["a third id", { now: { ...small, id: "a" }, after: { ...small, id: "b" } }, { ...small, id: "c" }, undefined],
  [
    "the id of before with the disk on offer",
    { now: { ...small, id: "a" }, after: { ...large, id: "b" } },
    { ...small, id: "a", disk: large.disk },
    undefined,
  ],
] as const)(
  "after a lost change of plan, a service that shows %s is changed, unchanged or in doubt",
  (_, before, now, outcome) => {
    expect(becamePlan(now, before)).toBe(outcome);
  },
);
