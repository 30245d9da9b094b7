import * as z from "#zod";
import { AnyTime, Figure } from "../fields.ts";
import { ifReadable, inData, unspecified } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** Null means that the figure could not be read; it never means 0. */
const figure = Figure.nullish();
const source = z.string().nullish();

/**
 * The present usage of a VPS: percentages of the whole VM, sizes in bytes, disk rates in bytes a second, network rates in bits a second.
 * `netin_bytes` counts since its last boot, `month_netin_bytes` this calendar month. Reseller spec section 2.4.
 */
export const VpsFigures = z.looseObject({
  status: z.string().nullish(),
  cpu: z.looseObject({ usage: figure, cores: figure }).nullish(),
  memory: z.looseObject({ percentage: figure, used: figure, total: figure, source }).nullish(),
  disk: z
    .looseObject({
      percentage: figure,
      used: figure,
      total: figure,
      allocated: figure,
      source,
      read_bps: figure,
      write_bps: figure,
    })
    .nullish(),
  network: z
    .looseObject({
      rx_bps: figure,
      tx_bps: figure,
      netin_bytes: figure,
      netout_bytes: figure,
      month_netin_bytes: figure,
      month_netout_bytes: figure,
    })
    .nullish(),
});
export type VpsFigures = z.infer<typeof VpsFigures>;

/** A sample of a VPS: percent, bytes, bits a second of network, bytes a second of disk. `t` is its time in the platform's form. */
export const VpsSample = z.looseObject({
  t: z.union([z.number(), z.string()]),
  cpu_pct: figure,
  mem_used_bytes: figure,
  net_rx_bps: figure,
  net_tx_bps: figure,
  disk_rd_bps: figure,
});
export type VpsSample = z.infer<typeof VpsSample>;

const VpsStats = z.object({
  collecting: z.boolean().nullish(),
  series: z.array(VpsSample).nullish(),
  stats: VpsFigures.nullish(),
});

/**
 * Figures from the management controller and the switch of a dedicated server. `cpu`, `ram` and `storage` are its hardware, not its
 * usage. Reseller spec section 2.4.
 */
export const DedicatedFigures = z.looseObject({
  cpu: z.unknown().optional(),
  ram: z.unknown().optional(),
  storage: z.unknown().optional(),
  powerState: z.string().nullish(),
  health: z.unknown().optional(),
  network: z
    .looseObject({
      rx_bps: figure,
      tx_bps: figure,
      month_netin_bytes: figure,
      month_netout_bytes: figure,
      sampledAt: ifReadable(AnyTime),
    })
    .nullish(),
});
export type DedicatedFigures = z.infer<typeof DedicatedFigures>;

/** A service's usage, by its kind; for a service of neither kind the provider's unchanged answer. */
export type Stats =
  | { of: "vps"; collecting: boolean; samples: VpsSample[]; figures: VpsFigures | null }
  | { of: "dedicated"; figures: DedicatedFigures }
  | { of: "provider"; answer: unknown };

/** 400 for a game server. */
export const readStats = endpoint("GET /services/{serviceId}/stats", "read", "2.4", unspecified.transform(statsIn));

function statsIn(answer: unknown): Stats {
  const inner = typeof answer === "object" && answer !== null && "stats" in answer ? answer.stats : answer;
  const dedicated = hasPowerState(inner) ? DedicatedFigures.safeParse(inner) : undefined;
  if (dedicated?.success) return { of: "dedicated", figures: dedicated.data };
  const vps = isVpsStats(answer) ? VpsStats.safeParse(answer) : undefined;
  if (!vps?.success) return { of: "provider", answer };
  const { collecting, series, stats } = vps.data;
  return { of: "vps", collecting: collecting ?? false, samples: series ?? [], figures: stats ?? null };
}

/** A null one is that of a dedicated server, too: its controller does not say. */
function hasPowerState(inner: unknown): boolean {
  return typeof inner === "object" && inner !== null && "powerState" in inner;
}

function isVpsStats(answer: unknown): answer is object {
  return (
    typeof answer === "object" && answer !== null && "collecting" in answer && ("stats" in answer || "series" in answer)
  );
}

/** The time ranges of a service's traffic. Reseller spec sections 2.4 and 8. */
export const trafficRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
type TrafficRange = (typeof trafficRanges)[number];

/** Rates in and out in bits a second. The spec does not name the field of the time. */
const TrafficSample = z.looseObject({ in: Figure.nullable(), out: Figure.nullable() });
export type TrafficSample = z.infer<typeof TrafficSample>;

/** In bytes. */
const bytes = Figure.pipe(z.number().nonnegative()).nullish();

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
