import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { readTraffic, type Traffic, type TrafficSample, trafficRanges } from "../../../platform/reseller/traffic.ts";
import { type Block, context, facts, section } from "../../../views/blocks.ts";
import { type Point, timeCharts } from "../../../views/chart.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { timeIn } from "../../../views/values.ts";
import { bitRate, inAndOut } from "./figures.ts";
import { nameOf, resoldService } from "./service.ts";

const command = "reseller service traffic";

export const traffic = defineOperation({
  command,
  summary: "Show the traffic of a service that you sell on: a VPS, a dedicated server or IP transit",
  act: readTraffic,
  reads: [readService],
  risk: "read",
  target: resoldService,
  input: z.object({ range: z.enum(trafficRanges).default("24h").meta({ title: "Range" }) }),
  async run({ client, target: { serviceId: target, ...row }, input: { range } }) {
    const found = await readTraffic(client, target, range);
    const headline = `Traffic of ${code(nameOf({ ...row, serviceId: target }))}, ${spaced(range)}`;
    const others = trafficRanges
      .filter((one) => one !== range)
      .map((one) => ({ label: spaced(one), command, target, input: { range: one }, replace: true }));
    return { text: headline, blocks: [section(`*${headline}*`), ...blocksOf(found)], next: others };
  },
});

/** "24 h" from "24h". */
function spaced(range: string): string {
  return range.replace(/(\d+)/, "$1 ");
}

function blocksOf({ samples, summary, monthTotal, daily, collecting }: Traffic): Block[] {
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
    return [section("The platform has no traffic of it to tell.")];
  return [
    ...facts(rows),
    ...charts,
    ...jsonBlocks(summary, { title: "Average, peak and 95th percentile, in bits a second" }),
    ...jsonBlocks(daily, { title: "By day" }),
    ...note,
  ];
}

/** A point of the chart. The spec does not name the field of the time, so the first readable time counts. */
function pointOf(sample: TrafficSample, value: number | null): Point[] {
  const times = Object.entries(sample).flatMap(([key, told]) => timeIn(key, told) ?? []);
  return times[0] === undefined ? [] : [{ at: times[0], value }];
}
