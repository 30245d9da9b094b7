import * as z from "zod";
import type { Reconciled, Step } from "../../operation/answer.ts";
import type { Effect, PowerState } from "../../operation/effects.ts";

/** The power actions of the customer API. The reseller API has four of them: start, stop, restart and shutdown. */
const powerActions = ["start", "stop", "restart", "reboot", "shutdown", "poweroff"] as const;
export type PowerAction = (typeof powerActions)[number];

/** The states into which a machine can be switched. */
export type SwitchedState = Exclude<PowerState, "paused">;

interface Power {
  verb: string;
  /** The acts that it does: of two words for one thing both do it. */
  does: readonly string[];
  /** The state of a machine after it worked. */
  after: SwitchedState;
  /** Its effect on the running machine; null if it interrupts nothing. */
  interrupts: string | null;
  synonyms?: readonly string[];
}

const staysOff = "Everything that runs on the machine stops, and the machine stays off until it is started.";
const interrupted = "Everything that runs on the machine is interrupted while it restarts.";
const cut =
  "The power is cut without a shutdown. Unwritten data is lost, and the machine stays off until it is started.";

/** Without a shutdown: a rule about stopping is about this, too. */
export const cutsPower = ["poweroff", "stop"];

export const powers: Record<PowerAction, Power> = {
  start: { verb: "Start", does: ["start"], after: "running", interrupts: null, synonyms: ["on", "boot"] },
  stop: { verb: "Stop", does: ["stop"], after: "stopped", interrupts: staysOff, synonyms: ["off", "halt"] },
  shutdown: { verb: "Shut down", does: ["stop"], after: "stopped", interrupts: staysOff },
  restart: { verb: "Restart", does: ["restart"], after: "running", interrupts: interrupted },
  reboot: { verb: "Reboot", does: ["restart"], after: "running", interrupts: interrupted },
  poweroff: { verb: "Cut the power of", does: cutsPower, after: "stopped", interrupts: cut },
};

/**
 * The power of a dedicated server in the words of its management controller, which the specs do not list: "POWER_ON", "Chassis Power is
 * off", "running", "soft-off". Other words, such as those of a change under way, stay as they are. Null if there is none.
 */
export function powerWord(state: string | null | undefined): string | null {
  const words = (state ?? "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replaceAll(/[_\s-]+/g, " ")
    .trim();
  if (words === "") return null;
  if (/\b(?!running\b)\w+ing\b|\bun(known|reachable|available)\b/.test(words)) return words;
  if (/\b(off|stopped|down|shutdown|offline|halted|inactive)\b/.test(words)) return "off";
  return /\b(on|up|running|started|online|active)\b/.test(words) ? "on" : words;
}

/** The acts of each power action, for inputs that name one. */
export const actsByAction: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(powers).map(([action, { does }]) => [action, does]),
);

/** The effects of a power action by its name: a restart passes through the stop. */
export function powerEffects(action: PowerAction | "kill"): readonly Effect[] {
  if (action === "restart" || action === "reboot") return [{ aspect: "power", through: ["stopped"], to: ["running"] }];
  return [{ aspect: "power", to: [action === "start" ? "running" : "stopped"] }];
}

/** The members that the operation of a power action has in every wing. */
export function powerCommon(action: PowerAction) {
  const { verb, does, interrupts, synonyms = [] } = powers[action];
  return {
    does,
    risk: "change" as const,
    effects: powerEffects(action),
    bulk: true as const,
    verb,
    group: "power" as const,
    synonyms,
    input: z.object({}),
    ...(interrupts === null ? {} : { interrupts }),
  };
}

/** The same for an operation whose input names the action. */
export const powerByName = {
  does: { input: "action", acts: actsByAction },
  risk: "change",
  effects: ({ input }: { input: { action: PowerAction } }) => powerEffects(input.action),
  group: "power",
  bulk: true,
  input: z.object({ action: z.enum(powerActions).meta({ title: "Power action" }) }),
  verb: ({ action }: { action: PowerAction }) => powers[action].verb,
  phrase: "Switch the power",
  interrupts: ({ action }: { action: PowerAction }) => powers[action].interrupts,
} as const;

/**
 * The outcome of a power action as the machine's present state tells it: a machine that ran before a start reads the same afterwards. A
 * state such as `migrating` or `paused` proves neither: the machine may still be on its way.
 */
export function reconciledByState(state: string | null | undefined, after: SwitchedState, text: string): Reconciled {
  if (state !== "running" && state !== "stopped") return { is: "unsure", text };
  return { is: state === after ? "done" : "not done", stateAlone: true, text };
}

/** The buttons under a machine that is in this state now: the way back of a stop, and its card. `noun`: "vps". */
export function powerSteps(noun: string, target: string, state: SwitchedState): Step[] {
  const show: Step = { label: "Show", command: `${noun} show`, target };
  return state === "stopped" ? [{ label: "Start", command: `${noun} start`, target, style: "primary" }, show] : [show];
}
