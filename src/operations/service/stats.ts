import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readService, readServiceStats } from "../../platform/customer/services.ts";
import { section } from "../../views/blocks.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code } from "../../views/text.ts";
import { askProvider } from "./provider.ts";
import { nameOf, service } from "./service.ts";

export const stats = defineOperation({
  command: "service stats",
  summary: "Show a service's usage, as its provider tells it",
  act: readServiceStats,
  reads: [readService],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, target }) {
    const { id } = target.service;
    const found = await askProvider(target.service, "stats", () => readServiceStats(client, id));
    const headline = `Usage of ${code(nameOf(target.service))}`;
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...jsonBlocks(found, { none: "The platform has no figures for it now." })],
      next: [{ label: "Refresh", command: "service stats", target: id, replace: true }],
    };
  },
});
