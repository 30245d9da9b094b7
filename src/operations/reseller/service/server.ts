import * as z from "#zod";
import { doneIf, unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal, wrongInput } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { nullIfRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { readDocument } from "../../../platform/reseller/document.ts";
import { endRescue, startRescue } from "../../../platform/reseller/reinstall.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import {
  addServerSshKey,
  deleteServerSshKey,
  listServerSshKeys,
  type ServerSshKey,
} from "../../../platform/reseller/ssh-keys.ts";
import { type PlainText, plainly } from "../../../process/plain-text.ts";
import { paragraphs } from "../../../views/blocks.ts";
import { code, count, oneLine } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import { powerEffects } from "../../kits/power.ts";
import { publicKeyField } from "../../kits/public-key.ts";
import { withReceived } from "../../kits/received.ts";
import type { SshKeyRows } from "../../kits/ssh-keys.ts";
import { secretOf } from "./console.ts";
import { requireMachine, requireNotOver, resoldService, showStep, soldName } from "./service.ts";

export const rescue = defineOperation({
  command: "reseller service rescue",
  group: "access",
  summary: "Boot a dedicated server into its rescue system; the password is shown once",
  example: "/reseller service rescue metal-1",
  act: startRescue,
  reads: [readDocument],
  risk: "change",
  effects: [...powerEffects("restart"), { aspect: "rescue", to: ["on"] }],
  verb: "Boot the rescue system of",
  target: resoldService,
  input: z.object({}),
  interrupts: "Everything on the server stops. The server stays in the rescue system until you end the rescue.",
  async usable({ client, target, name }) {
    requireMachine(target);
    const { features } = await readDocument(client, target.serviceId);
    if (features.rescue !== false) return;
    throw new Refusal(
      `The platform offers no rescue system for ${name}: only a dedicated server can have one. Nothing was sent.`,
      [showStep(target.serviceId)],
    );
  },
  async run({ client, target }) {
    const { secrets, rest } = await startRescue(client, target.serviceId);
    const name = soldName(target);
    const text = `${code(name)} is booting its rescue system.`;
    const end = { label: "End the rescue", command: "reseller service unrescue", target: target.serviceId };
    if (secrets.length === 0)
      return { text: `${text} The platform sent no password for the rescue system.`, next: [end] };
    return {
      ...withReceived(`${text} Its password is in the requester's direct messages with me.`, rest),
      secrets: secrets.map((one) => ({ ...secretOf(one), label: plainly`Rescue of ${name}: ${one.name}` })),
      next: [end],
    };
  },
  reconcile: unsure(
    "The platform does not show if the server runs its rescue system. *End the rescue* boots its own system.",
  ),
});

export const unrescue = defineOperation({
  command: "reseller service unrescue",
  group: "access",
  summary: "End the rescue of a dedicated server and boot its own system",
  example: "/reseller service unrescue metal-1",
  act: endRescue,
  risk: "change",
  effects: [...powerEffects("restart"), { aspect: "rescue", to: ["off"] }],
  verb: "End the rescue of",
  target: resoldService,
  input: z.object({}),
  interrupts: "Everything in the rescue system stops, and the server boots its own system.",
  usable: ({ target }) => requireMachine(target),
  async run({ client, target, name }) {
    const { secrets } = await endRescue(client, target.serviceId);
    return {
      text: `${name} leaves its rescue system and boots its own system.`,
      secrets: secrets.map(secretOf),
      next: [showStep(target.serviceId)],
    };
  },
  reconcile: unsure("The platform does not show which system the server boots. Ending the rescue again is harmless."),
});

const applied = "The next reinstall applies the key. Until then, nothing changes on the server.";
const listStep = (target: string) => ({ label: "SSH keys", command: "reseller service sshkeys", target });

/** The key's name, else its id: the spec shows only the id. */
function keyName({ id, name, label }: ServerSshKey): PlainText {
  return [name, label].find((values) => typeof values === "string" && values !== "")?.toString() ?? id;
}

/** The keys of a dedicated server; null where it has them switched off, as then it is reinstalled all the same. Reseller spec section 4. */
export async function storedKeys(client: ResellerClient, { serviceId }: Service): Promise<SshKeyRows> {
  const found = await listServerSshKeys(client, serviceId).catch(nullIfRefused(400, 403, 404));
  return found?.map((key) => ({ id: key.id, name: keyName(key) })) ?? null;
}

export const sshkeys = defineOperation({
  command: "reseller service sshkeys",
  summary: "List the SSH keys that the next reinstall of a dedicated server applies",
  example: "/reseller service sshkeys metal-1",
  act: listServerSshKeys,
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await listServerSshKeys(client, target.serviceId);
    const one = { label: "Add one…", command: "reseller service sshkey add", target: target.serviceId };
    const add = target.status === "active" ? [one] : [];
    if (found.length === 0) return { text: `The next reinstall of ${name} applies no SSH key.`, next: add };
    const remove = { label: "Remove one…", command: "reseller service sshkey delete", target: target.serviceId };
    return {
      ...headed(
        `The next reinstall of ${name} applies ${count(found.length, "SSH key")}.`,
        paragraphs(found.map((key) => `• ${code(keyName(key))} · ${code(key.id)}`)),
      ),
      next: [...add, remove],
    };
  },
});

const KeyInput = z
  .object({
    stored: z
      .guid()
      .optional()
      .meta({ title: "Stored key", description: "The id of a key that the platform has stored" }),
    // Commands use lower-case names, and a field called "key" would be treated as a secret.
    public: publicKeyField.optional().meta({
      title: "Public key",
      format: "lines",
      description: "The one line of a .pub file. Never a private key.",
    }),
    name: z.string().trim().min(1).max(120).optional().meta({ title: "Name", description: "For a new key" }),
  })
  .superRefine(({ stored, public: publicKey, name }, issues) => {
    const wrong = (field: string, message: string) => issues.addIssue({ code: "custom", path: [field], message });
    if (stored !== undefined && publicKey !== undefined)
      wrong("stored", "give a stored key or a public key, not both.");
    if (stored !== undefined) return;
    if (publicKey === undefined) wrong("public", "give a public key, or the id of a stored key.");
    else if (name === undefined) wrong("name", "a new key needs a name.");
  });

export const sshkeyAdd = defineOperation({
  command: "reseller service sshkey add",
  group: "access",
  summary: "Add an SSH key to a resold dedicated server, for its next reinstall",
  example:
    '/reseller service sshkey add metal-1 name=office public="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dsrcrF8qT"',
  act: addServerSshKey,
  reads: [listServerSshKeys],
  risk: "change",
  effects: [],
  verb: "Add an SSH key to",
  target: resoldService,
  input: KeyInput,
  usable: ({ target }) => requireMachine(target),
  before: async ({ client, target }) => (await listServerSshKeys(client, target.serviceId)).map(({ id }) => id),
  async run({ client, target, input, name }) {
    await addServerSshKey(client, target.serviceId, keyIn(input));
    return { text: `The SSH key is added to ${name}. ${applied}`, next: [listStep(target.serviceId)] };
  },
  async reconcile({ client, target, input }, { before }) {
    const known = z.array(z.string()).parse(before);
    const added = (await listServerSshKeys(client, target.serviceId)).filter(({ id }) => !known.includes(id));
    if (added.length === 0) return { is: "not done", text: "there is no new key." };
    if (added.some((row) => isKey(row, input))) return { is: "done", text: "the key is there." };
    return { is: "unsure", text: "There is a new key. The platform does not show if it is this one." };
  },
});

/** The spec shows only a row's id, so the key or its name may be in any field. */
function isKey(row: ServerSshKey, { stored, public: publicKey, name }: z.output<typeof KeyInput>): boolean {
  const blob = publicKey?.split(/ +/)[1];
  const values = Object.values(row).map(String);
  if (stored !== undefined) return row.id === stored;
  return values.some((text) => (blob !== undefined && text.includes(blob)) || text === name);
}

function keyIn({ stored, public: publicKey = "", name = "" }: z.output<typeof KeyInput>) {
  return stored === undefined ? { publicKey, name } : { sshKeyId: stored };
}

const keyChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  (await listServerSshKeys(client, target.serviceId)).map((key) => ({ value: key.id, label: oneLine(keyName(key)) }));

export const sshkeyDelete = defineOperation({
  command: "reseller service sshkey delete",
  group: "access",
  summary: "Remove an SSH key from a resold dedicated server; its present system still accepts the key",
  example: "/reseller service sshkey delete metal-1 sshkey=office",
  act: deleteServerSshKey,
  reads: [listServerSshKeys],
  risk: "destroy",
  effects: [],
  verb: "Remove an SSH key from",
  target: resoldService,
  usable: ({ target }) => requireNotOver(target),
  input: z.object({ sshkey: z.string().meta({ title: "SSH key" }) }),
  choices: { sshkey: keyChoices },
  async review({ client, target, input, name }) {
    const key = (await listServerSshKeys(client, target.serviceId)).find(({ id }) => id === input.sshkey);
    if (!key) throw wrongInput("sshkey", "That SSH key is gone.");
    return {
      consequence: `After its next reinstall, ${name} will not accept the SSH key ${code(keyName(key))}. Until then it keeps accepting it.`,
      press: plainly`Remove ${oneLine(keyName(key))}`,
      back: "Keep the key",
      preconditions: { key: nameIs("Key", keyName(key)) },
    };
  },
  async run({ client, target, input, name }) {
    await deleteServerSshKey(client, target.serviceId, input.sshkey);
    return {
      text: `The SSH key is removed from ${name}. The next reinstall leaves it out. The present system still accepts the key.`,
      next: [listStep(target.serviceId)],
    };
  },
  async reconcile({ client, target, input }) {
    const there = (await listServerSshKeys(client, target.serviceId)).some(({ id }) => id === input.sshkey);
    return doneIf(!there, "the key is gone.", "the key is still there.");
  },
});
