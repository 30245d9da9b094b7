import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import { type Capabilities, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import { readDocument } from "../../../platform/reseller/document.ts";
import { resetServicePassword } from "../../../platform/reseller/reinstall.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { requireControl } from "./capable.ts";
import { installationProgress, installationTrace } from "./installation.ts";
import { begun, installing, optionalPassword } from "./reinstall.ts";
import { nameOf, resoldService, showStep, soldPreconditions, soldWords } from "./service.ts";

export const password = defineOperation({
  command: "reseller service password",
  summary: "Set a new root password; a dedicated server is erased and built anew for it",
  act: resetServicePassword,
  reads: [readCapabilities, readDocument, readService],
  risk: "destroy",
  verb: "New password",
  target: resoldService,
  input: z.object({
    password: optionalPassword.meta({
      title: "New root password",
      writeOnly: true,
      description:
        "At least 8 characters, for a VPS or a provider's service; a dedicated server makes its own. Slack does not hide what is typed here.",
    }),
  }),
  usable: async ({ client, target }) => void (await requireControl(client, target, "password")),
  async review({ client, target, input }) {
    const can = await readCapabilities(client, target.serviceId);
    if ((can.backend === "vps" || can.backend === "plugin") && input.password === undefined)
      throw new InputError([{ field: "password", message: "New root password: at least 8 characters are needed." }]);
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
          text: can.backend === null ? "nothing that can be reached" : backends[can.backend],
        },
      },
      before: can.backend === "dedicated" ? await installationTrace(client, target.serviceId) : null,
    };
  },
  async run({ client, target, input }) {
    const body = input.password === undefined ? undefined : { password: input.password };
    const done = await resetServicePassword(client, target.serviceId, body);
    const name = code(nameOf(target));
    // Only a server that is rebuilt generates its own password.
    if (done.password !== null) return installing(target, done, `Building ${name} anew for its new password.`);
    return {
      ...installing(target, done, `The platform took the new password of ${name}. It holds within minutes.`),
      handle: null,
      next: [showStep(target.serviceId)],
    };
  },
  async reconcile({ client, target }, { before }) {
    if (before === null) return { is: "unsure", text: "The platform does not tell whether a password was changed." };
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
  upstream: "an upstream supplier",
  plugin: "a provider's plugin",
};

function consequenceOf({ backend }: Capabilities, row: Service): string {
  if (backend === "dedicated")
    return `${soldWords(row)} is built anew for it: everything on its disks is erased, and it makes a password of its own. This cannot be undone.`;
  return `The password of ${soldWords(row)} is replaced: whoever knows the present one is locked out of new sessions.`;
}
