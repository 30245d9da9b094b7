import type { Message } from "../../views/blocks.ts";

/** What there is to say to who pressed something on the Home tab: it is said there, by the Home that is shown anew after the press. */
export interface HomeNotes {
  /** Does what a press asks for. All that is left for the member meanwhile is the answer. */
  during(member: string, work: () => Promise<void>): Promise<Message[]>;
  /** False where no press of theirs is at work, so that no Home would show it. */
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
      // What is said twice in the same words is read once.
      if (notes?.every(({ text }) => text !== message.text)) notes.push(message);
      return notes !== undefined;
    },
  };
}
