import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { listOsTemplates } from "../../../platform/reseller/capabilities.ts";
import { readHealth, readNetwork } from "../../../platform/reseller/network.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { secretsIn } from "../../../secret-parts.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, count, prose } from "../../../views/text.ts";
import { nameOf, resoldService } from "./service.ts";

/** A read whose answer the spec does not show: it is shown in the platform's layout, without its secrets. */
function partOf(
  verb: "network" | "health",
  about: { summary: string; title: string; act: typeof readNetwork | typeof readHealth },
) {
  const command = `reseller service ${verb}` as const;
  return defineOperation({
    command,
    summary: about.summary,
    act: about.act,
    reads: [readService],
    risk: "read",
    target: resoldService,
    input: z.object({}),
    async run({ client, target }) {
      const headline = `${about.title} of ${code(nameOf(target))}`;
      const found = await about.act(client, target.serviceId);
      const none = "The platform has nothing to tell of it now.";
      return {
        text: headline,
        blocks: [section(`*${headline}*`), ...jsonBlocks(found, { none })],
        secrets: secretsIn(found),
        next: [{ label: "Refresh", command, target: target.serviceId, replace: true }],
      };
    },
  });
}

export const network = partOf("network", {
  summary: "Show the subnets, addresses and reverse names of a service that you sell on",
  title: "Network",
  act: readNetwork,
});

export const health = partOf("health", {
  summary: "Show the temperatures, fans and power supplies of a dedicated server, up to a minute old",
  title: "Hardware health",
  act: readHealth,
});

export const templates = defineOperation({
  command: "reseller service templates",
  summary: "List the systems that a service that you sell on can be reinstalled with",
  act: listOsTemplates,
  reads: [readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target }) {
    const { templates: found, platform } = await listOsTemplates(client, target.serviceId);
    const name = code(nameOf(target));
    if (found.length === 0) return { text: `The supplier offers no system to reinstall ${name} with. Ask them.` };
    const by = platform && platform !== "native" ? `, as ${code(platform)} names them` : "";
    const headline = `${name} can be reinstalled with ${count(found.length, "system")}${by}.`;
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...paragraphs(found.map((one) => `• ${prose(one.name, 100)}`))],
      next: [{ label: "Reinstall…", command: "reseller service reinstall", target: target.serviceId }],
    };
  },
});
