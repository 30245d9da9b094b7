import * as z from "#zod";
import { unsure } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { endWords } from "../../operation/interrupts.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { dedicatedParts } from "../../platform/customer/dedicated.ts";
import { readService, reinstallService, resetServicePassword, type Service } from "../../platform/customer/services.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { listVpsImages, readVps } from "../../platform/customer/vps.ts";
import { plainly } from "../../process/plain-text.ts";
import { code } from "../../views/text.ts";
import { listDedicatedImages } from "../dedicated/reinstall.ts";
import {
  acceptedPassword,
  handleAfter,
  InstallationHandle,
  newPassword,
  passwordCommon,
  passwordEffects,
  rebuildingPassword,
  rebuildingPasswordEffects,
  rebuildLoss,
  reinstallCommon,
} from "../kits/reinstall.ts";
import { authorisedKeys, orderedAccess, rebuiltKeys } from "../sshkey.ts";
import { password as vpsPassword, reinstall as vpsReinstall, vpsTrace } from "../vps/reinstall.ts";
import { askProvider } from "./provider.ts";
import { actOf, captureOf, kindOf, machine, requireLive, serviceName, serviceState } from "./service.ts";

export const reinstall = defineOperation({
  ...reinstallCommon,
  command: "service reinstall",
  summary: "Erase a service's disk and install an operating system",
  example: '/service reinstall web-2 image="Debian 13"',
  act: reinstallService,
  reads: [readService, listVpsImages, dedicatedParts["os-images"], readVps, listSshKeys],
  target: machine,
  async usable(call) {
    const { id, serviceType } = call.target.service;
    if (serviceType === "vps") await vpsReinstall.look(call).usable(id);
    else requireLive(call.target);
  },
  backupFirst: captureOf,
  input: z
    .object({
      image: z.string().optional().meta({ title: "Operating system", description: "The systems that its plan offers" }),
      template: z
        .string()
        .max(200)
        .optional()
        .meta({ title: "Template", description: "Instead of a system: an outside provider's own name for one" }),
      password: newPassword,
    })
    .refine(({ image, template }) => (image === undefined) !== (template === undefined), {
      path: ["image"],
      message: "choose a system, or name a template, and not both.",
    }),
  typed: ["image"],
  choices: { image: ({ client, target }) => imagesFor(client, target.service) },
  async review(call) {
    const { client, target, input, name } = call;
    const { service: row } = target;
    if (row.serviceType === "vps" && input.image !== undefined)
      return (await actOf(vpsReinstall, call, { image: input.image, password: input.password })).review();
    const image = (await imagesFor(client, row)).find(({ value }) => value === input.image);
    const keys = await authorisedKeys(client);
    const system = image?.label ?? input.template ?? input.image ?? "";
    return {
      press: plainly`Erase ${serviceName(row)}`,
      consequence: `This will erase everything on the disks of ${name}, and install ${code(system)}. This cannot be undone.`,
      preconditions: { system: nameIs("New system", system), ...keys.preconditions },
      warnings: [keys.warning],
      shown: [
        { label: "State", value: serviceState(row) },
        ...(row.serviceType === "dedicated" ? [] : [orderedAccess]),
      ],
      before: await readTrace(client, row),
    };
  },
  async run({ client, target: { service: row }, input, name }) {
    const { image, template, password } = input;
    const system = template === undefined ? { image_id: image ?? "" } : { template };
    const before = await readTrace(client, row);
    await askProvider(row, "reinstall", () => reinstallService(client, row.id, { ...system, password }));
    if (row.serviceType === "vps") return { text: `Reinstalling ${name}.`, handle: handleAfter(before) };
    return {
      text: `Reinstalling ${name}. This takes some minutes.`,
      endUnknown: true,
      next: [{ label: "Show", command: "service show", target: row.id }],
      handle: null,
    };
  },
  async reconcile(call, { before, since }) {
    const { service: row } = call.target;
    if (row.serviceType !== "vps")
      return { is: "unsure", text: "The platform does not show clearly whether the service is being installed." };
    const { image = "", password } = call.input;
    return (await actOf(vpsReinstall, call, { image, password })).reconcile(before, since);
  },
  follow: {
    every: 5_000,
    deadline: 60 * 60_000,
    handle: InstallationHandle,
    poll: (call, handle) => vpsReinstall.look(call).poll(call, handle),
  },
});

/** The states before an installation, which only a VPS has. */
async function readTrace(client: CustomerClient, { serviceType, id }: Service) {
  return serviceType === "vps" ? vpsTrace(await readVps(client, id)) : null;
}

/** The images for this kind of service; empty for kinds without a list. */
async function imagesFor(client: CustomerClient, row: Service): Promise<Choice[]> {
  if (row.serviceType === "vps")
    return (await listVpsImages(client, row.id)).map(({ id, name }) => ({ value: id, label: name }));
  if (row.serviceType === "dedicated") return listDedicatedImages(client, row.id);
  return [];
}

export const password = defineOperation({
  ...passwordCommon,
  command: "service password",
  summary: "Set a new root password; on a dedicated server this may erase and rebuild the server",
  example: "/service password web-2",
  act: resetServicePassword,
  reads: [readService, readVps, listSshKeys],
  // As with `/dedicated password`: only for a VPS is it certain that a new password erases nothing.
  risk: { usual: "change", of: ({ target }) => (target.service.serviceType === "vps" ? "change" : "destroy") },
  effects: ({ target }) => (target.service.serviceType === "vps" ? passwordEffects : rebuildingPasswordEffects),
  replaces: ({ target }) => (target.service.serviceType === "vps" ? passwordCommon.replaces : rebuildingPassword),
  target: machine,
  input: z.object({ password: newPassword }),
  async usable(call) {
    const { id, serviceType } = call.target.service;
    if (serviceType === "vps") await vpsPassword.look(call).usable(id);
    else requireLive(call.target);
  },
  async review({ client, target: { service: row }, name }) {
    const keys = row.serviceType === "vps" ? null : await rebuiltKeys(client);
    return {
      press: plainly`Reset password of ${serviceName(row)}`,
      back: plainly`Keep password of ${serviceName(row)}`,
      consequence: keys === null ? `This will set a new root password on ${name}.` : rebuildLoss(name),
      preconditions: { kind: { value: row.serviceType, label: "Kind", text: kindOf(row) }, ...keys },
      shown: [{ label: "State", value: serviceState(row) }],
    };
  },
  async run({ client, target: { service: row }, input, name }) {
    await askProvider(row, "password", () => resetServicePassword(client, row.id, { password: input.password }));
    return {
      text:
        row.serviceType === "vps"
          ? acceptedPassword(name)
          : `${acceptedPassword(name)} ${endWords(rebuildingPassword)}`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  reconcile: unsure("The platform does not show when a password was set."),
});
