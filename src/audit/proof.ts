import { hash, randomUUID } from "node:crypto";
import * as z from "#zod";
import { canonicalJson } from "../process/json.ts";
import type { Signer } from "../process/signer.ts";
import type { LogEntry } from "../storage/store.ts";

/** The proof that is stored with an entry. The nonce makes each entry unique, so that a copy is detected. */
const Proof = z.object({ key: z.string(), mac: z.string(), nonce: z.string() });
const Proven = z.object({ proof: Proof });

/** An entry's data with the proof that Rackbell wrote it. The proof covers all that is stored, except the place in the log. */
export function prove(
  signer: Signer,
  { at, subjects, data }: Omit<LogEntry, "id" | "data"> & { data: object },
): object {
  const nonce = randomUUID();
  return { ...data, proof: { ...signer.sign(signedText(at, subjects, data, nonce)), nonce } };
}

/** Checks the proof of an entry; "unknown key" means that a former encryption key signed it. */
export function checkProof(
  signer: Signer,
  { at, subjects, data }: LogEntry,
): "right" | "wrong" | "unknown key" | "none" {
  const { proof } = Proven.safeParse(data).data ?? {};
  if (!proof || typeof data !== "object") return "none";
  // JSON leaves out the undefined proof, so this is the signed text.
  return signer.check(signedText(at, subjects, { ...data, proof: undefined }, proof.nonce), proof);
}

/** The entry's unique nonce; null when it has no proof. */
export function entryNonce({ data }: LogEntry): string | null {
  return Proven.safeParse(data).data?.proof.nonce ?? null;
}

const Agent = z.looseObject({ why: z.string() });
/** An entry's data without the reasons in it, which a digest stands for. The nonce is its salt, so it goes as well. */
const Withheld = z.looseObject({
  proof: z.strictObject({ key: z.string(), mac: z.string(), withheld: z.string() }),
  reason: z.undefined().optional(),
  agent: Agent.extend({ why: z.literal("") }).optional(),
});
const Whole = z.looseObject({
  proof: z.strictObject(Proof.shape),
  reason: z.string().optional(),
  agent: Agent.optional(),
});

/** The data as it is shown to somebody who may not read the requester's reason, nor their agent's. The digest of the entry stays the same. */
export function withoutReason(data: unknown): unknown {
  const whole = Whole.safeParse(data).data;
  if (!whole) return data;
  const { reason = null, agent, proof, ...rest } = whole;
  const { key, mac, nonce } = proof;
  const withheld = digestOfText(canonicalJson([nonce, reason, agent?.why ?? null]));
  return { ...rest, ...(agent ? { agent: { ...agent, why: "" } } : {}), proof: { key, mac, withheld } };
}

/** True if the data is as it was written, or as `withoutReason` left it. */
export function isWritten(data: unknown): boolean {
  return Whole.safeParse(data).success || Withheld.safeParse(data).success;
}

/** A digest of all that is stored of an entry, its place included. It needs no key. */
export function digestOfEntry({ id, at, subjects, data }: LogEntry): string {
  return digestOfText(canonicalJson([id, at, subjects, withoutReason(data)]));
}

export function digestOfText(text: string): string {
  return hash("sha256", text, "base64url");
}

function signedText(at: number, subjects: readonly string[], data: object, nonce: string): string {
  return JSON.stringify([Math.trunc(at), subjects, data, nonce]);
}
