import * as z from "zod";
import type { Progress, Reconciled, Step, TrackedAnswer } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Synonym } from "../../../operation/operation.ts";
import { nullIfRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type LifecycleAction, powerService } from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { code, prose } from "../../../views/text.ts";
import { powerCommon, powerSteps, powers, powerWord, reconciledByState, type SwitchedState } from "../../kits/power.ts";
import { requireNotOver, requireNotSuspended, resoldService, showStep, soldName, soldWords } from "./service.ts";

const doing = { start: "Starting", stop: "Stopping" } as const;

/** The firmware of a dedicated server alone takes minutes to start. */
const pace = { every: 5_000, deadline: 20 * 60_000, handle: z.object({ wanted: z.enum(["running", "stopped"]) }) };

/** The power state from the service's statistics; null where they have none. No other route shows it. Reseller spec section 2.4. */
async function readPower(client: ResellerClient, id: string): Promise<string | null> {
  // The platform answers 400 for a game server, and 503 where the provider's plugin refuses. Reseller spec sections 2.4 and 7.
  const stats = await readStats(client, id).catch(nullIfRefused(400, 503));
  const word = stats && stateIn(stats);
  return word === unreachable ? null : word;
}

/** The management controller of a dedicated server does not answer, or it has none: the server takes no power action. */
export const unreachable = "unreachable";

/** The power state in statistics, or `unreachable`; null where they have none. */
export function stateIn(stats: Stats): string | null {
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const power = powerWord(stats.figures.powerState);
  if (power === unreachable) return unreachable;
  const words: Record<string, SwitchedState> = { on: "running", off: "stopped" };
  return power === null || /^un/.test(power) ? null : (words[power] ?? power);
}

function stepsAfter(target: string, state: SwitchedState): Step[] {
  return powerSteps("reseller service", target, state);
}

async function changePower(
  client: ResellerClient<"POST /services/{serviceId}/power">,
  row: Service,
  action: LifecycleAction,
): Promise<TrackedAnswer<{ wanted: SwitchedState }>> {
  const { alreadyInState } = await powerService(client, row.serviceId, action);
  const name = soldWords(row);
  if (action === "restart")
    return {
      text: `${name} is restarting. The platform shows it as running throughout, and never shows when the restart has ended.`,
      endUnknown: true,
      next: [showStep(row.serviceId)],
      handle: null,
    };
  const wanted = powers[action].after;
  if (alreadyInState)
    return { text: `${name} is ${wanted} already.`, next: stepsAfter(row.serviceId, wanted), handle: null };
  return { text: `${doing[action]} ${name}.`, handle: { wanted } };
}

async function powerProgress(client: ResellerClient, id: string, wanted: SwitchedState): Promise<Progress> {
  const [row, power] = await Promise.all([readService(client, id), readPower(client, id)]);
  const name = code(soldName(row));
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: stepsAfter(id, wanted) };
  if (power !== null) return { state: "working", text: `${name} is ${prose(power, 60)}.` };
  return {
    state: "done",
    endUnknown: true,
    text: `The provider of ${name} accepted the request. The provider does not show here if the service is ${wanted} yet.`,
    next: stepsAfter(id, wanted),
  };
}

async function checkPower(client: ResellerClient, row: Service, action: LifecycleAction): Promise<Reconciled> {
  const power = await readPower(client, row.serviceId);
  const name = code(soldName(row));
  if (power === null) return { is: "unsure", text: `The provider of ${name} does not show if it runs.` };
  if (action === "restart")
    return { is: "unsure", text: `${name} is ${power}; the platform does not show if it restarted.` };
  return reconciledByState(power, powers[action].after, `${name} is ${prose(power, 60)}.`);
}

const synonyms: Record<LifecycleAction, readonly (string | Synonym)[]> = {
  start: powers.start.synonyms ?? [],
  stop: [...(powers.stop.synonyms ?? []), { words: "shutdown", exact: true }],
  restart: ["reboot"],
};

function powerOperation(action: LifecycleAction, summary: string) {
  return defineOperation({
    ...powerCommon(action),
    command: `reseller service ${action}`,
    agents: "by rule",
    summary,
    synonyms: synonyms[action],
    act: powerService,
    reads: [readStats],
    target: resoldService,
    usable: ({ target }) => (action === "start" ? requireNotSuspended(target) : requireNotOver(target)),
    run: ({ client, target }) => changePower(client, target, action),
    reconcile: ({ client, target }) => checkPower(client, target, action),
    follow: { ...pace, poll: ({ client, targetId }, { wanted }) => powerProgress(client, targetId, wanted) },
  });
}

export const start = powerOperation("start", "Start a resold service");
export const stop = powerOperation("stop", "Stop a resold service");
export const restart = powerOperation("restart", "Restart a resold service");
