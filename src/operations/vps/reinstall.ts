import * as z from "#zod";
import { type Progress, unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { listVpsImages, readVps, reinstallVps, resetVpsPassword, type Vps } from "../../platform/customer/vps.ts";
import { plainly } from "../../process/plain-text.ts";
import { code, prose } from "../../views/text.ts";
import { powerSteps } from "../kits/power.ts";
import {
  acceptedPassword,
  begunIf,
  handleAfter,
  InstallationHandle,
  longestUnshownMs,
  newPassword,
  passwordCommon,
  passwordNeedsRunning,
  reinstallCommon,
  stageOf,
  systemIs,
  unshownEnd,
} from "../kits/reinstall.ts";
import { machineTakes } from "../kits/service-states.ts";
import { authorisedKeys, orderedAccess } from "../sshkey.ts";
import { vpsPower } from "./power.ts";
import { diskIs, diskOf, isInState, loginLine, requireUsable, vps, vpsState } from "./vps.ts";

export const password = defineOperation({
  ...passwordCommon,
  command: "vps password",
  summary: "Set a new root password; the VPS must be running",
  example: "/vps password web-2",
  act: resetVpsPassword,
  risk: "change",
  target: vps,
  input: z.object({ password: newPassword }),
  usable({ target, name }) {
    requireUsable(target, "password_reset");
    // An outside provider's machine may accept a password in any state, and one in a state that no spec lists may run.
    const isOff = !["on", null].includes(machineTakes(target.instance?.state));
    if (!isOff || target.capabilities?.provider_dependent) return;
    throw passwordNeedsRunning(`${name} ${isInState(vpsState(target))}`, { command: "vps start", target: target.id });
  },
  async run({ client, target, input, name }) {
    const { available, user } = await resetVpsPassword(client, target.id, { password: input.password });
    const refused = available === false ? " The platform calls it not available: try the login." : "";
    return {
      text: `${acceptedPassword(user ? `${code(user)} on ${name}` : name)}${refused}`,
      next: [{ label: "Show", command: "vps show", target: target.id }],
    };
  },
  reconcile: unsure("The platform does not show which password is set. Set a new one."),
});

export const reinstall = defineOperation({
  ...reinstallCommon,
  command: "vps reinstall",
  summary: "Erase a VPS and install an operating system",
  example: '/vps reinstall web-2 image="Debian 13"',
  act: reinstallVps,
  reads: [listVpsImages, listSshKeys],
  target: vps,
  input: z.object({
    image: z.string().meta({ title: "Operating system", description: "The systems that this VPS's plan offers" }),
    password: newPassword,
  }),
  usable: ({ target }) => requireUsable(target, "reinstall"),
  backupFirst: "vps capture",
  choices: {
    image: async ({ client, target }) =>
      (await listVpsImages(client, target.id)).map(({ id, name, is_default }) => ({
        value: id,
        label: name,
        ...(is_default ? { description: "The plan's default" } : {}),
      })),
  },
  async review({ client, target, input, name }) {
    const images = await listVpsImages(client, target.id);
    const image = images.find(({ id }) => id === input.image);
    const keys = await authorisedKeys(client);
    const present = target.instance?.os;
    return {
      press: plainly`Erase ${target.name}`,
      consequence: `This will erase everything on the disk of ${name} (${diskOf(target)}). This cannot be undone.`,
      preconditions: {
        system: systemIs(image?.name, input.image, { unlisted: "no longer offered", listed: images.length }),
        presentSystem: {
          value: present ?? null,
          label: "Present system",
          text: present ? prose(present, 100) : "unknown",
        },
        disk: diskIs("Disk", target),
        ...keys.preconditions,
      },
      warnings: [keys.warning],
      shown: [{ label: "State", value: vpsState(target) }, orderedAccess],
      before: vpsTrace(target),
    };
  },
  async run({ client, target, input, name }) {
    await reinstallVps(client, target.id, { image_id: input.image, password: input.password });
    return { text: `Reinstalling ${name}.`, handle: handleAfter(vpsTrace(target)) };
  },
  async reconcile({ target, name }, { before }) {
    // No word now and none before: the platform may show the word only while the installation runs (spec section 3.3).
    const same = `The platform shows no new installation on ${name}. Check its system before you try again.`;
    return begunIf(before, vpsTrace(target), "the installation has begun.", same);
  },
  follow: {
    every: 5_000,
    deadline: 60 * 60_000,
    handle: InstallationHandle,
    poll: async ({ client, targetId, since, now }, handle) =>
      progressOf(await readVps(client, targetId), handle, now - since),
  },
});

/** The states that change when an installation begins, to detect after a lost answer that one has. */
export function vpsTrace({ status, os_installation_status: installation, instance }: Vps) {
  return { status, installation, system: instance?.os ?? null };
}

/** The steps of a reinstall that the platform shows (spec section 3.3): it runs, and the machine is back. */
const stages = ["Requested", "Erase the disk and install", "Start the machine"];

/** The progress of a reinstall, `elapsed` milliseconds after the platform accepted it. */
function progressOf(found: Vps, handle: InstallationHandle, elapsed: number): Progress {
  const name = code(found.name);
  const show = { label: "Show", command: "vps show", target: found.id };
  const { status, os_installation_status: installation } = found;
  const stage = stageOf({ status, installation }, handle);
  if (stage === "failed")
    return {
      state: "failed",
      text: `The reinstall of ${name} failed. The data on its disk is lost. Try again, or choose another system.`,
      plan: { stages, at: 1 },
      next: [show, { label: "Reinstall…", command: "vps reinstall", target: found.id }],
    };
  const text = `Reinstalling ${name}; it ${isInState(vpsState(found))}.`;
  if (stage === "running") return { state: "working", text, plan: { stages, at: 1 }, handle: { begun: true } };
  const isUnshown = stage === "unshown";
  const plan = { stages, at: handle.begun ? 1 : 0 };
  if (isUnshown && elapsed < longestUnshownMs.vps) return { state: "working", text: `Reinstalling ${name}.`, plan };
  const power = vpsPower(found);
  if (stage === "completed" && (power.power === "stopped" || power.failed)) return downProgress(found, handle, elapsed);
  // A machine whose earlier installation failed may never run again by itself.
  if (found.instance?.state !== "running" && installation !== "failed")
    return { state: "working", text, plan: { stages, at: 2 } };
  if (isUnshown) {
    const end = `${name} ${isInState(vpsState(found))}. ${unshownEnd(handle, name)}`;
    return { state: "done", endUnknown: true, text: end, plan, next: [show] };
  }
  const way = loginLine(found, "the new root password, or an SSH key of the account or of its order");
  return {
    state: "done",
    text: [`${reinstalled(found)} and running.`, way].join(" ").trim(),
    plan: { stages, at: 2 },
    next: [show],
  };
}

function reinstalled({ name, instance }: Vps): string {
  const system = instance?.os ? ` with ${prose(instance.os, 100)}` : "";
  return `${code(name)} is reinstalled${system}`;
}

/** The installation is complete, and the machine is down: one that nobody starts in two minutes stays so, and the reinstall is over. */
function downProgress(found: Vps, handle: InstallationHandle, elapsed: number): Progress {
  const { power, standing, failed } = vpsPower(found);
  const { downAt = elapsed } = handle;
  const text = `${reinstalled(found)}, and ${standing}.`;
  if (elapsed - downAt <= longestUnshownMs.vps)
    return { state: "working", text, plan: { stages, at: 2 }, handle: { ...handle, downAt } };
  return {
    state: failed ? "failed" : "done",
    text,
    plan: { stages: stages.slice(0, 2), at: 1 },
    next: powerSteps((verb) => `vps ${verb}`, found.id, power),
  };
}
