import * as z from "#zod";
import { defineOperation } from "../../../operation/define.ts";
import {
  type DedicatedFigures,
  readStats,
  readTraffic,
  type Stats,
  type Traffic,
  type TrafficSample,
  trafficRanges,
  type VpsFigures,
  type VpsSample,
} from "../../../platform/reseller/stats.ts";
import { ownValue } from "../../../process/own-value.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { type Block, context, facts, section } from "../../../views/blocks.ts";
import { type Point, timeCharts } from "../../../views/chart.ts";
import { bitRate, bytes, figure, moment } from "../../../views/format.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { labelled } from "../../../views/labels.ts";
import { count, dotted, prose } from "../../../views/text.ts";
import { timeIn } from "../../../views/values.ts";
import { headed } from "../../kits/card.ts";
import { known } from "../../kits/lines.ts";
import { unreachable } from "../../kits/power.ts";
import { resoldService, usageIn } from "./service.ts";

export const stats = defineOperation({
  command: "reseller service stats",
  synonyms: ["usage", "metrics", "graphs"],
  summary: "Show the usage of a resold service; of a dedicated server its hardware and power",
  example: "/reseller service stats web-2",
  act: readStats,
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await readStats(client, target.serviceId);
    return {
      ...headed(`Usage of ${name}`, blocksOf(found)),
      next: [{ label: "Refresh", command: "reseller service stats", target: target.serviceId, replace: true }],
    };
  },
});

const none = "The platform shows no figures of this service now.";

function blocksOf(found: Stats): Block[] {
  if (found.of === "provider") return jsonBlocks(partSecrets(found.answer).rest, { none });
  if (found.of === "dedicated") return dedicatedBlocks(found.figures);
  const { figures, samples, collecting } = found;
  const shown = figures === null ? [section(none)] : vpsFacts(figures);
  return [...shown, ...vpsCharts(samples), ...(collecting ? [context("Samples are still being collected.")] : [])];
}

/** The usage of a dedicated server. Its `cpu`, `ram` and `storage` are hardware, and are labelled so. */
function dedicatedBlocks({ powerState, health, network, cpu, ram, storage }: DedicatedFigures): Block[] {
  const power = powerState && prose(powerState, 60);
  const rows = [
    {
      label: "Power",
      value: powerState === unreachable ? "its management controller cannot be reached" : power || "not reported",
    },
    ...(network
      ? [
          { label: "Network", value: inAndOut(network.rx_bps, network.tx_bps, bitRate) },
          { label: "This month", value: inAndOut(network.month_netin_bytes, network.month_netout_bytes) },
          {
            label: "Network measured",
            value: network.sampledAt ? moment(network.sampledAt) : "The platform does not say when.",
          },
        ]
      : []),
  ];
  return [
    ...facts(rows),
    ...jsonBlocks(health, { title: "Health" }),
    ...jsonBlocks({ cpu, ram, storage }, { title: "Hardware" }),
  ];
}

type Figure = number | null | undefined;

/** An unreadable figure is shown with these words, never as zero. */
const unread = "unknown";

/** "3.2 Mbit/s in, 1 Mbit/s out". */
function inAndOut(incoming: Figure, outgoing: Figure, words: (value: number) => string = bytes): string {
  return both([incoming, "in"], [outgoing, "out"], words);
}

/** Two figures with a word after each; once that they cannot be read, where that is so of both. */
function both(one: [Figure, string], other: [Figure, string], words: (value: number) => string): string {
  const texts = [one, other].map(([value, after]) =>
    value === null || value === undefined ? { text: unread, after } : { text: words(value), after },
  );
  if (texts.every(({ text }) => text === unread)) return unread;
  return texts.map(({ text, after }) => `${text} ${after}`).join(", ");
}

const byteRate = (value: number): string => `${bytes(value)}/s`;

function share(value: Figure, of: string): string | null {
  return value === null || value === undefined ? null : `${figure(value)} % ${of}`;
}

function usage(used: Figure, total: Figure, percentage: Figure): string {
  if (used === null || used === undefined) return share(percentage, "used") ?? unread;
  const whole = total === null || total === undefined ? "" : ` of ${bytes(total)}`;
  return dotted([`${bytes(used)}${whole}`, share(percentage, "used")]);
}

/** "CPU 19 % · memory 46 % · 120 GB out this month", with the figures that can be read; null without any. */
export function usageLine(stats: Stats): string | null {
  if (stats.of === "provider" || stats.figures === null) return null;
  const { network } = stats.figures;
  const { cpu, memory } = usageIn(stats);
  const out = network?.month_netout_bytes;
  const figures = dotted([
    typeof cpu === "number" ? `CPU ${figure(cpu)} %` : null,
    typeof memory === "number" ? `memory ${figure(memory)} %` : null,
    typeof out === "number" ? `${bytes(out)} out this month` : null,
  ]);
  return figures || null;
}

const sources: Record<string, string> = {
  guest: "from its system",
  guest_daily: "from its system, within the last day",
  host_rss: "from its host",
};

/** The present usage of a VPS. Disk rates are in bytes a second, network rates in bits. Reseller spec section 2.4. */
function vpsFacts({ status, cpu, memory, disk, network }: VpsFigures): Block[] {
  const by = (source: string | null | undefined) =>
    source ? ` (${ownValue(sources, source) ?? prose(source, 60)})` : "";
  const cores = typeof cpu?.cores === "number" ? count(cpu.cores, "core") : null;
  const rows: [string, string | null][] = [
    ["State", status ? prose(status, 60) : null],
    ["CPU", cpu ? dotted([share(cpu.usage, "of the whole") ?? unread, cores]) : null],
    ["Memory", memory ? `${usage(memory.used, memory.total, memory.percentage)}${by(memory.source)}` : null],
    ["Disk in use", disk ? `${usage(disk.used, disk.total, disk.percentage)}${by(disk.source)}` : null],
    ["Disk ordered", typeof disk?.allocated === "number" ? bytes(disk.allocated) : null],
    ["Disk", disk ? both([disk.read_bps, "read"], [disk.write_bps, "written"], byteRate) : null],
    ["Network", network ? inAndOut(network.rx_bps, network.tx_bps, bitRate) : null],
    ["Since its last boot", network ? inAndOut(network.netin_bytes, network.netout_bytes) : null],
    ["This month", network ? inAndOut(network.month_netin_bytes, network.month_netout_bytes) : null],
  ];
  return facts(known(rows));
}

/** Charts of a VPS's usage; none where there are no samples. */
function vpsCharts(samples: VpsSample[]): Block[] {
  const over = (read: (sample: VpsSample) => Figure): Point[] =>
    samples.flatMap((sample) => {
      const at = timeIn("t", sample.t);
      return at === null ? [] : [{ at, value: read(sample) ?? null }];
    });
  return [
    ...timeCharts("CPU", [{ name: "CPU", points: over((one) => one.cpu_pct) }], "%"),
    ...timeCharts("Memory", [{ name: "Memory", points: over((one) => one.mem_used_bytes) }], "B"),
    ...timeCharts(
      "Network",
      [
        { name: "in", points: over((one) => one.net_rx_bps) },
        { name: "out", points: over((one) => one.net_tx_bps) },
      ],
      "bit/s",
    ),
    ...timeCharts("Disk, read per second", [{ name: "Read", points: over((one) => one.disk_rd_bps) }], "B"),
  ];
}

const command = "reseller service traffic";

export const traffic = defineOperation({
  command,
  summary: "Show the traffic of a resold service: a VPS, a dedicated server or IP transit",
  example: "/reseller service traffic web-2",
  act: readTraffic,
  risk: "read",
  target: resoldService,
  input: z.object({ range: z.enum(trafficRanges).default("24h").meta({ title: "Range" }) }),
  async run({ client, target: { serviceId: target }, input: { range }, name }) {
    const found = await readTraffic(client, target, range);
    const others = trafficRanges
      .filter((one) => one !== range)
      .map((one) => ({ label: spaced(one), command, target, input: { range: one }, replace: true }));
    return { ...headed(`Traffic of ${name}, ${spaced(range)}`, trafficBlocks(found)), next: others };
  },
});

/** "24 h" from "24h". */
function spaced(range: string): string {
  return range.replace(/(\d+)/, "$1 ");
}

function trafficBlocks({ samples, summary, monthTotal, daily, collecting }: Traffic): Block[] {
  const charts = timeCharts(
    "Traffic",
    [
      { name: "in", points: samples.flatMap((sample) => pointOf(sample, sample.in)) },
      { name: "out", points: samples.flatMap((sample) => pointOf(sample, sample.out)) },
    ],
    "bit/s",
  );
  const last = samples.at(-1);
  const month = monthTotal && {
    label: "This month so far",
    value: inAndOut(monthTotal.total_bytes_in, monthTotal.total_bytes_out),
  };
  const now = last && { label: "At the last sample", value: inAndOut(last.in, last.out, bitRate) };
  const rows = [now, month].flatMap((row) => (row ? [row] : []));
  const note = collecting ? [context("Samples are still being collected.")] : [];
  if (rows.length === 0 && charts.length === 0 && note.length === 0)
    return [section("The platform shows no traffic of this service.")];
  return [
    ...facts(rows),
    ...charts,
    ...jsonBlocks(inBits(summary), { title: "Average, peak and 95th percentile" }),
    ...jsonBlocks(daily, { title: "By day" }),
    ...note,
  ];
}

/** The summary with the unit of the spec in the key of each figure that names none of its own. */
function inBits(summary: unknown): unknown {
  if (typeof summary !== "object" || summary === null || Array.isArray(summary)) return summary;
  return Object.fromEntries(
    Object.entries(summary).map(([key, value]: [string, unknown]) =>
      typeof value === "number" && labelled(key).unit === "" ? [`${key}_bps`, value] : [key, inBits(value)],
    ),
  );
}

/** A point of the chart. The spec does not name the field of the time, so the first readable time counts. */
function pointOf(sample: TrafficSample, value: number | null): Point[] {
  const times = Object.entries(sample).flatMap(([key, value]) => timeIn(key, value) ?? []);
  return times[0] === undefined ? [] : [{ at: times[0], value }];
}
