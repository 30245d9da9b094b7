import { expect, test } from "vitest";
import {
  approvalLevels,
  isOverridable,
  needsOthers,
  type Rule,
  sumsByCurrency,
  takesPasskey,
  usersNamedIn,
} from "../../src/policy/rule.ts";
import { peopleOf, rule } from "./rules.ts";

test("amounts of one currency are one sum, to the last ten-thousandth", () => {
  const euros = (amount: string) => ({ amount, currency: "EUR" });
  expect(sumsByCurrency([])).toEqual([]);
  expect(sumsByCurrency([euros("0.1"), { amount: "5", currency: "USD" }, euros("0.2"), euros("10.0001")])).toEqual([
    ...[euros("10.3001"), { amount: "5.00", currency: "USD" }],
  ]);
});

test("a rule names the people of each of its lists, and those of a group by the group alone", () => {
  const [ana, ben, caro, dave, eve] = ["U1", "U2", "U3", "U4", "U5"].map((user) => peopleOf([user]));
  if (!ana || !ben || !caro || !dave || !eve) throw new Error("There are five");
  const plain = rule({});
  expect(usersNamedIn(plain)).toEqual([]);
  const grouped = { ...peopleOf([]), users: ["U9"] };
  expect(usersNamedIn({ ...plain, approvers: grouped })).toEqual([]);
  const full: Rule = {
    ...rule({ who: ana, notWho: ben }, "one-approval"),
    ...{ approvers: caro, notify: dave.list, steps: [{ to: eve.list, after: 1 }] },
  };
  expect(usersNamedIn(full).toSorted()).toEqual(["U1", "U2", "U3", "U4", "U5"]);
});

test("others decide approvals alone, an override replaces just these, and a passkey proves whatever is decided", () => {
  const approvals = ["one-approval", "two-approvals"];
  expect(approvalLevels.filter(needsOthers)).toEqual(approvals);
  expect(approvalLevels.filter(isOverridable)).toEqual(approvals);
  expect(approvalLevels.filter(takesPasskey)).toEqual(["confirm", ...approvals]);
});
