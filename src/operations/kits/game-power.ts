import * as z from "zod";
import type { Progress, Reconciled, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CommandOf, Declared, HarmlessAct } from "../../operation/operation.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { GamePower } from "../../platform/customer/game.ts";
import type { WriteOf, WriteRoute } from "../../platform/http/endpoint.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import type { ClientOf } from "../../platform/platform.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { capital, code } from "../../views/text.ts";
import { cutsPower, powerEffects, reconciledByState, type SwitchedState } from "./power.ts";

/** The state of a game server after a power action worked. */
const stateAfter = {
  start: "running",
  stop: "stopped",
  restart: "running",
  kill: "stopped",
} as const satisfies Record<GamePower, SwitchedState>;

function accepted(server: string, action: GamePower): string {
  return `${server} accepted the ${action} command`;
}

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

function powerOf(word: string | null): SwitchedState | "changing" | null {
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

/** The game servers of one wing, as their power actions need them. */
interface Wing<A extends ApiName, T, R extends WriteRoute> {
  /** "game start" from "start". */
  command: (verb: string) => CommandOf[A];
  /** "game server" */
  label: string;
  players: string;
  act: HarmlessAct<A, R> & ((client: ClientOf<WriteOf<R>>[A], id: string, action: GamePower) => Promise<unknown>);
  reads: NonNullable<Declared<A>["reads"]>;
  target: TargetKind<A, T>;
  /** Reads the document of the game module. */
  read: (client: ClientOf[A], id: string) => Promise<unknown>;
  /** True if the platform would accept the action in the server's billing state. */
  takes: (row: T, action: GamePower) => boolean;
  /** Refuses what the platform would refuse. */
  refuse?: (row: T, action: GamePower) => void;
}

/** The four power actions of a wing's game servers, and the buttons for them on a card. */
export function gamePowers<A extends ApiName, T, R extends WriteRoute>(wing: Wing<A, T, R>) {
  const { label, players, target: kind, refuse } = wing;

  function steps(row: T, word: string | null): Step[] {
    const { id } = kind.entry(row);
    const fitting = powersFor(word).filter((action) => wing.takes(row, action));
    return fitting.map((action) => ({ label: capital(action), command: wing.command(action), target: id }));
  }

  function power(action: GamePower, words: { summary: string; interrupts?: string; synonyms?: string[] }) {
    return defineOperation({
      ...words,
      command: wing.command(action),
      verb: capital(action),
      does: action === "kill" ? cutsPower : [action],
      group: "power",
      act: wing.act,
      reads: wing.reads,
      risk: "change",
      effects: powerEffects(action),
      target: kind,
      bulk: true,
      input: z.object({}),
      ...(refuse ? { usable: ({ target }: { target: T }) => refuse(target, action) } : {}),
      async run({ client, target, name }) {
        const { id } = kind.entry(target);
        await wing.act(client, id, action);
        return { text: `${accepted(name, action)}.`, handle: { action }, next: [showStep(id)] };
      },
      async reconcile({ client, target }) {
        const { id, name } = kind.entry(target);
        return powerReconciled(name, stateWordIn(await wing.read(client, id)), action);
      },
      follow: {
        every: 5_000,
        deadline: 5 * 60_000,
        handle: z.object({ action: z.enum(["start", "stop", "restart", "kill"]) }),
        async poll({ client, targetId }, handle) {
          const [row, found] = await Promise.all([kind.read(client, targetId), wing.read(client, targetId)]);
          const word = stateWordIn(found);
          const next = [...steps(row, word), showStep(targetId)];
          return powerProgress({ name: kind.entry(row).name, word, action: handle.action, steps: next });
        },
      },
    });
  }

  function showStep(target: string): Step {
    return { label: "Show", command: wing.command("show"), target };
  }

  return {
    /** The buttons of a card: the actions that fit the state, then `others`, and last the kill. */
    cardSteps(row: T, word: string | null, others: Step[]): Step[] {
      const power = steps(row, word);
      const isKill = ({ command }: Step) => command === wing.command("kill");
      return [...power.filter((step) => !isKill(step)), ...others, ...power.filter(isKill)];
    },
    start: power("start", { summary: `Start a ${label}` }),
    stop: power("stop", {
      summary: `Stop a ${label}`,
      interrupts: `${players} are disconnected, and the server stays off until somebody starts it.`,
    }),
    restart: power("restart", {
      summary: `Restart a ${label}`,
      synonyms: ["reboot"],
      interrupts: `${players} are disconnected while the server restarts.`,
    }),
    kill: power("kill", {
      summary: "Kill a game server that does not stop; unsaved data is lost",
      interrupts: `The server ends at once. ${players} are disconnected, and unsaved data is lost.`,
    }),
  };
}

interface Reading {
  name: PlainText;
  /** Null where the document names no state. */
  word: string | null;
  action: GamePower;
  steps: Step[];
}

/** The progress of a power action, as far as the server's document shows it. */
export function powerProgress({ name, word, action, steps: next }: Reading): Progress {
  const sent = accepted(code(name), action);
  const power = powerOf(word);
  if (word === null) {
    const text = `${sent}. Its game module names no state, so Rackbell cannot see the end.`;
    return { state: "done", endUnknown: true, text, next };
  }
  if (power === null) return { state: "done", endUnknown: true, text: `${sent}. ${calls(word)}`, next };
  if (power !== stateAfter[action]) return { state: "working", text: `${sent}. ${calls(word)}`, next };
  // A server reads as running before its restart, too.
  if (action === "restart") return { state: "done", endUnknown: true, text: `${sent}, and is ${power} now.`, next };
  return { state: "done", text: `${code(name)} is ${power}.`, next };
}

/** The outcome of a power action whose answer was lost. */
export function powerReconciled(name: PlainText, word: string | null, action: GamePower): Reconciled {
  if (word === null) return { is: "unsure", text: `The game module of ${code(name)} names no state.` };
  const power = powerOf(word);
  const text = `${code(name)}: ${calls(word)}`;
  // A server that ran before reads the same after a restart, and one on its way may have been sent there by somebody else.
  return action === "restart" ? { is: "unsure", text } : reconciledByState(power, stateAfter[action], text);
}

function calls(word: string): string {
  return `Its game module calls it ${code(word)}.`;
}
