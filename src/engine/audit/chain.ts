import type { Signer } from "../../storage/signer.ts";
import { type Checkpoint, checkSignatures, digestOfCheckpoint } from "./checkpoint.ts";
import { Broken } from "./fault.ts";

/** A checkpoint that somebody has noted elsewhere: its number and the beginning of its digest. */
export interface Noted {
  number: number;
  digest: string;
}

/** Holds each checkpoint to the one before it, and the last to the head. */
export function createChain(signer: Signer, head: Checkpoint | null, noted: Noted | null) {
  let previous: Checkpoint | null = null;
  let compared: boolean | null = noted && noted.number < Math.max(1, head?.start ?? 0) ? false : null;

  function hold(checkpoint: Checkpoint, expected: number): void {
    const { number, at } = checkpoint;
    if (number !== expected) throw new Broken({ is: "no checkpoint", number: expected });
    if (previous && checkpoint.previous !== digestOfCheckpoint(previous))
      throw new Broken({ is: "wrong checkpoint", number: previous.number, at: previous.at });
    if (checkSignatures(signer, checkpoint) === "wrong") throw new Broken({ is: "wrong checkpoint", number, at });
    if (checkpoint.severed) throw new Broken({ is: "severed", number, at });
  }

  return {
    /** Whether it belongs to the record as the head tells it. Throws Broken. */
    takes(checkpoint: Checkpoint | null): checkpoint is Checkpoint {
      if (head === null) throw new Broken({ is: "no head" });
      if (previous?.number === head.number) {
        // What another instance took meanwhile follows; nothing else does.
        if (!checkpoint || checkpoint.number <= head.number)
          throw new Broken({ is: "no checkpoint", number: head.number + 1 });
        return false;
      }
      const expected: number = previous ? previous.number + 1 : Math.max(1, head.start);
      if (checkpoint === null) throw new Broken({ is: "no checkpoint", number: expected });
      if (previous === null && checkpoint.number < head.start) return false;
      hold(checkpoint, expected);
      if (noted?.number === checkpoint.number) {
        compared = digestOfCheckpoint(checkpoint).startsWith(noted.digest);
        if (!compared) throw new Broken({ is: "not the noted one", number: noted.number });
      }
      previous = checkpoint;
      return true;
    },
    /** Throws Broken. */
    end(): void {
      if (head === null) return;
      if (previous?.number !== head.number)
        throw new Broken({ is: "no checkpoint", number: previous ? previous.number + 1 : Math.max(1, head.start) });
      // Both: the beginning is where the head says, so that this must be signed, too.
      if (digestOfCheckpoint(previous) !== digestOfCheckpoint(head) || checkSignatures(signer, previous) !== "right")
        throw new Broken({ is: "wrong checkpoint", number: previous.number, at: previous.at });
      if (noted && noted.number > head.number) throw new Broken({ is: "not the noted one", number: noted.number });
    },
    compared: () => compared,
  };
}
