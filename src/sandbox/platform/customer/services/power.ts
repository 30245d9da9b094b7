import { randomUUID } from "node:crypto";
import { badField, conflict, forbidden } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import {
  machineOutcome,
  type PowerAction,
  refuseUnlessMachineAnswers,
  setMachineState,
  switchMachine,
} from "../../provisioning/hypervisor.ts";
import type { Instance, Vps } from "../../world/service.ts";
import type { World } from "../../world/world.ts";
import { refuseOutOfService, refuseWithoutVpsModule } from "../request/access.ts";
import type { Call } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { pluginPower } from "./plugins.ts";

/** The six names of the three actions. */
const actions: Record<string, PowerAction> = {
  start: "start",
  stop: "shutdown",
  shutdown: "shutdown",
  poweroff: "shutdown",
  restart: "reboot",
  reboot: "reboot",
};

/** Power by name, on whichever route: the same checks, the same cool-down. */
export function power(call: Call, vps: Vps, name: string | undefined) {
  const action = actions[name ?? ""];
  if (action === undefined)
    throw badField("action", "action must be start, stop, restart, reboot, shutdown or poweroff");
  refuseOutOfService(vps);
  refuseWithoutVpsModule(call.world, vps);
  if (vps.capabilities.provider_dependent) return pluginPower(call, vps, action);
  if (!vps.capabilities.actions.includes(action))
    throw forbidden("This power action is not available for this product");
  return cooled(call, "power", vps.id, () => {
    const instance = refuseUnlessMachineAnswers(call.world, vps);
    return ok(run(call.world, vps, instance, action));
  });
}

function run(world: World, vps: Vps, instance: Instance, action: PowerAction) {
  const state = machineOutcome[action];
  if (action !== "reboot" && instance.state === state) {
    return { completed: true, pending: false, job_id: randomUUID(), state, status: "completed" };
  }
  if (action === "reboot" && instance.state === "stopped") throw conflict("The machine is not running");
  if (action === "reboot") world.jobs.during("reboot", 0.4, () => setMachineState(world, vps, "stopped"));
  const job = switchMachine(world, vps, action);
  return { completed: false, pending: true, job_id: job, state: instance.state, status: "pending" };
}
