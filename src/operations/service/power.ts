import * as z from "zod";
import type { Answer, Reconciled } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Call } from "../../operation/operation.ts";
import { powerService, type ServiceDetail } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { interruptionBy, powerWords, power as vpsPower, wantedBy } from "../vps/power.ts";
import { askProvider } from "./provider.ts";
import { machine, nameOf } from "./service.ts";

type PowerAction = keyof typeof wantedBy;

const routes = ["POST /services/{id}/power/{action}", "GET /services/{id}", "GET /vps/{id}"];

/** Only of a VPS is it told how its machine is; other kinds have operations of their own for that. */
const follow = {
  every: 3_000,
  deadline: 10 * 60_000,
  handle: z.object({ wanted: z.enum(["running", "stopped"]), seen: z.string() }),
  poll: vpsPower.poll,
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
  if (!before) return { text: `${name} was sent ${action}, and the platform took it.`, next };
  return {
    text: `${name} was sent ${action}.`,
    handle: { wanted: wantedBy[action], seen: before.instance?.updated_at ?? "" },
  };
}

/** Of a reboot nothing can be told afterwards; whether a machine is on or off can. */
async function settle(
  { client, target }: Call<"customer", ServiceDetail, unknown>,
  action: PowerAction,
): Promise<Reconciled> {
  const { id, serviceType } = target.service;
  const name = code(nameOf(target.service));
  const wanted = wantedBy[action];
  if (serviceType !== "vps" || action === "reboot" || action === "restart")
    return { is: "unsure", text: `The platform does not tell when ${name} was last sent that.` };
  const state = (await readVps(client, id)).instance?.state;
  return state === wanted
    ? { is: "done", text: `${name} is ${wanted}.` }
    : { is: "not done", text: `${name} is ${state ?? "without a machine"}.` };
}

export const power = defineOperation({
  api: "customer",
  command: "service power",
  summary: "Send a service a power action by name; poweroff cuts the power without a shutdown",
  routes,
  scope: "services",
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

export const start = named("start", "Start a service");
export const stop = named("stop", "Stop a service");
export const restart = named("restart", "Restart a service");
export const reboot = named("reboot", "Reboot a service");
export const shutdown = named("shutdown", "Shut a service down");

function named(action: PowerAction, summary: string) {
  const interrupts = interruptionBy[action];
  return defineOperation({
    api: "customer",
    command: `service ${action}`,
    summary,
    routes,
    scope: "services",
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
