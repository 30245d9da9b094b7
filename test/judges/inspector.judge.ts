import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { installPackages } from "../install.ts";
import { reboot, withAgent } from "../stories/agents/agent.ts";
import { goAhead } from "../stories/story.ts";

const launcher = join(
  installPackages("judges"),
  "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

interface Outcome {
  code: number;
  output: string;
  errors: string;
}

/** The Inspector's command line, which knows the server from a file: there alone can the revision of the protocol be chosen. */
function inspectorFor(url: string, token: string, era: "modern" | "legacy") {
  const home = mkdtempSync(join(tmpdir(), "inspector-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = { type: "http", url, headers: { Authorization: `Bearer ${token}` }, protocolEra: era };
  const config = join(home, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { rackbell: server } }));
  const fixed = ["--cli", "--config", config, "--server", "rackbell", "--stored-auth-only", "--format", "json"];
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    MCP_STORAGE_DIR: home,
    MCP_AUTO_OPEN_ENABLED: "false",
    MCP_INSPECTOR_SECRET_STORE: "memory",
  };
  return (...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      execFile(process.execPath, [launcher, ...fixed, ...args], { env, timeout: 100_000 }, (error, output, errors) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, output, errors }),
      );
    });
}

const Result = z.object({ result: z.looseObject({}) });

function resultOf({ code, output, errors }: Outcome): Record<string, unknown> {
  if (code !== 0) throw new Error(`It ended with ${code}: ${errors}${output}`);
  return Result.parse(JSON.parse(output)).result;
}

const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) });
const Called = z.object({ structuredContent: z.looseObject({}) });

test.each(["modern", "legacy"] as const)(
  "the Inspector lists our tools, reads, proposes and sees the decision, and is told what goes wrong, over the %s protocol",
  async (era) => {
    const { story, ana, token } = await withAgent();
    const url = `${story.app.url}/mcp`;
    const inspect = inspectorFor(url, token, era);
    const call = (tool: string, args: object) =>
      inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args));
    const called = async (tool: string, args: object) =>
      Called.parse(resultOf(await call(tool, args))).structuredContent;

    expect(resultOf(await inspect("--method", "initialize"))).toMatchObject({ serverInfo: { name: "rackbell" } });
    const { tools } = Listed.parse(resultOf(await inspect("--method", "tools/list")));
    const names = ["search_operations", "read", "propose", "request_status", "withdraw"];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(JSON.stringify(await called("search_operations", { words: "reboot", noun: "vps" }))).toContain("vps reboot");
    expect(JSON.stringify(await called("read", { command: "vps list" }))).toContain("web-1");
    // Over the newest protocol a proposal is a task, and the Inspector waits until somebody has decided and it is done.
    const proposing = called("propose", reboot);
    await ana.press(await story.seesIn("dm", ana, "proposes to", reboot.why), goAhead);
    const { request } = await proposing;
    await expect.poll(async () => (await called("request_status", { request })).done, { timeout: 60_000 }).toBe(true);

    const wrong = await call("read", { command: "vps fly" });
    expect([wrong.code, wrong.output]).toEqual([5, expect.stringContaining("You have no such command")]);
    const stranger = await inspectorFor(url, `${token.slice(0, -4)}AAAA`, era)("--method", "tools/list");
    expect([stranger.code, stranger.output]).toEqual([3, ""]);
  },
);
