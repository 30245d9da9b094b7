import type { Reconciled, TrackedAnswer } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Call } from "../../operation/operation.ts";
import { powerService, readService, type ServiceDetail } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { type PowerAction, powerByName, powerCommon, powerSteps, powers, reconciledByState } from "../kits/power.ts";
import { type PowerHandle, powerTracking } from "../vps/power.ts";
import { askProvider } from "./provider.ts";
import { machine } from "./service.ts";

type PowerCall<Writes extends string = never> = Call<"customer", ServiceDetail, unknown, Writes>;
type SendCall = PowerCall<"POST /services/{id}/power/{action}">;

async function send(
  { client, target: { service }, name }: SendCall,
  action: PowerAction,
): Promise<TrackedAnswer<PowerHandle>> {
  const before = service.serviceType === "vps" ? await readVps(client, service.id) : null;
  const job = await askProvider(service, action, () => powerService(client, service.id, action));
  const next = powerSteps("service", service.id, powers[action].after);
  if (job?.completed === true) return { text: `${name} was sent ${action}, and it is done.`, next, handle: null };
  if (!before) return { text: `The platform accepted the ${action} of ${name}.`, endUnknown: true, next, handle: null };
  const handle = { wanted: powers[action].after, seen: before.instance?.updated_at ?? "" };
  return { text: `${name} was sent ${action}.`, handle };
}

/** The machine's state proves a start or a stop, and cannot prove a reboot. The platform reports it for a VPS alone. */
async function settle({ client, target: { service }, name }: PowerCall, action: PowerAction): Promise<Reconciled> {
  if (service.serviceType !== "vps" || action === "reboot" || action === "restart")
    return { is: "unsure", text: `The platform does not show when ${name} was last sent that action.` };
  const state = (await readVps(client, service.id)).instance?.state;
  return reconciledByState(state, powers[action].after, `${name} is ${state ?? "without a machine"}.`);
}

export const power = defineOperation({
  ...powerByName,
  command: "service power",
  summary: "Send a service a power action by name; poweroff cuts the power without a shutdown",
  act: powerService,
  reads: [readService, readVps],
  target: machine,
  run: (call) => send(call, call.input.action),
  reconcile: (call) => settle(call, call.input.action),
  follow: powerTracking,
});

export const start = powerOperation("start", "Start a service");
export const stop = powerOperation("stop", "Stop a service");
export const restart = powerOperation("restart", "Restart a service");
export const reboot = powerOperation("reboot", "Reboot a service");
export const shutdown = powerOperation("shutdown", "Shut a service down");

function powerOperation(action: PowerAction, summary: string) {
  return defineOperation({
    ...powerCommon(action),
    command: `service ${action}`,
    summary,
    act: powerService,
    reads: [readService, readVps],
    target: machine,
    run: (call) => send(call, action),
    reconcile: (call) => settle(call, action),
    follow: powerTracking,
  });
}
