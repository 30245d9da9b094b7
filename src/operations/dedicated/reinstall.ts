import * as z from "zod";
import type { Json, Precondition, Progress } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type Dedicated,
  dedicatedParts,
  readDedicated,
  reinstallDedicated,
  resetDedicatedPassword,
} from "../../platform/customer/dedicated.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { code, oneLine, prose } from "../../views/text.ts";
import { textsIn } from "../kits/mentions.ts";
import {
  begunIf,
  type Installation,
  installationIn,
  installationPace,
  newPassword,
  passwordCommon,
  reinstallCommon,
  systemIs,
} from "../kits/reinstall.ts";
import { authorisedKeys } from "../sshkey.ts";
import { dedicated, modelOf, nameOf, stateOf } from "./dedicated.ts";

/**
 * The images that can be installed on a dedicated server. The spec does not show the layout of the list (section 2.5), so this
 * reads every likely one.
 */
export async function listDedicatedImages(client: CustomerClient, id: string): Promise<Choice[]> {
  return imagesIn(await dedicatedParts["os-images"](client, id));
}

const idKeys = ["id", "uuid", "value", "slug", "key"];
const nameKeys = ["name", "label", "title", "description"];
/** Keys such as "osImageId" and "displayName", in a row whose fields are all single values. */
const otherIdKey = /(?<=.)[_-]?(id|uuid)$/i;
const otherNameKey = /(?<=.)[_-]?(name|label|title)$/i;

/** Names of lists that hold images. In other lists, plain words are not nameKeys of images. */
const systemLists = /image|template|system|os/i;

/**
 * Finds images in any layout: rows with an id under a usual name, at any depth; maps from id to name; plain nameKeys, which then are
 * idKeys.
 */
function imagesIn(value: unknown, key = "images"): Choice[] {
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === "string" ? plain(one, key) : rowOrMore(one)));
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const id = idIn(fields);
  const name = nameIn(fields);
  if (id !== null && name !== null) return choiceOf(id, name);
  const texts = [...fields].flatMap(([one, text]) => (typeof text === "string" ? [{ one, text }] : []));
  if (texts.length > 0 && texts.length === fields.size) return texts.flatMap(({ one, text }) => choiceOf(one, text));
  return [...fields].flatMap(([one, inner]) => namedBy(one, inner));
}

function plain(name: string, key: string): Choice[] {
  return systemLists.test(key) ? choiceOf(name, name) : [];
}

/** In a list, a row with an id needs no name; a row with a name and no id is no map from ids to names. */
function rowOrMore(row: unknown): Choice[] {
  if (typeof row !== "object" || row === null) return [];
  const fields = new Map<string, unknown>(Object.entries(row));
  const id = idIn(fields);
  const name = nameIn(fields);
  if (id !== null) return choiceOf(id, name ?? id);
  return name === null ? imagesIn(row) : [];
}

/** `{ "<id>": { "name": … } }`: the key is the id if the row has none. */
function namedBy(key: string, inner: unknown): Choice[] {
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return imagesIn(inner, key);
  const fields = new Map<string, unknown>(Object.entries(inner));
  const name = idIn(fields) === null ? nameIn(fields) : null;
  return name === null ? imagesIn(inner, key) : choiceOf(key, name);
}

function idIn(fields: Map<string, unknown>): string | null {
  return textAt(fields, [...idKeys, ...keysLike(fields, otherIdKey)]);
}

function nameIn(fields: Map<string, unknown>): string | null {
  return textAt(fields, [...nameKeys, ...keysLike(fields, otherNameKey)]);
}

/** None where a field holds others: `{ default_image_id, images: […] }` is no row. */
function keysLike(fields: Map<string, unknown>, like: RegExp): string[] {
  const isRow = [...fields.values()].every((value) => typeof value !== "object" || value === null);
  return isRow ? [...fields.keys()].filter((key) => like.test(key)) : [];
}

function textAt(fields: Map<string, unknown>, keys: string[]): string | null {
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

/** The state of an installation. Its place in a dedicated server is not in the spec, so every text is searched. */
export function installationOf({ os_installation: reported }: Dedicated): Installation | null {
  return installationIn(textsIn(reported));
}

/** The state before an installation, to detect that one has begun since. */
function traceOf(server: Dedicated): Json {
  return { installation: installationOf(server), provisioning: server.provisioning?.provision_state ?? null };
}

/** A request is about the machine that was shown. */
function machineIs(server: Dedicated): Precondition {
  const model = modelOf(server);
  return { value: model, label: "Machine", text: prose(model ?? "none yet", 100) };
}

const stages = ["Requested", "Erase the disks and install"];

/** The progress of an installation, `elapsed` milliseconds after the platform accepted it. */
function installationProgress(server: Dedicated, elapsed: number): Progress {
  const name = code(nameOf(server));
  const show = { label: "Show", command: "dedicated show", target: server.id };
  const installation = installationOf(server);
  const provision = server.provisioning?.provision_state;
  const provisionWords = provision ? ` Its provisioning reads “${prose(provision, 60)}”.` : "";
  if (installation === "failed")
    return {
      state: "failed",
      text: `The installation of ${name} failed.${provisionWords} The data on its disks is lost. Try again, or choose another system.`,
      plan: { stages, at: 1 },
      next: [show, { label: "Reinstall…", command: "dedicated reinstall", target: server.id }],
    };
  // Right after the call the platform may still report the installation before.
  if (installation === "completed" && elapsed > 10_000)
    return { state: "done", text: `${name} is reinstalled.`, next: [show], plan: { stages, at: 1 } };
  return { state: "working", text: `Reinstalling ${name}.${provisionWords}`, plan: { stages, at: 1 } };
}

export const reinstall = defineOperation({
  ...reinstallCommon,
  command: "dedicated reinstall",
  summary: "Erase a dedicated server and install an operating system",
  act: reinstallDedicated,
  reads: [dedicatedParts["os-images"], listSshKeys],
  target: dedicated,
  input: z.object({
    image: z.string().meta({ title: "Operating system", description: "The systems that are offered for this server" }),
  }),
  typed: ["image"],
  choices: { image: ({ client, target }) => listDedicatedImages(client, target.id) },
  async review({ client, target, input, name }) {
    const image = (await listDedicatedImages(client, target.id)).find(({ value }) => value === input.image);
    return {
      press: `Erase ${oneLine(nameOf(target))}`,
      consequence: `Everything on the disks of ${name} is erased. This cannot be undone.`,
      preconditions: {
        system: systemIs(image?.label, input.image, "not in its list"),
        machine: machineIs(target),
      },
      shown: [{ label: "State", value: stateOf(target) }, await authorisedKeys(client)],
      before: traceOf(target),
    };
  },
  async run({ client, target, input, name }) {
    await reinstallDedicated(client, target.id, { osImageId: input.image });
    return { text: `Reinstalling ${name}.`, handle: {} };
  },
  async reconcile({ target }, { before }) {
    if (installationOf(target) === "in_progress")
      return { is: "done", text: "the installation is under way.", handle: {} };
    const same = "Its installation state is the same as before.";
    return begunIf(before, traceOf(target), "its installation state has changed.", same);
  },
  follow: {
    ...installationPace,
    poll: async ({ client, targetId, since, now }) =>
      installationProgress(await readDedicated(client, targetId), now - since),
  },
});

export const password = defineOperation({
  ...passwordCommon,
  command: "dedicated password",
  summary: "Set a new root password, which may erase and rebuild the dedicated server",
  act: resetDedicatedPassword,
  risk: "destroy",
  target: dedicated,
  input: z.object({ password: newPassword }),
  async review({ target, name }) {
    const plain = oneLine(nameOf(target));
    return {
      press: `Reset password of ${plain}`,
      back: `Keep password of ${plain}`,
      consequence: `If provisioning manages ${name}, the server is rebuilt with its present system: everything on its disks is erased. Otherwise only the stored password changes. The platform does not show which of the two will happen.`,
      preconditions: { machine: machineIs(target) },
      shown: [
        { label: "State", value: stateOf(target) },
        { label: "Provisioning", value: prose(target.provisioning?.provision_state ?? "unknown", 60) },
      ],
      before: traceOf(target),
    };
  },
  async run({ client, target, input, name }) {
    await resetDedicatedPassword(client, target.id, { password: input.password });
    return { text: `The platform accepted the new password of ${name}.`, handle: {} };
  },
  async reconcile({ target }, { before }) {
    const same = "The platform does not show whether a password was changed.";
    return begunIf(before, traceOf(target), "the server is being rebuilt.", same);
  },
  follow: {
    ...installationPace,
    async poll({ client, targetId, since, now }): Promise<Progress> {
      const found = await readDedicated(client, targetId);
      const installation = installationOf(found);
      if (installation === "in_progress" || installation === "failed") {
        const progress = installationProgress(found, now - since);
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
