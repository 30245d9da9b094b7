import * as z from "#zod";
import { type Answer, doneIf, type Reconciled, type Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Gone, Refusal } from "../../../operation/errors.ts";
import { nameIs, unshownFact } from "../../../operation/preconditions.ts";
import { nullIfRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import {
  type LifecycleAction,
  powerService,
  type Suspension,
  suspendService,
  terminateService,
  unsuspendService,
} from "../../../platform/reseller/lifecycle.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { stillBilled } from "../../../platform/reseller/states.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { isInactive, serviceStage } from "../../../platform/service-stage.ts";
import { ownValue } from "../../../process/own-value.ts";
import { moment } from "../../../views/format.ts";
import { code, prose } from "../../../views/text.ts";
import { anyLost } from "../../kits/losses.ts";
import {
  controllerPower,
  powerIn,
  powerOf,
  powers,
  powerWord,
  type SeenPower,
  type SwitchedState,
} from "../../kits/power.ts";
import { withReceived } from "../../kits/received.ts";
import { addressOf, lossReads, readLosses } from "./losses.ts";
import {
  costFact,
  requireNotOver,
  requireNotSuspended,
  resoldService,
  showStep,
  soldName,
  soldPreconditions,
  soldState,
  soldWords,
  unsuspendStep,
} from "./service.ts";

export const suspend = defineOperation({
  command: "reseller service suspend",
  group: "money",
  synonyms: ["pause"],
  summary: "Suspend a resold service; it is still billed to you",
  example: "/reseller service suspend web-2",
  act: suspendService,
  effects: [
    { aspect: "billing", to: ["suspended"] },
    { aspect: "power", to: ["stopped"] },
  ],
  risk: "change",
  verb: "Suspend",
  target: resoldService,
  bulk: true,
  input: z.object({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .meta({ title: "Reason", description: "Stored with the service" }),
  }),
  interrupts: `Your customer can no longer use the service. ${stillBilled}.`,
  usable({ target, name }) {
    if (!isInactive(target.status)) return;
    throw new Refusal(
      `${name} is ${soldState(target)}: only an active service can be suspended. Nothing was sent.`,
      target.status === "suspended" ? [unsuspendStep(target.serviceId)] : [],
    );
  },
  async run({ client, target, input }) {
    const done = await suspendService(client, target.serviceId, input.reason);
    const back = { label: "Unsuspend", command: "reseller service unsuspend", target: target.serviceId };
    return suspensionAnswer(target, done, "suspended", `${soldWords(target)} is suspended. ${stillBilled}.`, back);
  },
  reconcile: async ({ target }) => isNow(target, "suspended"),
});

export const unsuspend = defineOperation({
  command: "reseller service unsuspend",
  group: "money",
  synonyms: ["resume", "unpause"],
  summary: "Let a suspended service run again",
  example: "/reseller service unsuspend suspended-1",
  act: unsuspendService,
  effects: [
    { aspect: "billing", to: ["active"] },
    { aspect: "power", through: ["stopped"], to: ["running"] },
  ],
  risk: "change",
  verb: "Unsuspend",
  target: resoldService,
  bulk: true,
  input: z.object({}),
  usable({ target, name }) {
    const stage = serviceStage(target.status);
    if (stage === null || stage === "suspended") return;
    throw new Refusal(`${name} is ${soldState(target)}, not suspended. Nothing was sent.`, [
      showStep(target.serviceId),
    ]);
  },
  async run({ client, target }) {
    const done = await unsuspendService(client, target.serviceId);
    const back = { label: "Suspend again", command: "reseller service suspend", target: target.serviceId };
    return suspensionAnswer(target, done, "active", `${soldWords(target)} is no longer suspended.`, back);
  },
  reconcile: async ({ target }) => isNow(target, "active"),
});

/** The answer to suspend or unsuspend. If the platform reports another state than the requested one, it says so instead of `text`. */
function suspensionAnswer(
  row: Service,
  { status, actions }: Suspension,
  requested: Service["status"],
  text: string,
  back: Step,
): Answer {
  const isOther = status !== null && status !== requested;
  const outcome = isOther ? `${code(soldName(row))} accepted the request, and is now ${soldState({ status })}.` : text;
  return {
    ...(actions.length > 0 ? withReceived(outcome, { done: actions }) : { text: outcome }),
    customer: row.externalCustomerId,
    next: [...(isOther ? [] : [back]), showStep(row.serviceId)],
  };
}

function isNow(row: Service, requested: Service["status"]): Reconciled {
  const text = `${code(soldName(row))} is ${soldState(row)}.`;
  if (serviceStage(row.status) === null) return { is: "unsure", text: `${text} Rackbell does not know that state.` };
  return doneIf(row.status === requested, text);
}

export const terminate = defineOperation({
  command: "reseller service terminate",
  group: "money",
  synonyms: ["cancel", "delete", "remove", "destroy"],
  summary: "Terminate a resold service and erase all its data",
  example: "/reseller service terminate web-2",
  act: terminateService,
  reads: lossReads,
  effects: [{ aspect: "billing", to: ["terminated"] }],
  risk: "destroy",
  verb: "Terminate",
  target: resoldService,
  bulk: {
    each: () =>
      `This will terminate the service and erase all its data. This cannot be undone.${anyLost(resoldService)} Its billing to you stops.`,
    rows: ({ targets }) =>
      targets.map((target) => ({ preconditions: { ...soldPreconditions(target), ...addressOf(target) }, price: null })),
  },
  backupFirst: "reseller service capture",
  input: z.object({}),
  async review({ client, target, name }) {
    if (target.status === "terminated") throw new Gone(`${name} is terminated already.`, "Nothing changed.");
    const { loss, preconditions } = await readLosses(client, target);
    return {
      consequence: `${soldWords(target)} will be terminated, with all its data. This cannot be undone.${loss} Its billing to you stops.`,
      preconditions: {
        service: nameIs("Service", soldName(target)),
        ...soldPreconditions(target),
        state: { value: target.status, label: "State", text: soldState(target) },
        ...preconditions,
      },
      shown: [
        costFact("Costs you", target),
        target.nextDueDate ? { label: "Next due", value: moment(target.nextDueDate) } : unshownFact("Next due"),
      ],
    };
  },
  async run({ client, target, name }) {
    const { alreadyTerminated } = await terminateService(client, target.serviceId);
    return {
      text: alreadyTerminated
        ? `${name} was terminated already. Nothing changed.`
        : `${name} is terminated and no longer billed to you.`,
      next: [{ label: "Services", command: "reseller service list" }],
      customer: target.externalCustomerId,
      unheard: alreadyTerminated,
    };
  },
  reconcile: async ({ target }) => isNow(target, "terminated"),
});

/** The power state in statistics, or a word such as `unreachable`; null where they have none. */
export function stateIn(stats: Stats): string | null {
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const power = powerWord(stats.figures.powerState);
  const words: Record<string, SwitchedState> = { on: "running", off: "stopped" };
  return power && (ownValue(words, power) ?? power);
}

/** The power in the service's statistics; no other route shows it. Reseller spec section 2.4. */
async function look(client: ResellerClient, { serviceId }: Service): Promise<SeenPower> {
  // The platform answers 400 for a game server, and 503 where the provider's plugin refuses. Reseller spec sections 2.4 and 7.
  const stats = await readStats(client, serviceId).catch(nullIfRefused(400, 503));
  if (stats === null || stats.of === "provider")
    return { power: null, standing: "has a provider that does not show here if it runs" };
  const word = stateIn(stats);
  const power = powerIn(word);
  if (word === null || (stats.of === "dedicated" && power === "between")) return controllerPower(word);
  return { power, standing: `is ${prose(word, 60)}` };
}

const { one } = powerOf({
  command: (verb) => `reseller service ${verb}`,
  agents: "by rule",
  target: resoldService,
  act: powerService,
  reads: [readStats],
  // The firmware of a dedicated server alone takes minutes to start.
  pace: { every: 5_000, deadline: 20 * 60_000 },
  send: (client, { serviceId }, action: LifecycleAction) => powerService(client, serviceId, action),
  look,
  calls: soldWords,
  refuse: (row, action) => (action === "start" ? requireNotSuspended(row) : requireNotOver(row)),
});

export const start = one("start", { summary: "Start a resold service", example: "/reseller service start worker-1" });
export const stop = one("stop", {
  summary: "Stop a resold service",
  example: "/reseller service stop web-2",
  synonyms: [...(powers.stop.synonyms ?? []), { words: "shutdown", exact: true }],
});
export const restart = one("restart", {
  summary: "Restart a resold service",
  example: "/reseller service restart web-2",
  synonyms: ["reboot"],
});
