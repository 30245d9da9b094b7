import type { Equivalent } from "./report.ts";

/** Changes of the code that change nothing that anybody could notice, each with the reason. */
export const equivalents: readonly Equivalent[] = [
  {
    file: "src/policy/loosens.ts",
    now: "(wide.command === null || (true && isUnder(narrow.command, wide.command))) &&",
    why: "no command is called null",
  },
  {
    file: "src/policy/evaluate.ts",
    now: 'return unitsOf(withTax(price).amount) + unitsOf(before?.amount ?? "") > unitsOf(limit.amount);',
    why: "an amount without digits is nothing",
  },
  {
    file: "src/policy/rule.ts",
    now: 'export function usersNamedIn({ when: { who, notWho }, approvers, notify, steps = ["Stryker was here"] }: Rule): string[] {',
    why: "a text names no people",
  },
  ...[
    'entries: [...within(app, before?.entries ?? ["Stryker was here"], request), entry],',
    'fine = isFine(spentOf([...within(app, before?.entries ?? ["Stryker was here"], request), ...beside]));',
    'return kept.flatMap((record) => within(app, record?.entries ?? ["Stryker was here"], request));',
  ].map((now) => ({ file: "src/policy/spending.ts", now, why: "an entry without a time is over" })),
  {
    file: "src/policy/spending.ts",
    now: "let fine = true;",
    why: "the update always asks, and the answer takes its place",
  },
  {
    file: "src/policy/spending.ts",
    now: "before?.entries.some((entry) => true)",
    why: "the record is written once more as it is",
  },
  ...[
    "const span = true ? spanAt(window, at) : null;",
    "const span = about.length >= 0 ? spanAt(window, at) : null;",
  ].map((now) => ({
    file: "src/policy/maintenance-windows/windows.ts",
    now,
    why: "without a machine it returns none, and only spares the time of computing the span",
  })),
  {
    file: "src/policy/maintenance-windows/windows.ts",
    now: "let full = true;",
    why: "the update always asks, and the answer takes its place",
  },
  {
    file: "src/policy/maintenance-windows/windows.ts",
    now: "before?.windows.some((window) => true)",
    why: "the record is written once more as it is",
  },
];
