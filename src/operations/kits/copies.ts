import * as z from "zod";
import type { Progress, Step } from "../../operation/answer.ts";
import type { BackupOffer, LastBackup } from "../../operation/backup.ts";
import { NotYet } from "../../operation/errors.ts";
import { bytes, moment } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";

// Snapshots, backups and captured images are the same resources in both wings; their words differ.

/** A snapshot as both APIs show it. */
interface Snapshot {
  name: string;
  status: string;
  created_at?: string | null | undefined;
  completed_at?: string | null | undefined;
  size_bytes?: number | null | undefined;
  restorable: boolean;
  crash_consistent?: boolean | null | undefined;
}

/** The copy of a job. The name is stored for messages after the copy is gone. */
export const CopyHandle = z.object({ id: z.string(), name: z.string() });

/** The copies before the call: a further one is the one that it made. */
export const IdsBefore = z.object({ ids: z.array(z.string()) });

/** Both specs, section 2.8 of the customer API. */
export const copyNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** A capture moves the whole disk. */
export const capturePace = { every: 15_000, deadline: 6 * 60 * 60_000 };

/** A row of a list: "`before-upgrade`", and under it "available · taken Nov 20 · 12 GB". */
export function snapshotLine(snapshot: Snapshot): string {
  const { name, status, created_at: created, completed_at: completed, size_bytes: size } = snapshot;
  const facts = [
    status,
    created ? `taken ${moment(created)}` : null,
    completed ? `complete ${moment(completed)}` : null,
    size ? bytes(size) : null,
    snapshot.crash_consistent === true ? "crash-consistent" : null,
  ];
  return `${markOf(status)} ${code(name)}\n${facts.filter((fact) => fact !== null).join(" · ")}`;
}

function markOf(status: Snapshot["status"]): string {
  if (status === "available") return ":camera:";
  return status === "error" ? ":red_circle:" : ":hourglass_flowing_sand:";
}

/** The end of a sentence about a new snapshot. */
export function consistencyOf({ crash_consistent: crash }: Pick<Snapshot, "crash_consistent">): string {
  return crash === true ? " The system could not be frozen, so it restores like after a power cut." : "";
}

export function requireRestorable({ name, restorable }: Pick<Snapshot, "name" | "restorable">): void {
  if (restorable) return;
  throw new NotYet(
    `The snapshot ${code(name)} cannot be restored now: it is busy, failed, or missing on its host. Nothing was done.`,
  );
}

/**
 * The end of a snapshot that the platform has taken, and still does not let anybody restore. It is no failure: the snapshot is there. It is
 * no backup either, so nothing may be erased on the strength of it.
 */
export function takenButNotRestorable(name: string): Pick<Progress, "state" | "endUnknown" | "text"> {
  const text = `The snapshot ${code(name)} is taken, but the platform does not let it be restored yet. Another job may still use the disk, or the snapshot is missing on its host. Look at it before you rely on it.`;
  return { state: "done", endUnknown: true, text };
}

export function afterwards(running: boolean): string {
  return running ? "The machine comes back running." : "The machine stays off until it is started.";
}

/** "`a` and `b`". */
export function copyNames(names: string[]): string {
  return listing(names.map((name) => code(name, 60)));
}

/** The newer copies that going back destroys. */
export function destroysIs(label: string, destroys: string[], none: string) {
  return { value: destroys, label, text: destroys.length > 0 ? copyNames(destroys) : none };
}

/** " The newer snapshot `b` is destroyed as well."; empty if none is. `noun` stands before the names. */
export function lostWithIt(destroys: string[], noun = ""): string {
  if (destroys.length === 0) return "";
  return ` The newer ${noun}${copyNames(destroys)} ${destroys.length > 1 ? "are" : "is"} destroyed as well.`;
}

/** The texts about a snapshot that runs before a change of plan. */
export function snapshotOffer(name: string, snapshots: Snapshot[]): BackupOffer {
  const [newest] = snapshots
    .flatMap(({ name: of, restorable, created_at: at }) => (restorable && at ? [{ name: of, at: Date.parse(at) }] : []))
    .toSorted((a, b) => b.at - a.at);
  return {
    words: `takes a snapshot of the disk of ${code(name)} first. The snapshot can restore the disk, but not the plan. A restore loses all data written after the snapshot.`,
    brief: "First, a snapshot of the disk is taken. It can restore the disk, but not the plan.",
    newest: newest ?? null,
  };
}

/** The texts about a capture that runs before the disk is erased. `image` is the last one, while it is there. */
export function captureOffer(
  name: string,
  { payer, size, image, last }: { payer: string; size: string; image: string | undefined; last: LastBackup | null },
): BackupOffer {
  return {
    words: `stores the disk of ${code(name)} as an image first. The image is billed${payer} by its virtual size${size} until it is deleted. The platform does not name the price. To restore, you order a new server from the image, with new addresses. The new server needs room on the node that has the image, and that node may be full.`,
    brief: `First, the disk is stored as an image. It is billed${payer} by its virtual size, at a price that the platform does not name.`,
    newest: image !== undefined && last ? { name: image, at: last.at } : null,
  };
}

/** A button that restores by ordering another server from the image, with the same product if it is known. */
export function orderFromCopy(command: string, image: string, product: string | null | undefined): Step {
  return { label: "Order from the image…", command, input: { ...(product ? { product } : {}), image } };
}
