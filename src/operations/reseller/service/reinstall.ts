import * as z from "zod";
import type { Answer, Json, Progress } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import { type Capabilities, listOsTemplates, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { readDocument } from "../../../platform/reseller/document.ts";
import { type Reinstalled, reinstallService } from "../../../platform/reseller/reinstall.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine, prose } from "../../../views/text.ts";
import { requireControl } from "./capable.ts";
import { installationProgress, installationTrace } from "./installation.ts";
import { nameOf, resoldService, showStep, soldPreconditions, soldWords } from "./service.ts";

/** An optional root password; the backend decides whether it is needed. The app generates none: a dedicated server makes its own. */
export const optionalPassword = z.string().min(8).max(128).optional();

export const reinstall = defineOperation({
  command: "reseller service reinstall",
  summary: "Erase a service that you sell on and install a system; a dedicated server makes its own password",
  act: reinstallService,
  reads: [listOsTemplates, readCapabilities, readDocument, readService],
  risk: "destroy",
  verb: "Reinstall",
  target: resoldService,
  backupFirst: "reseller service capture",
  input: z.object({
    system: z.string().min(1).max(255).meta({
      title: "System",
      description: "What is offered for it; an upstream service takes its provider's own name of one",
    }),
    password: optionalPassword.meta({
      title: "Root password",
      writeOnly: true,
      description:
        "At least 8 characters, for a VPS or a provider's service; a dedicated server makes its own. Slack does not hide what is typed here.",
    }),
  }),
  typed: ["system"],
  choices: { system: ({ client, target }) => systemChoices(client, target) },
  usable: async ({ client, target }) => void (await requireControl(client, target, "reinstall")),
  async review({ client, target, input }) {
    const [can, offered] = await Promise.all([
      readCapabilities(client, target.serviceId),
      systemChoices(client, target),
    ]);
    requirePassword(can, input.password);
    const system = offered.find(({ value }) => value === input.system);
    return {
      press: `Erase ${oneLine(nameOf(target))}`,
      back: `Keep ${oneLine(nameOf(target))} as it is`,
      consequence: `Everything on the disks of ${soldWords(target)} is erased. This cannot be undone.`,
      preconditions: {
        system: {
          value: system?.label ?? null,
          label: "New system",
          text: system ? prose(system.label, 100) : `${code(input.system)}, which no list names`,
        },
        ...soldPreconditions(target),
      },
      shown: [
        {
          label: "Root password",
          value:
            can.backend === "dedicated" ? "The server makes its own; it is shown to you once." : "As set in the form.",
        },
      ],
      before: await installationTrace(client, target.serviceId),
    };
  },
  async run({ client, target, input }) {
    const { password, system: osTemplate } = input;
    const done = await reinstallService(client, target.serviceId, { osTemplate, ...(password ? { password } : {}) });
    return installing(target, done, `Installing ${code(nameOf(target))} anew.`);
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

/** Reports a missing password in the form, before the platform refuses it. Reseller spec section 4.3. */
function requirePassword({ backend }: Capabilities, password: string | undefined): void {
  if (backend !== "vps" || password !== undefined) return;
  throw new InputError([{ field: "password", message: "Root password: a VPS needs one of 8 characters or more." }]);
}

/** The answer to a started installation. A password that a dedicated server generated goes to the requester only; a typed one is not repeated. */
export function installing(row: Service, done: Reinstalled, text: string): Answer {
  const { password, method, secrets } = done;
  const manual = method === "manual" ? " The supplier installs it by hand, so that it may take hours." : "";
  const made = password === null ? "" : " It made a password of its own, which is shown to who asked, once.";
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
export function begun(before: Json, now: Json) {
  if (JSON.stringify(before) !== JSON.stringify(now))
    return {
      is: "done" as const,
      text: "its installation reads otherwise than before. A password that it made is not told again: set a new one.",
      handle: {},
    };
  return { is: "unsure" as const, text: "Its installation reads as it did before." };
}
