import type { Message } from "../views/blocks.ts";

/** Messages for a member who pressed a button on the Home tab. The Home tab shows them when it is published after the press. */
export interface HomeNotes {
  /** Runs the work of a press. Returns the messages that were left for the member, also for presses that overlap with it. */
  during(member: string, work: () => Promise<void>): Promise<Message[]>;
  /** Leaves a message for the running press of a member; false when none runs, since no Home tab would show it. */
  leave(member: string, message: Message): boolean;
}

export function createHomeNotes(): HomeNotes {
  const open = new Map<string, { notes: Message[]; presses: number }>();
  return {
    async during(member, work) {
      const running = open.get(member) ?? { notes: [], presses: 0 };
      running.presses += 1;
      open.set(member, running);
      try {
        await work();
      } finally {
        running.presses -= 1;
        // A member may press twice: the press that ends first must not take the place of the other's message away.
        if (running.presses === 0) open.delete(member);
      }
      return [...running.notes];
    },
    leave(member, message) {
      const notes = open.get(member)?.notes;
      // The same text twice helps nobody.
      if (notes?.every(({ text }) => text !== message.text)) notes.push(message);
      return notes !== undefined;
    },
  };
}
