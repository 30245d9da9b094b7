import * as z from "zod";
import type { Answer, Json, Progress, Reconciled } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { PollCall, Tracking } from "../../operation/operation.ts";
import type { JobResult } from "../../platform/customer/jobs.ts";
import type { CustomerRoute } from "../../platform/customer/routes.ts";
import { powerVps, readVps, type Vps, vpsActs } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { stateOf, vps } from "./vps.ts";

type PowerState = "running" | "stopped";

/** `seen` is the hypervisor's last update before the act: only a later update counts. */
const Handle = z.object({ wanted: z.enum(["running", "stopped"]), seen: z.string() });

/** A machine in the wanted state counts as done after this time, even without an update. */
const settledAfter = 30_000;

const follow: Tracking & {
  handle: typeof Handle;
  poll: (call: PollCall<"customer">, handle: z.infer<typeof Handle>) => Promise<Progress>;
} = {
  every: 3_000,
  deadline: 10 * 60_000,
  handle: Handle,
  async poll({ client, targetId, since, now }, { wanted: expectedState, seen }) {
    const found = await readVps(client, targetId);
    const name = code(found.name);
    const state = stateOf(found);
    if (found.instance?.state === "error" || found.instance?.state === "orphaned") {
      return {
        state: "failed",
        text: `${name} is in state ${state} now.`,
        next: [{ label: "Show", command: "vps show", target: targetId }],
      };
    }
    const hasUpdated = found.instance?.updated_at !== seen || now - since > settledAfter;
    if (found.instance?.state !== expectedState || !hasUpdated)
      return { state: "working", text: `${name} is ${state}.` };
    return {
      state: "done",
      text: `${name} is ${expectedState} again.`.replace("stopped again", "stopped"),
      next: wayBack(found, expectedState),
    };
  },
};

function wayBack({ id }: Vps, expectedState: PowerState): Answer["next"] & object {
  const show = { label: "Show", command: "vps show", target: id };
  return expectedState === "stopped"
    ? [{ label: "Start", command: "vps start", target: id, style: "primary" }, show]
    : [show];
}

/** A machine in the wanted state has reached it. A reboot in between cannot be read. */
function settle(target: Vps, expectedState: PowerState, rebooted = false): Reconciled {
  const state = stateOf(target);
  if (rebooted) return { is: "unsure", text: `${code(target.name)} is ${state}; whether it rebooted cannot be read.` };
  if (state === expectedState) return { is: "done", text: `${code(target.name)} is ${state}.` };
  return { is: "not done", text: `${code(target.name)} is ${state}.` };
}

function answer(target: Vps, job: JobResult, expectedState: PowerState, doing: string, done: string): Answer {
  const handle: Json = { wanted: expectedState, seen: target.instance?.updated_at ?? "" };
  if (!job.completed) return { text: `${doing} ${code(target.name)}.`, handle };
  return { text: `${code(target.name)} ${done}.`, next: wayBack(target, expectedState) };
}

/** The effect of a power action on the running machine; null if it interrupts nothing. */
export const interruptionBy = {
  start: null,
  stop: "Everything that runs on it stops, and it stays off until it is started.",
  shutdown: "Everything that runs on it stops, and it stays off until it is started.",
  restart: "Everything that runs on it is interrupted while it restarts.",
  reboot: "Everything that runs on it is interrupted while it restarts.",
  poweroff:
    "The power is cut without a shutdown: what is not written to disk is lost, and it stays off until it is started.",
} as const;

/** The button label of a power action. */
export const powerWords = {
  start: "Start",
  stop: "Stop",
  shutdown: "Shut down",
  restart: "Restart",
  reboot: "Reboot",
  poweroff: "Cut the power of",
} as const;

/** The state of a machine after a power action worked. */
export const stateAfter = {
  start: "running",
  stop: "stopped",
  restart: "running",
  reboot: "running",
  shutdown: "stopped",
  poweroff: "stopped",
} as const;

/** Common to all power operations. */
const switches = { risk: "change", target: vps, bulk: true, follow } as const;

type PlainAction = "start" | "stop" | "shutdown" | "reboot";

function powerOperation(
  action: PlainAction,
  words: { summary: string; doing: string; done: string; aliases?: CustomerRoute[] },
) {
  const expectedState = stateAfter[action];
  const interrupts = interruptionBy[action];
  return defineOperation({
    ...switches,
    command: `vps ${action}`,
    summary: words.summary,
    act: vpsActs[action],
    aliases: words.aliases ?? [],
    reads: [readVps],
    verb: powerWords[action],
    input: z.object({}),
    ...(interrupts ? { interrupts } : {}),
    run: async ({ client, target }) =>
      answer(target, await vpsActs[action](client, target.id), expectedState, words.doing, words.done),
    reconcile: async ({ target }) => settle(target, expectedState, action === "reboot"),
  });
}

export const start = powerOperation("start", { summary: "Start a VPS", doing: "Starting", done: "was started" });
export const stop = powerOperation("stop", {
  summary: "Stop a VPS: it is asked to shut down, and switched off if it does not",
  doing: "Stopping",
  done: "was stopped",
});
export const shutdown = powerOperation("shutdown", {
  summary: "Shut a VPS down",
  doing: "Shutting down",
  done: "was shut down",
});
export const reboot = powerOperation("reboot", {
  summary: "Reboot a VPS",
  doing: "Rebooting",
  done: "was rebooted",
  aliases: ["POST /vps/{id}/restart"],
});

export const power = defineOperation({
  ...switches,
  command: "vps power",
  summary: "Send a VPS a power action by name; poweroff cuts the power without a shutdown",
  act: powerVps,
  reads: [readVps],
  input: z.object({
    action: z.enum(["start", "stop", "restart", "reboot", "shutdown", "poweroff"]).meta({ title: "Power action" }),
  }),
  verb: ({ action }) => powerWords[action],
  interrupts: ({ action }) => interruptionBy[action],
  run: async ({ client, target, input: { action } }) =>
    answer(
      target,
      await powerVps(client, target.id, action),
      stateAfter[action],
      `Sent ${action} to`,
      `was sent ${action}`,
    ),
  reconcile: async ({ target, input: { action } }) =>
    settle(target, stateAfter[action], action === "restart" || action === "reboot"),
});
