import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** Proves that the holder of a key wrote a text. `key` is the key's id, and reveals nothing of it. */
interface Signature {
  key: string;
  mac: string;
}

/** Signs with keys derived from the encryption keys: a signing key opens nothing, and a sealing key signs nothing. */
export interface Signer {
  /** Signs with the current key. */
  sign(text: string): Signature;
  /** Signs with each known key: during a rotation the holder of either key can check it. */
  signWithAll(text: string): Signature[];
  check(text: string, signature: Signature): "right" | "wrong" | "unknown key";
}

/** HMAC-SHA256 with keys derived by HKDF-SHA256. A signature for one `purpose` is invalid for another. */
export function createSigner(keys: { key: Buffer; previous?: Buffer }, purpose: string): Signer {
  const current = derived(keys.key, purpose);
  const all = keys.previous === undefined ? [current] : [current, derived(keys.previous, purpose)];
  return {
    sign: (text) => signedBy(current, text),
    signWithAll: (text) => all.map((each) => signedBy(each, text)),
    check(text, { key, mac }) {
      const used = all.find(({ id }) => id === key);
      if (used === undefined) return "unknown key";
      const [given, right] = [Buffer.from(mac), Buffer.from(macOf(used, text))];
      return given.length === right.length && timingSafeEqual(given, right) ? "right" : "wrong";
    },
  };
}

interface DerivedKey {
  id: string;
  secret: Buffer;
}

function derived(key: Buffer, purpose: string): DerivedKey {
  const secret = Buffer.from(hkdfSync("sha256", key, "", `rackbell ${purpose}`, 32));
  return { secret, id: createHmac("sha256", secret).update("key id").digest("hex").slice(0, 8) };
}

function signedBy(key: DerivedKey, text: string): Signature {
  return { key: key.id, mac: macOf(key, text) };
}

function macOf({ secret }: DerivedKey, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
