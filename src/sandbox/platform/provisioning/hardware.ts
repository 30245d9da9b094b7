import { conflict } from "../http/refusal.ts";
import type { Dedicated } from "../world/service.ts";
import type { World } from "../world/world.ts";

/** Erases a server and installs it. Gives the job's id. */
export function installServer(world: World, server: Dedicated): string {
  server.os_installation = "in_progress";
  server.provision_state = "deploying";
  return world.jobs.start("reinstall", server.id, (failed) => {
    server.os_installation = failed ? "failed" : "completed";
    server.provision_state = failed ? "deploy failed" : "active";
    server.power_state = "on";
  }).id;
}

export function refuseUnlessBound(server: Dedicated): void {
  if (server.hardware === null) throw conflict("The server is still being built");
  if (server.os_installation === "in_progress") throw conflict("An installation is already running");
}
