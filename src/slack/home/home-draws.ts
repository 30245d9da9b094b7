import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { SlackRefused } from "../../messages/chat/errors.ts";
import type { LoggedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { replacing } from "../../storage/record.ts";
import type { Block, Message } from "../../views/blocks.ts";

/** Slack allows 100 blocks on the Home tab, so notes are limited. */
const mostNotes = 2;

const StoredBlock = z.custom<Block>((block) => typeof block === "object" && block !== null && "type" in block);
const Turn = z.object({
  id: z.string(),
  since: z.number(),
  /** The notes that Slack has not taken yet. None holds a secret: modals alone show one. */
  unshown: z.array(z.object({ text: z.string(), blocks: z.array(StoredBlock) })),
});
type Turn = z.infer<typeof Turn>;

/** The newest drawing of a member's Home. All instances share it: two presses may come to two of them. */
const homeTurns = defineKind({
  name: "turn of a Home",
  namespace: "home-turns",
  schema: Turn,
  ttlMs: 10 * 60_000,
  // A transaction changes it, and after a crash nobody draws any more.
  lasts: "system",
});

/** One drawing of a member's Home, from reading its data to showing it. */
export interface HomeDraw {
  /** The messages that it shows to the member. */
  notes: readonly Message[];
  /** Milliseconds since the epoch: this drawing must show no list that was read before. */
  since: number;
  /** True once a newer drawing of the same Home has begun, in any instance. */
  isOvertaken(): Promise<boolean>;
  /**
   * Runs `send`, unless the drawing is overtaken: older data must not replace newer ones. `send` awaits `before` ahead of each try, since
   * Slack may put one off. The newer drawing shows its notes as well, and those of one that Slack did not answer. Notes that Slack refused
   * are dropped: with them, it would refuse each later Home.
   */
  publish(send: (before: () => Promise<void>) => Promise<void>): Promise<void>;
}

class Overtaken extends Error {}

/**
 * Begins a drawing, which overtakes those before it: it shows the notes that they have not shown, and reads what they were to read again.
 * Without the store it overtakes none, and none overtakes it.
 */
export async function beginHomeDraw(
  { store, log }: Pick<LoggedApp, "store" | "log">,
  member: string,
  given: { notes: readonly Message[]; since: number },
): Promise<HomeDraw> {
  const id = randomUUID();

  /** Changes the turn of this Home, unless `change` gives null. */
  async function changed(change: (before: Turn | undefined) => Turn | null): Promise<Turn | null> {
    for (;;) {
      const stored = await store.read(homeTurns, member);
      const turn = change(stored.value);
      if (turn === null || (await store.transact({ records: [replacing(stored, turn)] }))) return turn;
    }
  }

  function unknown(error: unknown): null {
    log.warn({ err: error }, "Whether another instance draws this Home is not known");
    return null;
  }

  const turn = await changed((before) => ({
    id,
    since: Math.max(given.since, before?.since ?? 0),
    unshown: withoutRepeats([...(before?.unshown ?? []), ...given.notes]).slice(-mostNotes),
  })).catch(unknown);

  async function isOvertaken(): Promise<boolean> {
    if (!turn) return false;
    const newest = await store.keyv(homeTurns).get(member).catch(unknown);
    return newest !== null && newest !== undefined && newest.id !== id;
  }

  async function noteShown(): Promise<void> {
    if (turn && turn.unshown.length > 0)
      await changed((now) => (now?.id === id ? { ...now, unshown: [] } : null)).catch(unknown);
  }

  return {
    notes: turn?.unshown ?? given.notes.slice(-mostNotes),
    since: turn?.since ?? given.since,
    isOvertaken,
    async publish(send) {
      const before = async () => {
        if (await isOvertaken()) throw new Overtaken();
      };
      try {
        await before();
        await send(before);
      } catch (error) {
        if (error instanceof Overtaken) return;
        if (error instanceof SlackRefused) await noteShown();
        throw error;
      }
      await noteShown();
    },
  };
}

function withoutRepeats(notes: readonly Message[]): Message[] {
  return notes.filter(({ text }, at) => notes.findIndex((other) => other.text === text) === at);
}
