import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { listOsTemplates } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { readHealth, readNetwork } from "../../../platform/reseller/network.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, count, prose } from "../../../views/text.ts";
import { nameOf, soldService } from "./service.ts";

/** A read whose answer the spec does not show: it is shown as it comes, its secrets left out. */
function partOf(
  verb: "network" | "health",
  about: { summary: string; title: string; read: (client: ResellerClient, id: string) => Promise<unknown> },
) {
  const command = `reseller service ${verb}`;
  return defineOperation({
    api: "reseller",
    command,
    summary: about.summary,
    routes: [`GET /services/{serviceId}/${verb}`, "GET /services/{serviceId}"],
    scope: "read",
    risk: "read",
    target: soldService,
    input: z.object({}),
    async run({ client, target }) {
      const headline = `${about.title} of ${code(nameOf(target))}`;
      const { rest } = partSecrets(await about.read(client, target.serviceId));
      const none = "The platform has nothing to tell of it now.";
      return {
        text: headline,
        blocks: [section(`*${headline}*`), ...jsonBlocks(rest, { none })],
        next: [{ label: "Refresh", command, target: target.serviceId, replace: true }],
      };
    },
  });
}

export const network = partOf("network", {
  summary: "Show the subnets, addresses and reverse names of a service that you sell on",
  title: "Network",
  read: readNetwork,
});

export const health = partOf("health", {
  summary: "Show the temperatures, fans and power supplies of a dedicated server, up to a minute old",
  title: "Hardware health",
  read: readHealth,
});

export const templates = defineOperation({
  api: "reseller",
  command: "reseller service templates",
  summary: "List the systems that a service that you sell on can be reinstalled with",
  routes: ["GET /services/{serviceId}/os-templates", "GET /services/{serviceId}"],
  scope: "read",
  risk: "read",
  target: soldService,
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
