import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readService, resetServicePassword } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code, oneLine } from "../../views/text.ts";
import { newPassword, password as vpsPassword } from "../vps/password.ts";
import { askProvider } from "./provider.ts";
import { kindOf, machine, nameOf, stateOf } from "./service.ts";

export const password = defineOperation({
  command: "service password",
  summary: "Set a new root password; on a dedicated server this may rebuild it, so that it asks first",
  act: resetServicePassword,
  reads: [readService, readVps],
  // As with `/dedicated password`: only for a VPS is it certain that a new password erases nothing.
  risk: { usual: "change", of: ({ target }) => (target.service.serviceType === "vps" ? "change" : "destroy") },
  verb: "New password",
  target: machine,
  input: z.object({ password: newPassword }),
  async usable(call) {
    const { id, serviceType } = call.target.service;
    if (serviceType === "vps") await vpsPassword.bind(call).usable(id);
  },
  review: async ({ target: { service: row } }) => ({
    press: `Reset password of ${oneLine(nameOf(row))}`,
    back: `Keep password of ${oneLine(nameOf(row))}`,
    consequence: `A new password may rebuild ${code(nameOf(row))} with its present system: everything on its disks would be erased, and this cannot be undone. Where the server is not managed that way, only the kept password changes.`,
    preconditions: { kind: { value: row.serviceType, label: "Kind", text: kindOf(row) } },
    shown: [{ label: "State", value: stateOf(row) }],
  }),
  async run({ client, target: { service: row }, input }) {
    await askProvider(row, "password", () => resetServicePassword(client, row.id, { password: input.password }));
    return {
      text: `The new password of ${code(nameOf(row))} was taken. It may need a minute to hold.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  reconcile: async () => ({ is: "unsure", text: "The platform does not tell when a password was set." }),
});
