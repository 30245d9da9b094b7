import * as z from "#zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Risk } from "../../../operation/risk.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { readProvider, readUiSchema, runUiAction } from "../../../platform/reseller/provider.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { labelledSecrets, secretsIn } from "../../../process/secret-parts.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import { actsByAction } from "../../kits/power.ts";
import { plainPower, providerAction, readParams, unknownAction } from "../../kits/provider-action.ts";
import { withReceived } from "../../kits/received.ts";
import { secretOf } from "./console.ts";
import { requireMachine, resoldService, showStep, soldWords } from "./service.ts";

export const provider = defineOperation({
  command: "reseller service provider",
  agents: "never",
  summary: "Show the provider of a resold service, and the provider's page of actions",
  example: "/reseller service provider plugin-1",
  act: readProvider,
  reads: [readUiSchema],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const [found, page] = await providerOf(client, target);
    if (found === null) return { text: `No plugin provides ${name}. It has no provider actions.` };
    const run = { label: "Run an action…", command: "reseller service run", target: target.serviceId };
    const none = "The provider describes no page. You must know the names of its actions.";
    return {
      ...headed(`The provider of ${name}`, [
        ...jsonBlocks(found.rest, { none: "The provider shows no information." }),
        ...jsonBlocks(page.schema, { title: "The provider's page", none }),
      ]),
      secrets: [...labelledSecrets(found.secrets), ...secretsIn(page.schema)],
      next: [run],
    };
  },
});

function providerOf(client: ResellerClient, { serviceId }: Service) {
  return Promise.all([readProvider(client, serviceId), readUiSchema(client, serviceId)]);
}

const readings: readonly string[] = ["status", "stats"];
/** The effect of a provider's own action is unknown, so it needs a confirmation like a destructive one. */
function riskOf(action: string): Exclude<Risk, "spend"> {
  return readings.includes(action) || plainPower.includes(action) ? "change" : "destroy";
}

export const run = defineOperation({
  command: "reseller service run",
  does: { input: "action", acts: actsByAction, open: true },
  group: "power",
  summary: "Run a plugin's action on a resold service; only power actions and readings run without confirmation",
  example: "/reseller service run plugin-1 action=rebuild-network",
  act: runUiAction,
  reads: [readProvider, readUiSchema],
  risk: { usual: "destroy", of: ({ input }) => riskOf(input.action) },
  target: resoldService,
  ...providerAction("As the provider's page names them", readings),
  usable: ({ target }) => requireMachine(target),
  async review({ client, target, input }) {
    const [found, page] = await providerOf(client, target);
    const described = JSON.stringify(page.schema ?? null).includes(JSON.stringify(input.action));
    return {
      back: "Do not run it",
      consequence: unknownAction(input.action, soldWords(target)),
      preconditions: {
        plugin: {
          value: found !== null,
          label: "Plugin",
          text: found === null ? "none provides this service" : "provides this service",
        },
        described: { value: described, label: "Named on its page", text: described ? "yes" : "no" },
      },
    };
  },
  async run({ client, target, input: { action, params }, name }) {
    const body = params === undefined ? {} : (readParams(params) ?? {});
    const { secrets, rest } = await runUiAction(client, target.serviceId, action, body);
    return {
      ...withReceived(`${code(action)} was sent for ${name}, and its provider accepted it.`, rest),
      secrets: secrets.map(secretOf),
      next: [showStep(target.serviceId)],
    };
  },
  reconcile: unsure(
    "Only the provider knows the effect of its action. Check the service before you run the action again.",
  ),
});
