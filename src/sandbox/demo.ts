import process from "node:process";
import { startApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createRegistry } from "../engine/registry.ts";
import { createLog, surviveSocketMode } from "../log.ts";
import { operations } from "../operations/index.ts";
import { manifestOf } from "../slack/manifest.ts";
import { startPractice } from "./practice.ts";

const firstPort = 4180;

/** The practice workspace, the practice platform and the real app between them, on loopback, until Ctrl-C. */
async function demo(): Promise<void> {
  const log = createLog({ level: "warn", destination: process.stderr });
  surviveSocketMode(process, log);
  const practice = await startPractice({
    clock: systemClock,
    manifest: manifestOf(createRegistry(operations)),
    port: firstPort,
    pace: 12,
    cooldownPace: 12,
    latencyMs: 80,
  }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    return startPractice({
      clock: systemClock,
      manifest: manifestOf(createRegistry(operations)),
      pace: 12,
      cooldownPace: 12,
      latencyMs: 80,
    });
  });
  const app = await startApp({ config: readConfig(practice.environment), log });
  process.stdout.write(
    `\n  Rackbell's practice workspace is open at  ${practice.slack.url}\n\n  Ctrl-C ends it; nothing is kept.\n\n`,
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(
      signal,
      () =>
        void app
          .stop()
          .then(practice.close)
          .then(() => process.exit(0)),
    );
  }
}

await demo();
