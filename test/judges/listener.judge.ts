import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { ownFolder } from "../own-folder.ts";
import { openPractice, startMain } from "../stories/main-process.ts";

// Attackers that others wrote, from Debian: `apt-get install slowhttptest nghttp2-client`. On this machine's own network, and for seconds.

interface Outcome {
  code: number;
  output: string;
}

const isInstalled = (tool: string) => !spawnSync(tool, ["--version"]).error;

function run(tool: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(tool, args, { timeout: 100_000, maxBuffer: 2 ** 26 }, (error, output, errors) => {
      const plain = stripVTControlCharacters(`${output}${errors}`);
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, output: plain });
    });
  });
}

/** Megabytes of a process in memory. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The app as a process that Slack posts to. */
async function startListener() {
  const practice = await openPractice();
  const main = await startMain(practice, { http: true });
  const memory = () => memoryOf(main.child.pid ?? 0);
  return { practice, main, memory };
}

/** More connections than the listener keeps, so that it has to make room. */
const crowd = "2400";

/** Readiness without the notes beside it. */
const isReady = expect.stringMatching(/^200 .*"ready":true/);

const attacks = {
  "headers that never end": ["-H", "-u", "/readyz"],
  "a body that never ends": ["-B", "-u", "/slack/events", "-s", "8192"],
  "ranges without end": ["-R", "-u", "/readyz"],
  "answers that nobody reads": ["-X", "-u", "/readyz", "-k", "4", "-n", "3", "-w", "10", "-y", "20", "-z", "5"],
} as const;

test.skipIf(!isInstalled("slowhttptest")).each(Object.entries(attacks))(
  "slowhttptest with %s keeps no member out, and leaves no connection and little memory behind",
  async (_, [kind, , path, ...more]) => {
    const { practice, main, memory } = await startListener();
    const ana = practice.slack.as("ana");
    const before = { memory: memory(), messages: ana.sees().length };
    const times = ["-c", crowd, "-r", "400", "-l", "40", "-i", "2", "-p", "20"];
    let isOver = false;
    const attack = run("slowhttptest", [kind, ...times, ...more, "-v", "1", "-u", `${main.url}${path}`]).finally(() => {
      isOver = true;
    });
    let asked = 0;
    while (!isOver) {
      expect(await main.ready()).toEqual(isReady);
      await ana.type("/rackbell help");
      asked += 1;
    }
    const { output } = await attack;
    const served = [...output.matchAll(/service available:\s+(\w+)/g)].map(([, word]) => word);
    expect(output).not.toBe("");
    expect(new Set(served)).toEqual(new Set(["YES"]));
    await expect.poll(() => ana.sees(), { timeout: 60_000 }).toHaveLength(asked + before.messages);
    expect(main.alive()).toBe(true);
    expect(memory() - before.memory).toBeLessThan(150);
  },
);

const loads = {
  "of the page of its health": { path: "/healthz", expected: "2xx" },
  "of an address that is not there": { path: "/nothing", expected: "4xx" },
  "of unsigned commands": { path: "/slack/events", expected: "4xx", body: "token=made-up&command=%2Fvps" },
} as const;

test.skipIf(!isInstalled("h2load")).each(Object.entries(loads))(
  "each request of a load by h2load %s has its answer",
  async (_, load) => {
    const { main } = await startListener();
    const many = 20_000;
    const file = join(ownFolder(), "body");
    if ("body" in load) writeFileSync(file, load.body);
    const data = "body" in load ? ["-d", file] : [];
    const { output } = await run("h2load", [
      "--h1",
      "-n",
      String(many),
      "-c",
      "200",
      ...data,
      `${main.url}${load.path}`,
    ]);
    expect(output).toMatch(new RegExp(`status codes: .*\\b${many} ${load.expected}`));
    expect(output).toContain("0 failed, 0 errored, 0 timeout");
    expect(await main.ready()).toEqual(isReady);
  },
);
