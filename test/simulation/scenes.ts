import type { Action, Name } from "./actions.ts";
import type { FaultName } from "./faults.ts";
import type { KindName, Wish } from "./kinds.ts";
import type { Plan, Step } from "./plan.ts";

const minute = 60_000;

interface Asking extends Partial<Pick<Wish, "also" | "inMinutes">> {
  how?: Action<"ask">["how"];
  gapMs?: number;
}

export const step = (who: Name, does: Action, gapMs = 20_000): Step => ({ gapMs, who, does });
export const ask = (
  kind: KindName,
  who: Name,
  mark: number,
  target = "bulk-00001",
  { how = "typed", also = null, inMinutes = null, gapMs = 20_000 }: Asking = {},
): Step => step(who, { is: "ask", how, wish: { kind, who, target, also, mark, inMinutes } }, gapMs);
export const press = (who: Name, nth = 0, gapMs = 20_000, times = 1): Step =>
  step(who, { is: "press", nth, button: "go", times }, gapMs);
const strike = (fault: FaultName, salt: number, gapMs = 0): Step => step("ana", { is: "strike", fault, salt }, gapMs);
export const wait = (gapMs: number): Step => step("ana", { is: "wait" }, gapMs);
const supplyNth = (nth: number, gapMs = 0): Step =>
  step("ana", { is: "supply", nth, twice: false, reversed: false, lateMs: 0 }, gapMs);
export const supplyOne = supplyNth(0);
const onCall = {
  approvals: "peer",
  world: "on call",
  faults: [],
  downMs: 0,
  delays: [0],
} as const satisfies Partial<Plan>;
const supply = (gapMs: number): Step =>
  step("ana", { is: "supply", nth: 0, twice: true, reversed: true, lateMs: 0 }, gapMs);
/** An event that never comes. */
const lost = (nth: number): Step =>
  step("ana", { is: "supply", nth, twice: false, reversed: false, lateMs: 24 * 60 * minute }, 1_000);

/** Salts with which a write is cut off: before it took effect, and after. */
const [cutBefore, cutAfter] = [64, 4];

/** The salt with which a write takes effect 39 s after it was sent, when the app has given it up. */
const long = 74;

/** Salts with which the clock of the app's machine is set. */
const [backBy4Minutes, forwardBy4Minutes] = [781, 43];

/** The salt with which the platform answers nothing for 20 minutes. */
const silentFor20Minutes = 4;

/** The salt with which Slack cuts off two messages to one person alone. */
const twoPrivate = 264_518_195;

/** Plans that are written by hand, for guards and states that random ones seldom come near. */
export const scenes: Readonly<Record<string, Plan>> = {
  "two payments of one invoice, pressed at once": {
    seed: 6,
    approvals: "self",
    faults: [],
    steps: [ask("pay", "ana", 1), ask("pay", "ana", 2), press("ana", 0), press("ana", 1, 0)],
  },
  "a new password that somebody else tries to read": {
    seed: 42,
    approvals: "self",
    faults: [],
    steps: [ask("password", "ana", 1), press("ana"), step("ben", { is: "snoop", at: "ana" })],
  },
  "payments that together pass the sum of a day": {
    seed: 8,
    approvals: "sum",
    faults: [],
    steps: [1, 2, 3].flatMap((mark) => [ask("pay", "ana", mark), press("ana")]),
  },
  "two payments of two invoices that together pass the sum of a day, pressed at once after a restart": {
    seed: 10,
    approvals: "sum",
    faults: [],
    downMs: 0,
    delays: [0],
    steps: [
      ...[ask("pay", "ana", 1), ask("pay", "ana", 2, "bulk-00002"), strike("crash", 1, 20_000)],
      ...[press("ana", 0), press("ana", 1, 0)],
    ],
  },
  "a machine that was given another name before the press": {
    seed: 3,
    approvals: "self",
    faults: [],
    steps: [ask("cancel", "ana", 1, "bulk-00006"), step("ana", { is: "rename" }, 5_000), press("ana", 0, 150_000)],
  },
  "a press that comes twice at once": {
    seed: 11,
    approvals: "self",
    faults: [],
    steps: [ask("capture", "ana", 1), press("ana", 0, 20_000, 2), ask("order", "ben", 2), press("ben", 0, 20_000, 2)],
  },
  "a request that is withdrawn while its approval is being checked": {
    seed: 32,
    approvals: "self",
    faults: [],
    delays: [0],
    steps: [
      ...[ask("capture", "ana", 1), press("ana")],
      step("ana", { is: "press", nth: 0, button: "back", times: 1 }, 100),
    ],
  },
  "a press and a command that are taken, and the app dies before it has carried out either": {
    seed: 29,
    approvals: "self",
    faults: [],
    downMs: 0,
    delays: [0],
    steps: [
      ...[ask("cancel", "ana", 1), press("ana"), ask("capture", "ben", 2, "bulk-00001", { gapMs: 0 })],
      ...[strike("crash", 1, 100), wait(minute)],
    ],
  },
  "a press of one's own, where another must": {
    seed: 12,
    approvals: "peer",
    faults: [],
    steps: [ask("cancel", "ana", 1), press("ana"), ask("cancel", "ben", 2, "bulk-00002"), press("caro")],
  },
  "two presses of one person, where two must": {
    seed: 13,
    approvals: "two",
    faults: [],
    steps: [ask("cancel", "ana", 1), press("ben"), press("ben"), press("ana"), wait(minute)],
  },
  "two presses of one person with two accounts, where two must": {
    seed: 25,
    approvals: "two",
    faults: [],
    steps: [step("dave", { is: "link" }, 0), ask("cancel", "ana", 1), press("ben"), press("dave"), wait(minute)],
  },
  "a press of one's own with another account, where another must": {
    seed: 26,
    approvals: "peer",
    faults: [],
    steps: [step("dave", { is: "link" }, 0), ask("cancel", "ben", 1), press("dave"), wait(minute)],
  },
  "two people's presses, where two must": {
    seed: 14,
    approvals: "two",
    faults: [],
    steps: [ask("cancel", "ana", 1), press("ben"), press("caro")],
  },
  "a press of what has expired while the app was down": {
    seed: 15,
    approvals: "self",
    faults: [],
    downMs: 20 * minute,
    steps: [ask("cancel", "ana", 1), strike("crash", 1, 20_000), press("ana", 0, 0)],
  },
  "a press of what has expired, and no timer has noticed": {
    seed: 21,
    approvals: "self",
    faults: [],
    steps: [
      ...[ask("cancel", "ana", 1), strike("clock set", backBy4Minutes, 20_000)],
      ...[strike("clock set", forwardBy4Minutes, 10.4 * minute), press("ana", 0, 0), press("ana", 0, 2_000)],
    ],
  },
  "what was put off, and the app dies while things are being sent": {
    seed: 22,
    approvals: "self",
    faults: [],
    downMs: 0,
    steps: [
      ask("snapshot", "ben", 1, "bulk-00005", { inMinutes: 4, gapMs: 0 }),
      ...[240, 280, 320, 360, 400, 600].flatMap((ms, at) => [
        ask("cancel", "ana", at + 2, `bulk-0000${1 + (at % 4)}`),
        ...[press("ana", 0, 20_000), strike("crash", 1, ms), wait(2 * minute)],
      ]),
    ],
  },
  "two machines in one command, and the app dies while either is sent": {
    seed: 40,
    approvals: "self",
    faults: [],
    downMs: 0,
    delays: [0],
    steps: [150, 250, 400, 550, 700, 1_200].flatMap((ms, at) => [
      ask("snapshot", "ana", at + 1, "bulk-00001", { also: "bulk-00002" }),
      ...[strike("crash", 1, ms), wait(3 * minute)],
    ]),
  },
  "two machines in one request, approved as the app dies, and cancelled once each": {
    seed: 41,
    approvals: "self",
    faults: [],
    downMs: 0,
    delays: [0],
    steps: [200, 500, 800].flatMap((ms, at) => [
      ask("cancel", "ben", at + 1, `bulk-0000${2 * at + 1}`, { also: `bulk-0000${2 * at + 2}` }),
      ...[press("ben"), strike("crash", 1, ms), wait(3 * minute)],
    ]),
  },
  "a write whose answer is lost, and that was done": {
    seed: 16,
    approvals: "self",
    faults: [],
    steps: [
      ask("capture", "ana", 1),
      strike("lost write", cutAfter, 20_000),
      press("ana", 0, 0),
      press("ana", 0, 5_000),
    ],
  },
  "a write whose answer is lost, and that was not done": {
    seed: 17,
    approvals: "self",
    faults: [],
    steps: [
      ask("capture", "ana", 1),
      strike("lost write", cutBefore, 20_000),
      press("ana", 0, 0),
      press("ana", 0, 5_000),
    ],
  },
  "a write that takes effect late, and a clock that is set forward meanwhile": {
    seed: 23,
    approvals: "self",
    faults: [],
    steps: [
      ...[strike("late write", long), ask("snapshot", "ana", 1)],
      ...[strike("clock set", forwardBy4Minutes, 31_500), wait(minute)],
    ],
  },
  "an alert that Slack has and the app does not know of as it dies, and a clock that is set back before it starts again":
    {
      seed: 24,
      approvals: "self",
      faults: [],
      downMs: 0,
      delays: [200],
      steps: [supplyOne, strike("clock set", backBy4Minutes, 60_200), strike("crash", 1), wait(minute)],
    },
  "an order that is taken without an answer, cannot be read for long, and is sent again by a press": {
    seed: 28,
    approvals: "self",
    faults: [],
    delays: [0],
    steps: [
      ...[ask("order", "ana", 1), strike("lost write", cutAfter, 19_000), press("ana", 0, 1_000)],
      ...[strike("silent platform", silentFor20Minutes, 1_300), press("ana", 0, 20.7 * minute), wait(minute)],
    ],
  },
  "a mention whose private answer Slack cuts off, and the error in its place": {
    seed: 31,
    approvals: "self",
    faults: [],
    steps: [strike("cut post", twoPrivate), ask("order", "caro", 1, "bulk-00001", { how: "mention", gapMs: 0 })],
  },
  "a machine that is watched stops while the app is down": {
    seed: 33,
    approvals: "self",
    faults: [],
    downMs: 20 * minute,
    steps: [step("ben", { is: "watch" }), strike("crash", 1, 20_000), step("ana", { is: "fail" }, 0)],
  },
  "a member leaves while their request waits, and another's is approved": {
    seed: 34,
    approvals: "peer",
    faults: [],
    steps: [
      ...[ask("cancel", "ben", 1), ask("cancel", "ana", 2, "bulk-00002")],
      ask("snapshot", "ben", 3, "bulk-00003", { inMinutes: 5, gapMs: 0 }),
      ...[step("ben", { is: "watch" }), step("ben", { is: "leave" })],
      ...[press("caro", 0, minute), press("caro", 0, minute), wait(minute)],
    ],
  },
  "a Home tab that is shown anew as the app dies": {
    seed: 35,
    approvals: "self",
    faults: [],
    downMs: 0,
    delays: [200],
    steps: [
      ...[step("ana", { is: "home" }), step("ana", { is: "home" }), strike("crash", 1, 300)],
      ...[wait(minute), step("ana", { is: "home" })],
    ],
  },
  "what a key may not do is passed on, and only somebody else than its two askers decides": {
    seed: 36,
    approvals: "peer",
    faults: [],
    steps: [
      ...[step("dave", { is: "link", scopes: ["read"] }), ask("cancel", "dave", 1), step("dave", { is: "pass on" })],
      ...[step("ana", { is: "take over" }), press("ana"), press("ben"), press("dave"), wait(minute), press("caro")],
    ],
  },
  "what a key may not do is passed on, and the app dies as it is taken over": {
    seed: 37,
    approvals: "self",
    faults: [],
    downMs: 0,
    delays: [200],
    steps: [
      ...[step("dave", { is: "link", scopes: ["read"] }), ask("cancel", "dave", 1), step("dave", { is: "pass on" })],
      ...[step("ana", { is: "take over" }), strike("crash", 1, 500), wait(minute)],
      ...[step("caro", { is: "take over" }), press("caro", 0, minute)],
    ],
  },
  "a socket that is renewed and cut while people work, before a crash and after it": {
    seed: 38,
    approvals: "self",
    world: "socket",
    downMs: 0,
    faults: [
      { kind: "renewed socket", at: 40, salt: 1 },
      { kind: "dropped socket", at: 90, salt: 1 },
    ],
    steps: [
      ...[ask("snapshot", "ana", 1), ask("pay", "ana", 2), press("ana"), ask("cancel", "ben", 3)],
      ...[strike("crash", 1, 100), wait(minute), ask("snapshot", "caro", 4, "bulk-00002"), press("ben", 0, 200)],
      ...[strike("dropped socket", 1), ask("reboot", "ben", 5, "bulk-00003", { how: "mention", gapMs: 0 })],
    ],
  },
  "a socket that goes deaf, and then connections of a dead process, while people work": {
    seed: 44,
    approvals: "self",
    world: "socket",
    faults: [],
    steps: [
      ...[ask("snapshot", "ana", 1), wait(minute), strike("deaf socket", 1), ask("pay", "ana", 2), press("ana")],
      ...[wait(2 * minute), ask("cancel", "ben", 3), press("ben"), wait(4 * minute), strike("ghost connections", 1)],
      ...[
        ask("snapshot", "caro", 4, "bulk-00002"),
        press("ben", 0, 200),
        wait(2 * minute),
        press("ben"),
        wait(4 * minute),
      ],
    ],
  },
  "suspensions whose events come, come late or never, a machine that stops, and a crash, in one digest": {
    seed: 39,
    approvals: "self",
    world: "monitored",
    faults: [],
    downMs: 20 * minute,
    steps: [
      ...[supplyOne, lost(1), step("ana", { is: "fail" }), strike("crash", 1, 90_000), wait(minute)],
      ...[
        lost(2),
        supply(20 * minute),
        step("ana", { is: "supply", nth: 3, twice: true, reversed: false, lateMs: 0 }, 70 * minute),
      ],
    ],
  },
  "what one alone is offered, pressed by another": {
    seed: 18,
    approvals: "self",
    faults: [],
    steps: [ask("password", "ana", 1, "bulk-00007"), step("ben", { is: "snoop", at: "ana" }, minute)],
  },
  "events that come twice and the last one first, and messages that are brought up to date": {
    seed: 19,
    approvals: "self",
    faults: [],
    steps: [
      ...[supply(0), supply(1_000), supply(90_000), supply(90_000)],
      ...[ask("snapshot", "ana", 5), ask("cancel", "ana", 6), press("ana"), wait(2 * minute)],
    ],
  },
  "an alert that nobody takes, and the app is started anew between two steps": {
    ...{ ...onCall, faults: [], delays: [0], seed: 43 },
    steps: [supplyOne, strike("crash", 1, 2 * minute), strike("crash", 1, 4 * minute), strike("crash", 1, 7 * minute)],
  },
  "a request that nobody decides, and the app is started anew between two steps": {
    ...{ ...onCall, faults: [], delays: [0], seed: 44 },
    steps: [
      ask("cancel", "caro", 1),
      ...[1, 2, 2, 1].map((minutes) => strike("crash", 1, minutes * minute)),
      wait(minute),
    ],
  },
  "mentions and steps that the app has stored as it dies, and Slack has not got": {
    ...{ ...onCall, faults: [], delays: [0], seed: 45 },
    steps: [0, 1, 2, 3].flatMap((at) => [
      ...[supplyNth(at), strike("crash", 1, 20 * (at + 1))],
      ...[strike("crash", 1, 4 * minute), wait(20 * minute)],
    ]),
  },
  "alerts at the moment of a turn": {
    ...{ ...onCall, faults: [], delays: [200], seed: 46 },
    steps: [step("ana", { is: "await the turn", leadMs: 150 }, 0), supplyOne, supplyNth(1, 6 * minute)],
  },
  "an alert that is taken and goes back, one that is released, and one that recovers while somebody has it": {
    ...{ ...onCall, faults: [], delays: [0], seed: 47 },
    steps: [
      ...[supplyOne, step("ben", { is: "take", nth: 0 }, 2 * minute), wait(61 * minute)],
      ...[supplyNth(1), step("caro", { is: "take", nth: 1 }), step("caro", { is: "release", nth: 0 }, 8 * minute)],
      ...[supplyNth(2, 10 * minute), step("ana", { is: "take", nth: 2 }), supplyNth(2, 3 * minute), wait(10 * minute)],
    ],
  },
  "the one on call is away, another is put on call, and one is in Do Not Disturb": {
    ...{ ...onCall, faults: [], delays: [0], seed: 48 },
    steps: [
      ...[step("ana", { is: "go away", to: "ben", or: "caro", minutes: 90 }, 0), supplyNth(0, minute)],
      ...[step("ana", { is: "hand over", to: "caro", minutes: 10 }, 6 * minute), supplyNth(1, minute)],
      ...[step("ana", { is: "come back" }, 20 * minute), step("ben", { is: "be quiet", minutes: 90 })],
      ...[supplyNth(2, 6 * minute), ask("cancel", "ana", 1)],
    ],
  },
  "failures within five minutes, which are mentioned at the end of these": {
    ...{ ...onCall, faults: [], delays: [0], seed: 50 },
    steps: [supplyNth(0), supplyNth(1, minute), supplyNth(2, minute), supplyNth(2, 20 * minute), wait(minute)],
  },
  "a failure again soon after a recovery": {
    ...{ ...onCall, faults: [], delays: [0], seed: 51 },
    steps: [supplyNth(0), supplyNth(0, minute), supplyNth(0, minute), wait(minute)],
  },
  "the people on call leave, and the group has nobody": {
    ...{ ...onCall, faults: [], delays: [0], seed: 49 },
    steps: [
      ...[step("ben", { is: "leave" }, 0), step("ana", { is: "regroup", people: [] })],
      ...[step("ana", { is: "await the turn", leadMs: 0 }), supplyNth(0, minute)],
    ],
  },
  "a key that was let go while it was in use": {
    seed: 20,
    approvals: "self",
    faults: [],
    steps: [
      ...[ask("order", "ben", 1), ask("snapshot", "ben", 2), step("ben", { is: "unlink" }, 0), press("ben", 0, 60_000)],
      step("ben", { is: "link" }, 30_000),
    ],
  },
};
