import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { goAhead, type Story, startStory } from "../story.ts";
import { agentsOn, newToken } from "./agent.ts";
import { fixtureServer, type SuiteJob } from "./fixtures.ts";

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

const neverAsks = "Our tools have people decide in Slack, and never ask their client for anything.";
const noHeaders = "No tool of ours mirrors an argument into a header of its own.";
const sameLists = "Our lists are always the same, so no change of one is announced.";

/** The checks that this server does not pass, each with its reason. */
const excused: Record<string, string> = {
  "sep-2663-server-returns-missing-capability-when-required":
    "Each tool answers a client that takes no tasks too: with the request as it is now.",
  "sep-2663-tasks-get-status-input-required": neverAsks,
  "tasks-mrtr-partial-fulfillment": neverAsks,
  "sep-2663-mrtr-synchronous-before-task-creation": neverAsks,
  "sep-2663-tool-error-uses-completed-status":
    "A proposal that ended in another way is an answer whose `done` is false, and no error of the tool.",
  "sep-2663-tasks-get-status-failed": "A proposal ends with an outcome, and never with an error of the protocol.",
  "sep-2243-server-no-xmcp-tool": noHeaders,
  "sep-2243-server-decode-base64": noHeaders,
  "sep-2243-server-validate-param-match": noHeaders,
  "sep-2243-server-reject-invalid-param-chars": noHeaders,
  "sep-2243-server-reject-param-mismatch": noHeaders,
  "sep-2575-server-sends-prompts-list-changed-on-subscription": sameLists,
  "sep-2575-server-sends-tools-list-changed-on-subscription": sameLists,
  "tasks-status-notifications": "The suite has no such check yet, and skips it for each server.",
};

const Check = z.object({
  id: z.string(),
  status: z.string(),
  description: z.string().default(""),
  errorMessage: z.string().default(""),
});

/** Ana decides each proposal of the suite. One that the suite cancels waits. */
function decideJobs(story: Story): { onJob(job: SuiteJob): void; settled(): Promise<unknown> } {
  const decisions: Promise<void>[] = [];
  async function decide(why: string): Promise<void> {
    await story.ana.press(await story.seesIn("dm", story.ana, "proposes to", why), goAhead);
  }
  return {
    onJob({ why, seconds }) {
      if (seconds < 60) decisions.push(decide(why));
    },
    settled: () => Promise.all(decisions),
  };
}

test("over all that the official conformance suite asks of a server, it finds nothing but what does not fit proposals, each with its reason", async () => {
  const environment = { ...agentsOn, PUBLIC_URL: "http://localhost" };
  let onJob = (_job: SuiteJob): void => {};
  const serveAgent = fixtureServer((job) => onJob(job));
  const story = await startStory({ environment, linked: ["ana"], pace: 60, serveAgent });
  const jobs = decideJobs(story);
  onJob = jobs.onJob;
  const url = await proxyWith(story, await newToken(story, story.ana, "claude", "may=propose channel=#ops"));
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await new Promise((resolve) => {
    const args = ["server", "--url", url, "--requirements", "2026-07-28", "-o", folder];
    execFile(process.execPath, [suite, ...args], { maxBuffer: 64 * 1024 * 1024 }, resolve);
  });
  await jobs.settled();
  const files = globSync("**/checks.json", { cwd: folder });
  const checks = files.flatMap((file) => z.array(Check).parse(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const unproven = checks.filter(({ status }) => !["SUCCESS", "INFO"].includes(status));
  expect(unproven.filter(({ id }) => !Object.hasOwn(excused, id))).toEqual([]);
  // An excuse that nothing needs would hide the next fault.
  expect(Object.keys(excused).filter((id) => unproven.every((check) => check.id !== id))).toEqual([]);
  // A suite that could not run would find nothing, too.
  expect(files.length).toBeGreaterThanOrEqual(50);
  expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThanOrEqual(175);
}, 300_000);
