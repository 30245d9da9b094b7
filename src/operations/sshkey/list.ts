import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { sshKey } from "./sshkey.ts";

export const list = defineOperation({
  command: "sshkey list",
  summary: "List the stored SSH keys",
  act: listSshKeys,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or fingerprint" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "text",
  async run(call) {
    const answer = await listAnswer(call, {
      kind: sshKey,
      command: "sshkey list",
      open: "sshkey show",
      many: "SSH keys",
      mark: () => ":key:",
    });
    return { ...answer, next: [...(answer.next ?? []), { label: "Add a key…", command: "sshkey add" }] };
  },
});
