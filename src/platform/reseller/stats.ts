import * as z from "zod";
import { notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";

/** A figure that could not be read is null, and never 0. */
const figure = z.number().nullish();
const source = z.string().nullish();

/**
 * What a VPS uses now: percentages of the whole VM, sizes in bytes, disk rates in bytes a second, network rates in bits a second;
 * `netin_bytes` since its last boot, `month_netin_bytes` this calendar month. Reseller spec section 2.4.
 */
export const VpsFigures = z.looseObject({
  status: z.string().nullish(),
  cpu: z.looseObject({ usage: figure, cores: figure }).nullish(),
  memory: z.looseObject({ percentage: figure, used: figure, cached: figure, total: figure, source }).nullish(),
  disk: z
    .looseObject({
      percentage: figure,
      used: figure,
      total: figure,
      allocated: figure,
      source,
      read_bps: figure,
      write_bps: figure,
      read_iops: figure,
      write_iops: figure,
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

/** A sample of a VPS: percent, bytes, bits a second of network and bytes a second of disk; `t` is its time as the platform writes it. */
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

/** What the management controller and the switch tell of a dedicated server; `cpu`, `ram` and `storage` are its hardware, not its use. Reseller spec section 2.4. */
export const DedicatedFigures = z.looseObject({
  cpu: z.unknown().optional(),
  ram: z.unknown().optional(),
  storage: z.unknown().optional(),
  powerState: z.string(),
  health: z.unknown().optional(),
  network: z
    .looseObject({
      rx_bps: figure,
      tx_bps: figure,
      month_netin_bytes: figure,
      month_netout_bytes: figure,
      sampledAt: z.union([z.string(), z.number()]).nullish(),
    })
    .nullish(),
});
export type DedicatedFigures = z.infer<typeof DedicatedFigures>;

/** A service's usage in the shape of its kind; where it is of neither, as its provider tells it. */
export type Stats =
  | { of: "vps"; collecting: boolean; samples: VpsSample[]; figures: VpsFigures | null }
  | { of: "dedicated"; figures: DedicatedFigures }
  | { of: "provider"; told: unknown };

/** GET /services/{serviceId}/stats; 400 for a game server. Reseller spec section 2.4. */
export async function readStats(client: ResellerClient, serviceId: string): Promise<Stats> {
  const told = await client.get(path("/services/{serviceId}/stats", { serviceId }), notShown);
  const inner = typeof told === "object" && told !== null && "stats" in told ? told.stats : told;
  const dedicated = DedicatedFigures.safeParse(inner);
  if (dedicated.success) return { of: "dedicated", figures: dedicated.data };
  const vps = isVpsStats(told) ? VpsStats.safeParse(told) : undefined;
  if (!vps?.success) return { of: "provider", told };
  const { collecting, series, stats } = vps.data;
  return { of: "vps", collecting: collecting ?? false, samples: series ?? [], figures: stats ?? null };
}

function isVpsStats(told: unknown): told is object {
  return typeof told === "object" && told !== null && "collecting" in told && ("stats" in told || "series" in told);
}
