import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, type TestContext } from "vitest";

/** A process in a terminal of its own, as a person works with it. */
export interface Terminal {
  /** Waits until it shows all the texts, after the last thing that was typed. */
  sees(...texts: string[]): Promise<void>;
  /** Types a text, or pastes it, and then presses a key. */
  enters(text: string): void;
  press(key: keyof typeof keys): void;
  kill(signal: string): void;
  /** All that it ever showed, without colours. */
  shown(): string;
  /** All bytes that the terminal got, each piece with its milliseconds since the start. */
  pieces: { at: number; text: string }[];
  /** The process's exit code. */
  ended: Promise<number>;
}

const keys = { enter: "\r", down: "\x1b[B", backspace: "\x7f", "ctrl-c": "\x03" };

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  cols?: number;
  rows?: number;
}

/** Starts Node in a pseudo-terminal; null if this machine has none for it. Wide by default, so that no sentence is broken. */
async function openTerminal(
  args: string[],
  { cwd, env, cols = 400, rows = 60 }: TerminalOptions,
): Promise<Terminal | null> {
  const pty = await import("@lydell/node-pty").catch(() => null);
  if (pty === null) return null;
  const child = pty.spawn(process.execPath, args, { cwd, env: { TERM: "xterm-256color", ...env }, cols, rows });
  const pieces: { at: number; text: string }[] = [];
  const began = performance.now();
  let typedAt = 0;
  child.onData((text) => pieces.push({ at: performance.now() - began, text }));
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const bytes = () => pieces.map(({ text }) => text).join("");
  const write = (text: string) => {
    typedAt = bytes().length;
    child.write(text);
  };
  return {
    pieces,
    ended,
    async sees(...texts) {
      for (const text of texts)
        await expect.poll(() => stripVTControlCharacters(bytes().slice(typedAt)), { timeout: 60_000 }).toContain(text);
    },
    enters: (text) => write(`${text}\r`),
    press: (key) => write(keys[key]),
    kill: (signal) => child.kill(signal),
    shown: () => stripVTControlCharacters(bytes()),
  };
}

/** The same for a test, which is skipped if there is no terminal. The process ends with it. */
export async function terminalFor(
  context: Pick<TestContext, "skip">,
  args: string[],
  options: TerminalOptions,
): Promise<Terminal> {
  const terminal = process.platform === "win32" ? null : await openTerminal(args, options);
  if (terminal === null) return context.skip("this machine has no pseudo-terminal for Node");
  onTestFinished(async () => {
    terminal.kill("SIGKILL");
    await terminal.ended;
  });
  return terminal;
}
