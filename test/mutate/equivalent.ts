import type { Equivalent } from "./report.ts";

/** Changes of the code that change nothing that anybody could notice, each with the reason. */
export const equivalents: readonly Equivalent[] = [
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
];
