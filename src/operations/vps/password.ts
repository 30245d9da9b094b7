import * as z from "zod";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import { readVps, resetVpsPassword } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { requireUsable, stateOf, vps } from "./vps.ts";

/** A root password, typed in a form or generated and shown once. Spec section 2.8: at least 8 characters. */
export const newPassword = z
  .string()
  .min(8)
  .max(128)
  .meta({ title: "New root password", format: "password", writeOnly: true, description: "At least 8 characters." });

export const password = defineOperation({
  command: "vps password",
  summary: "Set a new root password; the VPS must be running",
  act: resetVpsPassword,
  reads: [readVps],
  risk: "change",
  verb: "New password",
  target: vps,
  input: z.object({ password: newPassword }),
  usable({ target }) {
    requireUsable(target, "password_reset");
    // An outside provider's machine may accept a password in any state.
    if (target.instance?.state === "running" || target.capabilities?.provider_dependent) return;
    throw new Refusal(
      `${code(target.name)} is ${stateOf(target)}, and a password can be set only while it runs. Nothing was sent.`,
      [{ label: "Start", command: "vps start", target: target.id, style: "primary" }],
    );
  },
  async run({ client, target, input }) {
    const { available, user } = await resetVpsPassword(client, target.id, { password: input.password });
    const whose = user ? ` of ${code(user)}` : "";
    const when = available ? "It holds now." : "The machine takes it over within a minute.";
    return {
      text: `The password${whose} on ${code(target.name)} is set anew. ${when}`,
      next: [{ label: "Show", command: "vps show", target: target.id }],
    };
  },
  reconcile: unsure("The platform does not show which password is set. Set a new one."),
});
