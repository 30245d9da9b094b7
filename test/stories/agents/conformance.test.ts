import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type Story, startStory } from "../story.ts";
import { agentsOn, newToken } from "./agent.ts";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** The suite sends no token, so a proxy adds it; everything else passes as it is. */
async function proxyWith(story: Story, token: string): Promise<string> {
  const { hostname, port } = new URL(story.app.url);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const forwarded = send({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return `http://localhost:${address.port}/mcp`;
}

/** The suite asks for tools, prompts and resources of its own; this server has its five tools alone. */
const asksForFixture =
  /There is no tool of this name|Not testable|Method not found|does not support|fixture|-32601|failing_job|json_schema_2020_12_tool|InputRequiredResult/;

const Check = z.object({
  id: z.string(),
  status: z.string(),
  description: z.string().default(""),
  errorMessage: z.string().default(""),
});

test("the official conformance suite finds nothing but tools of its own that this server does not have", async () => {
  const environment = { ...agentsOn, PUBLIC_URL: "http://localhost" };
  const story = await startStory({ environment, linked: ["ana"] });
  const url = await proxyWith(story, await newToken(story, story.ana, "claude", "may=propose"));
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await new Promise((resolve) => {
    const args = ["server", "--url", url, "--requirements", "2026-07-28", "-o", folder];
    execFile(process.execPath, [suite, ...args], { maxBuffer: 64 * 1024 * 1024 }, resolve);
  });
  const files = globSync("**/checks.json", { cwd: folder });
  const checks = files.flatMap((file) => z.array(Check).parse(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const failed = checks.filter(
    ({ status, errorMessage }) => status === "FAILURE" && !asksForFixture.test(errorMessage),
  );
  expect(failed).toEqual([]);
  // A suite that could not run would find nothing, too.
  expect(files.length).toBeGreaterThanOrEqual(50);
  expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThanOrEqual(90);
});
