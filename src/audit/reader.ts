import type { Signer } from "../storage/signer.ts";
import type { LogEntry } from "../storage/store.ts";
import { createAssertionCheck } from "./assertions.ts";
import { type Checkpoint, placeOf, readMark } from "./checkpoint.ts";
import { AuditEntry } from "./entry.ts";
import { faultOf, IntegrityError } from "./fault.ts";
import { checkProof, digestOfEntry, digestOfText, nonceOf } from "./proof.ts";

/** Compares the entries, from first to last, with the checkpoints that fixed them. `isWhole`: retention has cut none off. */
export function createReader(
  signer: Signer,
  entries: AsyncGenerator<LogEntry>,
  { isWhole }: { isWhole: boolean } = { isWhole: false },
) {
  const assertions = createAssertionCheck({ isWhole });
  const nonces = new Set<string>();
  let ahead: LogEntry | undefined;
  let ended = false;
  let fixed = 0;

  async function peek(): Promise<LogEntry | undefined> {
    if (ahead || ended) return ahead;
    const { value, done } = await entries.next();
    ended = done === true;
    ahead = done ? undefined : value;
    return ahead;
  }

  async function prove(entry: LogEntry, options: { formerKeys: boolean }): Promise<void> {
    const proof = checkProof(signer, entry);
    if (proof === "wrong") throw faultOf("changed", entry);
    if (proof === "none" || (proof === "unknown key" && !options.formerKeys)) throw faultOf("added", entry);
    const nonce = nonceOf(entry);
    if (nonce !== null && nonces.has(nonce)) throw faultOf("copied", entry);
    if (nonce !== null) nonces.add(nonce);
    const said = AuditEntry.safeParse(entry.data).data;
    const why = said ? await assertions.faultOf(said) : null;
    if (why !== null && said)
      throw new IntegrityError({
        ...{ is: "assertion", why, place: placeOf(entry.id), entry: { at: entry.at, said } },
      });
  }

  return {
    /** Verifies all entries that a checkpoint fixed. Throws IntegrityError at the first fault. */
    async fixed(checkpoint: Checkpoint): Promise<void> {
      const digests: string[] = [];
      for (const mark of checkpoint.marks) {
        const { place, digest } = readMark(mark);
        const entry = await peek();
        if (!entry || Number(entry.id) > place)
          throw new IntegrityError({ is: "removed", place: String(place), entry: null });
        if (checkpoint.strange.includes(placeOf(entry.id)))
          throw faultOf(checkProof(signer, entry) === "wrong" ? "changed" : "added", entry);
        const found = digestOfEntry(entry);
        if (!found.startsWith(digest)) throw faultOf("changed", entry);
        await prove(entry, { formerKeys: true });
        digests.push(found);
        fixed += 1;
        ahead = undefined;
      }
      if (digestOfText(digests.join()) !== checkpoint.digest)
        throw new IntegrityError({ is: "wrong checkpoint", number: checkpoint.number, at: checkpoint.at });
    },
    /** Verifies the entries after the last checkpoint, and counts both parts. Throws IntegrityError at the first fault. */
    async rest(): Promise<{ fixed: number; loose: number; assertions: { checked: number; unknown: number } }> {
      let loose = 0;
      for (let entry = await peek(); entry; entry = await peek()) {
        await prove(entry, { formerKeys: false });
        loose += 1;
        ahead = undefined;
      }
      return { fixed, loose, assertions: assertions.counts() };
    },
  };
}
