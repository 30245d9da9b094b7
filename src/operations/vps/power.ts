import * as z from "zod";
import type { Answer, Json, Progress, Reconciled } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Follow, PollCall } from "../../operation/operation.ts";
import type { JobResult } from "../../platform/customer/jobs.ts";
import { actOnVps, powerVps, readVps, type Vps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { stateOf, vps } from "./vps.ts";

type Wanted = "running" | "stopped";

/** `seen` is when the hypervisor last spoke before the act: only a later word counts. */
const Handle = z.object({ wanted: z.enum(["running", "stopped"]), seen: z.string() });

/** A machine that says nothing new for this long, and is as it should be, counts as there. */
const settledAfter = 30_000;

const follow: Follow & {
  handle: typeof Handle;
  poll: (call: PollCall<"customer">, handle: z.infer<typeof Handle>) => Promise<Progress>;
} = {
  every: 3_000,
  deadline: 10 * 60_000,
  handle: Handle,
  async poll({ client, targetId, since, now }, { wanted, seen }) {
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
    const spoke = found.instance?.updated_at !== seen || now - since > settledAfter;
    if (found.instance?.state !== wanted || !spoke) return { state: "working", text: `${name} is ${state}.` };
    return {
      state: "done",
      text: `${name} is ${wanted} again.`.replace("stopped again", "stopped"),
      next: wayBack(found, wanted),
    };
  },
};

function wayBack({ id }: Vps, wanted: Wanted): Answer["next"] & object {
  const show = { label: "Show", command: "vps show", target: id };
  return wanted === "stopped" ? [{ label: "Start", command: "vps start", target: id, style: "primary" }, show] : [show];
}

/** A machine that reads as it was wanted has got there; whether it rebooted meanwhile cannot be read. */
function settle(target: Vps, wanted: Wanted, rebooted = false): Reconciled {
  const state = stateOf(target);
  if (rebooted) return { is: "unsure", text: `${code(target.name)} is ${state}; whether it rebooted cannot be read.` };
  if (state === wanted) return { is: "done", text: `${code(target.name)} is ${state}.` };
  return { is: "not done", text: `${code(target.name)} is ${state}.` };
}

function answer(target: Vps, job: JobResult, wanted: Wanted, doing: string, done: string): Answer {
  const handle: Json = { wanted, seen: target.instance?.updated_at ?? "" };
  if (!job.completed) return { text: `${doing} ${code(target.name)}.`, handle };
  return { text: `${code(target.name)} ${done}.`, next: wayBack(target, wanted) };
}

/** What a power action does to what runs on a machine; null where it interrupts nothing. */
export const interruptionBy = {
  start: null,
  stop: "Everything that runs on it stops, and it stays off until it is started.",
  shutdown: "Everything that runs on it stops, and it stays off until it is started.",
  restart: "Everything that runs on it is interrupted while it restarts.",
  reboot: "Everything that runs on it is interrupted while it restarts.",
  poweroff:
    "The power is cut without a shutdown: what is not written to disk is lost, and it stays off until it is started.",
} as const;

/** What a power action is called. */
export const powerWords = {
  start: "Start",
  stop: "Stop",
  shutdown: "Shut down",
  restart: "Restart",
  reboot: "Reboot",
  poweroff: "Cut the power of",
} as const;

/** How a machine is once a power action has worked. */
export const wantedBy = {
  start: "running",
  stop: "stopped",
  restart: "running",
  reboot: "running",
  shutdown: "stopped",
  poweroff: "stopped",
} as const;

/** What is the same for each act that switches a machine, or its power. */
const switches = { api: "customer", scope: "services", risk: "change", target: vps, bulk: true, follow } as const;

type Named = "start" | "stop" | "shutdown" | "reboot";

function named(action: Named, words: { summary: string; doing: string; done: string }, routes: string[]) {
  const wanted = wantedBy[action];
  const interrupts = interruptionBy[action];
  return defineOperation({
    ...switches,
    command: `vps ${action}`,
    summary: words.summary,
    routes: [...routes, "GET /vps/{id}"],
    verb: powerWords[action],
    input: z.object({}),
    ...(interrupts ? { interrupts } : {}),
    run: async ({ client, target }) =>
      answer(target, await actOnVps(client, target.id, action), wanted, words.doing, words.done),
    reconcile: async ({ target }) => settle(target, wanted, action === "reboot"),
  });
}

export const start = named("start", { summary: "Start a VPS", doing: "Starting", done: "was started" }, [
  "POST /vps/{id}/start",
]);
export const stop = named(
  "stop",
  {
    summary: "Stop a VPS: it is asked to shut down, and switched off if it does not",
    doing: "Stopping",
    done: "was stopped",
  },
  ["POST /vps/{id}/stop"],
);
export const shutdown = named(
  "shutdown",
  { summary: "Shut a VPS down", doing: "Shutting down", done: "was shut down" },
  ["POST /vps/{id}/shutdown"],
);
export const reboot = named("reboot", { summary: "Reboot a VPS", doing: "Rebooting", done: "was rebooted" }, [
  "POST /vps/{id}/reboot",
  "POST /vps/{id}/restart",
]);

export const power = defineOperation({
  ...switches,
  command: "vps power",
  summary: "Send a VPS a power action by name; poweroff cuts the power without a shutdown",
  routes: ["POST /vps/{id}/power/{action}", "GET /vps/{id}"],
  input: z.object({
    action: z.enum(["start", "stop", "restart", "reboot", "shutdown", "poweroff"]).meta({ title: "Power action" }),
  }),
  verb: ({ action }) => powerWords[action],
  interrupts: ({ action }) => interruptionBy[action],
  run: async ({ client, target, input: { action } }) =>
    answer(
      target,
      await powerVps(client, target.id, action),
      wantedBy[action],
      `Sent ${action} to`,
      `was sent ${action}`,
    ),
  reconcile: async ({ target, input: { action } }) =>
    settle(target, wantedBy[action], action === "restart" || action === "reboot"),
});
