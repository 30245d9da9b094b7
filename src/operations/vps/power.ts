import * as z from "zod";
import type { Progress, Reconciled, TrackedAnswer } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { PollCall } from "../../operation/operation.ts";
import type { AcceptedAction } from "../../platform/customer/jobs.ts";
import type { CustomerRoute } from "../../platform/customer/routes.ts";
import { powerVps, readVps, type Vps, vpsActs } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { powerByName, powerCommon, powerSteps, powers, reconciledByState, type SwitchedState } from "../kits/power.ts";
import { isInState, vps, vpsState } from "./vps.ts";

/** `seen` is the hypervisor's last update before the act: only a later update counts. */
const PowerHandle = z.object({ wanted: z.enum(["running", "stopped"]), seen: z.string() });
export type PowerHandle = z.infer<typeof PowerHandle>;

/** A machine in the wanted state counts as done after this time, even without an update. */
const settledAfter = 30_000;

/** Tracks a VPS until it is in the wanted state. */
export const powerTracking = {
  every: 3_000,
  deadline: 10 * 60_000,
  handle: PowerHandle,
  async poll({ client, targetId, since, now }: PollCall<"customer">, { wanted, seen }: PowerHandle): Promise<Progress> {
    const found = await readVps(client, targetId);
    const name = code(found.name);
    const state = vpsState(found);
    const hasUpdated = found.instance?.updated_at !== seen || now - since > settledAfter;
    // Before the hypervisor's next update, the state may be the one out of which the action is to bring the machine.
    if (hasUpdated && (found.instance?.state === "error" || found.instance?.state === "orphaned"))
      return {
        state: "failed",
        text: `${name} is in state ${state} now.`,
        next: powerSteps("vps", targetId, "running"),
      };
    if (found.instance?.state !== wanted || !hasUpdated)
      return { state: "working", text: `${name} ${isInState(state)}.` };
    const text = wanted === "running" ? `${name} is running again.` : `${name} is stopped.`;
    return { state: "done", text, next: powerSteps("vps", found.id, wanted) };
  },
};

/** A machine in the wanted state has reached it. A reboot in between cannot be read. */
function settle(target: Vps, wanted: SwitchedState, rebooted = false): Reconciled {
  const state = vpsState(target);
  if (rebooted)
    return {
      is: "unsure",
      text: `${code(target.name)} ${isInState(state)}; the platform does not show whether it rebooted.`,
    };
  return reconciledByState(state, wanted, `${code(target.name)} ${isInState(state)}.`);
}

function answer(
  target: Vps,
  job: AcceptedAction,
  wanted: SwitchedState,
  doing: string,
  done: string,
): TrackedAnswer<PowerHandle> {
  if (job?.completed)
    return { text: `${code(target.name)} ${done}.`, next: powerSteps("vps", target.id, wanted), handle: null };
  return { text: `${doing} ${code(target.name)}.`, handle: { wanted, seen: target.instance?.updated_at ?? "" } };
}

function powerOperation(
  action: keyof typeof vpsActs,
  words: { summary: string; doing: string; done: string; twin?: string; alias?: CustomerRoute },
) {
  const wanted = powers[action].after;
  return defineOperation({
    ...powerCommon(action),
    command: `vps ${action}`,
    agents: "by rule",
    summary: words.summary,
    synonyms: [
      ...(powers[action].synonyms ?? []),
      ...(words.twin ? [{ words: words.twin, exact: true as const }] : []),
    ],
    act: vpsActs[action],
    aliases: words.alias ? [words.alias] : [],
    target: vps,
    run: async ({ client, target }) =>
      answer(target, await vpsActs[action](client, target.id), wanted, words.doing, words.done),
    reconcile: async ({ target }) => settle(target, wanted, action === "reboot"),
    follow: powerTracking,
  });
}

export const start = powerOperation("start", { summary: "Start a VPS", doing: "Starting", done: "was started" });
export const stop = powerOperation("stop", {
  summary: "Stop a VPS: shut it down, and switch it off if it does not shut down",
  doing: "Stopping",
  done: "was stopped",
  twin: "shutdown",
  alias: "POST /vps/{id}/shutdown",
});
export const reboot = powerOperation("reboot", {
  summary: "Reboot a VPS",
  doing: "Rebooting",
  done: "was rebooted",
  twin: "restart",
  alias: "POST /vps/{id}/restart",
});

export const power = defineOperation({
  ...powerByName,
  command: "vps power",
  summary: "Send a VPS a power action by name; poweroff cuts the power without a shutdown",
  act: powerVps,
  target: vps,
  async run({ client, target, input: { action } }) {
    const job = await powerVps(client, target.id, action);
    return answer(target, job, powers[action].after, `Sent ${action} to`, `was sent ${action}`);
  },
  reconcile: async ({ target, input: { action } }) =>
    settle(target, powers[action].after, action === "restart" || action === "reboot"),
  follow: powerTracking,
});
