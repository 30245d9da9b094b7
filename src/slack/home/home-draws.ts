import { LRUCache } from "lru-cache";
import { SlackRefused } from "../../messages/chat/errors.ts";
import type { Message } from "../../views/blocks.ts";

/** Members whose Home is tracked at a time. */
const mostDrawn = 1_000;
/** Slack allows 100 blocks on the Home tab, so notes are limited. */
const mostNotes = 2;

/** One drawing of a member's Home, from reading its data to showing it. */
export interface HomeDraw {
  /** The messages that it shows to the member. */
  notes: readonly Message[];
  /** True once a newer draw of the same Home has begun. */
  isOvertaken(): boolean;
  /**
   * Runs `send`, unless the draw is overtaken: older data must not replace newer ones. `send` awaits `before` ahead of each try, since Slack
   * may put one off. The newer draw shows its notes as well, and those of one that Slack did not answer. Notes that Slack refused are
   * dropped: with them, it would refuse each later Home.
   */
  publish(send: (before: () => Promise<void>) => Promise<void>): Promise<void>;
}

export interface HomeDraws {
  begin(member: string, notes: readonly Message[]): HomeDraw;
}

class Overtaken extends Error {}

export function createHomeDraws(): HomeDraws {
  const newest = new LRUCache<string, { unshown: readonly Message[] }>({ max: mostDrawn });
  return {
    begin(member, given) {
      const earlier = newest.get(member)?.unshown ?? [];
      const notes = [...new Set([...earlier, ...given])].slice(-mostNotes);
      const turn = { unshown: notes };
      newest.set(member, turn);
      // The cache may have forgotten the turn among those of many members; then it knows of none that is newer.
      const isOvertaken = () => (newest.get(member) ?? turn) !== turn;
      return {
        notes,
        isOvertaken,
        async publish(send) {
          if (isOvertaken()) return;
          const before = async () => {
            if (isOvertaken()) throw new Overtaken();
          };
          try {
            await send(before);
          } catch (error) {
            if (error instanceof Overtaken) return;
            if (error instanceof SlackRefused) turn.unshown = [];
            throw error;
          }
          turn.unshown = [];
        },
      };
    },
  };
}
