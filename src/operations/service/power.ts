import * as z from "zod";
import type { Answer, Reconciled } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Call, PollCall } from "../../operation/operation.ts";
import { powerService, readService, type ServiceDetail } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { interruptionBy, powerWords, stateAfter, power as vpsPower } from "../vps/power.ts";
import { askProvider } from "./provider.ts";
import { machine, nameOf } from "./service.ts";

type PowerAction = keyof typeof stateAfter;

/** The platform reports the machine's state for a VPS only; other kinds have operations of their own. */
const follow = {
  every: 3_000,
  deadline: 10 * 60_000,
  handle: z.object({ wanted: z.enum(["running", "stopped"]), seen: z.string() }),
  poll: (call: PollCall<"customer">, handle: unknown) => vpsPower.bind(call).poll(call, handle),
};

async function send(
  { client, target }: Call<"customer", ServiceDetail, unknown>,
  action: PowerAction,
): Promise<Answer> {
  const { id, serviceType } = target.service;
  const name = code(nameOf(target.service));
  const before = serviceType === "vps" ? await readVps(client, id) : null;
  const job = await askProvider(target.service, action, () => powerService(client, id, action));
  const next = [{ label: "Show", command: "service show", target: id }];
  if (job?.completed === true) return { text: `${name} was sent ${action}, and it is done.`, next };
  if (!before) return { text: `${name} was sent ${action}, and the platform took it.`, endUnknown: true, next };
  return {
    text: `${name} was sent ${action}.`,
    handle: { wanted: stateAfter[action], seen: before.instance?.updated_at ?? "" },
  };
}

/** The machine's state proves a start or a stop, and cannot prove a reboot. */
async function settle(
  { client, target }: Call<"customer", ServiceDetail, unknown>,
  action: PowerAction,
): Promise<Reconciled> {
  const { id, serviceType } = target.service;
  const name = code(nameOf(target.service));
  const expectedState = stateAfter[action];
  if (serviceType !== "vps" || action === "reboot" || action === "restart")
    return { is: "unsure", text: `The platform does not tell when ${name} was last sent that.` };
  const state = (await readVps(client, id)).instance?.state;
  return state === expectedState
    ? { is: "done", text: `${name} is ${expectedState}.` }
    : { is: "not done", text: `${name} is ${state ?? "without a machine"}.` };
}

export const power = defineOperation({
  command: "service power",
  summary: "Send a service a power action by name; poweroff cuts the power without a shutdown",
  act: powerService,
  reads: [readService, readVps],
  risk: "change",
  target: machine,
  bulk: true,
  input: z.object({
    action: z.enum(["start", "stop", "restart", "reboot", "shutdown", "poweroff"]).meta({ title: "Power action" }),
  }),
  verb: ({ action }) => powerWords[action],
  interrupts: ({ action }) => interruptionBy[action],
  run: (call) => send(call, call.input.action),
  reconcile: (call) => settle(call, call.input.action),
  follow,
});

export const start = powerOperation("start", "Start a service");
export const stop = powerOperation("stop", "Stop a service");
export const restart = powerOperation("restart", "Restart a service");
export const reboot = powerOperation("reboot", "Reboot a service");
export const shutdown = powerOperation("shutdown", "Shut a service down");

function powerOperation(action: PowerAction, summary: string) {
  const interrupts = interruptionBy[action];
  return defineOperation({
    command: `service ${action}`,
    summary,
    act: powerService,
    reads: [readService, readVps],
    risk: "change",
    verb: powerWords[action],
    target: machine,
    bulk: true,
    input: z.object({}),
    ...(interrupts ? { interrupts } : {}),
    run: (call) => send(call, action),
    reconcile: (call) => settle(call, action),
    follow,
  });
}
