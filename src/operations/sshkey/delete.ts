import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { deleteSshKey, listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { maybeGone, present } from "../gone.ts";
import { sshKey } from "./sshkey.ts";

export const remove = defineOperation({
  command: "sshkey delete",
  summary: "Delete a stored SSH key; servers that accept it already keep doing so",
  act: deleteSshKey,
  reads: [listSshKeys],
  risk: "destroy",
  verb: "Delete SSH key",
  target: maybeGone(sshKey),
  input: z.object({}),
  async review({ target }) {
    const { name, fingerprint, created_at: created } = present(target, "SSH key");
    return {
      consequence: `${code(name)} is no longer stored: servers that are ordered or reinstalled from then on do not accept it. Where it is accepted already, it must be taken off on the server itself.`,
      preconditions: {
        key: nameIs("Key", name),
        fingerprint: {
          value: fingerprint ?? null,
          label: "Fingerprint",
          text: fingerprint ? code(fingerprint) : "not told",
        },
      },
      shown: created ? [{ label: "Added", value: moment(created) }] : [],
      before: name,
    };
  },
  async run({ client, target }) {
    const { name } = present(target, "SSH key");
    await deleteSshKey(client, target.id);
    return { text: `The SSH key ${code(name)} is deleted. To have it back, add it again.` };
  },
  async reconcile({ target }) {
    if (target.row === null) return { is: "done", text: "the SSH key is no longer stored." };
    return { is: "not done", text: "the SSH key is still stored." };
  },
});
