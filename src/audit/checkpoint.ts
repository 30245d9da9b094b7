import * as z from "#zod";
import type { Signer } from "../process/signer.ts";
import type { LogEntry } from "../storage/store.ts";
import { digestOfEntry, digestOfText } from "./proof.ts";

/** Of a digest's 43 characters: enough that nobody can find another content with the same beginning. */
const notedLength = 22;
const Signatures = z.array(z.object({ key: z.string(), mac: z.string() }));

/** The content of a checkpoint: the entries since the one before it, in their order, and a link to that one. */
export const CheckpointBody = z.object({
  /** Counted from 1. */
  number: z.number().int(),
  at: z.number(),
  /** The log's ids around its entries: `after` comes before the first, `through` is the last. */
  after: z.string(),
  through: z.string(),
  /** Each entry's place and the beginning of its digest, so that verification can name the wrong entry. */
  marks: z.array(z.string()),
  /** Over the digests of all its entries. */
  digest: z.string(),
  /** Places of entries without a valid proof when it was taken. */
  strange: z.array(z.string()),
  /** The checkpoint after which the log begins, once its beginning was cut off; 0 before that. */
  start: z.number().int(),
  /** The digest of the checkpoint before it. */
  previous: z.string().nullable(),
  /** True when the signature of the checkpoint before it could not be verified. */
  severed: z.boolean(),
});
export type CheckpointBody = z.infer<typeof CheckpointBody>;

export const Checkpoint = CheckpointBody.extend({ signatures: Signatures });
export type Checkpoint = z.infer<typeof Checkpoint>;

/** A checkpoint of these entries, signed with every key that is known. */
export function makeCheckpoint(
  signer: Signer,
  entries: readonly LogEntry[],
  about: Pick<CheckpointBody, "number" | "at" | "after" | "strange" | "start" | "previous" | "severed">,
): Checkpoint {
  const digests = entries.map(digestOfEntry);
  const body: CheckpointBody = {
    ...about,
    through: entries.at(-1)?.id ?? about.after,
    marks: entries.map(({ id }, at) => `${entryPlace(id)}.${(digests[at] ?? "").slice(0, notedLength)}`),
    digest: digestOfText(digests.join()),
  };
  return { ...body, signatures: signer.signWithAll(digestOfCheckpoint(body)) };
}

export function digestOfCheckpoint(body: CheckpointBody): string {
  return digestOfText(JSON.stringify(CheckpointBody.parse(body)));
}

/** Checks a checkpoint's signatures: "unknown" when only former keys signed it. */
export function checkSignatures(signer: Signer, checkpoint: Checkpoint): "right" | "wrong" | "unknown" {
  const digest = digestOfCheckpoint(checkpoint);
  const found = checkpoint.signatures.map((signature) => signer.check(digest, signature));
  if (found.includes("wrong")) return "wrong";
  return found.includes("right") ? "right" : "unknown";
}

/** True when the present key signed it. After a change of keys, the first checkpoint under both is still to come. */
export function isSignedNow(signer: Signer, { signatures }: Checkpoint): boolean {
  const { key } = signer.sign("");
  return signatures.some((signature) => signature.key === key);
}

/** An entry's place in the log, as a number for people. */
export function entryPlace(id: string): string {
  return String(Number(id));
}

/** A mark's place and digest. */
export function readMark(mark: string): { place: number; digest: string } {
  const [place = "", digest = ""] = mark.split(".");
  return { place: Number(place), digest };
}

/** A checkpoint that a person has copied elsewhere: its number and the beginning of its digest. */
export interface NotedCheckpoint {
  number: number;
  digest: string;
}

/** The text by which people note a checkpoint. */
export function checkpointNote({ number, digest }: NotedCheckpoint): string {
  return `${number}.${digest.slice(0, notedLength)}`;
}

/** Reads the text that `noteOf` made; undefined for any other text. */
export function readNote(text: string): NotedCheckpoint | undefined {
  const [, number, digest] = /^(\d{1,15})\.([\w-]{22})$/.exec(text.trim().replaceAll("`", "")) ?? [];
  return number && digest ? { number: Number(number), digest } : undefined;
}
