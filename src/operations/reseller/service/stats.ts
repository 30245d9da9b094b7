import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { type DedicatedFigures, readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { type Block, context, facts, section } from "../../../views/blocks.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { bitRate, inAndOut, vpsCharts, vpsFacts } from "./figures.ts";
import { nameOf, resoldService } from "./service.ts";

export const stats = defineOperation({
  command: "reseller service stats",
  summary: "Show the usage of a service that you sell on; of a dedicated server its hardware and power",
  act: readStats,
  reads: [readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target }) {
    const found = await readStats(client, target.serviceId);
    const headline = `Usage of ${code(nameOf(target))}`;
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...blocksOf(found)],
      next: [{ label: "Refresh", command: "reseller service stats", target: target.serviceId, replace: true }],
    };
  },
});

const none = "The platform has no figures for it now.";

function blocksOf(found: Stats): Block[] {
  if (found.of === "provider") return jsonBlocks(partSecrets(found.answer).rest, { none });
  if (found.of === "dedicated") return dedicatedBlocks(found.figures);
  const { figures, samples, collecting } = found;
  const shown = figures === null ? [section(none)] : vpsFacts(figures);
  return [...shown, ...vpsCharts(samples), ...(collecting ? [context("Samples are still being collected.")] : [])];
}

/** The usage of a dedicated server. Its `cpu`, `ram` and `storage` are hardware, and are labelled so. */
function dedicatedBlocks({ powerState, health, network, cpu, ram, storage }: DedicatedFigures): Block[] {
  const power = powerState === "unreachable" ? "its management controller cannot be reached" : prose(powerState, 60);
  const rows = [
    { label: "Power", value: power },
    ...(network
      ? [
          { label: "Network", value: inAndOut(network.rx_bps, network.tx_bps, bitRate) },
          { label: "This month", value: inAndOut(network.month_netin_bytes, network.month_netout_bytes) },
        ]
      : []),
  ];
  return [
    ...facts(rows),
    ...jsonBlocks(health, { title: "Health" }),
    ...jsonBlocks({ cpu, ram, storage }, { title: "Hardware" }),
  ];
}
