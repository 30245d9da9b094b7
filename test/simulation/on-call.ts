import type { Draws } from "../torture/draws.ts";
import { type Action, type ActionContext, aboutMessage, type Name } from "./actions.ts";
import { hasButton, seesAll } from "./moves.ts";
import type { Change } from "./observing.ts";
import type { WorldName } from "./plan.ts";

const minute = 60_000;

/** People as a step names them: the one on call by the rotation, the user group, or one person. */
type Addressee = "night" | "leads" | Name;

/** A step while nobody takes it: its people, and minutes since the beginning. */
interface Later {
  to: Addressee;
  after: number;
}

/** Whom something that waits notifies. */
export interface Call {
  first: Addressee;
  later: readonly [Later, ...Later[]];
}

/** Whom the alerts and the requests of a world notify, where it is said. */
export const calls: Partial<Record<WorldName, { alert?: Call; request: Call }>> = {
  peer: { request: { first: "ben", later: [{ to: "caro", after: 3 }] } },
  "on call": {
    alert: {
      first: "night",
      later: [
        { to: "leads", after: 2 },
        { to: "ana", after: 7 },
      ],
    },
    request: {
      first: "night",
      later: [
        { to: "leads", after: 2 },
        { to: "ana", after: 4 },
      ],
    },
  },
};

/** People in the order of their turns. A turn ends soon after the runs begin. */
const order: readonly Name[] = ["ana", "ben", "caro"];
export const turnAt = Date.UTC(2026, 10, 22, 12, 20);

/** The group at first. Eve is not in the channel of the alerts. */
export const group = { handle: "leads", people: ["caro", "dave", "eve"] } as const;
export const outsideOfChannel = "eve";

/** The commands that set it up. */
export const onCallCommands = [
  `/rackbell oncall night people=${order.map((name) => `@${name}`).join()} day=daily time=12:20 zone=UTC`,
  `/rackbell alerts set #ops mention=${typed("night")} ${stepsTyped("alert")}`,
  `/rackbell policy add demand=one-approval risk=destroy notify=${typed("night")} ${stepsTyped("request")}`,
];

function typed(name: Addressee): string {
  return name === "night" ? name : `@${name}`;
}

function stepsTyped(kind: "alert" | "request"): string {
  const later = calls["on call"]?.[kind]?.later ?? [];
  return later
    .map(({ to, after }, at) => {
      const number = at === 0 ? "" : at + 1;
      return `then${number}=${typed(to)} after${number}=${after}m`;
    })
    .join(" ");
}

/** Something that changes who is notified. Times are in milliseconds. */
export type Deed = { who: Name; at: number } & (
  | { is: "handed over"; to: Name; until: number }
  | { is: "away"; to: readonly Name[]; until: number }
  | { is: "back" }
  | { is: "regrouped"; people: readonly string[] }
);

export interface OnCallActions {
  /** Takes what waits, or releases what they have taken: the nth of it. */
  take: { nth: number };
  release: { nth: number };
  "hand over": { to: Name; minutes: number };
  "go away": { to: Name; or: Name | null; minutes: number };
  "come back": object;
  /** Do Not Disturb begins, or ends with 0 minutes. */
  "be quiet": { minutes: number };
  /** The user group gets other people. */
  regroup: { people: readonly Name[] };
  /** Lets time pass until shortly before the turn of the rotation. */
  "await the turn": { leadMs: number };
}

/** As `ActionKind` of these, without a weight: a plan of a world with people on call has them. */
export const onCallActions: {
  readonly [Is in keyof OnCallActions]: {
    print(action: OnCallActions[Is]): string;
    run(context: ActionContext, action: OnCallActions[Is]): void;
  };
} = {
  take: {
    print: ({ nth }) => `takes the ${nth}. that waits`,
    run: (context, { nth }) => pressTake(context, nth, false),
  },
  release: {
    print: ({ nth }) => `releases the ${nth}. that they have taken`,
    run: (context, { nth }) => pressTake(context, nth, true),
  },
  "hand over": {
    print: ({ to, minutes }) => `puts ${to} on call for ${minutes} min`,
    run({ actor, act, now, does }, { to, minutes }) {
      const until = now() + minutes * minute;
      does({ is: "handed over", to, until });
      const command = `/rackbell oncall night who=@${to} until=${new Date(until).toISOString()}`;
      act(`types ${command}`, () => actor.type(command), { words: [], places: [] });
    },
  },
  "go away": {
    print: ({ to, or, minutes }) => `is away for ${minutes} min, and names ${[to, ...(or ? [or] : [])].join(" and ")}`,
    run({ actor, act, now, does }, { to, or, minutes }) {
      const until = now() + minutes * minute;
      does({ is: "away", to: [to, ...(or ? [or] : [])], until });
      const command = `/rackbell away until=${new Date(until).toISOString()} to=@${to}${or ? ` or=@${or}` : ""}`;
      act(`types ${command}`, () => actor.type(command), { words: [], places: [] });
    },
  },
  "come back": {
    print: () => "is back",
    run({ actor, act, does }) {
      does({ is: "back" });
      act("types /rackbell back", () => actor.type("/rackbell back"), { words: [], places: [] });
    },
  },
  "be quiet": {
    print: ({ minutes }) => `is in Do Not Disturb for ${minutes} min`,
    run: ({ now, quiet }, { minutes }) => quiet(minutes === 0 ? null : now() + minutes * minute),
  },
  regroup: {
    print: ({ people }) => `changes the group to ${people.join(" and ")}`,
    run({ does, regroup }, { people }) {
      does({ is: "regrouped", people });
      regroup(people);
    },
  },
  "await the turn": {
    print: ({ leadMs }) => `waits until ${leadMs} ms before the next turn`,
    run: () => {},
  },
};

/** Actions about alerts and about who is on call, the frequent ones more than once: without an alert there is nothing to take. */
const drawn = [
  ...(["supply", "supply", "supply", "supply", "supply", "take", "take", "take", "release", "hand over"] as const),
  ...(["go away", "go away", "come back", "be quiet", "be quiet", "regroup", "leave", "await the turn"] as const),
] as const;

export function drawOnCall(draws: Draws): Action {
  const is = draws.pick(drawn);
  const somebody = () => draws.pick<Name>(["ana", "ben", "caro", "dave"]);
  const minutes = draws.pick([2, 10, 90]);
  const nth = draws.between(0, 3);
  if (is === "supply")
    return { is, nth, twice: draws.chance(0.2), reversed: false, lateMs: draws.pick([0, 0, 90_000]) };
  if (is === "take" || is === "release") return { is, nth };
  if (is === "hand over") return { is, to: somebody(), minutes };
  if (is === "go away") return { is, to: somebody(), or: draws.chance(0.5) ? somebody() : null, minutes };
  if (is === "be quiet") return { is, minutes: draws.pick([0, 5, 90]) };
  if (is === "regroup")
    return { is, people: draws.pick<readonly Name[]>([["dave"], ["caro", "dave"], ["ana", "ben"], []]) };
  if (is === "await the turn") return { is, leadMs: draws.pick([0, 100, 400, 2_000]) };
  return { is };
}

/** The buttons, as Slack's payloads name them. */
const takeButtons = ["alert:take", "request:take"];

function pressTake({ actor, act }: ActionContext, nth: number, release: boolean): void {
  const mine = `<@${actor.user.id}> took this`;
  const waiting = seesAll(actor).filter(
    (message) =>
      takeButtons.some((id) => hasButton(message, id)) && JSON.stringify(message.blocks).includes(mine) === release,
  );
  const message = waiting[nth % Math.max(1, waiting.length)];
  const button = message && takeButtons.find((id) => hasButton(message, id));
  if (!message || button === undefined) return;
  act(`presses ${button}`, () => actor.press(message, { actionId: button }), aboutMessage(message));
}

interface Span {
  from: number;
  until: number;
}

/** All that says who is to be notified in a run. */
export interface Whereabouts {
  deeds: readonly Deed[];
  /** When somebody was deactivated. */
  left: ReadonlyMap<string, number>;
  changes: readonly Change[];
}

/** So long the app may not know that somebody left, or that a group has other people. */
const staleMs = 6 * minute;

/** Everybody whom a step for these people may notify within a span: more than one where it is not sure what the app knew. */
export function notifiable(named: Addressee, span: Span, facts: Whereabouts): ReadonlySet<string> {
  return new Set(listed(named, span, facts).flatMap((name) => [...placeOf(name, span, facts)]));
}

function listed(named: Addressee, span: Span, facts: Whereabouts): readonly string[] {
  if (named === "night") return onCall(span, facts);
  return named === "leads" ? groupWithin(span, facts) : [named];
}

function groupWithin({ from, until }: Span, { deeds }: Whereabouts): readonly string[] {
  const begun = { at: Number.NEGATIVE_INFINITY, people: group.people };
  const all = [begun, ...deeds.flatMap((deed) => (deed.is === "regrouped" ? [deed] : []))];
  return all
    .filter(({ at }, nth) => at <= until && (all[nth + 1]?.at ?? until) > from - staleMs)
    .flatMap(({ people }) => people);
}

/** Those of whose turns the span has a part, or the one who was put on call in their place. */
function onCall(span: Span, facts: Whereabouts): readonly string[] {
  const turns = [...(span.from < turnAt ? [0] : []), ...(span.until >= turnAt ? [1] : [])];
  let found = turns.flatMap((turn) => ofTurn(turn, span, facts));
  for (const deed of facts.deeds) {
    if (deed.is !== "handed over" || deed.at > span.until || deed.until < span.from) continue;
    if (!isThere(deed.to, span, facts, "perhaps")) continue;
    // A member hands over their own turns alone.
    const isSure = deed.who === "ana" && isTaken(deed, span, /Saved: .* is on call/, facts) && deed.until > span.until;
    found = isSure && isThere(deed.to, span, facts, "surely") ? [deed.to] : [...found, deed.to];
  }
  return found;
}

/** The person at a turn, or the next one who is there. */
function ofTurn(turn: number, span: Span, facts: Whereabouts): string[] {
  const ahead = order.map((_, at) => order[(turn + at) % order.length] ?? "");
  const end = ahead.findIndex((name) => isThere(name, span, facts, "surely"));
  return ahead.slice(0, end < 0 ? ahead.length : end + 1).filter((name) => isThere(name, span, facts, "perhaps"));
}

function isThere(name: string, { from, until }: Span, { left }: Whereabouts, how: "surely" | "perhaps"): boolean {
  const at = left.get(name);
  return at === undefined || at > (how === "surely" ? until : from - staleMs);
}

/** True if the app said before the span that it has carried this out. */
function isTaken({ who, at }: Deed, { from }: Span, words: RegExp, { changes }: Whereabouts): boolean {
  return changes.some(
    (change) => change.user === who && change.at >= at && change.at < from && words.test(change.words),
  );
}

/** A person, or those who stand in for them. */
function placeOf(name: string, span: Span, facts: Whereabouts, seen: ReadonlySet<string> = new Set()): Set<string> {
  if (seen.has(name)) return new Set();
  const own = facts.deeds.filter(
    ({ who, is, at }) => who === name && at <= span.until && ["away", "back"].includes(is),
  );
  const last = own.at(-1);
  const isGone = last?.is === "away" && last.until > span.until && isTaken(last, span, /You are away until/, facts);
  const found = new Set(isGone ? [] : [name]);
  for (const [nth, deed] of own.entries()) {
    if (deed.is !== "away" || deed.until < span.from) continue;
    const isBack = own
      .slice(nth + 1)
      .some((later) => later.is === "back" && isTaken(later, span, /Welcome back/, facts));
    if (isBack) continue;
    for (const standIn of deed.to)
      for (const one of placeOf(standIn, span, facts, new Set([...seen, name]))) found.add(one);
  }
  return found;
}
