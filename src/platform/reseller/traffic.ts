import * as z from "zod";
import { inData } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";

/** The time ranges of a service's traffic. Reseller spec sections 2.4 and 8. */
export const trafficRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
export type TrafficRange = (typeof trafficRanges)[number];

/** Rates in and out in bits a second. The spec does not name the field of the time. */
const TrafficSample = z.looseObject({ in: z.number().nullable(), out: z.number().nullable() });
export type TrafficSample = z.infer<typeof TrafficSample>;

/** In bytes. */
const bytes = z.number().nonnegative().nullish();

/**
 * `monthTotal` is the month to date; only a VPS has `daily`. `collecting` while there are no samples yet. The summary (average, peak,
 * 95th percentile) has the platform's layout. Reseller spec section 2.4.
 */
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

/** Of a native VPS, a dedicated server or IP transit. */
export const readTraffic = endpoint("GET /services/{serviceId}/traffic", "read", "2.4", inData(Traffic), {
  sends: (range: TrafficRange) => ({ query: { range } }),
});

/** Finds the list of samples: the one whose rows have an in and an out. The spec does not name its field. */
function gathered(raw: unknown): unknown {
  if (Array.isArray(raw)) return { samples: raw };
  if (typeof raw !== "object" || raw === null || "samples" in raw) return raw;
  const samples = Object.values(raw).find((part) => Array.isArray(part) && isSample(part[0]));
  return samples === undefined ? raw : { ...raw, samples };
}

function isSample(row: unknown): boolean {
  return typeof row === "object" && row !== null && "in" in row && "out" in row;
}
