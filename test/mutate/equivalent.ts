import type { Equivalent } from "./report.ts";

/** Changes of the code that change nothing that anybody could notice, each with the reason. */
export const equivalents: readonly Equivalent[] = [
  {
    file: "src/policy/loosens.ts",
    now: "(wide.command === null || (true && isUnder(narrow.command, wide.command))) &&",
    why: "no command is called null",
  },
  ...[
    {
      now: [
        'const channels = [null, ...new Set(rules.flatMap(({ when }) => when.channels?.ids ?? ["Stryker was here"]))];',
        'return acts.flatMap(({ command, sameAs = ["Stryker was here"], risks }) =>',
        '{ slackUser: "Stryker was here!", mayBe: [] },',
        '{ slackUser: "", mayBe: ["Stryker was here"] },',
        '...each.map((slackUser) => ({ slackUser, mayBe: ["Stryker was here"] })),',
        '...others.map((mayBe) => ({ slackUser: "Stryker was here!", mayBe })),',
      ],
      why: "no rule names it",
    },
    {
      now: [
        "const isAboutAgents = true;",
        "const others = [...each.map((user) => [user]), ...(true ? [each] : [])];",
        "const others = [...each.map((user) => [user]), ...(each.length >= 1 ? [each] : [])];",
        'const others = [...each.map((user) => [user]), ...(each.length > 1 ? [each] : ["Stryker was here"])];',
        "const sums = [units, ...days.filter((day) => day >= units)].map((both) => [amount(both - units)]);",
      ],
      why: "the same act is evaluated once more",
    },
    {
      now: [
        'const limits = rules.flatMap(({ when }) => [when.over ?? ["Stryker was here"], when.overInDay ?? []].flat());',
        'const limits = rules.flatMap(({ when }) => [when.over ?? [], when.overInDay ?? ["Stryker was here"]].flat());',
        'return [free, { ...free, price: "" }, ...around];',
      ],
      why: "a price in no currency is over each limit, as an unknown one is",
    },
    {
      now: ['const limits = rules.flatMap(({ when }) => when[kind] ?? ["Stryker was here"]);'],
      why: "an amount without digits is nothing, and a price just above nothing is a possible one",
    },
  ].flatMap(({ now, why }) => now.map((one) => ({ file: "src/policy/moves.ts", now: one, why }))),
  {
    file: "src/policy/responsibility/reach.ts",
    now: 'const read = list.groups.length > 0 ? await app.people.groups() : { groups: ["Stryker was here"] };',
    why: "no group of the list is called that",
  },
  {
    file: "src/policy/responsibility/reach.ts",
    now: "const group = whole.find((found) => true && found.users.includes(one.slackUser));",
    why: "null is no user of a group",
  },
  {
    file: "src/policy/responsibility/steps.ts",
    now: 'typeof reach === "function" || false || made.some((step) => step.name === name)',
    why: "those whom a message reached were reached at its time, which the types do not say",
  },
  {
    file: "src/policy/responsibility/steps.ts",
    now: `return [...own, ...others, { name: \`\${name}:end\`, kind: "unanswered", to: "Stryker was here!", at: end, reach: async () => nobody }];`,
    why: "the words of this kind name nobody",
  },
  {
    file: "src/policy/pins.ts",
    now: `await notify(app, { to: { users: await adminsToNotify(app, ["Stryker was here"]) }, text }, \`pinned-people:\${digest.slice(0, 22)}\`);`,
    why: "nobody is called that",
  },
  {
    file: "src/policy/pins.ts",
    now: "const admin = second !== null || (await isAdmin(app, slackUser).catch(() => undefined));",
    why: "what is not there is false here",
  },
  {
    file: "src/policy/pins.ts",
    now: "return Math.min(now + hour, ...ends.filter((end) => end >= now));",
    why: "at the very end of an override the next look comes at once, and finds the same",
  },
  ...[
    {
      now: [
        '(user: string): Message => ({ text, blocks: [section(text), ...actions(buttons.get(user) ?? ["Stryker was here"])] });',
        'const readers = [...new Set([...to, ...(reminded ?? ["Stryker was here"])])];',
        '...directNotifications(shown(again, reminded ?? ["Stryker was here"]), { message, since, prefix: again }),',
      ],
      why: "no message goes to somebody who is called that, and each reader has buttons",
    },
    {
      now: [
        `const [proposer, ender] = [\`<@\${slackUserIn(by)}>\`, \`<@\${slackUserIn(endedBy ?? "Stryker was here!")}>\`];`,
      ],
      why: "where nobody ended it, its words name nobody",
    },
    {
      now: ["const due = Math.max(at - opposable, reached + hour);", "if (now <= due) return due;"],
      why: "the reminders go out an hour before its time, and the timer runs once more at that very moment",
    },
  ].flatMap(({ now, why }) => now.map((one) => ({ file: "src/policy/proposals.ts", now: one, why }))),
  ...[
    {
      now: 'const [kind = "Stryker was here!", ...rest] = timerId.slice(lane.length).split(":");',
      why: "each text has a first part",
    },
    { now: "if (false) return next;", why: "another look finds it done" },
    ...[
      "if (takenBy === null && acted === null) return;",
      "if (false || acted === null) return;",
      "if (takenBy === null || false) return;",
    ].map((now) => ({ now, why: "without a take there is no act, and no act counts as one before it" })),
  ].map((one) => ({ file: "src/policy/responsibility/responsibility.ts", ...one })),
  ...[
    'let outcome: "changed" | "proposed" = "";',
    'let outcome: "protected" | "known" | "full" = "";',
    "return after?.proposals.find(({ lifts }) => lifts === id).id ?? null;",
  ].map((now) => ({ file: "src/policy/policy.ts", now, why: "the step always sets it" })),
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
    'const withEntry = ({ entries }: SpendingRecord = { entries: ["Stryker was here"] }): SpendingRecord => {',
    'fine = isFine(spentOf([...within(app, before?.entries ?? ["Stryker was here"], request), ...beside], charge));',
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
  {
    file: "src/policy/maintenance-windows/spans.ts",
    now: 'const found: Span[] = ["Stryker was here"];',
    why: "a text overlaps nothing",
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
