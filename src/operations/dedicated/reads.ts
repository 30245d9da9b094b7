import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { type DedicatedPart, dedicatedParts, readDedicated } from "../../platform/customer/dedicated.ts";
import { secretsIn } from "../../secret-parts.ts";
import { section } from "../../views/blocks.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code } from "../../views/text.ts";
import { dedicated, nameOf } from "./dedicated.ts";

/** Declares a read whose answer the spec does not describe: it is shown as received. */
function partOf(
  part: DedicatedPart,
  verb: string,
  about: { summary: string; title: string; next?: Omit<Step, "target"> },
) {
  const command = `dedicated ${verb}` as const;
  return defineOperation({
    command,
    summary: about.summary,
    act: dedicatedParts[part],
    reads: [readDedicated],
    risk: "read",
    target: dedicated,
    input: z.object({}),
    async run({ client, target }) {
      const headline = `${about.title} of ${code(nameOf(target))}`;
      const found = await dedicatedParts[part](client, target.id);
      const refresh: Step = { label: "Refresh", command, target: target.id, replace: true };
      return {
        text: headline,
        blocks: [
          section(`*${headline}*`),
          ...jsonBlocks(found, { none: "The platform has nothing to tell of it now." }),
        ],
        secrets: secretsIn(found),
        next: about.next ? [{ ...about.next, target: target.id }, refresh] : [refresh],
      };
    },
  });
}

export const ips = partOf("ips", "ips", { summary: "List a dedicated server's addresses", title: "Addresses" });
export const status = partOf("power-status", "status", {
  summary: "Ask the management controller of a dedicated server whether it is on",
  title: "Power status",
});
export const provisioning = partOf("provision-status", "provisioning", {
  summary: "Show how far the provisioning of a dedicated server is",
  title: "Provisioning",
});
export const images = partOf("os-images", "images", {
  summary: "List the operating systems that a dedicated server can be reinstalled with",
  title: "Operating systems",
  next: { label: "Reinstall…", command: "dedicated reinstall" },
});
export const stats = partOf("stats", "stats", { summary: "Show a dedicated server's usage", title: "Usage" });
export const traffic = partOf("traffic", "traffic", { summary: "Show a dedicated server's traffic", title: "Traffic" });
