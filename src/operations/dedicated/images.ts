import type { Choice } from "../../operation/call-context.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { dedicatedParts } from "../../platform/customer/dedicated.ts";

/**
 * The images that can be installed on a dedicated server. The spec does not show the layout of the list (section 2.5), so this
 * reads every likely one.
 */
export async function listDedicatedImages(client: CustomerClient, id: string): Promise<Choice[]> {
  return imagesIn(await dedicatedParts["os-images"](client, id));
}

const ids = ["id", "uuid", "value", "slug", "key"];
const names = ["name", "label", "title", "description"];

/** Names of lists that hold images. In other lists, plain words are not names of images. */
const systemLists = /image|template|system|os/i;

/**
 * Finds images in any layout: rows with an id under a usual name, at any depth; maps from id to name; plain names, which then are
 * ids.
 */
function imagesIn(value: unknown, key = "images"): Choice[] {
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === "string" ? plain(one, key) : rowOrMore(one)));
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const id = textAt(fields, ids);
  const name = textAt(fields, names);
  if (id !== null && name !== null) return choiceOf(id, name);
  const texts = [...fields].flatMap(([one, text]) => (typeof text === "string" ? [{ one, text }] : []));
  if (texts.length > 0 && texts.length === fields.size) return texts.flatMap(({ one, text }) => choiceOf(one, text));
  return [...fields].flatMap(([one, inner]) => namedBy(one, inner));
}

function plain(name: string, key: string): Choice[] {
  return systemLists.test(key) ? choiceOf(name, name) : [];
}

/** In a list, a row with an id needs no name. */
function rowOrMore(row: unknown): Choice[] {
  if (typeof row !== "object" || row === null) return [];
  const fields = new Map<string, unknown>(Object.entries(row));
  const id = textAt(fields, ids);
  return id === null ? imagesIn(row) : choiceOf(id, textAt(fields, names) ?? id);
}

/** `{ "<id>": { "name": … } }`: the key is the id if the row has none. */
function namedBy(key: string, inner: unknown): Choice[] {
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return imagesIn(inner, key);
  const fields = new Map<string, unknown>(Object.entries(inner));
  const name = textAt(fields, ids) === null ? textAt(fields, names) : null;
  return name === null ? imagesIn(inner, key) : choiceOf(key, name);
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
