import * as z from "#zod";
import type { Fact, Precondition, Progress } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { NotYet } from "../../operation/errors.ts";
import { endWords } from "../../operation/interrupts.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type Dedicated,
  dedicatedParts,
  readDedicated,
  reinstallDedicated,
  resetDedicatedPassword,
} from "../../platform/customer/dedicated.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { code, oneLine, prose } from "../../views/text.ts";
import { textsIn } from "../kits/mentions.ts";
import {
  begunIf,
  dedicatedReinstallEffects,
  handleAfter,
  type InstallationHandle,
  installationIn,
  installationPace,
  installationProgress,
  longestUnshownMs,
  newPassword,
  passwordCommon,
  rebuildingPassword,
  rebuildingPasswordEffects,
  rebuildLoss,
  reinstallCommon,
  systemIs,
} from "../kits/reinstall.ts";
import { stageRefusal } from "../kits/service-states.ts";
import { authorisedKeys, rebuiltKeys } from "../sshkey.ts";
import { dedicated, modelOf, serverName, serverState } from "./dedicated.ts";

/** The state of an installation. Its place in a dedicated server is not in the spec, so every text is searched. */
export function installationOf({ os_installation: reported }: Dedicated): string | null {
  return installationIn(textsIn(reported));
}

/** The states before an installation, to detect that one has begun since. */
function traceOf(server: Dedicated) {
  return { installation: installationOf(server), provisioning: server.provisioning?.provision_state || null };
}

/** Refuses an installation that the platform would refuse (spec sections 4.4 and 5), before a form or a person is asked. */
function requireInstallable(server: Dedicated): void {
  const { status, hardware } = server;
  const name = code(serverName(server));
  const refusal = stageRefusal(status, name);
  if (refusal) throw refusal;
  if (!hardware) throw new NotYet(`${name} has no machine yet. Nothing changed. Try again when it is built.`);
  if (installationOf(server) === "in_progress")
    throw new NotYet(`${name} is being installed at the moment. Nothing changed. Try again when that has ended.`);
}

function provisioningFact({ provisioning }: Dedicated): Fact[] {
  const state = provisioning?.provision_state;
  return state
    ? [{ label: "Provisioning", value: prose(state, 60) }]
    : [{ label: "Provisioning", value: "unknown", decides: "unknown" }];
}

/** A request is about the machine that was shown. */
function machineIs(server: Dedicated): Precondition {
  const model = modelOf(server);
  return { value: model && characters(model), label: "Machine", text: prose(model ?? "none yet", 100) };
}

const stages = ["Requested", "Erase the disks and install"];

/** The progress of an installation, `elapsed` milliseconds after the platform accepted it. */
function progressOf(server: Dedicated, handle: InstallationHandle, elapsed: number) {
  const { id: target, status } = server;
  return installationProgress({ name: code(serverName(server)), status, ...traceOf(server) }, handle, {
    elapsed,
    unshownMs: longestUnshownMs.dedicated,
    show: { label: "Show", command: "dedicated show", target },
    again: { label: "Reinstall…", command: "dedicated reinstall", target },
  });
}

export const reinstall = defineOperation({
  ...reinstallCommon,
  command: "dedicated reinstall",
  effects: dedicatedReinstallEffects,
  summary: "Erase a dedicated server and install an operating system",
  example: '/dedicated reinstall metal-1 image="Debian 13"',
  act: reinstallDedicated,
  reads: [dedicatedParts["os-images"], listSshKeys],
  target: dedicated,
  input: z.object({
    image: z.string().meta({ title: "Operating system", description: "The systems that are offered for this server" }),
  }),
  typed: ["image"],
  usable: ({ target }) => requireInstallable(target),
  choices: { image: ({ client, target }) => listDedicatedImages(client, target.id) },
  async review({ client, target, input, name }) {
    const images = await listDedicatedImages(client, target.id);
    const image = images.find(({ value }) => value === input.image);
    const keys = await authorisedKeys(client);
    return {
      press: plainly`Erase ${serverName(target)}`,
      consequence: `This will erase everything on the disks of ${name}. This cannot be undone.`,
      preconditions: {
        system: systemIs(image?.label, input.image, { unlisted: "not in its list", listed: images.length }),
        machine: machineIs(target),
        ...keys.preconditions,
      },
      warnings: [keys.warning],
      shown: [{ label: "State", value: serverState(target) }],
      before: traceOf(target),
    };
  },
  async run({ client, target, input, name }) {
    await reinstallDedicated(client, target.id, { osImageId: input.image });
    return { text: `Reinstalling ${name}.`, handle: handleAfter(traceOf(target)) };
  },
  async reconcile({ target }, { before }) {
    const same = "Its installation state is the same as before.";
    return begunIf(before, traceOf(target), "its installation state has changed.", same);
  },
  follow: {
    ...installationPace,
    poll: async ({ client, targetId, since, now }, handle) => ({
      plan: { stages, at: 1 },
      ...progressOf(await readDedicated(client, targetId), handle, now - since),
    }),
  },
});

export const password = defineOperation({
  ...passwordCommon,
  command: "dedicated password",
  summary: "Set a new root password, which may erase and rebuild the dedicated server",
  example: "/dedicated password metal-1",
  act: resetDedicatedPassword,
  reads: [listSshKeys],
  risk: "destroy",
  effects: rebuildingPasswordEffects,
  replaces: rebuildingPassword,
  target: dedicated,
  input: z.object({ password: newPassword }),
  usable: ({ target }) => requireInstallable(target),
  async review({ client, target, name }) {
    const plain = oneLine(serverName(target));
    return {
      press: plainly`Reset password of ${plain}`,
      back: plainly`Keep password of ${plain}`,
      consequence: rebuildLoss(name),
      preconditions: { machine: machineIs(target), ...(await rebuiltKeys(client)) },
      shown: [{ label: "State", value: serverState(target) }, ...provisioningFact(target)],
      before: traceOf(target),
    };
  },
  async run({ client, target, input, name }) {
    await resetDedicatedPassword(client, target.id, { password: input.password });
    return {
      text: `The platform accepted the new password of ${name}. ${endWords(rebuildingPassword)}`,
      handle: handleAfter(traceOf(target)),
    };
  },
  async reconcile({ target }, { before }) {
    const same = "The platform does not show whether a password was changed.";
    return begunIf(before, traceOf(target), "the server is being rebuilt.", same);
  },
  follow: {
    ...installationPace,
    async poll({ client, targetId, since, now }, handle): Promise<Progress> {
      const found = await readDedicated(client, targetId);
      const progress = progressOf(found, handle, now - since);
      const name = code(serverName(found));
      const text = progress.handle.begun
        ? `The new password rebuilds the server, and the old one has ended. ${progress.text}`
        : `The platform accepted the new password of ${name}. The platform does not show whether it rebuilds the server. ${endWords(rebuildingPassword)}`;
      return { ...progress, text };
    },
  },
});

/**
 * The images that can be installed on a dedicated server. The spec does not show the layout of the list (section 2.5), so this
 * reads every likely one.
 */
export async function listDedicatedImages(client: CustomerClient, id: string): Promise<Choice[]> {
  return imagesIn(await dedicatedParts["os-images"](client, id));
}

/** Finds images in any layout: rows with an id, at any depth; maps from ids to names or rows; plain names, which then are ids. */
function imagesIn(value: unknown, key = "images"): Choice[] {
  if (Array.isArray(value)) return value.flatMap((one) => listed(one, key));
  if (typeof value !== "object" || value === null) return [];
  const { id, name } = rowIn(value);
  if (id !== null && name !== null) return choiceOf(id, name);
  const fields: [string, unknown][] = Object.entries(value);
  const isMap = fields.every(([, inner]) => typeof inner === "string");
  return fields.flatMap(([one, inner]) => (isMap ? choiceOf(one, String(inner)) : keyed(one, inner)));
}

/** Names of lists that hold images. In other lists, plain words are no names of images. */
const systemLists = /image|template|system|os/i;

/** In a list, a row with an id needs no name; a row with a name and no id is no map from ids to names. */
function listed(one: unknown, key: string): Choice[] {
  if (typeof one === "string") return systemLists.test(key) ? choiceOf(one, one) : [];
  if (typeof one !== "object" || one === null) return [];
  const { id, name } = rowIn(one);
  if (id !== null) return choiceOf(id, name ?? id);
  return name === null ? imagesIn(one) : [];
}

/** `{ "<id>": { "name": … } }`: the key is the id if the row has none. */
function keyed(key: string, inner: unknown): Choice[] {
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return imagesIn(inner, key);
  const { id, name } = rowIn(inner);
  return id === null && name !== null ? choiceOf(key, name) : imagesIn(inner, key);
}

const idKeys = ["id", "uuid", "value", "slug", "key"];
const nameKeys = ["name", "label", "title", "description"];
/** Keys such as "osImageId" and "displayName". */
const otherIdKey = /(?<=.)[_-]?(id|uuid)$/i;
const otherNameKey = /(?<=.)[_-]?(name|label|title)$/i;

function rowIn(row: object): { id: string | null; name: string | null } {
  const fields = new Map<string, unknown>(Object.entries(row));
  // `{ default_image_id, images: […] }` is no row.
  const isRow = [...fields.values()].every((value) => typeof value !== "object" || value === null);
  const others = (like: RegExp) => (isRow ? [...fields.keys()].filter((key) => like.test(key)) : []);
  return {
    id: firstText(fields, [...idKeys, ...others(otherIdKey)]),
    name: firstText(fields, [...nameKeys, ...others(otherNameKey)]),
  };
}

function firstText(fields: Map<string, unknown>, keys: string[]): string | null {
  for (const key of keys) {
    const value = fields.get(key);
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return null;
}

// Slack limits the value of a choice to 150 characters.
function choiceOf(value: string, label: string): Choice[] {
  return value === "" || value.length > 150 ? [] : [{ value, label }];
}
