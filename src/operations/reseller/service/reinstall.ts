import * as z from "#zod";
import type { Json, Progress, Reconciled, TrackedAnswer } from "../../../operation/answer.ts";
import type { CallContext } from "../../../operation/call-context.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { PollCall } from "../../../operation/operation.ts";
import { type Capabilities, listOsTemplates, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { kindSection, readDocument, type ServiceDocument } from "../../../platform/reseller/document.ts";
import { type Reinstalled, reinstallService, resetServicePassword } from "../../../platform/reseller/reinstall.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { listServerSshKeys } from "../../../platform/reseller/ssh-keys.ts";
import { readStats } from "../../../platform/reseller/stats.ts";
import { plainly } from "../../../process/plain-text.ts";
import { labelledSecrets } from "../../../process/secret-parts.ts";
import { code, oneLine } from "../../../views/text.ts";
import {
  acceptedPassword,
  begunIf,
  handleAfter,
  type InstallationHandle,
  installationIn,
  installationPace,
  installationProgress,
  longestUnshownMs,
  newPassword,
  passwordCommon,
  passwordEffects,
  passwordNeedsRunning,
  rebuildingPasswordEffects,
  reinstallCommon,
  systemIs,
} from "../../kits/reinstall.ts";
import { authorisedBy, perhapsAuthorised } from "../../kits/ssh-keys.ts";
import { stateIn } from "./lifecycle.ts";
import { unread } from "./losses.ts";
import { storedKeys } from "./server.ts";
import { requireControl, resoldService, showStep, soldName, soldPreconditions, soldWords } from "./service.ts";

/**
 * The installation's state. The spec does not show its place in the document, so any matching field counts. Reseller spec section 2.4.
 */
function installationOf(document: ServiceDocument): string | null {
  return installationIn(textsUnder(/^os_?installation/i, kindSection(document).rest, false));
}

function textsUnder(name: RegExp, value: unknown, within: boolean): string[] {
  if (typeof value === "string") return within ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsUnder(name, inner, within || name.test(key)));
}

/** The fields that change when an installation begins, for comparison after a lost answer. */
async function installationTrace(client: ResellerClient, id: string) {
  const document = await readDocument(client, id);
  return {
    status: document.service.status,
    installation: installationOf(document),
    system: document.service.osImage?.name ?? null,
  };
}

const follow = {
  ...installationPace,
  async poll({ client, targetId, since, now }: PollCall<"reseller">, handle: InstallationHandle): Promise<Progress> {
    const document = await readDocument(client, targetId);
    const { hostname, status } = document.service;
    const machine = { name: code(hostname || targetId), status, installation: installationOf(document) };
    return installationProgress(machine, handle, {
      elapsed: now - since,
      unshownMs: longestUnshownMs[document.kind === "dedicated" ? "dedicated" : "vps"],
      show: showStep(targetId),
      again: { label: "Reinstall…", command: "reseller service reinstall", target: targetId },
    });
  },
};

/** The outcome of an installation whose answer was lost. */
async function begun(client: ResellerClient, { serviceId }: Service, before: Json): Promise<Reconciled> {
  return begunIf(
    before,
    await installationTrace(client, serviceId),
    "the installation's state changed. The platform does not show a password again that the server made. Set a new one.",
    "The installation's state did not change.",
  );
}

/** A dedicated server ignores a sent password and makes its own. Reseller spec section 4.3. */
const ownPassword = "The server makes its own root password. You get it once.";

async function withoutPassword({ client, target }: CallContext<"reseller"> & { target: Service }) {
  const { backend } = await readCapabilities(client, target.serviceId);
  return backend === "dedicated" ? { password: ownPassword } : {};
}

export const reinstall = defineOperation({
  ...reinstallCommon,
  command: "reseller service reinstall",
  summary: "Erase a resold service and install a system; a dedicated server makes its own password",
  example: '/reseller service reinstall web-2 system="Debian 13"',
  act: reinstallService,
  reads: [listOsTemplates, readCapabilities, readDocument, listServerSshKeys],
  verb: "Reinstall",
  target: resoldService,
  backupFirst: "reseller service capture",
  input: z.object({
    system: z.string().min(1).max(255).meta({
      title: "System",
      description: "A system that the platform offers; for an upstream service, the provider's name of the system",
    }),
    password: newPassword.optional(),
  }),
  unasked: withoutPassword,
  typed: ["system"],
  choices: {
    system: async ({ client, target }) =>
      systemChoices(client, target, await readCapabilities(client, target.serviceId)),
  },
  usable: ({ client, target }) => requireControl(client, target, "reinstall"),
  async review({ client, target, input }) {
    const can = await readCapabilities(client, target.serviceId);
    const systems = await systemChoices(client, target, can);
    const lead = "Every SSH key that is stored for the server will be authorised on it.";
    const keys = can.backend === "dedicated" ? authorisedBy(lead, await storedKeys(client, target)) : null;
    const system = systems.find(({ value }) => value === input.system);
    return {
      press: plainly`Erase ${soldName(target)}`,
      back: plainly`Keep ${soldName(target)} as it is`,
      consequence: `This will erase all data on the disks of ${soldWords(target)}. This cannot be undone.`,
      preconditions: {
        system: systemIs(system?.label, input.system, { unlisted: "in no list", listed: systems.length }),
        ...soldPreconditions(target),
        ...keys?.preconditions,
      },
      warnings: keys === null ? [] : [keys.warning],
      shown: can.backend === "dedicated" ? [{ label: "New root password", value: ownPassword }] : [],
      before: await installationTrace(client, target.serviceId),
    };
  },
  async run({ client, target, input, name }, before) {
    const { password, system: osTemplate } = input;
    const done = await reinstallService(client, target.serviceId, { osTemplate, ...(password ? { password } : {}) });
    return installing(target, done, { sent: password, before, text: `Reinstalling ${name}.` });
  },
  reconcile: ({ client, target }, { before }) => begun(client, target, before),
  follow,
});

/** The platform lists no systems for an upstream service, so the member types the provider's name. Reseller spec sections 2.4 and 4.3. */
async function systemChoices(client: ResellerClient, row: Service, { backend }: Capabilities) {
  if (backend === "upstream" || backend === null) return [];
  const { templates } = await listOsTemplates(client, row.serviceId);
  return templates.map(({ id, name }) => ({ value: backend === "plugin" ? name : id, label: name }));
}

/** The answer to a started installation. A password that the server made goes to the requester only; the one that was sent is not repeated. */
function installing(
  row: Service,
  done: Reinstalled,
  { sent, before, text }: { sent: string | undefined; before: Json; text: string },
): TrackedAnswer<InstallationHandle> {
  const { method, secrets } = done;
  const password = done.password === sent ? null : done.password;
  const manual = method === "manual" ? " The platform's staff install it by hand, which may take hours." : "";
  const made =
    password === null
      ? ""
      : " The server made its own root password. It is in the requester's direct messages with me.";
  return {
    text: `${text}${made}${manual}`,
    handle: handleAfter(before),
    next: [showStep(row.serviceId)],
    secrets: [
      ...(password === null ? [] : [{ label: plainly`Root password of ${soldName(row)}`, value: password }]),
      ...labelledSecrets(secrets),
    ],
  };
}

export const password = defineOperation({
  ...passwordCommon,
  command: "reseller service password",
  summary: "Set a new root password; on a dedicated server, this erases and reinstalls the server",
  example: "/reseller service password web-2",
  act: resetServicePassword,
  reads: [readCapabilities, readDocument, listServerSshKeys, readStats],
  risk: "destroy",
  effects: ({ before }) => (before === null ? passwordEffects : rebuildingPasswordEffects),
  target: resoldService,
  input: z.object({ password: newPassword.optional() }),
  unasked: withoutPassword,
  async usable({ client, target, name }) {
    await requireControl(client, target, "password");
    // The platform answers 409 for a stopped VPS (reseller spec section 7). Statistics that cannot be read prove nothing.
    const stats = await readStats(client, target.serviceId).catch(unread);
    if (stats?.of !== "vps" || stateIn(stats) !== "stopped") return;
    throw passwordNeedsRunning(`${name} is stopped`, { command: "reseller service start", target: target.serviceId });
  },
  async review({ client, target }) {
    const can = await readCapabilities(client, target.serviceId);
    const keys = can.backend === "dedicated" ? perhapsAuthorised(await storedKeys(client, target)) : null;
    const name = oneLine(soldName(target));
    return {
      press:
        can.backend === "dedicated" ? plainly`Erase ${name} for a new password` : plainly`Reset password of ${name}`,
      back: plainly`Keep password of ${name}`,
      consequence: consequenceOf(can, target),
      preconditions: {
        ...soldPreconditions(target),
        ...keys,
        backend: {
          value: can.backend,
          label: "Runs on",
          text: can.backend === null ? "no reachable platform" : backends[can.backend],
        },
      },
      before: can.backend === "dedicated" ? await installationTrace(client, target.serviceId) : null,
    };
  },
  async run({ client, target, input: { password: sent }, name }, before) {
    const body = sent === undefined ? undefined : { password: sent };
    const done = await resetServicePassword(client, target.serviceId, body);
    if (sent === undefined)
      return installing(target, done, {
        sent,
        before,
        text: `Reinstalling ${name} for its new password. The old one has ended.`,
      });
    return { ...installing(target, done, { sent, before, text: acceptedPassword(name) }), handle: null };
  },
  async reconcile({ client, target }, { before }) {
    if (before === null) return { is: "unsure", text: "The platform does not show if the password changed." };
    return begun(client, target, before);
  },
  follow,
});

const backends = {
  vps: "a VPS of the platform's own",
  dedicated: "a dedicated server",
  upstream: "an upstream provider",
  plugin: "a provider's plugin",
};

function consequenceOf({ backend }: Capabilities, row: Service): string {
  if (backend === "dedicated")
    return `This will reinstall ${soldWords(row)} and erase all data on its disks. This cannot be undone.`;
  return `This will set a new root password on ${soldWords(row)}.`;
}
