import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { openPractice } from "./stories/main-process.ts";
import { said } from "./stories/story.ts";

// Slack's CLI splits a hook at its spaces, runs it without a shell in the project's folder, adds the tokens to the environment, and reads
// the manifest from standard output (docs.slack.dev, Slack CLI, "Hooks").

const { hooks, config } = z
  .object({
    hooks: z.object({ "get-manifest": z.string(), start: z.string() }),
    config: z.object({ "sdk-managed-connection-enabled": z.boolean() }),
  })
  .parse(JSON.parse(readFileSync(".slack/hooks.json", "utf8")));

function split(hook: string): [command: string, args: string[]] {
  const [command = "", ...args] = hook.split(/\s+/);
  return [command, args];
}

const path = { PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}` };

test("the hook for the manifest prints the committed manifest, and nothing else", async () => {
  const [command, args] = split(hooks["get-manifest"]);
  const { stdout } = await promisify(execFile)(command, args, { env: path, maxBuffer: 1024 * 1024 });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync("manifest.json", "utf8")));
});

test("the hook to start runs the app with the tokens of Slack's CLI, and the app holds the socket itself", async () => {
  expect(config["sdk-managed-connection-enabled"]).toBe(true);
  const { environment, slack } = await openPractice();
  const [command, args] = split(hooks.start);
  const cli = { SLACK_CLI_XAPP: slack.appToken, SLACK_CLI_XOXB: slack.botToken };
  const child: ChildProcess = spawn(command, args, {
    env: { ...path, ...cli, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stdout?.on("data", (chunk) => lines.push(String(chunk)));
  await expect.poll(() => lines.join("")).toContain("Rackbell is ready");
  await slack.connected();
  const ana = slack.as("ana");
  await ana.type("/vps list");
  await slack.until(
    () => ana.sees().some((message) => said(message).includes("You have not linked a key yet")),
    "the answer",
  );
  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});
