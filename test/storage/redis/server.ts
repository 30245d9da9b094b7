import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../src/sandbox/bench/ports.ts";

/** The server program of this machine: Redis, or else Valkey. */
const program = ["redis", "valkey"].find((name) => spawnSync(`${name}-server`, ["--version"]).status === 0);

/** True if a server can be started here; without one these tests are skipped and say so. */
export const hasRedis = program !== undefined;

/** A redis-server of its own on a free port, with its data in a folder of its own. */
export interface RedisServer {
  port: number;
  url: string;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data; or with none, as a failover to an empty one looks. */
  start(options?: { empty?: boolean }): Promise<void>;
  /** Stops it from answering, and lets it go on; its connections stay. */
  freeze(): void;
  thaw(): void;
  /** One command, by redis-cli. */
  cli(...args: string[]): string;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
}

/** `settings` are the server's own: name and value by turns. Kept safe on its disk unless they say otherwise. */
export async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-redis-"));
  let port = await freePort();
  let data = 0;
  let child: ChildProcess | undefined;

  async function start({ empty = false } = {}): Promise<void> {
    if (empty) data += 1;
    const given: Record<string, string> = {
      bind: "127.0.0.1",
      port: String(port),
      save: "",
      appendonly: "yes",
      appendfsync: "always",
      ...settings,
    };
    // With TLS it listens on the same port for that alone.
    if (settings["tls-port"]) given["tls-port"] = String(port);
    // Its own default is 10,000 above the port: there another process may listen already.
    if (settings["cluster-enabled"]) given["cluster-port"] = String(await freePort());
    const flags = Object.entries({ ...given, dir: folder, appenddirname: `data-${data}` });
    const started = spawn(
      `${program}-server`,
      flags.flatMap(([name, value]) => [`--${name}`, value]),
      { stdio: "ignore" },
    );
    child = started;
    await listening(port, started, settings["tls-port"] !== undefined);
    if (settings["cluster-enabled"]) await ownAllSlots();
  }

  /** A Cluster of this server alone. */
  async function ownAllSlots(): Promise<void> {
    if (cli("CLUSTER", "INFO").includes("cluster_slots_assigned:0")) cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    // Each look starts a process, which takes as long as many tests of the store.
    while (!cli("CLUSTER", "INFO").includes("cluster_state:ok"))
      await new Promise((resolve) => setTimeout(resolve, 100));
  }

  function cli(...args: string[]): string {
    const result = spawnSync(`${program}-cli`, ["-p", String(port), ...args], { encoding: "utf8" });
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout.trim();
  }

  async function kill(): Promise<void> {
    const ended = child;
    child = undefined;
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
    const exited = once(ended, "exit");
    ended.kill("SIGKILL");
    await exited;
  }

  // Between the search for a free port and the start, another process may take it.
  for (let left = 3; left > 0; left -= 1)
    try {
      await start();
      break;
    } catch (error) {
      if (left === 1) throw error;
      port = await freePort();
    }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    cli,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves once it answers. */
async function listening(port: number, child: ChildProcess, tls: boolean): Promise<void> {
  while (child.exitCode === null) {
    const answered = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1", () => (tls ? resolve(true) : socket.write("PING\r\n")));
      // Any answer counts, except that it is still loading its data.
      socket.on("data", (said) => resolve(!said.toString().startsWith("-LOADING")));
      socket.on("error", () => resolve(false));
      socket.on("close", () => resolve(false));
      socket.on("data", () => socket.destroy());
      if (tls) socket.on("connect", () => socket.destroy());
    });
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("redis-server ended at its start.");
}
