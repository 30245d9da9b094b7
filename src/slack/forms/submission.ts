import * as z from "#zod";
import type { Chat } from "../../messages/chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../messages/chat/errors.ts";
import { Origin } from "../../messages/origin.ts";
import { Refusal } from "../../operation/errors.ts";
import { type Field, fieldsOf } from "../../operation/fields.ts";
import { Replacing } from "../../operation/leading.ts";
import type { Operation } from "../../operation/operation.ts";
import { readJson } from "../../process/json.ts";
import { bytes } from "../../views/format.ts";
import { noFilesTaken } from "../../views/plain.ts";
import { code } from "../../views/text.ts";
import { type ElementValue, type ShownView, ViewState } from "../payloads.ts";

// A submitted form: its ids, its metadata and its values. `form-view.ts` draws them.

/** A file without its content, or with it in base64. */
interface FormFile {
  name: string;
  content: string;
}

export const formCallback = "form";
export const moreAction = "form:more";
/** Shows what the values mean: Slack sends nothing while a text of several lines is written. */
export const checkAction = "form:check";
export const targetAction = "target";
export const choosePrefix = "choose:";

/** The action ids of choices that follow another one: Slack keeps what was chosen under an id, also what does not fit any more. */
export const following = ":";

/** The block id of a part: `readForm` puts its value into the input of this name. A password that is left empty is generated. */
export const partMarks = { part: ".", generated: "!" };

/** A form's metadata between Slack's calls: 3,000 characters at most, so it contains no list and no secret. */
const PrivateMetadata = z.object({
  command: z.string(),
  origin: Origin,
  target: z.string().nullable(),
  /** The first requester, if a colleague has taken the request over. */
  originator: z.string().optional(),
  /** The message to colleagues from which they took it. */
  delegation: z.string().optional(),
  /** Digests of the initial values of some fields. A field that still has its initial value is omitted. */
  untouched: z.record(z.string(), z.string()).optional(),
  /** Clearable fields that show the stored value, as it was read or as the button of Rackbell's own settings gave it. */
  filled: z.array(z.string()).optional(),
  /** The typed values, while the form shows only the search for the target or the leading value. */
  typed: z.record(z.string(), z.unknown()).optional(),
  replaces: Replacing.optional(),
  /** The only fields that the form shows, and those that *More conditions* adds; absent where it shows all. */
  pages: z.object({ first: z.array(z.string()), more: z.array(z.string()), check: z.string().optional() }).optional(),
  /** The member typed `force=yes`. */
  confirmed: z.literal(true).optional(),
});
export type PrivateMetadata = z.infer<typeof PrivateMetadata>;

export function readPrivateMetadata(view: Pick<ShownView, "private_metadata">): PrivateMetadata | null {
  return PrivateMetadata.safeParse(readJson(view.private_metadata)).data ?? null;
}

/** The field of a choice, by its action id. */
export function chosenField(actionId: string): string | null {
  return actionId.startsWith(choosePrefix) ? (actionId.slice(choosePrefix.length).split(following)[0] ?? null) : null;
}

/** A submitted form. */
interface ReadForm {
  target: string | null;
  /** The label of the target's option. */
  label: string | null;
  /** The values by field. */
  input: Record<string, unknown>;
  /** The passwords that were left empty, by the input that they are parts of. */
  generate: { input: string; name: string }[];
  /** The places of the other things that stay in the request; null if the form shows none. */
  stay: number[] | null;
}

export function readForm(operation: Operation, values: unknown): ReadForm {
  const state = ViewState.parse(values);
  const input: Record<string, unknown> = {};
  let stay: number[] | null = null;
  for (const field of fieldsOf(operation.input)) {
    const element = Object.values(state[field.name] ?? {})[0];
    if (!element) continue;
    if (field.kind === "rows") stay = selectedIn(element).map(Number);
    else input[field.name] = enteredValue(field, element);
  }
  const { parts, generate } = partsIn(operation, state);
  const chosen = state.target?.[targetAction]?.selected_option;
  return {
    target: chosen?.value ?? null,
    label: chosen?.text?.text ?? null,
    input: { ...input, ...parts },
    generate,
    stay,
  };
}

function selectedIn({ selected_options }: ElementValue): string[] {
  return (selected_options ?? []).map(({ value }) => value);
}

function enteredValue({ kind, preset }: Field, element: ElementValue): unknown {
  const selected = selectedIn(element);
  // Without a default, "no" is a value of its own, and a box that nobody ticked does not say it.
  if (kind === "toggle") return selected.length > 0 || (preset === null ? undefined : false);
  if (kind === "several" && !element.value) return selected.length > 0 ? selected : undefined;
  if (kind === "people") return selected.join(" ") || undefined;
  if (kind === "channels") return channelsIn(element);
  if (kind === "moment") return isoOf(element.selected_date_time);
  if (kind === "file") return unread(element.files?.[0]);
  return enteredIn(element) ?? undefined;
}

/** The values of the fields that the leading value brought, under the inputs that they are parts of. */
function partsIn({ input }: Operation, state: z.infer<typeof ViewState>) {
  const parts: Record<string, Record<string, string>> = {};
  const generate: ReadForm["generate"] = [];
  for (const [id, elements] of Object.entries(state)) {
    const at = [...id].findIndex((sign) => sign === partMarks.part || sign === partMarks.generated);
    const [of, name] = [id.slice(0, at), id.slice(at + 1)];
    const [element] = Object.values(elements);
    if (at <= 0 || !Object.hasOwn(input.shape, of) || !element) continue;
    const value = enteredIn(element);
    if (value) parts[of] = { ...parts[of], [name]: value };
    else if (id[at] === partMarks.generated) generate.push({ input: of, name });
  }
  return { parts, generate };
}

/** A picked time, which Slack sends in seconds, as ISO text. */
function isoOf(seconds: number | null | undefined): string | undefined {
  return seconds === null || seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** Picked channels in the notation of commands. */
function channelsIn({ selected_conversations }: ElementValue): string | undefined {
  return selected_conversations?.map((id) => `#${id}`).join(" ") || undefined;
}

/** The value chosen from a list of the app or of Slack, or typed. */
function enteredIn(element: ElementValue): string | null | undefined {
  return element.selected_option?.value ?? element.selected_conversation ?? element.selected_user ?? element.value;
}

/** A file without its content, which is downloaded from Slack later. */
function unread(file: { name?: string | null | undefined } | undefined): FormFile | undefined {
  return file && { name: file.name ?? "file", content: "" };
}

/** A file in a field; its content is still at Slack. */
export interface AttachedFile {
  field: string;
  id: string;
  name: string;
}

export function filesIn(state: unknown): AttachedFile[] {
  return Object.entries(ViewState.parse(state)).flatMap(([field, elements]) =>
    Object.values(elements).flatMap(({ files }) =>
      (files ?? []).map(({ id, name }) => ({ field, id, name: name ?? "file" })),
    ),
  );
}

/** Bytes per file in any form, as the platform's own limit (reseller spec section 8). */
const mostBytes = 4 * 1024 * 1024;

/** The contents of files in a form, in base64, by field. Throws Refusal with the name of a file that was not accepted, and the reason. */
export async function readFiles(chat: Chat, files: AttachedFile[]): Promise<Record<string, FormFile>> {
  const found: Record<string, FormFile> = {};
  for (const file of files) {
    const content = await readContent(chat, file);
    found[file.field] = { name: file.name, content: content.toString("base64") };
  }
  return found;
}

async function readContent(chat: Chat, { id, name }: AttachedFile): Promise<Buffer> {
  try {
    return await chat.download(id, mostBytes);
  } catch (error) {
    if (!(error instanceof SlackRefused || error instanceof SlackUnanswered)) throw error;
    const reason = error instanceof SlackRefused ? error.reason : "";
    if (reason === "missing_scope") throw new Refusal(`${code(name)} was not taken. ${noFilesTaken}`);
    throw notTaken(
      name,
      reason === "file_too_large" ? `it is larger than ${bytes(mostBytes)}.` : "Slack did not hand it over.",
    );
  }
}

function notTaken(name: string, why: string): Refusal {
  return new Refusal(`The file ${code(name)} was not taken: ${why} Take it out or choose another.`);
}
