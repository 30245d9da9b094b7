import type { ApiName } from "../../platform/http/errors.ts";

/** The form of a key of each API. Customer spec section 5, reseller spec section 5. */
export const keyForms: Record<ApiName, RegExp> = {
  customer: /^fbk_[0-9a-f]{8}_[0-9a-f]{96}$/,
  reseller: /^rsk_[\w-]{8}_[\w-]{64}$/,
};

/** The public prefix of a key, which the portal shows; the rest is secret. */
export function prefixOf(key: string): string {
  return key.slice(4, 12);
}

/** The API of a key; null if the text is no key. */
export function apiOfKey(key: string): ApiName | null {
  if (keyForms.customer.test(key)) return "customer";
  return keyForms.reseller.test(key) ? "reseller" : null;
}
