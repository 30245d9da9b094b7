import { Refusal } from "../../../operation/errors.ts";
import { type Capabilities, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { code } from "../../../views/text.ts";
import { nameOf, requireInService, showStep } from "./service.ts";

type Control = "console" | "reinstall" | "password" | "backups";

const words: Record<Control, string> = {
  console: "a console",
  reinstall: "a reinstall",
  password: "a new password",
  backups: "backups",
};

/**
 * The actions of a service, after a check that `control` is among them. It runs before a form opens or anybody approves. Reseller spec
 * sections 2.4 and 4.3.
 */
export async function requireControl(client: ResellerClient, row: Service, control: Control): Promise<Capabilities> {
  requireInService(row);
  const found = await readCapabilities(client, row.serviceId);
  if (found[control]) return found;
  const name = code(nameOf(row));
  const why =
    found.backend === null
      ? `Nothing that can be reached from here runs ${name}`
      : `The supplier's product of ${name} has ${words[control]} switched off, or its kind has none`;
  throw new Refusal(`${why}, so that ${words[control]} cannot be had here. Nothing was sent.`, [
    showStep(row.serviceId),
  ]);
}
