import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebClient } from "@slack/web-api";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { installPackages } from "../install.ts";
import { RecordedCalls } from "../stories/record-calls.ts";

const root = join(import.meta.dirname, "../..");
const installed = installPackages("judges");

/** The stories whose calls are judged. */
const stories = ["commands/first", "commands/home", "requests/approving", "requests/audit"];
// Put together, so that no scanner of secrets takes it for one.
const token = ["xoxb", "of", "the", "emulator"].join("-");

/** The differences between the two Slacks that are no fault of ours, each with its reason: method, our outcome, theirs. */
const absent = "The emulator does not have this method.";
const made = "The story makes Slack fail, or come too late.";
const unseen = "Somebody closed a modal in between. The emulator hears of calls alone.";
const excused: Record<string, string> = {
  "apps.connections.open: ok here, no such method there": absent,
  "dnd.teamInfo: ok here, no such method there": absent,
  "usergroups.list: ok here, no such method there": absent,
  "usergroups.users.list: ok here, no such method there": absent,
  "users.conversations: ok here, no such method there": absent,
  "users.info: internal_error here, ok there": made,
  "views.push: ok here, push_limit_reached there": unseen,
  "views.update: ok here, not_found there": unseen,
  "views.open: expired_trigger_id here, ok there": made,
};

/** Runs the stories, and reads what each of them called; RECORD_SLACK_CALLS names a folder that other stories filled before. */
async function recordStories(): Promise<RecordedCalls[]> {
  if (process.env.RECORD_SLACK_CALLS) return readCalls(process.env.RECORD_SLACK_CALLS);
  const folder = mkdtempSync(join(tmpdir(), "slack-calls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = stories.map((name) => `test/stories/${name}.test.ts`);
  const { JUDGES: _, ...env } = process.env;
  const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...files];
  await ended(
    spawn(process.execPath, args, { cwd: root, env: { ...env, RECORD_SLACK_CALLS: folder }, stdio: "ignore" }),
  );
  return readCalls(folder);
}

function readCalls(folder: string): RecordedCalls[] {
  return readdirSync(folder).map((file) => RecordedCalls.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))));
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** Another Slack, with the people and channels of a story. */
async function openEmulator({ users, channels }: RecordedCalls): Promise<{ client: WebClient; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "emulate-"));
  const seed = join(folder, "seed.json");
  const slack = {
    users: Object.keys(users).map((name) => ({ name })),
    channels: Object.entries(channels).map(([name, { isPrivate }]) => ({ name, is_private: isPrivate })),
    tokens: [{ token, type: "bot", user: "rackbell" }],
  };
  writeFileSync(seed, JSON.stringify({ slack }));
  const port = await freePort();
  const script = join(installed, "node_modules/emulate/dist/index.js");
  const args = [script, "start", "--service", "slack", "--port", String(port), "--seed", seed];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
  const url = `http://localhost:${port}/api/`;
  await expect
    .poll(() =>
      fetch(`${url}auth.test`, { method: "POST" }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  const client = new WebClient(token, { slackApiUrl: url, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true });
  return {
    client,
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const Listed = z.object({ members: z.array(z.object({ id: z.string(), name: z.string() })) });
const Channels = z.object({ channels: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The texts of an answer by which later calls name what it made: ids, times, hashes and addresses, by their place in it. */
function namesIn(value: unknown, place = ""): Map<string, string> {
  const found = new Map<string, string>();
  if (typeof value !== "object" || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${place}.${name}`;
    if (typeof inner === "string" && /(?:^|_)(?:id|ts|hash|channel|user|url)$/.test(name)) found.set(at, inner);
    for (const [deeper, text] of namesIn(inner, at)) found.set(deeper, text);
  }
  return found;
}

async function outcomeOf(client: WebClient, method: string, args: Record<string, unknown>) {
  try {
    return { outcome: "ok", answer: await client.apiCall(method, args) };
  } catch (error) {
    const refused = z.object({ data: z.object({ error: z.string() }) }).safeParse(error).data?.data.error;
    return { outcome: refused ?? (/404/.test(String(error)) ? "no such method" : String(error)), answer: {} };
  }
}

/** Calls the emulator as the story called the practice Slack, in the same order. Gives the differences. */
async function replay(recorded: RecordedCalls): Promise<string[]> {
  const { client, close } = await openEmulator(recorded);
  const names = new Map<string, string>();
  const differences: string[] = [];
  let lastView: string | undefined;
  try {
    const { members } = Listed.parse(await client.users.list({}));
    for (const { id, name } of members) if (recorded.users[name]) names.set(recorded.users[name], id);
    const { channels } = Channels.parse(await client.conversations.list({ types: "public_channel,private_channel" }));
    for (const { id, name } of channels) if (recorded.channels[name]) names.set(recorded.channels[name].id, id);
    // The histories differ by what people typed, so an author at the same place may be another: these names never change.
    const given = new Set(names.keys());
    for (const { method, args, outcome, answer } of recorded.calls) {
      let text = JSON.stringify(args);
      for (const [ours, theirs] of names) text = text.replaceAll(`"${ours}"`, `"${theirs}"`);
      const mapped = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      if (mapped.trigger_id !== undefined) {
        const user = names.get(recorded.users.ana ?? "");
        const on = method === "views.push" ? { view_id: lastView } : {};
        const made = await outcomeOf(client, "views.generateTriggerId", { user_id: user, ...on });
        mapped.trigger_id = Object(made.answer).trigger_id;
      }
      const theirs = await outcomeOf(client, method, mapped);
      if (theirs.outcome !== outcome) differences.push(`${method}: ${outcome} here, ${theirs.outcome} there`);
      const learnt = namesIn(theirs.answer);
      // Home is a view too, and nothing is pushed onto it.
      if (/^views\.(?:open|push)$/.test(method)) lastView = learnt.get(".view.id") ?? lastView;
      const upload = learnt.get(".upload_url");
      if (upload) await fetch(upload, { method: "POST", body: "x".repeat(Number(mapped.length)) });
      for (const [place, name] of namesIn(answer)) {
        const other = learnt.get(place);
        if (other !== undefined && other !== name && !given.has(name)) names.set(name, other);
      }
    }
  } finally {
    close();
  }
  return differences;
}

test("another Slack accepts and refuses the calls of our stories as the practice Slack does", async () => {
  const all = await recordStories();
  const differences: string[] = [];
  let calls = 0;
  for (const recorded of all) {
    calls += recorded.calls.length;
    differences.push(...(await replay(recorded)));
  }
  expect(differences.filter((each) => !Object.hasOwn(excused, each))).toEqual([]);
  expect(calls).toBeGreaterThan(100);
}, 600_000);
