import { createDraws, type Draws } from "../torture/draws.ts";
import { type Action, drawAction, drawWish, type Name, names, rarities, secondAccount } from "./actions.ts";
import { type Fault, type FaultName, faultKinds, socketFaults, swallowingFaults } from "./faults.ts";
import { drawOnCall } from "./on-call.ts";

const minute = 60_000;

/** One action of a person, after a pause. */
export interface Step {
  gapMs: number;
  who: Name;
  does: Action;
}

/** How requests are decided: by the requester, by somebody else, by two others, or by the requester up to a sum a day. */
export type Approvals = "self" | "peer" | "two" | "sum";

/**
 * The worlds that are prepared: one for each of these, and two in which the requester decides. One app is reached by a socket; the other
 * polls with monitoring keys, and its alerts come in a digest. In one of those in which somebody else decides, people are on call.
 */
export const worldNames = ["self", "peer", "two", "sum", "socket", "monitored", "on call"] as const;
export type WorldName = (typeof worldNames)[number];

/** A run as data: drawn from a seed, and made smaller where it has failed. */
export interface Plan {
  seed: number;
  approvals: Approvals;
  /** Another world than that of its approvals. */
  world?: "socket" | "monitored" | "on call";
  steps: Step[];
  faults: Fault[];
  /** So long the app stays down after a crash; drawn for each unless it is said. */
  downMs?: number;
  /** Each new connection gets one of these delays, in milliseconds; drawn unless it is said. */
  delays?: [number, ...number[]];
}

export function planOf(seed: number): Plan {
  const draws = createDraws(Math.imul(seed, 0x2545f491) ^ 0x3c6ef372);
  const approvals = draws.pick<Approvals>(["self", "self", "peer", "peer", "two", "sum"]);
  const steps = Array.from({ length: draws.between(3, 12) }, (_, at) => stepOf(draws, at, approvals));
  // Each run begins with a wish: else there is nothing to press.
  const who = draws.pick(names);
  steps[0] = { gapMs: 0, who, does: drawWish({ draws, who, at: 0, approvals }) };
  const chosen: FaultName[] = Array.from({ length: draws.between(0, 4) }, () => draws.pick(faultNames));
  const crashes: FaultName[] = Array.from({ length: draws.pick([0, 1, 1, 1, 2, 3]) }, () => "crash");
  const faults = [...chosen, ...crashes].map((kind): Fault => {
    return { kind, at: draws.between(10, 60 + 45 * steps.length), salt: draws.between(1, 2 ** 30) };
  });
  // Drawn last, so that it changes no other draw.
  if (draws.chance(0.06))
    faults.push({
      kind: "silent platform",
      at: draws.between(10, 60 + 45 * steps.length),
      salt: draws.between(1, 2 ** 30),
    });
  if (draws.chance(0.3)) {
    const who = draws.pick(names);
    const from = draws.between(1, steps.length);
    const rare = draws.pick(rarities).map((is): Step => ({ gapMs: draws.pick([0, 2_000, minute]), who, does: { is } }));
    steps.splice(from, 0, ...rare);
  }
  if (draws.chance(0.06)) steps.splice(draws.between(0, steps.length), 0, ...passedOn(draws));
  const world = approvals === "self" ? draws.pick(["usual", "usual", "socket", "monitored"] as const) : "usual";
  if (world === "socket")
    for (const kind of socketFaults)
      if (draws.chance(0.5)) faults.push({ kind, at: draws.between(10, 60 + 45 * steps.length), salt: 1 });
  // Only polling finds an event that never comes.
  if (world === "monitored")
    for (const { does } of steps) if (does.is === "supply" && draws.chance(0.4)) does.lateMs = neverMs;
  // Only Ana has a key of the reseller programme: she decides alone.
  const isAlone = approvals === "self" || approvals === "sum";
  if (isAlone && draws.chance(0.2)) steps.splice(draws.between(0, steps.length), 0, ...resold(draws));
  if (world === "socket")
    for (const kind of swallowingFaults)
      if (draws.chance(0.4))
        faults.push({ kind, at: draws.between(10, 60 + 45 * steps.length), salt: draws.between(1, 2 ** 30) });
  // From draws of its own, so that no other plan changes.
  const more = createDraws(Math.imul(seed, 0x6c62272e) ^ 0x1f83d9ab);
  if (approvals === "peer" && more.chance(0.6))
    return { seed, approvals, steps: withOnCall(more, steps), faults, world: "on call" };
  return { seed, approvals, steps, faults, ...(world === "usual" ? {} : { world }) };
}

/** The steps with others between them about alerts, and about who is on call. */
function withOnCall(draws: Draws, steps: readonly Step[]): Step[] {
  const all = [...steps];
  for (let left = draws.between(4, 10); left > 0; left -= 1) {
    const gapMs = draws.pick([0, 200, 2_000, 20_000, minute, 4 * minute, 10 * minute]);
    const who = draws.pick([...names, secondAccount.name]);
    all.splice(draws.between(1, all.length), 0, { gapMs, who, does: drawOnCall(draws) });
  }
  return all;
}

/** A person whose key may only read asks a colleague, who takes the wish over. */
function passedOn(draws: Draws): Step[] {
  const who = secondAccount.name;
  const target = `bulk-0000${draws.between(1, 6)}`;
  const wish = { kind: "cancel", who, target, also: null, mark: 90, inMinutes: null } as const;
  const gapMs = () => draws.pick([2_000, 20_000, minute]);
  return [
    { gapMs: gapMs(), who, does: { is: "link", scopes: ["read"] } },
    { gapMs: 20_000, who, does: { is: "ask", how: "typed", wish } },
    { gapMs: gapMs(), who, does: { is: "pass on" } },
    { gapMs: gapMs(), who: draws.pick(names), does: { is: "take over" } },
  ];
}

/** An order of a resold service: the supplier's events report it while the app polls its job. */
function resold(draws: Draws): Step[] {
  const who = "ana";
  const wish = { kind: "sell", who, target: "bulk-00001", also: null, mark: 91, inMinutes: null } as const;
  return [
    { gapMs: draws.pick([0, 2_000]), who, does: { is: "ask", how: "typed", wish } },
    { gapMs: 20_000, who, does: { is: "press", nth: draws.between(0, 2), button: "go", times: draws.pick([1, 2]) } },
  ];
}

/** Longer than any run. */
const neverMs = 24 * 60 * minute;

const others = Object.keys(faultKinds).filter(
  (name): name is FaultName => !["crash", "silent platform", ...socketFaults, ...swallowingFaults].includes(name),
);
const faultNames: [FaultName, ...FaultName[]] = ["lost write", ...others];

function stepOf(draws: Draws, at: number, approvals: Approvals): Step {
  const who = draws.pick(names);
  const gapMs = draws.pick([0, 0, 5, 200, 2_000, 20_000, 2 * minute]);
  return { gapMs, who, does: drawAction({ draws, who, at, approvals }) };
}
