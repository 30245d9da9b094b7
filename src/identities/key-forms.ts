import type { ApiName } from "../platform/http/errors.ts";

/** How a key of each API is written. Customer spec section 5, reseller spec section 5. */
export const keyForms: Record<ApiName, RegExp> = {
  customer: /^fbk_[0-9a-f]{8}_[0-9a-f]{96}$/,
  reseller: /^rsk_[\w-]{8}_[\w-]{64}$/,
};

/** The prefix is what the portal shows of a key; the secret is what follows it. */
export function prefixOf(key: string): string {
  return key.slice(4, 12);
}

/** The API that a key is of; null for what is no key. */
export function apiOfKey(key: string): ApiName | null {
  if (keyForms.customer.test(key)) return "customer";
  return keyForms.reseller.test(key) ? "reseller" : null;
}
