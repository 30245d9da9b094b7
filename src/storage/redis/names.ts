/** The prefix of the store's keys, and the one of format 1. */
export interface Names {
  prefix: string;
  former: string;
}

/** The prefixes for STORE_PREFIX. A Cluster puts equal texts in braces into one slot, so that one script may use all keys of a store. */
export function namesOf(storePrefix: string): Names {
  return { prefix: `{${storePrefix}}:`, former: `${storePrefix}:` };
}
