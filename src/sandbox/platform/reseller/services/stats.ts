import { badField, badRequest } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import type { Dedicated, Service, Vps } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { World } from "../../world/world.ts";
import { serviceOf } from "../request/access.ts";
import { type Call, type Route, unavailable } from "../request/call.ts";
import { backendOf } from "./capabilities.ts";
import { refuseWithoutController } from "./power.ts";

const path = "/services/{serviceId}";
const read = { method: "GET", scope: "read" } as const;

export const statsRoutes: Route[] = [
  { ...read, path: `${path}/stats`, handle: stats },
  { ...read, path: `${path}/traffic`, handle: traffic },
  { ...read, path: `${path}/health`, handle: health },
];

const minute = 60_000;
const hour = 60 * minute;
const GiB = 1024 ** 3;

function stats(call: Call) {
  const service = serviceOf(call);
  if (service.kind === "dedicated") return dedicatedStats(call, service);
  const backend = backendOf(call, service);
  if (backend === "vps" && service.kind === "vps") return vpsStats(call, service);
  if (backend === null) throw badRequest("This service has no statistics");
  const plugin = call.world.plugins.get(service.provider);
  if (plugin?.reachable === false) throw unavailable(`The provider ${plugin.slug} is switched off`);
  const [now] = figures(call.world, service.id, 1, minute);
  return ok({ [service.provider]: { load: now?.share ?? 0, quota: { used: 12, of: 50, unit: "GB" } } });
}

/** A machine of less than an hour has no samples yet; what cannot be read is null, never 0. */
function vpsStats(call: Call, vps: Vps) {
  const { instance } = vps;
  const collecting = isNew(call, vps);
  const points = collecting ? [] : figures(call.world, vps.id, 12, 5 * minute);
  const memory = (instance?.memory_mb ?? 0) * 1024 ** 2;
  const series = points.map(({ at, share }) => ({
    t: Math.floor(at / 1000),
    cpu_pct: Math.round(share * 8000) / 100,
    mem_used_bytes: Math.round(memory * (0.4 + share / 4)),
    net_rx_bps: Math.round(share * 9e6),
    net_tx_bps: Math.round((1 - share) * 4e6),
    disk_rd_bps: Math.round(share * 4e6),
    nics: [],
    disks: [],
  }));
  const running = instance?.state === "running";
  const now = running ? points.at(-1) : undefined;
  const status = instance?.state ?? "unknown";
  return ok({ platform: "native", collecting, series, stats: { status, ...vpsFigures(vps, now, memory) } });
}

function vpsFigures({ instance, snapshots }: Vps, now: Figure | undefined, memory: number) {
  const of = (part: (share: number) => number) => (now === undefined ? null : Math.round(part(now.share)));
  const disk = (instance?.disk_gb ?? 0) * GiB;
  // Without an agent in the guest only the host's figures are known.
  const guest = snapshots.length > 0;
  return {
    cpu: { usage: of((share) => share * 80), cores: instance?.vcpus ?? null },
    memory: {
      percentage: of((share) => 40 + share * 25),
      used: of((share) => memory * (0.4 + share / 4)),
      cached: guest ? of(() => memory / 10) : null,
      total: memory || null,
      source: now === undefined ? null : guest ? "guest" : "host_rss",
    },
    disk: {
      percentage: guest ? 37 : null,
      used: guest ? Math.round(disk * 0.37) : null,
      total: guest ? Math.round(disk * 0.98) : null,
      allocated: disk || null,
      source: guest ? "guest_daily" : null,
      read_bps: of((share) => share * 4e6),
      write_bps: of((share) => share * 1e6),
      read_iops: of((share) => share * 200),
      write_iops: of((share) => share * 80),
    },
    network: {
      rx_bps: of((share) => share * 9e6),
      tx_bps: of((share) => (1 - share) * 4e6),
      netin_bytes: now === undefined ? null : 81_000_000_000,
      netout_bytes: now === undefined ? null : 12_000_000_000,
      month_netin_bytes: 240_000_000_000,
      month_netout_bytes: 36_000_000_000,
    },
  };
}

/** Hardware, not its use; state and health come from the management controller. */
function dedicatedStats(call: Call, server: Dedicated) {
  const [now] = figures(call.world, server.id, 1, minute);
  const reachable = server.provisioning_managed && !server.controller_broken;
  const shown = {
    cpu: "16 cores",
    ram: "64 GB",
    storage: ["2 x 1 TB NVMe"],
    powerState: reachable ? server.power_state : "unreachable",
    health: reachable ? "ok" : null,
    network: {
      rx_bps: Math.round((now?.share ?? 0) * 4e8),
      tx_bps: Math.round((1 - (now?.share ?? 0)) * 2e8),
      netin_bytes: null,
      netout_bytes: null,
      month_netin_bytes: 9_000_000_000_000,
      month_netout_bytes: 3_000_000_000_000,
      sampledAt: now ? new Date(now.at).toISOString() : null,
    },
  };
  return ok(shapeOf(call, server.id, 2) === 0 ? shown : { platform: "dedicated", stats: shown });
}

const ranges: Record<string, number> = {
  "1h": hour,
  "6h": 6 * hour,
  "24h": 24 * hour,
  "7d": 168 * hour,
  "30d": 720 * hour,
};
const samplesAtMost = 60;

function traffic(call: Call) {
  const service = serviceOf(call);
  const measured = service.kind === "dedicated" || service.provider === "transit" || backendOf(call, service) === "vps";
  if (!measured) throw badRequest("Traffic is not measured for this service");
  const range = call.query.get("range") ?? "24h";
  const span = ranges[range];
  if (span === undefined) throw badField("range", `range must be one of ${Object.keys(ranges).join(", ")}`);
  const collecting = isNew(call, service);
  const points = collecting ? [] : figures(call.world, service.id, samplesAtMost, span / samplesAtMost);
  const daily =
    service.kind === "vps" ? { daily: dailyOf(call, service.id), ...(collecting ? { collecting } : {}) } : {};
  const samples = points.map(({ at, share }) => ({
    ...sampleTime(call, service.id, at),
    in: Math.round(share * 9e6),
    out: Math.round((1 - share) * 4e6),
  }));
  const name = shapeOf(call, service.id, 2) === 0 ? "samples" : "points";
  return ok({
    [name]: samples,
    summary: summaryOf(samples),
    monthTotal: { total_bytes_in: 240_000_000_000, total_bytes_out: 36_000_000_000 },
    ...daily,
  });
}

/** The spec does not show the name of a sample's time. */
function sampleTime(call: Call, id: string, at: number): object {
  return shapeOf(call, id, 2) === 0 ? { t: Math.floor(at / 1000) } : { timestamp: new Date(at).toISOString() };
}

function summaryOf(samples: { in: number; out: number }[]) {
  const figuresOf = (values: number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const sum = values.reduce((total, value) => total + value, 0);
    return {
      average: values.length === 0 ? null : Math.round(sum / values.length),
      peak: sorted.at(-1) ?? null,
      percentile_95: sorted[Math.floor(sorted.length * 0.95)] ?? null,
    };
  };
  return { in: figuresOf(samples.map((one) => one.in)), out: figuresOf(samples.map((one) => one.out)) };
}

function dailyOf(call: Call, id: string) {
  return figures(call.world, id, 7, 24 * hour).map(({ at, share }) => ({
    day: new Date(at).toISOString().slice(0, 10),
    rx_bytes: Math.round(share * 9e9),
    tx_bytes: Math.round((1 - share) * 4e9),
  }));
}

/** From the management controller, and up to a minute old. */
function health(call: Call) {
  const server = serviceOf(call);
  if (server.kind !== "dedicated") throw badRequest("Only a dedicated server has a hardware health");
  refuseWithoutController(server);
  const checkedAt = new Date(Math.floor(call.world.clock.now() / minute) * minute).toISOString();
  const sensors = { inlet: 24, cpu: 51 };
  if (shapeOf(call, server.id, 2) === 1) {
    const rows = Object.entries(sensors).map(([sensor, value]) => ({ sensor, value, unit: "C", status: "ok" }));
    return ok({
      sensors: rows,
      fans: { FAN1: 4200, FAN2: 4150 },
      power: { PSU1: "ok", PSU2: "absent" },
      at: checkedAt,
    });
  }
  return ok({
    temperatures: Object.entries(sensors).map(([name, celsius]) => ({ name, celsius })),
    fans: [
      { name: "FAN1", rpm: 4200 },
      { name: "FAN2", rpm: 4150 },
    ],
    powerSupplies: [
      { name: "PSU1", status: "ok", watts: 180 },
      { name: "PSU2", status: "absent", watts: null },
    ],
    checkedAt,
  });
}

function isNew(call: Call, service: Service): boolean {
  return call.world.clock.now() - Date.parse(service.created_at) < hour;
}

/** Figures that are the same for the same machine and minute; `share` is between 0 and 1. */
interface Figure {
  at: number;
  share: number;
}

/** `count` moments up to now, `every` milliseconds apart. */
function figures(world: World, id: string, count: number, every: number): Figure[] {
  const seed = Number.parseInt(id.slice(0, 4), 16);
  const last = Math.floor(world.clock.now() / every) * every;
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * every;
    return { at, share: (1 + Math.sin((at / 60_000 + seed) / 7)) / 2 };
  });
}
