// wire/: what all parts need to speak and to read: JSON of unknown shape, HTTP bodies, ids as Slack makes them,
// bounded histories, and the faults that a test plans.

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The string under `key`, or undefined if there is none. */
export function textAt(object: Json, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}

/** The object under `key`, or undefined if there is none. */
export function objectAt(object: Json, key: string): Json | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

/** The objects in the list under `key`; none if there is no list. */
export function objectsAt(object: Json, key: string): Json[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The strings in the list under `key`; none if there is no list. */
export function textsAt(object: Json, key: string): string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isText) : [];
}

/** True for `true`, and for the ways in which a form says it. */
export function flagAt(object: Json, key: string): boolean {
  const value = object[key];
  return value === true || value === "true" || value === "1";
}

/** The parsed text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
