import * as z from "zod";
import type { Answer, Progress, Reconciled, Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type PowerAction, powerService } from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { readStats } from "../../../platform/reseller/stats.ts";
import { code } from "../../../views/text.ts";
import { interruptionBy, powerWords } from "../../vps/power.ts";
import { nameOf, requireInService, requireNotOver, showStep, soldService, soldWords } from "./service.ts";

type Wanted = "running" | "stopped";

const wantedBy = { start: "running", stop: "stopped", shutdown: "stopped", restart: null } as const;
const doing = { start: "Starting", stop: "Stopping", shutdown: "Shutting down", restart: "Restarting" } as const;

/** Firmware alone takes minutes on metal. */
const pace = { every: 5_000, deadline: 20 * 60_000, handle: z.object({ wanted: z.enum(["running", "stopped"]) }) };

/** Whether it runs, as its statistics say; null where they do not. No other route of the platform tells it. Reseller spec section 2.4. */
async function powerOf(client: ResellerClient, id: string): Promise<string | null> {
  const stats = await readStats(client, id);
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const words: Record<string, Wanted> = { on: "running", off: "stopped" };
  return words[stats.figures.powerState.toLowerCase()] ?? null;
}

function wayBack(target: string, wanted: Wanted): Step[] {
  const start: Step = { label: "Start", command: "reseller service start", target, style: "primary" };
  return wanted === "stopped" ? [start, showStep(target)] : [showStep(target)];
}

async function turn(client: ResellerClient, row: Service, action: PowerAction): Promise<Answer> {
  const { alreadyInState } = await powerService(client, row.serviceId, action);
  const wanted = wantedBy[action];
  const name = soldWords(row);
  if (wanted === null)
    return {
      text: `${name} is told to restart. It reads as running all the while, so that the platform does not tell when it is back.`,
      next: [showStep(row.serviceId)],
    };
  if (alreadyInState) return { text: `${name} is ${wanted} already.`, next: wayBack(row.serviceId, wanted) };
  return { text: `${doing[action]} ${name.replace(/,$/, "")}.`, handle: { wanted } };
}

async function look(client: ResellerClient, id: string, wanted: Wanted): Promise<Progress> {
  const [row, power] = await Promise.all([readService(client, id), powerOf(client, id)]);
  const name = code(nameOf(row));
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: wayBack(id, wanted) };
  if (power !== null) return { state: "working", text: `${name} is ${power}.` };
  return {
    state: "done",
    text: `${name} was told so, and who provides it took it. They do not tell here whether it is ${wanted} yet.`,
    next: wayBack(id, wanted),
  };
}

async function settle(client: ResellerClient, row: Service, action: PowerAction): Promise<Reconciled> {
  const power = await powerOf(client, row.serviceId);
  const name = code(nameOf(row));
  if (power === null) return { is: "unsure", text: `Who provides ${name} does not tell whether it runs.` };
  const wanted = wantedBy[action];
  if (wanted === null) return { is: "unsure", text: `${name} is ${power}; whether it restarted cannot be read.` };
  return { is: power === wanted ? "done" : "not done", text: `${name} is ${power}.` };
}

function powerOperation(action: PowerAction, summary: string) {
  return defineOperation({
    api: "reseller",
    command: `reseller service ${action}`,
    summary,
    routes: ["POST /services/{serviceId}/power", "GET /services/{serviceId}/stats", "GET /services/{serviceId}"],
    scope: "services",
    risk: "change",
    verb: powerWords[action],
    target: soldService,
    bulk: true,
    input: z.object({}),
    ...(interruptionBy[action] === null ? {} : { interrupts: () => interruptionBy[action] }),
    usable: ({ target }) => (action === "start" ? requireInService(target) : requireNotOver(target)),
    run: ({ client, target }) => turn(client, target, action),
    reconcile: ({ client, target }) => settle(client, target, action),
    follow: { ...pace, poll: ({ client, targetId }, { wanted }) => look(client, targetId, wanted) },
  });
}

export const start = powerOperation("start", "Start a service that you sell on");
export const stop = powerOperation("stop", "Stop a service that you sell on");
export const shutdown = powerOperation(
  "shutdown",
  "Shut a service that you sell on down, which is the same as to stop it",
);
export const restart = powerOperation("restart", "Restart a service that you sell on");
