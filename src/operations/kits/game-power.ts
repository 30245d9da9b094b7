import * as z from "zod";
import type { Progress, Reconciled, Step } from "../../operation/answer.ts";
import type { GamePower } from "../../platform/customer/game.ts";
import { code } from "../../views/text.ts";
import { type PowerState, reconciledByState } from "./power.ts";

/** The state of a game server after a power action worked. */
const stateAfter = {
  start: "running",
  stop: "stopped",
  restart: "running",
  kill: "stopped",
} as const satisfies Record<GamePower, PowerState>;

const accepted = {
  start: "accepted the start command",
  stop: "accepted the stop command",
  restart: "accepted the restart command",
  kill: "accepted the kill command",
} as const satisfies Record<GamePower, string>;

const stateNames = ["state", "status", "power_state", "powerState", "current_state", "currentState"];
const Holder = z.record(z.string(), z.unknown());

/** The word for the server's state in a game module's document, whose layout no spec shows. Null where it has none. */
export function stateWordIn(document: unknown): string | null {
  const { data: whole } = Holder.safeParse(document);
  const { data: server } = Holder.safeParse(whole?.server);
  const words = [server, whole].flatMap((holder) => stateNames.map((name) => holder?.[name]));
  return words.filter((word) => typeof word === "string").find((word) => word !== "") ?? null;
}

// Known words alone decide anything. Of any other word, the answer quotes it and draws no conclusion.
const runningWords = /^(running|online|on|up|started|alive|ready)$/i;
const stoppedWords = /^(stopped|offline|off|down|exited|halted|dead|killed)$/i;
const changingWords = /^(starting|booting|stopping|restarting|pending|queued|installing|shutting[ _-]?down)$/i;

function powerOf(word: string | null): PowerState | "changing" | null {
  if (word === null) return null;
  if (runningWords.test(word)) return "running";
  if (stoppedWords.test(word)) return "stopped";
  return changingWords.test(word) ? "changing" : null;
}

/** The power actions that fit the server's state; all of them where its word is unknown or on the way to another. */
export function powersFor(word: string | null): GamePower[] {
  const power = powerOf(word);
  if (power === "running") return ["restart", "stop", "kill"];
  return power === "stopped" ? ["start"] : ["start", "restart", "stop", "kill"];
}

/** Tracks a power action by the word for the server's state. */
export const powerTracking = {
  every: 5_000,
  deadline: 5 * 60_000,
  handle: z.object({ action: z.enum(["start", "stop", "restart", "kill"]) }),
};

/** The answer to an accepted power action: its end is read from the server's document. */
export function powerAnswer(name: string, action: GamePower): { text: string; handle: { action: GamePower } } {
  return { text: `${code(name)} ${accepted[action]}.`, handle: { action } };
}

interface Reading {
  name: string;
  /** Null where the document names no state. */
  word: string | null;
  action: GamePower;
  steps: Step[];
}

/** The progress of a power action, as far as the server's document shows it. */
export function powerProgress({ name, word, action, steps }: Reading): Progress {
  const server = code(name);
  const power = powerOf(word);
  if (word === null)
    return {
      state: "done",
      endUnknown: true,
      text: `${server} ${accepted[action]}. Its game module names no state, so Rackbell cannot see the end.`,
      next: steps,
    };
  if (power === null)
    return { state: "done", endUnknown: true, text: `${server} ${accepted[action]}. ${calls(word)}`, next: steps };
  if (power !== stateAfter[action])
    return { state: "working", text: `${server} ${accepted[action]}. ${calls(word)}`, next: steps };
  // A server reads as running before its restart, too.
  if (action === "restart")
    return {
      state: "done",
      endUnknown: true,
      text: `${server} ${accepted.restart}, and is ${power} now.`,
      next: steps,
    };
  return { state: "done", text: `${server} is ${power}.`, next: steps };
}

/** The outcome of a power action whose answer was lost. */
export function powerReconciled(name: string, word: string | null, action: GamePower): Reconciled {
  if (word === null) return { is: "unsure", text: `The game module of ${code(name)} names no state.` };
  const power = powerOf(word);
  const text = `${code(name)}: ${calls(word)}`;
  // A server that ran before reads the same after a restart, and one on its way may have been sent there by somebody else.
  if (action === "restart" || power === null || power === "changing") return { is: "unsure", text };
  return reconciledByState(power === stateAfter[action], text);
}

function calls(word: string): string {
  return `Its game module calls it ${code(word)}.`;
}
