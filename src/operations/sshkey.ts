import * as z from "#zod";
import { everyProject, listFields } from "../messages/answers/list.ts";
import { doneIf, type Fact } from "../operation/answer.ts";
import { defineOperation } from "../operation/define.ts";
import { idFact } from "../operation/identity.ts";
import { nameIs, unshownFact } from "../operation/preconditions.ts";
import { noTarget, type TargetKind } from "../operation/target.ts";
import type { CustomerClient } from "../platform/customer/client.ts";
import { listProjects } from "../platform/customer/projects.ts";
import { addSshKey, deleteSshKey, listSshKeys, type SshKey } from "../platform/customer/ssh-keys.ts";
import { facts } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import { card, showCommon } from "./kits/card.ts";
import { inWholeList, maybeGone, present } from "./kits/gone.ts";
import { listOperation } from "./kits/list.ts";
import { publicKeyField } from "./kits/public-key.ts";
import { authorisedBy, perhapsAuthorised } from "./kits/ssh-keys.ts";
import { namedProject, projectChoices, projectOf } from "./project/project.ts";

/** The account's SSH keys. */
export const sshKey: TargetKind<"customer", SshKey> = {
  noun: "sshkey",
  label: "SSH key",
  foundBy: "name, fingerprint",
  inProjects: true,
  ...inWholeList(listSshKeys, "That SSH key is not stored, or your API key cannot see it."),
  reads: [listSshKeys],
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: row.fingerprint ? [row.fingerprint] : [],
    state: "stored",
    detail: row.fingerprint ?? "",
    columns: { Fingerprint: row.fingerprint ?? "", Added: row.created_at ? { at: row.created_at } : "" },
  }),
  identity: {
    project: "The rows of SSH keys do not name their project.",
    address: "A key has no address.",
    hostname: "A key has no host name.",
    location: "A key is in no place.",
    apart: ({ id }) => [idFact(id)],
  },
};

/** A VPS gets the keys and the user data of its order again at each reinstall (spec section 4.6), and no route shows them. */
export const orderedAccess: Fact = {
  label: "Keys and user data of its order",
  value: "applied again; the platform does not show them",
  decides: "unknown",
};

/** The keys that a reinstalled server will accept: all keys of the account, in any project (spec section 4.7). */
export async function authorisedKeys(client: CustomerClient) {
  return authorisedBy("Every SSH key of the account will be authorised for root.", await listSshKeys(client.in(null)));
}

/** The same keys at a rebuild for a new password, of which the spec leaves it open (section 4.4). */
export async function rebuiltKeys(client: CustomerClient) {
  return perhapsAuthorised(await listSshKeys(client.in(null)));
}

const list = listOperation({
  kind: sshKey,
  command: "sshkey list",
  summary: "List the stored SSH keys",
  example: "/sshkey list laptop",
  act: listSshKeys,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or fingerprint" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  many: "SSH keys",
  mark: () => ":key:",
  more: { label: "Add a key…", command: "sshkey add" },
});

const show = defineOperation({
  ...showCommon,
  command: "sshkey show",
  synonyms: ["info"],
  summary: "Show a stored SSH key with its text",
  example: '/sshkey show "ana laptop"',
  act: listSshKeys,
  target: sshKey,
  async run({ target, name }) {
    const { id, public_key: text, fingerprint, created_at: added } = target;
    const headline = `The SSH key ${name}${text ? "" : " is stored; the platform does not show its text"}.`;
    return card({
      text: headline,
      title: `:key: ${headline}`,
      facts: [
        ["Fingerprint", fingerprint && code(fingerprint)],
        ["Added", added && moment(added)],
      ],
      details: facts(text ? [{ label: "Public key", value: code(text, 1_500) }] : []),
      id: `SSH key ${code(id)}`,
      next: [{ label: "Delete…", command: "sshkey delete", target: id }],
    });
  },
});

const add = defineOperation({
  command: "sshkey add",
  group: "access",
  synonyms: ["create", "new", "register"],
  summary: "Store a public SSH key; every server that is reinstalled later accepts it",
  example:
    '/sshkey add name=office public="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dsrcrF8qT"',
  act: addSshKey,
  reads: [listProjects, listSshKeys],
  risk: "change",
  effects: [],
  verb: "Add SSH key",
  target: noTarget,
  input: z.object({
    name: z.string().trim().min(1).max(255).meta({ title: "Name", description: "Such as Ana's laptop" }),
    // The input is not called "key": that name would be treated as a secret in command text, whose names are lower
    // case.
    public: publicKeyField.meta({
      title: "Public key",
      format: "lines",
      description: "The one line of a file that ends in .pub, such as ~/.ssh/id_ed25519.pub. Never a private key.",
    }),
    project: z.string().optional().meta({ title: "Project", description: "Empty: the project that you work in" }),
  }),
  choices: { project: projectChoices },
  place: ({ client, input }) => namedProject(client, input.project),
  async run(call) {
    const { input } = call;
    const { client, body } = projectOf(call);
    const key = await addSshKey(client, { name: input.name, publicKey: input.public, ...body });
    const print = key.fingerprint ? ` (${code(key.fingerprint)})` : "";
    return {
      text: `The SSH key ${code(input.name)}${print} is stored. Servers that are ordered with it accept it, and so does every server that is reinstalled later.`,
      next: [
        { label: "SSH keys", command: "sshkey list" },
        { label: "Delete…", command: "sshkey delete", target: key.id },
      ],
    };
  },
  before: async (call) => (await listSshKeys(projectOf(call).client)).map(({ id }) => id),
  async reconcile(call, { before }) {
    const { input } = call;
    const older = Array.isArray(before) ? before : [];
    const [kind, blob] = input.public.split(/ +/);
    const found = (await listSshKeys(projectOf(call).client)).filter(({ name }) => name === input.name);
    const its = found.filter(({ public_key: text }) => text?.startsWith(`${kind} ${blob}`));
    if (its.length > 0)
      return { is: "done", text: "the key is stored.", stateAlone: its.every(({ id }) => older.includes(id)) };
    if (found.some(({ id, public_key: text }) => !text && !older.includes(id)))
      return { is: "unsure", text: "There is a new key of that name. The platform does not show its text." };
    return { is: "not done", text: "the key is not stored." };
  },
});

const remove = defineOperation({
  command: "sshkey delete",
  group: "access",
  synonyms: ["remove"],
  summary: "Delete a stored SSH key; servers that accept it already keep accepting it",
  example: '/sshkey delete "ana laptop"',
  act: deleteSshKey,
  risk: "destroy",
  effects: [],
  verb: "Delete SSH key",
  target: maybeGone(sshKey),
  input: z.object({}),
  async review({ target, name }) {
    const key = present(target, "SSH key");
    const { fingerprint, created_at: created } = key;
    return {
      consequence: `Later orders cannot choose ${name}. A server that was ordered with it may accept it again, even after a reinstall. Servers that accept it already keep accepting it, until you remove it on the server itself.`,
      preconditions: {
        key: nameIs("Key", key.name),
        fingerprint: {
          value: fingerprint ?? null,
          label: "Fingerprint",
          text: fingerprint ? code(fingerprint) : "unknown",
        },
      },
      shown: [created ? { label: "Added", value: moment(created) } : unshownFact("Added")],
    };
  },
  async run({ client, target, name }) {
    present(target, "SSH key");
    await deleteSshKey(client, target.id);
    return { text: `The SSH key ${name} is deleted. To have it back, add it again.` };
  },
  reconcile: async ({ target }) =>
    doneIf(target.row === null, "the SSH key is no longer stored.", "the SSH key is still stored."),
});

/** In the order of the help. */
export const sshKeyOperations = [list, show, add, remove];
