import * as z from "zod";
import type { Answer, Json, Progress } from "../../../operation/answer.ts";
import type { CallContext } from "../../../operation/call-context.ts";
import { defineOperation } from "../../../operation/define.ts";
import { type Capabilities, listOsTemplates, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { kindSection, readDocument, type ServiceDocument } from "../../../platform/reseller/document.ts";
import { type Reinstalled, reinstallService, resetServicePassword } from "../../../platform/reseller/reinstall.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine, prose } from "../../../views/text.ts";
import { type Installation, installationIn } from "../../kits/installation.ts";
import { newPassword } from "../../kits/password.ts";
import { nameOf, requireControl, resoldService, showStep, soldPreconditions, soldWords } from "./service.ts";

/**
 * The installation's state. The spec does not show its place in the document, so any matching field counts. Null where none has a known
 * word. Reseller spec section 2.4.
 */
function installationOf(document: ServiceDocument): Installation | null {
  return installationIn(textsUnder(/^os_?installation/i, kindSection(document).rest, false));
}

function textsUnder(name: RegExp, value: unknown, within: boolean): string[] {
  if (typeof value === "string") return within ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsUnder(name, inner, within || name.test(key)));
}

/** The fields that change when an installation begins, for comparison after a lost answer. */
async function installationTrace(client: ResellerClient, id: string): Promise<Json> {
  const document = await readDocument(client, id);
  return {
    status: document.service.status,
    installation: installationOf(document),
    system: document.service.osImage?.name ?? null,
  };
}

/** Milliseconds. Right after it accepts an installation, the platform may still show the previous one. */
const settledAfter = 30_000;

/** The progress of an installation, `elapsed` milliseconds after the platform accepted it. */
async function installationProgress(client: ResellerClient, id: string, elapsed: number): Promise<Progress> {
  const document = await readDocument(client, id);
  const { hostname, status } = document.service;
  const name = code(hostname || id);
  const next = [showStep(id)];
  const installation = installationOf(document);
  if (status === "provisioning_failed" || installation === "failed")
    return {
      state: "failed",
      text: `The installation of ${name} failed. Its disks are erased. Try again, or choose another system.`,
      next: [...next, { label: "Reinstall…", command: "reseller service reinstall", target: id }],
    };
  if (status === "installing" || installation === "in_progress" || elapsed < settledAfter)
    return { state: "working", text: `Reinstalling ${name}.` };
  if (installation === "completed") return { state: "done", text: `${name} is reinstalled.`, next };
  return {
    state: "done",
    endUnknown: true,
    text: `The platform accepted the installation of ${name}. The platform does not show when it has ended.`,
    next,
  };
}

/** A dedicated server ignores a sent password and makes its own. Reseller spec section 4.3. */
async function ownPassword({ client, target }: CallContext<"reseller"> & { target: Service }) {
  const { backend } = await readCapabilities(client, target.serviceId);
  return backend === "dedicated" ? { password: "The server makes its own root password. You get it once." } : {};
}

export const reinstall = defineOperation({
  command: "reseller service reinstall",
  synonyms: ["rebuild", "wipe", "format"],
  summary: "Erase a resold service and install a system; a dedicated server makes its own password",
  act: reinstallService,
  reads: [listOsTemplates, readCapabilities, readDocument, readService],
  risk: "destroy",
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
  unasked: ownPassword,
  typed: ["system"],
  choices: { system: ({ client, target }) => systemChoices(client, target) },
  usable: async ({ client, target }) => void (await requireControl(client, target, "reinstall")),
  async review(call) {
    const { client, target, input } = call;
    const system = (await systemChoices(client, target)).find(({ value }) => value === input.system);
    return {
      press: `Erase ${oneLine(nameOf(target))}`,
      back: `Keep ${oneLine(nameOf(target))} as it is`,
      consequence: `This erases all data on the disks of ${soldWords(target)}. This cannot be undone.`,
      preconditions: {
        system: {
          value: system?.label ?? null,
          label: "New system",
          text: system ? prose(system.label, 100) : `${code(input.system)}, which is in no list`,
        },
        ...soldPreconditions(target),
      },
      shown: Object.values(await ownPassword(call)).map((value) => ({ label: "New root password", value })),
      before: await installationTrace(client, target.serviceId),
    };
  },
  async run({ client, target, input }) {
    const { password, system: osTemplate } = input;
    const done = await reinstallService(client, target.serviceId, { osTemplate, ...(password ? { password } : {}) });
    return installing(target, done, password, `Reinstalling ${code(nameOf(target))}.`);
  },
  async reconcile({ client, target }, { before }) {
    return begun(before, await installationTrace(client, target.serviceId));
  },
  follow: {
    every: 15_000,
    deadline: 3 * 60 * 60_000,
    handle: z.object({}),
    poll: ({ client, targetId, since, now }): Promise<Progress> => installationProgress(client, targetId, now - since),
  },
});

/** The platform lists no systems for an upstream service, so the member types the provider's name. Reseller spec sections 2.4 and 4.3. */
async function systemChoices(client: ResellerClient, row: Service) {
  const { backend } = await readCapabilities(client, row.serviceId);
  if (backend === "upstream" || backend === null) return [];
  const { templates } = await listOsTemplates(client, row.serviceId);
  return templates.map(({ id, name }) => ({ value: backend === "plugin" ? name : id, label: name }));
}

/** The answer to a started installation. A password that the server made goes to the requester only; the one that was sent is not repeated. */
function installing(row: Service, done: Reinstalled, sent: string | undefined, text: string): Answer {
  const { method, secrets } = done;
  const password = done.password === sent ? null : done.password;
  const manual = method === "manual" ? " The platform's staff install it by hand, which may take hours." : "";
  const made = password === null ? "" : " The server made its own root password. Only the requester can open it, once.";
  return {
    text: `${text}${made}${manual}`,
    handle: {},
    next: [showStep(row.serviceId)],
    secrets: [
      ...(password === null ? [] : [{ label: `Root password of ${nameOf(row)}`, value: password }]),
      ...secrets.map(({ name, value }) => ({ label: name, value })),
    ],
  };
}

/** Checks the outcome after a lost answer: the installation began if its trace differs from `before`. */
function begun(before: Json, now: Json) {
  if (JSON.stringify(before) !== JSON.stringify(now))
    return {
      is: "done" as const,
      text: "the installation's state changed. The platform does not show a password again that the server made. Set a new one.",
      handle: {},
    };
  return { is: "unsure" as const, text: "The installation's state did not change." };
}

export const password = defineOperation({
  command: "reseller service password",
  group: "access",
  synonyms: ["passwd"],
  summary: "Set a new root password; on a dedicated server, this erases and reinstalls the server",
  act: resetServicePassword,
  reads: [readCapabilities, readDocument, readService],
  risk: "destroy",
  verb: "Reset password of",
  target: resoldService,
  input: z.object({ password: newPassword.optional() }),
  unasked: ownPassword,
  usable: async ({ client, target }) => void (await requireControl(client, target, "password")),
  async review({ client, target }) {
    const can = await readCapabilities(client, target.serviceId);
    const name = oneLine(nameOf(target));
    return {
      press: can.backend === "dedicated" ? `Erase ${name} for a new password` : `Reset password of ${name}`,
      back: `Keep password of ${name}`,
      consequence: consequenceOf(can, target),
      preconditions: {
        ...soldPreconditions(target),
        backend: {
          value: can.backend,
          label: "Runs on",
          text: can.backend === null ? "no reachable platform" : backends[can.backend],
        },
      },
      before: can.backend === "dedicated" ? await installationTrace(client, target.serviceId) : null,
    };
  },
  async run({ client, target, input }) {
    const { password: sent } = input;
    const done = await resetServicePassword(
      client,
      target.serviceId,
      sent === undefined ? undefined : { password: sent },
    );
    const name = code(nameOf(target));
    if (sent === undefined) return installing(target, done, sent, `Reinstalling ${name} for its new password.`);
    return {
      ...installing(
        target,
        done,
        sent,
        `The platform accepted the new password of ${name}. The password works within minutes.`,
      ),
      handle: null,
      next: [showStep(target.serviceId)],
    };
  },
  async reconcile({ client, target }, { before }) {
    if (before === null) return { is: "unsure", text: "The platform does not show if the password changed." };
    return begun(before, await installationTrace(client, target.serviceId));
  },
  follow: {
    every: 15_000,
    deadline: 3 * 60 * 60_000,
    handle: z.object({}),
    poll: ({ client, targetId, since, now }) => installationProgress(client, targetId, now - since),
  },
});

const backends = {
  vps: "a VPS of the platform's own",
  dedicated: "a dedicated server",
  upstream: "an upstream provider",
  plugin: "a provider's plugin",
};

function consequenceOf({ backend }: Capabilities, row: Service): string {
  if (backend === "dedicated")
    return `This reinstalls ${soldWords(row)} and erases all data on its disks. The server makes its own password. This cannot be undone.`;
  return `This replaces the password of ${soldWords(row)}. The present password no longer opens new sessions.`;
}
