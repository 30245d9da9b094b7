import { stripVTControlCharacters } from "node:util";

/** A process in a terminal of its own, as a person works with it. */
export interface Terminal {
  /** Waits until it shows all the texts, after the last thing that was typed. */
  sees(...texts: string[]): Promise<void>;
  /** Types a text, or pastes it, and presses Enter. */
  enters(text: string): void;
  press(key: keyof typeof keys): void;
  kill(signal: string): void;
  /** All that it ever showed, without colours. */
  shown(): string;
  /** The bytes that it showed, each piece with its milliseconds since the start. */
  pieces: { at: number; text: string }[];
  /** The process's exit code. */
  ended: Promise<number>;
}

const keys = { enter: "\r", down: "\x1b[B", backspace: "\x7f", "ctrl-c": "\x03" };

/** Milliseconds for which a busy machine may need for the next answer. */
const patienceMs = 60_000;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  cols?: number;
  rows?: number;
}

/** Starts Node in a pseudo-terminal; null if this machine has none for it. Wide by default, so that no sentence is broken. */
export async function openTerminal(
  args: string[],
  { cwd, env, cols = 400, rows = 60 }: TerminalOptions,
): Promise<Terminal | null> {
  const pty = await import("@lydell/node-pty").catch(() => null);
  if (pty === null) return null;
  const child = pty.spawn(process.execPath, args, { cwd, env: { TERM: "xterm-256color", ...env }, cols, rows });
  const pieces: Terminal["pieces"] = [];
  const began = performance.now();
  let typedAt = 0;
  child.onData((text) => pieces.push({ at: performance.now() - began, text }));
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const bytes = () => pieces.map(({ text }) => text).join("");
  const write = (text: string) => {
    typedAt = bytes().length;
    child.write(text);
  };

  function sees(...texts: string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const fresh = () => stripVTControlCharacters(bytes().slice(typedAt));
      const missing = () => texts.filter((text) => !fresh().includes(text));
      const listener = child.onData(look);
      const timer = setTimeout(giveUp, patienceMs, "in time");
      // Its last output may come after its end.
      void ended.then(() => setTimeout(giveUp, 500, "before it ended"));
      function settle(then: () => void): void {
        clearTimeout(timer);
        listener.dispose();
        then();
      }
      function look(): void {
        if (missing().length === 0) settle(resolve);
      }
      function giveUp(when: string): void {
        const says = `The terminal did not show ${JSON.stringify(missing())} ${when}, but:\n${fresh()}`;
        settle(() => reject(new Error(says)));
      }
      look();
    });
  }

  return {
    pieces,
    ended,
    sees,
    enters: (text) => write(`${text}\r`),
    press: (key) => write(keys[key]),
    kill: (signal) => child.kill(signal),
    shown: () => stripVTControlCharacters(bytes()),
  };
}
