import { clearLine, cursorTo } from "node:readline";
import { PassThrough } from "node:stream";
import { CANCEL_SYMBOL } from "@clack/prompts";

/** Ends the setup early, with a sentence that says why. */
export class Stopped extends Error {}

/** The keyboard for the whole of the setup: a string that is pasted too early is not shown, and Ctrl-C always ends the setup. */
export interface Keyboard {
  /** Asks with a prompt that reads from `input`. Throws Stopped at Ctrl-C. */
  ask<T>(prompt: (input: PassThrough) => Promise<T | typeof CANCEL_SYMBOL>): Promise<T>;
  /** Says what runs until it has ended, and drops all that is typed meanwhile. Throws Stopped at Ctrl-C. */
  during<T>(says: string, work: Promise<T>): Promise<T>;
  /** Gives the terminal back. */
  close(): void;
}

const ctrlC = 3;

/**
 * Takes the keyboard of a terminal. Between two prompts, and during their spinner, the prompts themselves leave it to the terminal, which
 * shows what is typed (@clack/prompts 1.9): so they read from a stream of ours.
 */
export function openKeyboard({ stdin, stdout }: Pick<NodeJS.Process, "stdin" | "stdout">): Keyboard {
  const input = new PassThrough();
  const stopped = new Stopped("The setup stopped. Run it again: it goes on here.");
  let isAsking = false;
  let interrupt = (): void => {};
  function onData(bytes: Buffer): void {
    if (isAsking) input.write(bytes);
    else if (bytes.includes(ctrlC)) interrupt();
  }
  stdin.setRawMode(true);
  stdin.on("data", onData);

  return {
    async ask(prompt) {
      isAsking = true;
      const answer = await prompt(input);
      isAsking = false;
      if (answer === CANCEL_SYMBOL) throw stopped;
      return answer;
    },
    async during(says, work) {
      const { promise, reject } = Promise.withResolvers<never>();
      interrupt = () => reject(stopped);
      stdout.write(`   ${says} …`);
      try {
        return await Promise.race([work, promise]);
      } finally {
        clearLine(stdout, 0);
        cursorTo(stdout, 0);
      }
    },
    close() {
      stdin.off("data", onData);
      stdin.pause();
      stdin.setRawMode(false);
    },
  };
}
