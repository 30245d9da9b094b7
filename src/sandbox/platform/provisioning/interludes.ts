import type { JobKind } from "../world/jobs.ts";
import type { Service } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";

type Interlude = "stopped" | "paused";

/** The states that a machine may show while work on it goes on. */
const interludes: Partial<Record<JobKind, readonly Interlude[]>> = {
  reboot: ["stopped"],
  upgrade: ["stopped"],
  snapshot: ["paused"],
  capture: ["paused"],
  backup: ["paused"],
  reinstall: ["stopped", "paused"],
  revert: ["stopped", "paused"],
  restore: ["stopped", "paused"],
};

/** Has the service show the interludes of the work, and then the state in which the work began. */
export function showInterludes(world: World, kind: JobKind, id: string): void {
  const states = interludes[kind] ?? [];
  const service = world.services.get(id);
  if (!world.settings.shapes.interludes || !service || states.length === 0) return;
  const back = powerOf(service);
  for (const [at, state] of states.entries())
    world.jobs.during(kind, 0.2 + 0.2 * at, () => setPower(world, service, state));
  if (back) world.jobs.during(kind, 0.8, () => setPower(world, service, back));
}

/** The power of a machine or a game server, in the words of a VPS; null if it has none. */
export function powerOf(service: Service): string | null {
  if (service.kind === "vps") return service.instance?.state ?? null;
  if (service.kind === "game") return service.game.state === "starting" ? "stopped" : service.game.state;
  if (service.kind === "dedicated") return service.power_state === "on" ? "running" : "stopped";
  return null;
}

function setPower(world: World, service: Service, state: string): void {
  if (service.kind === "dedicated" && state !== "paused") service.power_state = state === "running" ? "on" : "off";
  if (service.kind !== "vps" || service.instance === null) return;
  if (state !== "running" && state !== "stopped" && state !== "paused") return;
  service.instance.state = state;
  service.instance.updated_at = isoNow(world);
}
