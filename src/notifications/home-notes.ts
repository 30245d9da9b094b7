import type { Message } from "../views/blocks.ts";

/** Messages for a member who pressed a button on the Home tab. The Home tab shows them when it is published after the press. */
export interface HomeNotes {
  /** Runs the work of a press. Returns the messages that were left for the member meanwhile. */
  during(member: string, work: () => Promise<void>): Promise<Message[]>;
  /** Leaves a message for the running press of a member; false when none runs, since no Home tab would show it. */
  leave(member: string, message: Message): boolean;
}

export function createHomeNotes(): HomeNotes {
  const open = new Map<string, Message[]>();
  return {
    async during(member, work) {
      const notes = open.get(member) ?? [];
      open.set(member, notes);
      try {
        await work();
      } finally {
        open.delete(member);
      }
      return notes;
    },
    leave(member, message) {
      const notes = open.get(member);
      // The same text twice helps nobody.
      if (notes?.every(({ text }) => text !== message.text)) notes.push(message);
      return notes !== undefined;
    },
  };
}
