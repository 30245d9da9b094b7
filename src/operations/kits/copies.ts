import * as z from "#zod";
import type { Fact, Progress, Reconciled, Step } from "../../operation/answer.ts";
import type { BackupOffer, LastBackup } from "../../operation/backup.ts";
import type { Effect } from "../../operation/effects.ts";
import { NotYet, wrongInput } from "../../operation/errors.ts";
import type { CustomImage } from "../../platform/customer/images.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, isPlatformError } from "../../platform/http/errors.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { bytes, moment } from "../../views/format.ts";
import { code, dotted, listing } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";

// Snapshots, backups and captured images are the same resources in both APIs; their words differ.

/** A snapshot as both APIs show it. */
interface Snapshot {
  name: PlainText;
  status: string;
  created_at?: string | null | undefined;
  completed_at?: string | null | undefined;
  size_bytes?: number | null | undefined;
  in_progress: boolean;
  restorable: boolean;
  destroys_on_restore: string[];
  comes_back_running: boolean;
  crash_consistent?: boolean | null | undefined;
}

/**
 * The copy of a job. The name is stored for messages after the copy is gone. `was` and `destroys` are from before the job, and `begun` if it
 * was seen to run since: until then, the row may still read as before. `answered`: the answer of the platform showed it running.
 */
export const CopyHandle = z.object({
  id: z.string(),
  name: z.string(),
  was: z.string().default("available"),
  destroys: z.array(z.string()).default([]),
  begun: z.boolean().default(false),
  answered: z.boolean().default(false),
});
type CopyHandle = z.infer<typeof CopyHandle>;

/** The copies before the call: a further one is the one that it made. */
export const IdsBefore = z.object({ ids: z.array(z.string()) });

/** The images before the call. */
export const ImagesBefore = z.object({ images: z.array(z.string()) });

/** Both specs, section 2.8 of the customer API. */
export const copyNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** A capture moves the whole disk. */
export const capturePace = { every: 15_000, deadline: 6 * 60 * 60_000 };

/** A host may pause a machine while it copies its disk. */
export const copyEffects: readonly Effect[] = [{ aspect: "power", through: ["paused"], to: [] }];

/** A revert or a restore stops the machine. `running`: the platform starts it again; undefined if it does not say. */
export function restoreEffects(running: boolean | undefined): readonly Effect[] {
  const to = running === undefined ? [] : [running ? ("running" as const) : ("stopped" as const)];
  return [{ aspect: "power", through: ["stopped", "paused"], to }];
}

/** The source of an image of the account, behind "from": two of one name can come from two hosts. */
export function imageSource({
  source_kind: kind,
  source_url: url,
}: Pick<CustomImage, "source_kind" | "source_url">): string {
  return kind === "capture" ? "a capture" : URL.parse(url ?? "")?.host || "an unknown address";
}

/** The state of an own image as the end of a sentence: "is being captured". */
export function imageWords(status: string): string {
  const words = new Map([
    ["available", "can be used in orders"],
    ["capturing", "is being captured"],
    ["error", "cannot be used"],
  ]);
  return words.get(status) ?? `is ${stateWords(status)}`;
}

export function imageMark(status: string): string {
  const marks = new Map([
    ["available", ":cd:"],
    ["capturing", ":hourglass_flowing_sand:"],
    ["error", ":red_circle:"],
  ]);
  return marks.get(status) ?? ":white_circle:";
}

/** An image is ready, or has failed, long after it was asked for. */
const captureEffects: readonly Effect[] = [
  ...copyEffects,
  { aspect: "image", on: "made", to: ["available"], failing: ["error"], later: true },
];

/** The members of a capture in both APIs. */
export const captureCommon = { group: "data", synonyms: ["image"], risk: "spend", effects: captureEffects } as const;

/** The words that offer a capture, or a snapshot, before another act. */
export const captureFirst = { label: "Back up first", step: "Store the disk as an image", does: "captures" };
export const snapshotFirst = {
  label: "Back up first",
  step: "Take a snapshot of the disk",
  does: "takes a snapshot of",
};

/** The sentence for a provider's empty list: it does not prove that there are none. Customer spec section 4.2. */
export const emptyListProvesNothing = "The list is also empty while its provider cannot be reached.";

/**
 * Finds copies in the list of one target, by id. `one`: the word for a copy, and the name of its input. `list` resolves to null where the
 * platform's list proves nothing: then nobody knows if there is such a copy, and `find` resolves to undefined.
 */
export function copiesIn<A extends ApiName, C extends { id: string }>(
  one: "snapshot" | "backup",
  list: (client: ApiClient<A>, targetId: string) => Promise<C[] | null>,
) {
  async function find(client: ApiClient<A>, targetId: string, id: string): Promise<C | null | undefined> {
    const copies = await list(client, targetId);
    return copies === null ? undefined : (copies.find((copy) => copy.id === id) ?? null);
  }
  return {
    find,
    /** Throws where it is gone, or is not listed now. */
    async present(client: ApiClient<A>, targetId: string, id: string): Promise<C> {
      const found = await find(client, targetId, id);
      if (found === undefined)
        throw new NotYet(`That ${one} is not listed now. ${emptyListProvesNothing} Nothing was done.`);
      if (found === null) throw wrongInput(one, `That ${one} is gone.`);
      return found;
    },
  };
}

/** The answers to a job on a snapshot, by its state. */
interface JobWords {
  working: string;
  failed: Progress;
  ended: Progress;
}

/** Milliseconds after which a job, or a new copy, that the platform accepted and never showed is in doubt. */
export const longestUnshownMs = 2 * 60_000;

/** Milliseconds after which a list shows what the platform's answer showed. A restore that is quicker than a poll never shows as running. */
const longestStaleMs = 30_000;

/**
 * The parts of a handle by the platform's answer to a restore. If the answer says nothing, the list is read at once: the first poll may come
 * after the end. That read may fail, and the restore is accepted all the same.
 */
export async function restoreBegun(
  answer: "over" | "running" | null,
  look: () => Promise<Snapshot | null | undefined>,
): Promise<Partial<CopyHandle>> {
  if (answer !== null) return answer === "over" ? { begun: true } : { answered: true };
  const seen = await look().catch((error: unknown) => {
    if (isPlatformError(error)) return null;
    throw error;
  });
  return { begun: seen?.in_progress === true || busy.includes(seen?.status ?? "") };
}

/** The states of a snapshot while it is restored or deleted. */
const busy: readonly string[] = ["reverting", "deleting"];

/**
 * The progress of a restore or a deletion, `elapsed` milliseconds after the platform accepted it. A platform that answers with a job may
 * show the row as before for a while, which is no end (spec section 1). `job`: "the deletion of `a`".
 */
export function jobProgress(
  snapshot: Snapshot,
  handle: CopyHandle,
  { job, elapsed, next = [], ...words }: JobWords & { job: string; elapsed: number; next?: Step[] },
): Progress {
  const { status, in_progress: runs, destroys_on_restore: left } = snapshot;
  const text = words.working;
  if (runs || busy.includes(status)) return { state: "working", text, handle: { ...handle, begun: true } };
  const isShown =
    handle.begun ||
    (handle.answered && elapsed > longestStaleMs) ||
    status !== handle.was ||
    restoreOutcome(handle.destroys, left).is === "done";
  if (isShown) return status === "error" ? words.failed : words.ended;
  if (elapsed <= longestUnshownMs) return { state: "working", text };
  const unshown = `The platform accepted ${job}, and does not show whether it ran. Look again in some minutes.`;
  return { state: "done", endUnknown: true, text: unshown, next };
}

/** Milliseconds from the start of a snapshot in which another job on the same disk may end. */
export const longestOtherJobMs = 10 * 60_000;

/**
 * The progress of a new snapshot, `elapsed` milliseconds after its start. While another job works on the disk, as the next snapshot, it
 * cannot be restored. If it never can, that is no failure: the snapshot is there. It is no backup either, so nothing may be erased on the
 * strength of it.
 */
export function takingProgress(snapshot: Snapshot, elapsed: number, words: JobWords & { next: Step[] }): Progress {
  if (snapshot.status === "error") return words.failed;
  const isBusy = snapshot.in_progress || (!snapshot.restorable && elapsed < longestOtherJobMs);
  if (isBusy) return { state: "working", text: words.working };
  if (snapshot.restorable) return words.ended;
  return {
    state: "done",
    endUnknown: true,
    text: `The snapshot ${code(snapshot.name)} is taken, but the platform does not let it be restored yet. Another job may still use the disk, or the snapshot is missing on its host. Look at it before you rely on it.`,
    next: words.next,
  };
}

export function restored({ name, comes_back_running: running }: Snapshot, next: Step[]): Progress {
  return { state: "done", text: `The disk is as it was in ${code(name)}. ${afterwards(running)}`, next };
}

/**
 * The outcome of a restore whose answer was lost. It destroys all newer snapshots, whose names were `destroys` before it and are `left` now;
 * `left` is undefined where the snapshot itself is gone. If only some of them are gone, anybody may have deleted those.
 */
export function restoreOutcome(destroys: readonly string[], left: readonly string[] | undefined): Reconciled {
  const known = destroys.length > 0 && left !== undefined;
  if (known && left.length === 0) return { is: "done", text: "the newer snapshots are gone." };
  if (known && destroys.every((name) => left.includes(name)))
    return { is: "not done", text: "the newer snapshots are all there." };
  return { is: "unsure", text: "The platform shows nothing that proves the restore." };
}

/** A row of a list: "`before-upgrade`", and under it "available · taken Nov 20 · 12 GB". */
export function snapshotLine(snapshot: Snapshot): string {
  const { name, status, created_at: created, completed_at: completed, size_bytes: size } = snapshot;
  const facts = dotted([
    status,
    created && `taken ${moment(created)}`,
    completed && `complete ${moment(completed)}`,
    size ? bytes(size) : null,
    status === "available" && consistencyOf(snapshot).inList,
  ]);
  return `${markOf(status)} ${code(name)}\n${facts}`;
}

function markOf(status: Snapshot["status"]): string {
  if (status === "available") return ":camera:";
  return status === "error" ? ":red_circle:" : ":hourglass_flowing_sand:";
}

/** The words for a snapshot whose host may not have frozen the system while it took it. */
interface Consistency {
  /** In a row of a list. */
  inList: string | null;
  /** The end of a sentence about a new snapshot. */
  atEnd: string;
  /** In the review of a restore: a warning if the files are known to be bad, a fact if nobody knows. */
  warnings: string[];
  facts: Fact[];
}

/** False: the host froze the system. True: it could not. Null: it did not say. Customer spec section 2.9. */
export function consistencyOf({ crash_consistent: crash }: Pick<Snapshot, "crash_consistent">): Consistency {
  if (crash === false) return { inList: null, atEnd: "", warnings: [], facts: [] };
  if (crash === true)
    return {
      inList: "crash-consistent",
      atEnd: " The system could not be frozen, so it restores like after a power cut.",
      warnings: ["Files may be incomplete, as after a power cut."],
      facts: [],
    };
  const value = "unknown: files may be incomplete, as after a power cut";
  return {
    inList: "maybe crash-consistent",
    atEnd: " The platform does not say if the system was frozen: it may restore like after a power cut.",
    warnings: [],
    facts: [{ label: "System frozen", value, decides: "unknown" }],
  };
}

export function requireRestorable({ name, restorable }: Pick<Snapshot, "name" | "restorable">): void {
  if (restorable) return;
  throw new NotYet(
    `The snapshot ${code(name)} cannot be restored now: it is busy, failed, or missing on its host. Nothing was done.`,
  );
}

export function afterwards(running: boolean): string {
  return running ? "The machine comes back running." : "The machine stays off until it is started.";
}

/** "`a` and `b`". */
export function copyNames(names: PlainText[]): string {
  return listing(names.map((name) => code(name, 60)));
}

/** The newer copies that going back destroys. */
export function destroysIs(label: string, destroys: string[], none: string) {
  return { value: destroys, label, text: destroys.length > 0 ? copyNames(destroys) : none };
}

/** " The newer snapshot `b` is destroyed as well."; empty if none is. `noun` stands before the names. */
export function lostWithIt(destroys: string[], noun = ""): string {
  if (destroys.length === 0) return "";
  return ` The newer ${noun}${copyNames(destroys)} will be destroyed as well.`;
}

/** The texts about a snapshot that runs before a change of plan. */
export function snapshotOffer(name: PlainText, snapshots: Snapshot[]): BackupOffer {
  // One without a time is there all the same.
  const [newest] = snapshots
    .filter(({ restorable }) => restorable)
    .map(({ name: of, created_at: at }) => ({ name: of, at: at ? Date.parse(at) : null }))
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  return {
    words: `takes a snapshot of the disk of ${code(name)}. The snapshot can restore the disk, but not the plan. A restore loses all data written after the snapshot.`,
    terms: "no charge; it restores the disk, not the plan",
    newest: newest ?? null,
  };
}

/** The texts about a capture that runs before the disk is erased. `image` is the last one, while it is there. */
export function captureOffer(
  name: PlainText,
  {
    payer,
    size,
    image,
    last,
  }: { payer: string; size: string | null; image: PlainText | undefined; last: LastBackup | null },
): BackupOffer {
  return {
    words: `stores the disk of ${code(name)} as an image. The image is billed${payer} by its virtual size${size === null ? "" : ` (${size})`} until it is deleted. The platform does not name the price. To restore, you order a new server from the image, with new addresses. The new server needs room on the node that has the image, and that node may be full.`,
    terms: `billed${payer} for ${size ?? "its size"}; the platform names no price`,
    newest: image !== undefined && last ? { name: image, at: last.at } : null,
  };
}

/** A button that restores by ordering another server from the image, with the same product and project if they are known. */
export function orderFromCopy(
  command: string,
  image: string,
  product: string | null | undefined,
  project?: string,
): Step {
  const input = { ...(product ? { product } : {}), ...(project ? { project } : {}), image };
  return { label: "Order from the image…", command, input };
}
