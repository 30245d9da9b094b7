import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface OtherProcess {
  /** Waits until it has said `count` lines in all, and returns all it has said so far. */
  said(count: number): Promise<string[]>;
  /** Kills it as a power cut would; returns every whole line that it said. */
  kill(): Promise<string[]>;
}

export interface ProcessOptions {
  /** Separates it from other tests on one Redis. */
  prefix?: string;
  stderr?: "inherit" | "ignore";
  /** How much later a run asks to come again, in milliseconds. */
  again?: number;
  environment?: Record<string, string>;
}

export type Task = "hold" | "write" | "transact" | "run";

/** Starts a real second process on the store; it is killed when the test ends. */
export function startProcess(url: string, task: Task, options: ProcessOptions = {}): OtherProcess {
  const started = spawnProcess(url, task, options);
  onTestFinished(async () => void (await started.kill()));
  return started;
}

/** As `startProcess`, for tests that kill the process themselves. */
export function spawnProcess(
  url: string,
  task: Task,
  { prefix = "rackbell", stderr = "inherit", again = 0, environment = {} }: ProcessOptions = {},
): OtherProcess {
  const script = fileURLToPath(new URL("./child.ts", import.meta.url));
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [script, url, task, String(again), prefix],
    {
      stdio: ["ignore", "pipe", stderr],
      env: { ...process.env, ...environment },
    },
  );
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = once(reader, "close");
  const exited = once(child, "exit");
  reader.on("line", (line) => lines.push(line));

  async function kill(): Promise<string[]> {
    child.kill("SIGKILL");
    await Promise.all([exited, closed]);
    return lines;
  }

  return {
    async said(count) {
      while (lines.length < count) {
        const ended = await Promise.race([once(reader, "line").then(() => false), closed.then(() => true)]);
        if (ended && lines.length < count) throw new Error(`The other process ended after ${lines.length} lines.`);
      }
      return lines;
    },
    kill,
  };
}
