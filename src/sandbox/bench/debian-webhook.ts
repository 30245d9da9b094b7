import { spawn, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sleep, systemClock } from "../../clock.ts";
import type { Address } from "./deliveries.ts";
import { answers, freePort } from "./ports.ts";

/** Debian's `webhook` (adnanh/webhook) with the same check and a command that does nothing; null where it is not installed. */
export async function startDebianWebhook(
  folder: string,
  secret: string,
): Promise<{ address: Address; stop(): void } | null> {
  if (spawnSync("webhook", ["-version"]).error) return null;
  const port = await freePort();
  const signed = { type: "payload-hmac-sha256", secret, parameter: { source: "header", name: "X-Hub-Signature-256" } };
  const hooks = [{ id: "bench", "execute-command": "/bin/true", "trigger-rule": { match: signed } }];
  await writeFile(join(folder, "hooks.json"), JSON.stringify(hooks), { mode: 0o600 });
  const args = ["-hooks", join(folder, "hooks.json"), "-ip", "127.0.0.1", "-port", String(port)];
  const child = spawn("webhook", args, { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  while (!(await answers(port))) await sleep(systemClock, 20);
  const address = { origin: `http://127.0.0.1:${port}`, path: "/hooks/bench", secret };
  return { address, stop: () => void child.kill() };
}
