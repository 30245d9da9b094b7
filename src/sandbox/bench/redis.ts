import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { sleep, systemClock } from "../../process/clock.ts";
import { answers, freePort } from "./ports.ts";

/** The server program of this machine: Redis, or else Valkey. */
const program = ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0);

/** True if a server can be started here. */
export const hasRedis = program !== undefined;

/** A Redis of the bench's own on a free port of loopback. */
export interface Redis {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts one with its data in `folder`: it answers a write when the write is on the disk. Throws where no server is installed. */
export async function startRedis(folder: string): Promise<Redis> {
  if (!program) throw new Error("There is no redis-server here: install one, and run this again.");
  const port = await freePort();
  const settings = {
    bind: "127.0.0.1",
    port: String(port),
    dir: folder,
    save: "",
    appendonly: "yes",
    appendfsync: "always",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(program, args, { stdio: "ignore" });
  // Kill the server however the bench ends.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode} before it was ready`);
    await sleep(systemClock, 20);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
