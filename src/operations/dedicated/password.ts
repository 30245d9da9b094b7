import * as z from "zod";
import type { Progress } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { readDedicated, resetDedicatedPassword } from "../../platform/customer/dedicated.ts";
import { code, oneLine, prose } from "../../views/text.ts";
import { newPassword } from "../vps/password.ts";
import { dedicated, modelOf, nameOf, stateOf } from "./dedicated.ts";
import { installationOf, installationPace, installationProgress, traceOf } from "./installation.ts";

export const password = defineOperation({
  command: "dedicated password",
  summary: "Set a new root password, which may erase and rebuild the dedicated server",
  act: resetDedicatedPassword,
  reads: [readDedicated],
  risk: "destroy",
  verb: "New password",
  target: dedicated,
  input: z.object({ password: newPassword }),
  async review({ target }) {
    const name = oneLine(nameOf(target));
    return {
      press: `Reset password of ${name}`,
      back: `Keep password of ${name}`,
      consequence: `If provisioning manages ${code(nameOf(target))}, this rebuilds it with its present system and erases everything on its disks; otherwise only the stored password changes. The platform does not tell which of the two it will be.`,
      preconditions: {
        machine: { value: modelOf(target), label: "Machine", text: prose(modelOf(target) ?? "none yet", 100) },
      },
      shown: [
        { label: "State", value: stateOf(target) },
        { label: "Provisioning", value: prose(target.provisioning?.provision_state ?? "not told", 60) },
      ],
      before: traceOf(target),
    };
  },
  async run({ client, target, input }) {
    await resetDedicatedPassword(client, target.id, { password: input.password });
    return { text: `The platform took the new password of ${code(nameOf(target))}.`, handle: {} };
  },
  async reconcile({ target }, { before }) {
    if (JSON.stringify(traceOf(target)) !== JSON.stringify(before))
      return { is: "done", text: "the server is being rebuilt.", handle: {} };
    return { is: "unsure", text: "The platform does not tell whether a password was changed." };
  },
  follow: {
    ...installationPace,
    async poll({ client, targetId, since, now }): Promise<Progress> {
      const found = await readDedicated(client, targetId);
      const installation = installationOf(found);
      if (installation === "in_progress" || installation === "failed") {
        const progress = installationProgress(found, since, now);
        return { ...progress, text: `The new password rebuilds the server. ${progress.text}` };
      }
      return {
        state: "done",
        text: `The new password of ${code(nameOf(found))} is stored, and no installation runs on it.`,
        next: [{ label: "Show", command: "dedicated show", target: targetId }],
      };
    },
  },
});
