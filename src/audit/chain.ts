import type { Signer } from "../storage/signer.ts";
import { type Checkpoint, checkSignatures, digestOfCheckpoint } from "./checkpoint.ts";
import { IntegrityError } from "./fault.ts";

/** A checkpoint that a person has copied elsewhere: its number and the beginning of its digest. */
export interface NotedCheckpoint {
  number: number;
  digest: string;
}

/** Compares each checkpoint with the one before it, and the last one with the head. */
export function createChain(signer: Signer, head: Checkpoint | null, noted: NotedCheckpoint | null) {
  let previous: Checkpoint | null = null;
  let compared: boolean | null = noted && noted.number < Math.max(1, head?.start ?? 0) ? false : null;

  function hold(checkpoint: Checkpoint, expected: number): void {
    const { number, at } = checkpoint;
    if (number !== expected) throw new IntegrityError({ is: "no checkpoint", number: expected });
    if (previous && checkpoint.previous !== digestOfCheckpoint(previous))
      throw new IntegrityError({ is: "wrong checkpoint", number: previous.number, at: previous.at });
    if (checkSignatures(signer, checkpoint) === "wrong")
      throw new IntegrityError({ is: "wrong checkpoint", number, at });
    if (checkpoint.severed) throw new IntegrityError({ is: "severed", number, at });
  }

  return {
    /** True when the checkpoint belongs to the log that the head describes. Throws IntegrityError at the first fault. */
    takes(checkpoint: Checkpoint | null): checkpoint is Checkpoint {
      if (head === null) throw new IntegrityError({ is: "no head" });
      if (previous?.number === head.number) {
        // Checkpoints that another instance took meanwhile may follow the head, and nothing else.
        if (!checkpoint || checkpoint.number <= head.number)
          throw new IntegrityError({ is: "no checkpoint", number: head.number + 1 });
        return false;
      }
      const expected: number = previous ? previous.number + 1 : Math.max(1, head.start);
      if (checkpoint === null) throw new IntegrityError({ is: "no checkpoint", number: expected });
      if (previous === null && checkpoint.number < head.start) return false;
      hold(checkpoint, expected);
      if (noted?.number === checkpoint.number) {
        compared = digestOfCheckpoint(checkpoint).startsWith(noted.digest);
        if (!compared) throw new IntegrityError({ is: "not the posted one", number: noted.number });
      }
      previous = checkpoint;
      return true;
    },
    /** Throws IntegrityError. */
    end(): void {
      if (head === null) return;
      if (previous?.number !== head.number)
        throw new IntegrityError({
          is: "no checkpoint",
          number: previous ? previous.number + 1 : Math.max(1, head.start),
        });
      // Check digest and signature: the head also states where the log begins, so the head must be signed.
      if (digestOfCheckpoint(previous) !== digestOfCheckpoint(head) || checkSignatures(signer, previous) !== "right")
        throw new IntegrityError({ is: "wrong checkpoint", number: previous.number, at: previous.at });
      if (noted && noted.number > head.number)
        throw new IntegrityError({ is: "not the posted one", number: noted.number });
    },
    compared: () => compared,
  };
}
