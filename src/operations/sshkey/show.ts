import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { context, facts, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { sshKey } from "./sshkey.ts";

export const show = defineOperation({
  command: "sshkey show",
  summary: "Show a stored SSH key with its text",
  act: listSshKeys,
  risk: "read",
  target: sshKey,
  input: z.object({}),
  async run({ target }) {
    const { id, name, public_key: text, fingerprint, created_at: added } = target;
    const headline = `The SSH key ${code(name)}${text ? "" : ", whose text the platform does not tell"}.`;
    const rows = [
      ...(text ? [{ label: "Public key", value: code(text, 1_500) }] : []),
      ...(fingerprint ? [{ label: "Fingerprint", value: code(fingerprint) }] : []),
      ...(added ? [{ label: "Added", value: moment(added) }] : []),
    ];
    return {
      text: headline,
      blocks: [section(`:key: ${headline}`), ...facts(rows), context(`SSH key ${code(id)}`)],
      next: [{ label: "Delete…", command: "sshkey delete", target: id }],
    };
  },
});
