import * as z from "#zod";
import type { Progress, Reconciled, Step, TrackedAnswer } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Effect, PowerState } from "../../operation/effects.ts";
import type { Call, CommandOf, Declared, HarmlessAct, PollCall, Tracking } from "../../operation/operation.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import type { WriteOf, WriteRoute } from "../../platform/http/endpoint.ts";
import { type ApiName, isPlatformError } from "../../platform/http/errors.ts";
import { code } from "../../views/text.ts";

/** The power actions that an input can name. Game servers have `kill` beside the first three. */
const powerActions = ["start", "stop", "restart", "reboot", "shutdown", "poweroff"] as const;
type NamedAction = (typeof powerActions)[number];
export type PowerAction = NamedAction | "kill";

/** The states into which a machine can be switched. */
export type SwitchedState = Exclude<PowerState, "paused">;

interface Power {
  verb: string;
  /** Before the name while it goes on. */
  doing: string;
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
const cutsPower = ["poweroff", "stop"];

export const powers: Record<PowerAction, Power> = {
  start: {
    verb: "Start",
    doing: "Starting",
    does: ["start"],
    after: "running",
    interrupts: null,
    synonyms: ["on", "boot"],
  },
  stop: {
    verb: "Stop",
    doing: "Stopping",
    does: ["stop"],
    after: "stopped",
    interrupts: staysOff,
    synonyms: ["off", "halt"],
  },
  shutdown: { verb: "Shut down", doing: "Shutting down", does: ["stop"], after: "stopped", interrupts: staysOff },
  restart: { verb: "Restart", doing: "Restarting", does: ["restart"], after: "running", interrupts: interrupted },
  reboot: { verb: "Reboot", doing: "Rebooting", does: ["restart"], after: "running", interrupts: interrupted },
  poweroff: {
    verb: "Cut the power of",
    doing: "Cutting the power of",
    does: cutsPower,
    after: "stopped",
    interrupts: cut,
  },
  kill: { verb: "Kill", doing: "Killing", does: cutsPower, after: "stopped", interrupts: cut },
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
  const [unread] = /\bun(known|reachable|available)\b/.exec(words) ?? [];
  if (unread) return unread;
  if (/\b(?!running\b)\w+ing\b/.test(words)) return words;
  if (/\b(off|stopped|down|shutdown|offline|halted|inactive)\b/.test(words)) return "off";
  return /\b(on|up|running|started|online|active)\b/.test(words) ? "on" : words;
}

/** True for a controller's word that says nothing of the power now: its next report may. */
export function isUnread(word: string): boolean {
  return /^un(known|reachable|available)$/.test(word);
}

/**
 * "on", "off", or the word of a change under way, from a report of which the spec shows no field; a word such as "unreachable" where it has
 * none of these. Null where it has no such word, or several that disagree.
 */
export function reportedPower(report: unknown): string | null {
  const words = powerTexts(report).flatMap((text) => powerWord(text) ?? []);
  const [word, ...others] = new Set(words.filter((one) => one === "on" || one === "off" || /ing\b/.test(one)));
  if (word === undefined) return words.find(isUnread) ?? null;
  return others.length === 0 ? word : null;
}

/** Texts of up to four words, which are no sentence, time, address or id, and a flag such as `powered_on` as its word. */
function powerTexts(value: unknown, key = ""): string[] {
  if (typeof value === "boolean" && /^(is_?)?(power(ed)?_?)?on$/i.test(key)) return [value ? "on" : "off"];
  if (typeof value === "string") return /^[a-z]+([ _-]+[a-z]+){0,3}$/i.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => powerTexts(inner, name));
}

/** The acts of each power action, for inputs that name one. */
export const actsByAction: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(powers).map(([action, { does }]) => [action, does]),
);

/** The effects of a power action by its name: a restart passes through the stop. */
export function powerEffects(action: PowerAction): readonly Effect[] {
  if (isRestart(action)) return [{ aspect: "power", through: ["stopped"], to: ["running"] }];
  return [{ aspect: "power", to: [action === "start" ? "running" : "stopped"] }];
}

function isRestart(action: PowerAction): boolean {
  return action === "restart" || action === "reboot";
}

/** The power of a machine as the platform shows it now. */
export interface SeenPower {
  /** "between" on the way, or in a state that proves neither; null where nothing shows it. */
  power: SwitchedState | "between" | null;
  /** After its name in a sentence: "is running". */
  standing: string;
  /** The last report about the machine. A state that was reported before the act may be the one out of which it brings the machine. */
  report?: string;
  /** The machine will not come to the state by itself. */
  failed?: boolean;
}

/** The power in a state's own word. `paused` and `migrating` prove neither: the machine may still be on its way. */
export function powerIn(state: string | null | undefined): SeenPower["power"] {
  if (state === "running" || state === "stopped") return state;
  return state ? "between" : null;
}

/** The management controller of a dedicated server does not answer, or it has none: the server takes no power action. */
export const unreachable = "unreachable";

/**
 * The power in another word of a management controller than on and off. One that cannot be reached may answer the next poll, so tracking
 * goes on.
 */
export function controllerPower(word: string | null): SeenPower {
  if (word === null) return { power: null, standing: "does not report its power" };
  if (word === unreachable) return { power: "between", standing: "has a management controller that cannot be reached" };
  return { power: "between", standing: `reports its power as ${code(word)}` };
}

/** How far the platform got by its answer. */
export type Sent = "begun" | "done" | "failed" | "already";

type Send<A extends ApiName, T, R extends WriteRoute, P> = (
  client: ApiClient<A, WriteOf<R>>,
  row: T,
  action: P,
) => Promise<Sent>;

/** A kind of machine: how its power is switched, and seen. `P` are the actions that have a command of their own. */
export interface Machine<A extends ApiName, T, R extends WriteRoute, P extends PowerAction>
  extends Pick<Declared<A>, "reads"> {
  /** "vps start" from "start". */
  command: (verb: string) => CommandOf[A];
  target: TargetKind<A, T>;
  act: HarmlessAct<A, R>;
  pace: Tracking;
  send: Send<A, T, R, P>;
  look: (client: ApiClient<A>, row: T) => Promise<SeenPower>;
  /** It is looked at before the act, too, since `report` shows then what came later. */
  reports?: true;
  /** It takes minutes: one that is not in the wanted state yet may still be on its way there. */
  slow?: true;
  /** For each action; the one whose input names it can cut the power, so that no rule lets an agent run that. */
  agents?: "by rule";
  /** It refuses what the platform would refuse. */
  refuse?: (row: T, action: P) => void;
  /** Its name for a sentence, as mrkdwn, where more than the name belongs to it. */
  calls?: (row: T) => string;
  /** The buttons under an answer, in this state; the way back of a stop and its card by default. */
  steps?: (row: T, power: SeenPower["power"]) => Step[];
}

/** An action of a kind of machine, with the words that are its own. `command`: its verb there. */
interface Words<A extends ApiName, R extends WriteRoute> extends Pick<Declared<A>, "example" | "summary" | "synonyms"> {
  /** Its own endpoint, for a kind with one for each action. */
  act?: HarmlessAct<A, R>;
  /** Its verb for this kind, if another. */
  as?: string;
  verb?: string;
  interrupts?: string;
}

/** `report`: the last one before the act. `job`: its end by the platform's answer. `wasStopped`: it was seen to be off since. */
const Handle = z.object({
  action: z.enum([...powerActions, "kill"]),
  report: z.string().exactOptional(),
  job: z.enum(["done", "failed"]).exactOptional(),
  wasStopped: z.literal(true).exactOptional(),
});
type Handle = z.infer<typeof Handle>;

/** Milliseconds. Without a new report a state counts after the first time; a restart that was not seen after the second stays unknown. */
const [settledAfter, longestUnreportedMs] = [30_000, 2 * 60_000];

/** The operations that switch a kind of machine: one for each action, and one whose input names the action. */
export function powerOf<A extends ApiName, T, R extends WriteRoute, P extends PowerAction>(
  machine: Machine<A, T, R, P>,
) {
  const { target: kind, look, agents, refuse, reports, slow } = machine;
  const nameOf = (row: T) => code(kind.entry(row).name);
  const stepsOf = (row: T, power: SeenPower["power"]) =>
    machine.steps?.(row, power) ?? powerSteps(machine.command, kind.entry(row).id, power);

  async function run<Q extends PowerAction>(
    { client, target: row }: Pick<Call<A, T, unknown, WriteOf<R>>, "client" | "target">,
    action: Q,
    send: Send<A, T, R, Q>,
  ): Promise<TrackedAnswer<Handle>> {
    const name = machine.calls?.(row) ?? nameOf(row);
    const { doing, after } = powers[action];
    const before = reports ? await look(client, row) : null;
    const sent = await send(client, row, action);
    const next = stepsOf(row, after);
    if (sent === "already") return { text: `${name} is ${after} already.`, next, handle: null };
    const text = `${doing} ${name}.`;
    if (sent === "begun" && before?.power === null && before.report === undefined)
      return { text: `${text} ${unseenEnd}`, endUnknown: true, next, handle: null };
    const report = before?.report === undefined ? {} : { report: before.report };
    const handle: Handle = { action, ...report, ...(sent === "begun" ? {} : { job: sent }) };
    return (sent === "done" ? await endSeen(client, row, handle, name) : null) ?? { text, handle };
  }

  /** An answer that says "completed" is no proof: the machine decides. Null if the first poll has to: a read that fails proves nothing. */
  async function endSeen(client: ApiClient<A>, row: T, handle: Handle, name: string) {
    const seen = await lookAfter(client, row);
    if (seen === null) return null;
    const { state, ...ended } = progressOf(name, seen, { ...handle, waited: 0 });
    return state === "done" ? { ...ended, next: stepsOf(row, seen.power), handle: null } : null;
  }

  async function lookAfter(client: ApiClient<A>, row: T): Promise<SeenPower | null> {
    try {
      return await look(client, await kind.read(client, kind.entry(row).id));
    } catch (error) {
      if (isPlatformError(error)) return null;
      throw error;
    }
  }

  const reconcile = async ({ client, target: row }: { client: ApiClient<A>; target: T }, action: PowerAction) =>
    reconciledBy(nameOf(row), await look(client, row), action, slow);

  const follow = {
    ...machine.pace,
    handle: Handle,
    async poll({ client, targetId, since, now }: PollCall<A>, handle: Handle): Promise<Progress> {
      const row = await kind.read(client, targetId);
      const seen = await look(client, row);
      return { ...progressOf(nameOf(row), seen, { ...handle, waited: now - since }), next: stepsOf(row, seen.power) };
    },
  };

  const common = {
    reads: machine.reads ?? [],
    risk: "change",
    group: "power",
    target: kind,
    bulk: true,
    follow,
  } as const;

  return {
    one(action: P, { act = machine.act, as = action, ...words }: Words<A, R>) {
      const { verb, does, interrupts, synonyms = [] } = powers[action];
      return defineOperation({
        ...common,
        verb,
        synonyms,
        ...(interrupts === null ? {} : { interrupts }),
        ...(agents ? { agents } : {}),
        ...words,
        act,
        does,
        effects: powerEffects(action),
        command: machine.command(as),
        input: z.object({}),
        ...(refuse ? { usable: ({ target }: { target: T }) => refuse(target, action) } : {}),
        run: (call) => run(call, action, machine.send),
        reconcile: (call) => reconcile(call, action),
      });
    },
    byName: (
      words: Pick<Declared<A>, "example" | "summary">,
      act: HarmlessAct<A, R>,
      send: Send<A, T, R, NamedAction>,
    ) =>
      defineOperation({
        ...common,
        ...words,
        command: machine.command("power"),
        act,
        does: { input: "action", acts: actsByAction },
        effects: ({ input }) => powerEffects(input.action),
        input: z.object({ action: z.enum(powerActions).meta({ title: "Power action" }) }),
        verb: ({ action }) => powers[action].verb,
        phrase: "Switch the power",
        interrupts: ({ action }) => powers[action].interrupts,
        run: (call) => run(call, call.input.action, send),
        reconcile: (call) => reconcile(call, call.input.action),
      }),
  };
}

const unseenEnd = "Nothing shows when that has ended: look again in a minute.";
const unseenRestart = "The platform accepted the restart, and does not show if it ran.";

/** How far a power action has come, by what is seen of the machine. */
export function progressOf(name: string, seen: SeenPower, handle: Handle & { waited: number }): Progress {
  const { power, standing, report, failed } = seen;
  const { action, report: before, waited } = handle;
  const answered = answeredEnd(name, seen, handle);
  if (answered) return answered;
  const text = `${name} ${standing}.`;
  if (power === null && report === undefined) return endUnseen(`${text} ${unseenEnd}`);
  const isOld = before !== undefined && report === before;
  const mayBeOld = isOld && waited <= (isRestart(action) ? longestUnreportedMs : settledAfter);
  if (failed && !mayBeOld) return { state: "failed", text };
  if (isRestart(action)) return restartProgress(name, seen, handle);
  return { state: power === powers[action].after && !mayBeOld ? "done" : "working", text };
}

/** The end by the platform's answer, where the machine does not contradict it; null if there is none yet. */
function answeredEnd(name: string, { power, standing, report }: SeenPower, { action, job }: Handle): Progress | null {
  if (job === undefined) return null;
  const isAfter = power === powers[action].after;
  const again = isRestart(action) ? " again" : "";
  if (job === "failed" && isAfter && again === "") return null;
  if (job === "failed")
    return { state: "failed", text: `The platform answered that this failed. ${name} ${standing}.` };
  if (isAfter) return { state: "done", text: `${name} ${standing}${again}.` };
  if (power !== null || report !== undefined) return null;
  return { state: "done", text: `${name} is ${powers[action].after}${again}.` };
}

/** A report proves a restart only where the machine was off in between: it may report from time to time, whatever happens. */
function restartProgress(
  name: string,
  { power, standing }: SeenPower,
  { waited, ...handle }: Handle & { waited: number },
): Progress {
  const text = `${name} ${standing}.`;
  const wasStopped = handle.wasStopped || power === "stopped";
  const working: Progress = { state: "working", text, ...(wasStopped && { handle: { ...handle, wasStopped } }) };
  if (power !== "running") return working;
  if (wasStopped) return { state: "done", text: `${name} ${standing} again.` };
  if (handle.report === undefined) return endUnseen(`${text} ${unseenEnd}`);
  return waited <= longestUnreportedMs ? working : endUnseen(`${text} ${unseenRestart}`);
}

function endUnseen(text: string): Progress {
  return { state: "done", endUnknown: true, text };
}

/** The outcome of an act whose answer was lost: the present state proves a start or a stop, and never a restart in between. */
export function reconciledBy(
  name: string,
  { power, standing }: SeenPower,
  action: PowerAction,
  slow = false,
): Reconciled {
  const text = `${name} ${standing}.`;
  if (isRestart(action)) return { is: "unsure", text: `${text} Nothing shows if it restarted.` };
  if (power === powers[action].after) return { is: "done", stateAlone: true, text };
  const isKnown = power === "running" || power === "stopped";
  return isKnown && !slow ? { is: "not done", stateAlone: true, text } : { is: "unsure", text };
}

/** The buttons under a machine that is in this state now: the way back of a stop, and its card. `command`: "vps start" from "start". */
export function powerSteps(command: (verb: string) => string, target: string, power: SeenPower["power"]): Step[] {
  const show: Step = { label: "Show", command: command("show"), target };
  return power === "stopped" ? [{ label: "Start", command: command("start"), target, style: "primary" }, show] : [show];
}
