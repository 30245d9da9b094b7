/**
 * The start of the store's keys for STORE_PREFIX. A Cluster puts equal texts in braces into one slot, so that one script may use all keys
 * of a store.
 */
export function keyPrefix(storePrefix: string): string {
  return `{${storePrefix}}:`;
}

/** Encodes a part of a key without colons, so that two different names never become the same key. */
export function keyPart(name: string): string {
  return encodeURIComponent(name);
}

/** The start of the keys of a durable namespace, after the store's prefix. */
export function valueBase(namespace: string): string {
  return `value:${keyPart(namespace)}:`;
}

/** As `valueBase`, for values that may be lost. */
export function markBase(namespace: string): string {
  return `mark:${keyPart(namespace)}:`;
}

/** Whole milliseconds, at least 1, and small enough for Redis to add to its clock. */
export function wholeTtl(ttlMs: number | undefined): number | undefined {
  return ttlMs === undefined ? undefined : Math.min(Math.max(1, Math.ceil(ttlMs)), 2 ** 52);
}

/** Escapes the text as a pattern that matches only itself. */
export function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}
