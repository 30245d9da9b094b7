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
