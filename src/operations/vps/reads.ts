import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listVpsImages, listVpsIps, readVps, readVpsStats } from "../../platform/customer/vps.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code, count, prose } from "../../views/text.ts";
import { vps } from "./vps.ts";

export const ips = defineOperation({
  command: "vps ips",
  summary: "List a VPS's addresses with their gateways",
  act: listVpsIps,
  reads: [readVps],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target }) {
    const found = await listVpsIps(client, target.id);
    const headline = `${code(target.name)} has ${count(found.length, "address", "addresses")}.`;
    const lines = found.map(({ address, prefix_length: prefix, gateway, purpose }) =>
      [
        code(prefix === null ? address : `${address}/${prefix}`),
        gateway && `gateway ${code(gateway)}`,
        prose(purpose, 60),
      ]
        .filter((part) => part)
        .join(" · "),
    );
    return { text: headline, blocks: [section(`*${headline}*`), ...paragraphs(lines)] };
  },
});

export const stats = defineOperation({
  command: "vps stats",
  summary: "Show a VPS's usage: CPU, memory, disk and network",
  act: readVpsStats,
  reads: [readVps],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target }) {
    const headline = `Usage of ${code(target.name)}`;
    const found = await readVpsStats(client, target.id);
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...jsonBlocks(found, { none: "The platform has no figures for it now." })],
      next: [{ label: "Refresh", command: "vps stats", target: target.id, replace: true }],
    };
  },
});

export const images = defineOperation({
  command: "vps images",
  summary: "List the operating systems that a VPS can be reinstalled with",
  act: listVpsImages,
  reads: [readVps],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target }) {
    const found = await listVpsImages(client, target.id);
    if (found.length === 0)
      return { text: `No operating system is enabled for the plan of ${code(target.name)}. Ask the operator.` };
    const headline = `${code(target.name)} can be reinstalled with ${count(found.length, "system")}.`;
    const lines = found.map(({ name, is_default }) => `• ${prose(name, 100)}${is_default ? " (default)" : ""}`);
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...paragraphs(lines)],
      next: [{ label: "Reinstall…", command: "vps reinstall", target: target.id }],
    };
  },
});
