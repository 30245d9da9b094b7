import { createDraws, type Draws } from "../torture/draws.ts";
import { type Deed, drawDeed, drawWish, type Name, names, rarities } from "./deeds.ts";
import { type Fault, type FaultName, faultKinds } from "./faults.ts";

const minute = 60_000;

/** One thing that a person does, after a pause. */
export interface Step {
  gapMs: number;
  who: Name;
  does: Deed;
}

const modes = ["self", "peer", "two", "sum"] as const;

/** How requests are decided: by whoever asked, by somebody else, by two others, or by whoever asked up to a sum a day. */
export type Approvals = (typeof modes)[number];

/** A run as data: drawn from a seed, and made smaller where it has failed. */
export interface Plan {
  seed: number;
  approvals: Approvals;
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
  return { seed, approvals, steps, faults };
}

const others = Object.keys(faultKinds).filter(
  (name): name is FaultName => name !== "crash" && name !== "silent platform",
);
const faultNames: [FaultName, ...FaultName[]] = ["lost write", ...others];

function stepOf(draws: Draws, at: number, approvals: Approvals): Step {
  const who = draws.pick(names);
  const gapMs = draws.pick([0, 0, 5, 200, 2_000, 20_000, 2 * minute]);
  return { gapMs, who, does: drawDeed({ draws, who, at, approvals }) };
}
