import * as z from "#zod";
import { type Answer, type Step, unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { causedBy, Refusal } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { Risk } from "../../operation/risk.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listServiceActions, readService, runServiceAction, type Service } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { ownValue } from "../../process/own-value.ts";
import { partSecrets, secretsIn } from "../../process/secret-parts.ts";
import { context, paragraphs } from "../../views/blocks.ts";
import { jsonLines } from "../../views/json.ts";
import { code, count, prose, sentence } from "../../views/text.ts";
import { headed } from "../kits/card.ts";
import { actsByAction, powers } from "../kits/power.ts";
import { plainPower, providerAction, readParams, unknownAction } from "../kits/provider-action.ts";
import { takes } from "../vps/vps.ts";
import { kindOf, ownCard, requireLive, service, serviceName } from "./service.ts";

/** Calls a service's provider and translates its refusals (spec sections 4.2 and 7). */
export async function askProvider<T>(row: Service, verb: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const refusal = error instanceof PlatformRefused ? providerRefusal(row, verb, error) : null;
    throw refusal ? causedBy(refusal, error) : error;
  }
}

/** A provider's verbs that only read, though some use a write endpoint. */
const readings: readonly string[] = ["status", "stats", "backups.list"];

function providerRefusal(row: Service, verb: string, { code: refusal, reason }: PlatformRefused): Refusal | null {
  const name = code(serviceName(row));
  const actions = { label: "Possible actions", command: "service actions", target: row.id };
  const show = { label: "Show", command: "service show", target: row.id };
  if (refusal === "ACTION_NOT_ALLOWED")
    return new Refusal(`The provider of ${name} does not let customers use ${code(verb)}. Nothing changed.`, [actions]);
  if (refusal === "ACTION_UNKNOWN")
    return new Refusal(`${name} has no action ${code(verb)}. Nothing changed.`, [actions]);
  // A failed write may have been done in part. Its outcome stays unknown until it is checked, under any noun.
  if (readings.includes(verb) && (refusal === "PROVIDER_ERROR" || refusal === "PROVIDER_UNAVAILABLE"))
    return new Refusal(
      `The provider of ${name} did not show its ${prose(verb)}: ${sentence(prose(reason))} Try again in a minute.`,
      [show],
    );
  return null;
}

export const actions = defineOperation({
  command: "service actions",
  summary: "List the actions that a service's provider offers",
  example: "/service actions plugin-1",
  act: listServiceActions,
  reads: [readService, readVps],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await listServiceActions(client, target.service.id);
    const provider = found.provider === "native" ? "the platform itself" : code(found.provider);
    if (found.actions.length === 0) return { text: `The provider of ${name} (${provider}) offers no actions.` };
    return {
      ...headed(`The provider of ${name} (${provider}) offers ${count(found.actions.length, "action")}.`, [
        ...paragraphs(
          found.actions.map((action) => code(action)),
          " · ",
        ),
        context(
          "Start, stop, restart, status and stats run at once. Other actions need a confirmation or an approval.",
        ),
      ]),
      next: await stepsFor(client, target.service, found.actions),
    };
  },
});

/** Actions that have an operation of their own, which knows more about the result. */
const ownOperations: Record<string, Omit<Step, "target">> = {
  start: { label: "Start", command: "service start" },
  stop: { label: "Stop", command: "service stop" },
  restart: { label: "Restart", command: "service restart" },
  reboot: { label: "Reboot", command: "service reboot" },
  shutdown: { label: "Shut down", command: "service shutdown" },
  reinstall: { label: "Reinstall…", command: "service reinstall" },
  password: { label: "New password", command: "service password" },
  "backups.list": { label: "Backups", command: "service backups" },
  "backups.create": { label: "Back up", command: "service backup" },
  "backups.restore": { label: "Restore…", command: "service restore" },
};

/** Buttons for the actions that the service takes now. A kind with commands of its own knows its power better: its card leads there. */
async function stepsFor(client: CustomerClient, row: Service, actions: string[]): Promise<Step[]> {
  const { id, serviceType, status } = row;
  if (status !== "active") return actions.filter((action) => readings.includes(action)).map((one) => stepFor(id, one));
  const own = ownCard[serviceType];
  const machine = serviceType === "vps" ? await readVps(client, id) : null;
  const isOffered = (action: string) =>
    machine ? takes(machine, action) : own === null || !Object.hasOwn(powers, action);
  const card = own === null || machine ? [] : [{ label: `As a ${kindOf(row)}`, command: own, target: id }];
  return [
    ...card,
    ...actions
      .filter(isOffered)
      .slice(0, 20)
      .map((action) => stepFor(id, action)),
  ];
}

function stepFor(target: string, action: string): Step {
  const ownStep = ownValue(ownOperations, action);
  if (ownStep) return { ...ownStep, target };
  return { label: isKnown(action) ? action : `${action}…`, command: "service run", target, input: { action } };
}

function isKnown(action: string): boolean {
  return readings.includes(action) || plainPower.includes(action);
}

/** Nobody knows the effect of a provider's own verb, so it counts as destructive and asks first. */
function riskOf(action: string): Exclude<Risk, "spend"> {
  if (readings.includes(action)) return "read";
  return plainPower.includes(action) ? "change" : "destroy";
}

export const run = defineOperation({
  command: "service run",
  does: { input: "action", acts: actsByAction, open: true },
  group: "power",
  summary: "Run any action of a service's provider; actions that may erase data need a confirmation or an approval",
  example: "/service run plugin-1 action=rebuild-network",
  act: runServiceAction,
  reads: [listServiceActions],
  risk: { usual: "destroy", of: ({ input }) => riskOf(input.action) },
  target: service,
  ...providerAction("As /service actions lists them", readings),
  async review({ client, target, input, name }) {
    requireLive(target);
    const { provider, actions: offered } = await listServiceActions(client, target.service.id);
    const isListed = offered.includes(input.action);
    return {
      back: "Leave it as it is",
      consequence: unknownAction(input.action, name),
      preconditions: {
        provider: nameIs("Provider", provider),
        listed: { value: isListed, label: "Listed by the provider", text: isListed ? "yes" : "no" },
      },
    };
  },
  async run({ client, target, input: { action, params }, name }): Promise<Answer> {
    const { id } = target.service;
    const sent = params === undefined ? undefined : (readParams(params) ?? {});
    const answered = await askProvider(target.service, action, () => runServiceAction(client, id, action, sent));
    const lines = answered === undefined || answered === null ? [] : jsonLines(answered);
    if (readings.includes(action))
      return {
        ...headed(
          `${name}: ${prose(action)}, as its provider reports it`,
          paragraphs(lines.length > 0 ? lines : ["The provider reported nothing."]),
        ),
        data: z.json().parse(partSecrets(answered).rest ?? null),
        secrets: secretsIn(answered),
      };
    const next: Step[] = [{ label: "Show", command: "service show", target: id }];
    if (plainPower.includes(action) || lines.length === 0)
      return { text: `${name} was sent ${code(action)}, and its provider took it.`, next };
    // The provider's answer may contain a password or a console link, so only the requester gets it.
    return {
      text: `${code(action)} was run on ${name}. The provider's answer is in the requester's direct messages with me.`,
      next,
      secrets: [{ label: `Answer to ${action}`, value: JSON.stringify(answered) }],
    };
  },
  reconcile: unsure(
    "Only the provider knows the effect of its action. Check the service before you run the action again.",
  ),
});
