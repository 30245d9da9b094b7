import * as z from "zod";
import { type Answer, doneIf, type Progress, type Reconciled, type Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Gone, Refusal } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import {
  type PowerAction,
  powerService,
  type Suspension,
  suspendService,
  terminateService,
  unsuspendService,
} from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { type PowerState, powerCommon, powerSteps, powers, powerWord, reconciledByState } from "../../kits/power.ts";
import {
  nameOf,
  requireInService,
  requireNotOver,
  resoldService,
  showStep,
  soldPreconditions,
  soldWords,
  stateOf,
  unsuspendStep,
  wholesaleOf,
} from "./service.ts";

const doing = { start: "Starting", stop: "Stopping", shutdown: "Shutting down" } as const;

/** The firmware of a dedicated server alone takes minutes to start. */
const pace = { every: 5_000, deadline: 20 * 60_000, handle: z.object({ wanted: z.enum(["running", "stopped"]) }) };

/** The power state from the service's statistics; null where they have none. No other route shows it. Reseller spec section 2.4. */
async function powerOf(client: ResellerClient, id: string): Promise<string | null> {
  const stats = await readStats(client, id).catch((error: unknown) => {
    // The platform answers 400 for a game server.
    if (error instanceof PlatformRefused && error.status === 400) return null;
    throw error;
  });
  const word = stats && stateIn(stats);
  return word === unreachable ? null : word;
}

/** The management controller of a dedicated server does not answer, or it has none: the server takes no power action. */
export const unreachable = "unreachable";

/** The same, or that its controller cannot be reached. */
export function stateIn(stats: Stats): string | null {
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const power = powerWord(stats.figures.powerState);
  if (power === unreachable) return unreachable;
  const words: Record<string, PowerState> = { on: "running", off: "stopped" };
  return power === null || /^un/.test(power) ? null : (words[power] ?? power);
}

function stepsAfter(target: string, state: PowerState): Step[] {
  return powerSteps("reseller service", target, state);
}

async function changePower(
  client: ResellerClient<"POST /services/{serviceId}/power">,
  row: Service,
  action: PowerAction,
): Promise<Answer> {
  const { alreadyInState } = await powerService(client, row.serviceId, action);
  const name = soldWords(row);
  if (action === "restart")
    return {
      text: `${name} is restarting. The platform shows it as running throughout, and never shows when the restart has ended.`,
      endUnknown: true,
      next: [showStep(row.serviceId)],
    };
  const wanted = powers[action].after;
  if (alreadyInState) return { text: `${name} is ${wanted} already.`, next: stepsAfter(row.serviceId, wanted) };
  return { text: `${doing[action]} ${name}.`, handle: { wanted } };
}

async function powerProgress(client: ResellerClient, id: string, wanted: PowerState): Promise<Progress> {
  const [row, power] = await Promise.all([readService(client, id), powerOf(client, id)]);
  const name = code(nameOf(row));
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: stepsAfter(id, wanted) };
  if (power !== null) return { state: "working", text: `${name} is ${prose(power, 60)}.` };
  return {
    state: "done",
    endUnknown: true,
    text: `The provider of ${name} accepted the request. The provider does not show here if the service is ${wanted} yet.`,
    next: stepsAfter(id, wanted),
  };
}

async function checkPower(client: ResellerClient, row: Service, action: PowerAction): Promise<Reconciled> {
  const power = await powerOf(client, row.serviceId);
  const name = code(nameOf(row));
  if (power === null) return { is: "unsure", text: `The provider of ${name} does not show if it runs.` };
  if (action === "restart")
    return { is: "unsure", text: `${name} is ${power}; the platform does not show if it restarted.` };
  if (power !== "running" && power !== "stopped")
    return { is: "unsure", text: `The power state of ${name} is “${prose(power, 60)}”.` };
  return reconciledByState(power === powers[action].after, `${name} is ${power}.`);
}

function powerOperation(action: PowerAction, summary: string) {
  return defineOperation({
    ...powerCommon(action),
    command: `reseller service ${action}`,
    agents: "by rule",
    summary,
    ...(action === "restart" ? { synonyms: ["reboot"] } : {}),
    act: powerService,
    reads: [readStats],
    target: resoldService,
    usable: ({ target }) => (action === "start" ? requireInService(target) : requireNotOver(target)),
    run: ({ client, target }) => changePower(client, target, action),
    reconcile: ({ client, target }) => checkPower(client, target, action),
    follow: { ...pace, poll: ({ client, targetId }, { wanted }) => powerProgress(client, targetId, wanted) },
  });
}

export const start = powerOperation("start", "Start a resold service");
export const stop = powerOperation("stop", "Stop a resold service");
export const shutdown = powerOperation("shutdown", "Shut down a resold service, the same as Stop");
export const restart = powerOperation("restart", "Restart a resold service");

const billed = "The service is still billed to you until you terminate it.";

export const suspend = defineOperation({
  command: "reseller service suspend",
  group: "money",
  synonyms: ["pause"],
  summary: "Suspend a resold service; it is still billed to you",
  act: suspendService,
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
  interrupts: `Your customer can no longer use the service. ${billed}`,
  usable({ target, name }) {
    if (target.status === "active") return;
    throw new Refusal(
      `${name} is ${stateOf(target)}: only an active service can be suspended. Nothing was sent.`,
      target.status === "suspended" ? [unsuspendStep(target.serviceId)] : [],
    );
  },
  async run({ client, target, input }) {
    const done = await suspendService(client, target.serviceId, input.reason);
    const back = { label: "Unsuspend", command: "reseller service unsuspend", target: target.serviceId };
    return suspensionAnswer(target, done, "suspended", `${soldWords(target)} is suspended. ${billed}`, back);
  },
  expects: { first: ["service.suspended"] },
  reconcile: async ({ target }) => isNow(target, "suspended"),
});

export const unsuspend = defineOperation({
  command: "reseller service unsuspend",
  group: "money",
  synonyms: ["resume", "unpause"],
  summary: "Let a suspended service run again",
  act: unsuspendService,
  risk: "change",
  verb: "Unsuspend",
  target: resoldService,
  bulk: true,
  input: z.object({}),
  usable({ target, name }) {
    if (target.status === "suspended") return;
    throw new Refusal(`${name} is ${stateOf(target)}, not suspended. Nothing was sent.`, [showStep(target.serviceId)]);
  },
  async run({ client, target }) {
    const done = await unsuspendService(client, target.serviceId);
    const back = { label: "Suspend again", command: "reseller service suspend", target: target.serviceId };
    return suspensionAnswer(target, done, "active", `${soldWords(target)} is no longer suspended.`, back);
  },
  expects: { first: ["service.unsuspended"] },
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
  const said = isOther ? `${code(nameOf(row))} accepted the request, and is now ${stateOf({ status })}.` : text;
  return {
    text: said,
    ...(actions.length > 0 ? { blocks: [section(said), ...paragraphs(renderJson({ done: actions }))] } : {}),
    customer: row.externalCustomerId,
    next: [...(isOther ? [] : [back]), showStep(row.serviceId)],
  };
}

function isNow(row: Service, requested: Service["status"]): Reconciled {
  return doneIf(row.status === requested, `${code(nameOf(row))} is ${stateOf(row)}.`);
}

export const terminate = defineOperation({
  command: "reseller service terminate",
  group: "money",
  synonyms: ["cancel", "delete", "remove", "destroy"],
  summary: "Terminate a resold service and erase all its data",
  act: terminateService,
  risk: "destroy",
  verb: "Terminate",
  target: resoldService,
  bulk: {
    each: () =>
      "This terminates the service now and erases all its data. Its billing to you stops. This cannot be undone.",
    rows: ({ targets }) => targets.map((target) => ({ preconditions: soldPreconditions(target), price: null })),
  },
  backupFirst: "reseller service capture",
  input: z.object({}),
  async review({ target, name }) {
    if (target.status === "terminated") throw new Gone(`${name} is terminated already.`, "Nothing changed.");
    const cost = wholesaleOf(target);
    return {
      consequence: `${soldWords(target)} will be terminated now, with all its data. Its billing to you stops. This cannot be undone.`,
      preconditions: {
        service: nameIs("Service", nameOf(target)),
        ...soldPreconditions(target),
        state: { value: target.status, label: "State", text: stateOf(target) },
      },
      shown: [
        ...(cost ? [{ label: "Costs you", value: cost }] : []),
        ...(target.nextDueDate ? [{ label: "Next due", value: moment(target.nextDueDate) }] : []),
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
  expects: { first: ["service.terminated"] },
  reconcile: async ({ target }) => isNow(target, "terminated"),
});
