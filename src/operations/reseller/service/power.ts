import * as z from "zod";
import type { Answer, Progress, Reconciled, Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type PowerAction, powerService } from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { readStats } from "../../../platform/reseller/stats.ts";
import { code } from "../../../views/text.ts";
import { interruptionBy, powerWords } from "../../vps/power.ts";
import { nameOf, requireInService, requireNotOver, resoldService, showStep, soldWords } from "./service.ts";

type PowerGoal = "running" | "stopped";

const goalOf = { start: "running", stop: "stopped", shutdown: "stopped", restart: null } as const;
const doing = { start: "Starting", stop: "Stopping", shutdown: "Shutting down", restart: "Restarting" } as const;

/** The firmware of a dedicated server alone takes minutes to start. */
const pace = { every: 5_000, deadline: 20 * 60_000, handle: z.object({ wanted: z.enum(["running", "stopped"]) }) };

/** The power state from the service's statistics; null where they have none. No other route shows it. Reseller spec section 2.4. */
async function powerOf(client: ResellerClient, id: string): Promise<string | null> {
  const stats = await readStats(client, id);
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const words: Record<string, PowerGoal> = { on: "running", off: "stopped" };
  return words[stats.figures.powerState.toLowerCase()] ?? null;
}

function wayBack(target: string, wanted: PowerGoal): Step[] {
  const start: Step = { label: "Start", command: "reseller service start", target, style: "primary" };
  return wanted === "stopped" ? [start, showStep(target)] : [showStep(target)];
}

async function changePower(client: ResellerClient, row: Service, action: PowerAction): Promise<Answer> {
  const { alreadyInState } = await powerService(client, row.serviceId, action);
  const wanted = goalOf[action];
  const name = soldWords(row);
  if (wanted === null)
    return {
      text: `${name} is told to restart. It reads as running all the while, so that the platform does not tell when it is back.`,
      endUnknown: true,
      next: [showStep(row.serviceId)],
    };
  if (alreadyInState) return { text: `${name} is ${wanted} already.`, next: wayBack(row.serviceId, wanted) };
  return { text: `${doing[action]} ${name.replace(/,$/, "")}.`, handle: { wanted } };
}

async function powerProgress(client: ResellerClient, id: string, wanted: PowerGoal): Promise<Progress> {
  const [row, power] = await Promise.all([readService(client, id), powerOf(client, id)]);
  const name = code(nameOf(row));
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: wayBack(id, wanted) };
  if (power !== null) return { state: "working", text: `${name} is ${power}.` };
  return {
    state: "done",
    endUnknown: true,
    text: `${name} was told so, and who provides it took it. They do not tell here whether it is ${wanted} yet.`,
    next: wayBack(id, wanted),
  };
}

async function checkPower(client: ResellerClient, row: Service, action: PowerAction): Promise<Reconciled> {
  const power = await powerOf(client, row.serviceId);
  const name = code(nameOf(row));
  if (power === null) return { is: "unsure", text: `Who provides ${name} does not tell whether it runs.` };
  const wanted = goalOf[action];
  if (wanted === null) return { is: "unsure", text: `${name} is ${power}; whether it restarted cannot be read.` };
  return { is: power === wanted ? "done" : "not done", text: `${name} is ${power}.` };
}

function powerOperation(action: PowerAction, summary: string) {
  return defineOperation({
    command: `reseller service ${action}`,
    summary,
    act: powerService,
    reads: [readStats, readService],
    risk: "change",
    verb: powerWords[action],
    target: resoldService,
    bulk: true,
    input: z.object({}),
    ...(interruptionBy[action] === null ? {} : { interrupts: () => interruptionBy[action] }),
    usable: ({ target }) => (action === "start" ? requireInService(target) : requireNotOver(target)),
    run: ({ client, target }) => changePower(client, target, action),
    reconcile: ({ client, target }) => checkPower(client, target, action),
    follow: { ...pace, poll: ({ client, targetId }, { wanted }) => powerProgress(client, targetId, wanted) },
  });
}

export const start = powerOperation("start", "Start a service that you sell on");
export const stop = powerOperation("stop", "Stop a service that you sell on");
export const shutdown = powerOperation(
  "shutdown",
  "Shut a service that you sell on down, which is the same as to stop it",
);
export const restart = powerOperation("restart", "Restart a service that you sell on");
