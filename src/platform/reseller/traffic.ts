import * as z from "zod";
import { data } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";

/** How far back the traffic of a service can be read. Reseller spec sections 2.4 and 8. */
export const trafficRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
export type TrafficRange = (typeof trafficRanges)[number];

/** In and out in bits a second; what its time is called, the spec does not show. */
const TrafficSample = z.looseObject({ in: z.number().nullable(), out: z.number().nullable() });
export type TrafficSample = z.infer<typeof TrafficSample>;

/** In bytes. */
const bytes = z.number().nonnegative().nullish();

/** `monthTotal` is the month to date, `daily` of a VPS alone; `collecting` while there are no samples yet. The summary (average, peak, 95th percentile) is as the platform lays it out. Reseller spec section 2.4. */
export const Traffic = z.preprocess(
  gathered,
  z.object({
    samples: z.array(TrafficSample).default([]),
    summary: z.unknown().optional(),
    monthTotal: z.object({ total_bytes_in: bytes, total_bytes_out: bytes }).nullish(),
    daily: z.array(z.object({ day: z.string(), rx_bytes: bytes, tx_bytes: bytes })).nullish(),
    collecting: z.boolean().nullish(),
  }),
);
export type Traffic = z.infer<typeof Traffic>;

/** GET /services/{serviceId}/traffic: of a native VPS, a dedicated server or IP transit. Reseller spec section 2.4. */
export async function readTraffic(client: ResellerClient, serviceId: string, range: TrafficRange): Promise<Traffic> {
  const route = path("/services/{serviceId}/traffic", { serviceId });
  return (await client.get(route, data(Traffic), { range })).data;
}

/** What the list of samples is called, the spec does not show: it is the one whose rows have an in and an out. */
function gathered(sent: unknown): unknown {
  if (Array.isArray(sent)) return { samples: sent };
  if (typeof sent !== "object" || sent === null || "samples" in sent) return sent;
  const samples = Object.values(sent).find((part) => Array.isArray(part) && isSample(part[0]));
  return samples === undefined ? sent : { ...sent, samples };
}

function isSample(row: unknown): boolean {
  return typeof row === "object" && row !== null && "in" in row && "out" in row;
}
