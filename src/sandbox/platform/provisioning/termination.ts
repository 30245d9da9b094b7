import type { Service, Vps } from "../world/service.ts";
import { changeStatus, type World } from "../world/world.ts";

/** Cancellations whose day has come take effect. Run before each request rather than by a timer that waits for weeks. */
export function endWhatIsDue(world: World): void {
  const now = world.clock.now();
  for (const service of world.services.values()) {
    if (service.cancellation === null || service.status !== "active") continue;
    if (Date.parse(service.cancellation.scheduled_date) <= now) terminate(world, service);
  }
}

/** The service ends and its disk is gone. */
export function terminate(world: World, service: Service): void {
  service.cancellation = null;
  service.failure = null;
  if (service.kind === "vps") destroyMachine(service);
  changeStatus(world, service, "terminated");
}

function destroyMachine(vps: Vps): void {
  vps.instance = null;
  vps.ip_addresses = [];
  vps.snapshots = [];
  vps.disk_job = null;
  vps.os_installation_status = null;
}
