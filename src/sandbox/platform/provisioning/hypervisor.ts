import { conflict, Refusal } from "../http/refusal.ts";
import type { Dedicated, Game, Instance, Vps } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";

/** The last check of every action: what the hypervisor itself says (spec section 5). */
export function refuseUnlessMachineAnswers(world: World, vps: Vps): Instance {
  const { instance } = vps;
  if (instance === null) throw new Refusal(404, "NOT_FOUND", "No VPS instance is linked to this service yet");
  if (vps.status === "installing" || instance.state === "creating") throw conflict("The machine is still being built");
  if (instance.state === "orphaned") throw conflict("The machine is not known to its host");
  if (instance.state === "terminated_pending_wipe") throw conflict("The machine is terminated");
  if (vps.os_installation_status === "in_progress") throw conflict("The machine is being installed");
  refuseWhileHostIsDown(world);
  return instance;
}

export function refuseWhileHostIsDown(world: World): void {
  if (world.settings.hypervisorDown) throw new Refusal(503, "PROVIDER_UNAVAILABLE", "The host could not be reached");
}

/** The state that each power action on a machine ends in. */
export const machineOutcome = { start: "running", shutdown: "stopped", reboot: "running" } as const;
export type PowerAction = keyof typeof machineOutcome;

/** Gives the job's id. */
export function switchMachine(world: World, vps: Vps, action: PowerAction): string {
  return world.jobs.start(action, vps.id, (failed) => {
    setMachineState(world, vps, failed ? "error" : machineOutcome[action]);
  });
}

/** `state` is the one that the server ends in. */
export function switchGame(world: World, { id, game }: Game, state: Game["game"]["state"]): void {
  game.state = state === "running" ? "starting" : "stopped";
  world.jobs.start("start", id, () => {
    game.state = state;
  });
}

export function setMachineState(world: World, vps: Vps, state: Instance["state"]): void {
  if (vps.instance === null) return;
  vps.instance.state = state;
  vps.instance.updated_at = isoNow(world);
}

/** Erases the disk and installs; used by native machines and by plugins that take reinstalls. Gives the job's id. */
export function startReinstall(world: World, vps: Vps, os: string): string {
  vps.os_installation_status = "in_progress";
  vps.disk_job = "reinstall";
  setMachineState(world, vps, "stopped");
  return world.jobs.start("reinstall", vps.id, (failed) => {
    vps.disk_job = null;
    vps.os_installation_status = failed ? "failed" : "completed";
    if (vps.instance !== null && !failed) vps.instance.os = os;
    setMachineState(world, vps, failed ? "error" : "running");
  });
}

export function refuseDuringDiskJob(vps: Vps): void {
  if (vps.disk_job !== null) throw conflict(`Another disk job (${vps.disk_job}) is running on this machine`);
}

/** Erases a server and installs it. Gives the job's id. */
export function installServer(world: World, server: Dedicated): string {
  server.os_installation = "in_progress";
  server.provision_state = "deploying";
  return world.jobs.start("reinstall", server.id, (failed) => {
    server.os_installation = failed ? "failed" : "completed";
    server.provision_state = failed ? "deploy failed" : "active";
    server.power_state = "on";
  });
}

export function refuseUnlessBound(server: Dedicated): void {
  if (server.hardware === null) throw conflict("The server is still being built");
  if (server.os_installation === "in_progress") throw conflict("An installation is already running");
}
