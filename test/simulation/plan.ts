import { createDraws, type Draws } from "../torture/draws.ts";
import { type Fault, type FaultName, faultKinds } from "./faults.ts";
import type { KindName, Wish } from "./kinds.ts";

const minute = 60_000;

export const names = ["ana", "ben", "caro"] as const;
export type Name = (typeof names)[number];

/** One thing that a person does, after a pause. */
export interface Step {
  gapMs: number;
  who: Name;
  does:
    | { is: "ask"; wish: Wish }
    /** Presses what waits: the nth of it, once or twice at once. */
    | { is: "press"; nth: number; button: "go" | "back" | "deny"; times: number }
    | { is: "look"; command: string }
    /** Somebody at the platform gives a machine another name. */
    | { is: "rename"; machine: string }
    /** Presses what was offered to somebody else alone. */
    | { is: "snoop"; at: Name };
}

/** A run as data: drawn from a seed, and made smaller where it has failed. */
export interface Plan {
  seed: number;
  /** How requests are decided: by whoever asked, by somebody else, or by whoever asked up to a sum a day. */
  approvals: "self" | "peer" | "sum";
  steps: Step[];
  faults: Fault[];
}

export function planOf(seed: number): Plan {
  const draws = createDraws(Math.imul(seed, 0x2545f491) ^ 0x3c6ef372);
  const approvals = draws.pick<Plan["approvals"]>(["self", "self", "peer", "peer", "sum"]);
  const steps = Array.from({ length: draws.between(3, 12) }, (_, at) => stepOf(draws, at, approvals));
  // Each run begins with a wish: else there is nothing to press.
  const who = draws.pick(names);
  steps[0] = { gapMs: 0, who, does: { is: "ask", wish: wishOf(draws, who, 0, approvals) } };
  const chosen: FaultName[] = Array.from({ length: draws.between(0, 4) }, () => draws.pick(faultNames));
  const crashes: FaultName[] = Array.from({ length: draws.pick([0, 1, 1, 1, 2, 3]) }, () => "crash");
  const faults = [...chosen, ...crashes].map((kind): Fault => {
    return { kind, at: draws.between(10, 60 + 45 * steps.length), salt: draws.between(1, 2 ** 30) };
  });
  return { seed, approvals, steps, faults };
}

const kindNames: [KindName, ...KindName[]] = [
  "cancel",
  "cancel",
  "cancel",
  "snapshot",
  "snapshot",
  "capture",
  "password",
  "reinstall",
  "reboot",
  "pay",
  "pay",
  "order",
];
const others = Object.keys(faultKinds).filter((name): name is FaultName => name !== "crash" && name !== "outage");
const faultNames: [FaultName, ...FaultName[]] = ["lost write", ...others];

function stepOf(draws: Draws, at: number, approvals: Plan["approvals"]): Step {
  const who = draws.pick(names);
  const gapMs = draws.pick([0, 0, 5, 200, 2_000, 20_000, 2 * minute]);
  if (draws.chance(0.4)) return { gapMs, who, does: { is: "ask", wish: wishOf(draws, who, at, approvals) } };
  if (draws.chance(0.1))
    return {
      gapMs,
      who,
      does: { is: "look", command: draws.pick(["/vps list", "/rackbell approvals", "/rackbell help"]) },
    };
  if (draws.chance(0.1)) return { gapMs, who, does: { is: "rename", machine: renamed } };
  if (draws.chance(0.08)) return { gapMs, who, does: { is: "snoop", at: draws.pick(names) } };
  const button = draws.pick(["go", "go", "go", "go", "go", "go", "back", "deny"] as const);
  return { gapMs, who, does: { is: "press", nth: draws.between(0, 5), button, times: draws.pick([1, 1, 1, 2]) } };
}

/** The machine whose name changes. */
export const renamed = "bulk-00006";

/** Passwords have machines of their own: else nobody could tell which act has set one. */
const passwordMachines = { password: "bulk-00007", reinstall: "bulk-00008" };

function wishOf(draws: Draws, who: Name, at: number, approvals: Plan["approvals"]): Wish {
  const kind = approvals === "sum" && draws.chance(0.7) ? "pay" : draws.pick(kindNames);
  const several = kind === "cancel" || kind === "snapshot";
  const machine = () => `bulk-0000${draws.between(1, 6)}`;
  const target = kind === "password" || kind === "reinstall" ? passwordMachines[kind] : machine();
  const also = several && draws.chance(0.15) ? machine() : null;
  const later = several && also === null && draws.chance(0.2);
  return {
    kind,
    who,
    target,
    also: also === target ? null : also,
    mark: at + 1,
    inMinutes: later ? draws.between(2, 10) : null,
  };
}
