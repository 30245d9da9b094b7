import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import * as z from "#zod";
import { SealBroken, StorageError } from "./errors.ts";
import { defineKind } from "./kind.ts";
import { creating } from "./record.ts";
import type { Store } from "./store.ts";

export interface Seal {
  /** Encrypts `plain`. Only this key together with this `owner` opens it. */
  seal(plain: string, owner: string): string;
  /** Decrypts. Throws SealBroken for another key, another owner or a changed text. */
  open(sealed: string, owner: string): string;
  /** False if the previous key sealed it, so that it should be sealed again. */
  isCurrent(sealed: string): boolean;
}

const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with `key` (32 bytes). `previous` opens older texts and seals nothing new. */
export function createSeal(keys: { key: Buffer; previous?: Buffer }): Seal {
  const current = named(keys.key);
  const all = keys.previous === undefined ? [current] : [current, named(keys.previous)];
  return {
    seal(plain, owner) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", current.key, iv, { authTagLength: tagBytes });
      cipher.setAAD(bound(current.id, owner));
      const body = Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${current.id}.${body.toString("base64url")}`;
    },
    open(sealed, owner) {
      const [form, id, text, ...rest] = sealed.split(".");
      const used = all.find((candidate) => candidate.id === id);
      if (form !== version || used === undefined || text === undefined || rest.length > 0) throw new SealBroken();
      const body = Buffer.from(text, "base64url");
      // Base64 decoding accepts stray characters and bits; require the exact text that seal() wrote.
      if (body.length < ivBytes + tagBytes || body.toString("base64url") !== text) throw new SealBroken();
      return decrypt(used, body, owner);
    },
    isCurrent: (sealed) => sealed.startsWith(`${version}.${current.id}.`),
  };
}

interface NamedKey {
  id: string;
  key: Buffer;
}

function named(key: Buffer): NamedKey {
  if (key.length !== 32) throw new StorageError("An encryption key must be exactly 32 bytes long.");
  return { key, id: createHmac("sha256", key).update("rackbell seal key id").digest("hex").slice(0, 8) };
}

function bound(keyId: string, owner: string): Buffer {
  return Buffer.from(`${version}.${keyId}.${owner}`, "utf8");
}

function decrypt(used: NamedKey, body: Buffer, owner: string): string {
  const decipher = createDecipheriv("aes-256-gcm", used.key, body.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(bound(used.id, owner));
  decipher.setAuthTag(body.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(body.subarray(ivBytes, -tagBytes)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SealBroken({ cause });
  }
}

const probe = "probe";

/** Proves the key: a known word, sealed. */
const Proof = z.object({ sealed: z.string() });
const proofs = defineKind({ name: "proof of the key", namespace: "seal", schema: Proof });

/**
 * Checks that this is the key that the store was used with, before anything else is read or written. The first start stores a sealed
 * probe, later starts open it. Throws StorageError, with nothing changed, for another key.
 */
export async function checkSealKey(store: Store, seal: Seal): Promise<void> {
  const fresh = { sealed: seal.seal("rackbell", probe) };
  if (await store.transact({ records: [creating(proofs, probe, fresh)] })) return;
  const proof = await openProof(store, seal);
  if (!proof || !seal.isCurrent(proof.sealed)) await store.keyv(proofs).set(probe, fresh);
}

/** The same check without a change: a proof under a new key would keep an app with the former one from starting. */
export async function openProof(store: Store, seal: Seal): Promise<z.infer<typeof Proof> | undefined> {
  const proof = await store.keyv(proofs).get(probe);
  if (proof === undefined || opens(seal, proof.sealed)) return proof;
  throw new StorageError(
    "ENCRYPTION_KEY is not the key that this store was used with, so nothing in it can be opened. Nothing was changed. " +
      "Start with the former key, or give it as ENCRYPTION_KEY_PREVIOUS beside the new one.",
  );
}

function opens(seal: Seal, sealed: string): boolean {
  try {
    return seal.open(sealed, probe) === "rackbell";
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
