import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Risk } from "../../../operation/operation.ts";
import { readProvider, readUiSchema, runUiAction } from "../../../platform/reseller/provider.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { secretsIn } from "../../../secret-parts.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { jsonBlocks, renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { plainPower, providerAction, readParams } from "../../kits/provider-action.ts";
import { secretOf } from "./console.ts";
import { nameOf, requireInService, resoldService, showStep, soldWords } from "./service.ts";

export const provider = defineOperation({
  command: "reseller service provider",
  summary: "Show who provides a resold service, and the page of actions that they describe",
  act: readProvider,
  reads: [readUiSchema, readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target }) {
    const [found, page] = await Promise.all([
      readProvider(client, target.serviceId),
      readUiSchema(client, target.serviceId),
    ]);
    const name = code(nameOf(target));
    if (found === null) return { text: `No plugin provides ${name}: it has no actions of a provider's own.` };
    const headline = `The provider of ${name}`;
    const run = { label: "Run an action…", command: "reseller service run", target: target.serviceId };
    const none = "They describe no page of their own, so that their actions must be known by name.";
    return {
      text: headline,
      blocks: [
        section(`*${headline}*`),
        ...jsonBlocks(found.rest, { none: "They tell nothing of themselves." }),
        ...jsonBlocks(page.schema, { title: "Their page", none }),
      ],
      secrets: [...found.secrets.map(({ name, value }) => ({ label: name, value })), ...secretsIn(page.schema)],
      next: [run],
    };
  },
});

const readings: readonly string[] = ["status", "stats"];
/** The effect of a provider's own action is unknown, so it needs a confirmation like a destructive one. */
function riskOf(action: string): Exclude<Risk, "spend"> {
  return readings.includes(action) || plainPower.includes(action) ? "change" : "destroy";
}

export const run = defineOperation({
  command: "reseller service run",
  group: "power",
  summary: "Run an action of a plugin's on a resold service; one that is not plain power or a reading asks first",
  act: runUiAction,
  reads: [readProvider, readUiSchema, readService],
  risk: { usual: "destroy", of: ({ input }) => riskOf(input.action) },
  target: resoldService,
  ...providerAction("As the provider's page names them"),
  usable: ({ target }) => requireInService(target),
  async review({ client, target, input }) {
    const [found, page] = await Promise.all([
      readProvider(client, target.serviceId),
      readUiSchema(client, target.serviceId),
    ]);
    const described = JSON.stringify(page.schema ?? null).includes(JSON.stringify(input.action));
    return {
      back: "Leave it as it is",
      consequence: `${code(input.action)} is the provider's own action. What it does to ${soldWords(target)} cannot be told from here: it may erase data or cost money, and there may be no way back.`,
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
  async run({ client, target, input: { action, params } }) {
    const body = params === undefined ? {} : (readParams(params) ?? {});
    const { secrets, rest } = await runUiAction(client, target.serviceId, action, body);
    const text = `${code(action)} was run on ${code(nameOf(target))}, and its provider took it.`;
    return {
      text,
      blocks: [section(text), ...paragraphs(renderJson(rest ?? {}))],
      secrets: secrets.map(secretOf),
      next: [showStep(target.serviceId)],
    };
  },
  reconcile: unsure("The provider alone knows what its action did. Look at the service before you run it again."),
});
