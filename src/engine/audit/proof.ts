import { hash } from "node:crypto";
import * as z from "zod";
import { randomPortion } from "../../storage/random.ts";
import type { Signer } from "../../storage/signer.ts";
import type { LogEntry } from "../../storage/store.ts";

/** What an entry bears beside what it says. The nonce makes each unlike every other, so that a copy is known as one. */
const Proof = z.object({ key: z.string(), mac: z.string(), nonce: z.string() });
const Proven = z.object({ proof: Proof });

/** An entry's data with the proof that it was Rackbell that wrote it: over all that is kept of it but its place in the log. */
export function prove(
  signer: Signer,
  { at, subjects, data }: Omit<LogEntry, "id" | "data"> & { data: object },
): object {
  const nonce = randomPortion(9).toString("base64url");
  return { ...data, proof: { ...signer.sign(signedText(at, subjects, data, nonce)), nonce } };
}

/** Whether an entry is as Rackbell wrote it; "unknown key": a former encryption key's. */
export function checkProof(
  signer: Signer,
  { at, subjects, data }: LogEntry,
): "right" | "wrong" | "unknown key" | "none" {
  const { proof } = Proven.safeParse(data).data ?? {};
  if (!proof || typeof data !== "object") return "none";
  // What is undefined is not in the text that was signed.
  return signer.check(signedText(at, subjects, { ...data, proof: undefined }, proof.nonce), proof);
}

/** What no two entries have in common; null for one that bears no proof. */
export function nonceOf({ data }: LogEntry): string | null {
  return Proven.safeParse(data).data?.proof.nonce ?? null;
}

/** A digest of all that is kept of an entry, its place included. It needs no key. */
export function digestOfEntry({ id, at, subjects, data }: LogEntry): string {
  return digestOfText(JSON.stringify([id, at, subjects, data]));
}

export function digestOfText(text: string): string {
  return hash("sha256", text, "base64url");
}

function signedText(at: number, subjects: readonly string[], data: object, nonce: string): string {
  return JSON.stringify([Math.trunc(at), subjects, data, nonce]);
}
