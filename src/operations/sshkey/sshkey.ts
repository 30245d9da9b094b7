import type { Fact } from "../../operation/answer.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listSshKeys, type SshKey } from "../../platform/customer/ssh-keys.ts";
import { pageFrom } from "../../platform/http/pages.ts";
import { code, count } from "../../views/text.ts";
import { NotListed } from "../gone.ts";

/** The account's SSH keys; the platform has no page for one key. */
export const sshKey: TargetKind<"customer", SshKey> = {
  noun: "sshkey",
  label: "SSH key",
  foundBy: "name, fingerprint",
  inProjects: true,
  pageSize: 200,
  list: async (client, query) => pageFrom(await listSshKeys(client), query),
  async read(client, id) {
    const found = (await listSshKeys(client)).find((key) => key.id === id);
    if (!found) throw new NotListed("That SSH key is not stored, or your key cannot see it.", "Nothing changed.");
    return found;
  },
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: row.fingerprint ? [row.fingerprint] : [],
    state: "stored",
    project: "",
    detail: row.fingerprint ?? "",
    columns: { Fingerprint: row.fingerprint ?? "", Added: row.created_at ? { at: row.created_at } : "" },
  }),
};

const named = 5;

/** The keys that a reinstalled server will accept: all keys of the account, in any project (spec section 4.7). */
export async function authorisedKeys(client: CustomerClient): Promise<Fact> {
  const keys = await listSshKeys(client.in(null));
  const names = keys.slice(0, named).map(({ name }) => code(name, 60));
  const more = keys.length > named ? [`and ${keys.length - named} more`] : [];
  const listed =
    keys.length > 0 ? `${count(keys.length, "key")}: ${[...names, ...more].join(", ")}.` : "None that you can see.";
  return { label: "Authorised keys", value: `Every SSH key of the account is authorised for root. ${listed}` };
}
