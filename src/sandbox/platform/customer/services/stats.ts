import { shapeOf } from "../../world/shapes.ts";
import type { World } from "../../world/world.ts";
import type { Call } from "../request/call.ts";

interface Point {
  time: string;
  cpu: number;
  memory: number;
  diskRead: number;
  netIn: number;
  netOut: number;
}

/** An hour of figures that are the same for the same machine and minute. */
export function series(world: World, id: string): Point[] {
  const seed = Number.parseInt(id.slice(0, 4), 16);
  const minute = Math.floor(world.clock.now() / 60_000);
  return Array.from({ length: 12 }, (_, index) => {
    const at = minute - (11 - index) * 5;
    const wave = (1 + Math.sin((at + seed) / 7)) / 2;
    return {
      time: new Date(at * 60_000).toISOString(),
      cpu: Math.round(wave * 8_000) / 100,
      memory: Math.round((0.4 + wave / 4) * 10_000) / 100,
      diskRead: Math.round(wave * 4_000_000),
      netIn: Math.round(wave * 900_000),
      netOut: Math.round((1 - wave) * 400_000),
    };
  });
}

/** The spec does not show what statistics look like, so that they come in several shapes. */
const statsShapes: ((points: Point[]) => object)[] = [
  (points) => ({
    cpu: points.map(({ time, cpu }) => ({ time, value: cpu })),
    memory: points.map(({ time, memory }) => ({ time, value: memory })),
    disk: points.map(({ time, diskRead }) => ({ time, read: diskRead, write: 0 })),
    network: points.map(({ time, netIn, netOut }) => ({ time, in: netIn, out: netOut })),
  }),
  (points) => ({
    interval: 300,
    series: {
      cpu_percent: points.map(({ time, cpu }) => [Date.parse(time) / 1000, cpu]),
      memory_percent: points.map(({ time, memory }) => [Date.parse(time) / 1000, memory]),
      net_in_bytes: points.map(({ time, netIn }) => [Date.parse(time) / 1000, netIn]),
    },
    current: { cpu_percent: points.at(-1)?.cpu ?? null, uptime: "13 days" },
  }),
  (points) => ({ available: true, points }),
];

/** An hour of usage of a machine. */
export function usageOf(call: Call, id: string): object {
  return statsShapes[shapeOf(call, id, statsShapes.length)]?.(series(call.world, id)) ?? {};
}
