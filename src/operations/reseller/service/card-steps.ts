import type { Step } from "../../../operation/answer.ts";
import type { Capabilities } from "../../../platform/reseller/capabilities.ts";
import type { Features, ServiceDocument } from "../../../platform/reseller/document.ts";
import type { Service } from "../../../platform/reseller/services.ts";

/** Buttons for the actions that the platform would accept now: by state, backend, and the panels of the service's page. */
export function cardSteps(row: Service, can: Capabilities | null, document: ServiceDocument | null): Step[] {
  const { serviceId: target, status } = row;
  const over = status === "terminated" || status === "cancelled";
  const step = (label: string, command: string) => ({ label, command: `reseller service ${command}`, target });
  const unsuspend: Step = { ...step("Unsuspend", "unsuspend"), style: "primary" };
  return [
    ...(status === "suspended" ? [unsuspend] : []),
    ...(over || can === null ? [] : controlSteps(can, status, step)),
    ...(over || document === null ? [] : panelSteps(document.features, status, step)),
    ...(status === "active" ? [step("Add-ons", "options"), step("Packages", "upgrades")] : []),
    ...(status === "active" ? [step("Suspend", "suspend")] : []),
    ...(over ? [] : [step("Terminate…", "terminate")]),
    { ...step("Refresh", "show"), replace: true },
  ];
}

type MakeStep = (label: string, command: string) => Step;

/** A suspended service can only be stopped and read. Reseller spec section 4.3. */
function controlSteps(can: Capabilities, status: Service["status"], step: MakeStep): Step[] {
  const free = status === "active";
  const machine = can.backend === "vps" || can.backend === "dedicated";
  const power = can.power ? can.powerActions : [];
  const offered: [boolean, Step][] = [
    [free && power.includes("start"), step("Start", "start")],
    [power.includes("stop"), step("Stop", "stop")],
    [power.includes("restart"), step("Restart", "restart")],
    [free && can.console && machine, step("Console link…", "console-cast")],
    [free && can.console && !machine, step("Console", "console")],
    [can.stats, step("Usage", "stats")],
    [free && can.reinstall, step("Reinstall…", "reinstall")],
    [free && can.password, step("New password…", "password")],
    [free && can.backups, step("Backups", "backups")],
    [can.backend === "plugin", step("Its provider", "provider")],
  ];
  return offered.filter(([fits]) => fits).map(([, one]) => one);
}

function panelSteps(features: Features, status: Service["status"], step: MakeStep): Step[] {
  const offered: [boolean, Step][] = [
    [features.traffic, step("Traffic", "traffic")],
    [features.hardware_health, step("Health", "health")],
    [features.ssh_keys, step("SSH keys", "sshkeys")],
    [features.rescue && status === "active", step("Rescue…", "rescue")],
  ];
  return offered.filter(([fits]) => fits).map(([, one]) => one);
}
