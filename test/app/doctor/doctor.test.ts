import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { connectionGreeted } from "../../../src/alerts/slack-connections.ts";
import { diagnose, findingLines } from "../../../src/app/doctor/diagnose.ts";
import { registry } from "../../../src/operations/index.ts";
import { systemClock } from "../../../src/process/clock.ts";
import { createLog } from "../../../src/process/log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { startPractice } from "../../../src/sandbox/practice.ts";
import { manifestOf } from "../../../src/slack/manifest.ts";
import { openStore } from "../../../src/storage/open.ts";
import { checkSealKey, createSeal } from "../../../src/storage/seal.ts";

const log = createLog({ level: "silent" });

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "rackbell-doctor-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A practice workspace and platform, and what the doctor says of them, a line each. */
async function practice(manifest: unknown = manifestOf(registry)) {
  const clock = createSandboxClock();
  const made = await startPractice({ clock, manifest });
  onTestFinished(() => made.close());
  const look = async (more: Record<string, string> = {}, at = clock) => {
    const findings = await diagnose({ ...made.environment, ...more }, { clock: at, log });
    return findings.map(({ about, fine, says }) => `${fine ? "ok" : "mend"} ${about}: ${says}`);
  };
  return { ...made, clock, look };
}

test("every part of a sound installation is reported as ok", async () => {
  const { look } = await practice();
  const lines = await look({ STORE_URL: `sqlite:${join(folder(), "new", "rackbell.db")}` });
  expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([]);
  expect(lines.join("\n")).toMatch(
    /variables[\s\S]*installed in “Rackbell Practice”[\s\S]*every scope[\s\S]*app token[\s\S]*platform: answers[\s\S]*clock: right[\s\S]*first start creates it/,
  );
});

test("every wrong variable is a line of its own, and no value is repeated", async () => {
  const { look } = await practice();
  const lines = await look({ PLATFORM_URL: "https://panel.example.test", ENCRYPTION_KEY: "tooshort" });
  expect(lines).toHaveLength(2);
  expect(lines.join("\n")).toMatch(/mend variables: PLATFORM_URL[\s\S]*mend variables: ENCRYPTION_KEY/);
  expect(lines.join("\n")).not.toContain("tooshort");
});

test("the doctor reads secrets from files as the app does, and says which file is missing", async () => {
  const { look, environment } = await practice();
  const file = join(folder(), "bot-token");
  writeFileSync(file, `${environment.SLACK_BOT_TOKEN}\n`);
  const filed = { SLACK_BOT_TOKEN: "", SLACK_BOT_TOKEN_FILE: file };
  expect((await look(filed)).join("\n")).toContain("installed in “Rackbell Practice”");
  expect(await look({ ...filed, SLACK_BOT_TOKEN_FILE: `${file}-none` })).toEqual([
    expect.stringMatching(/^mend variables: SLACK_BOT_TOKEN_FILE names a file that is not there/),
  ]);
});

test("the doctor names the scopes that an installation lacks, and what to do", async () => {
  const { look } = await practice({ oauth_config: { scopes: { bot: ["commands", "chat:write", "users:read"] } } });
  const problem = (await look()).find((line) => line.startsWith("mend"));
  expect(problem).toMatch(/Slack: .*lacks .*im:write.*reinstall/);
  expect(problem).not.toContain("history");
  expect(problem).not.toContain("users:read,");
});

test("an installation without the optional scopes is fine, and says what is lost by each", async () => {
  const bot = ["commands", "app_mentions:read", "chat:write", "users:read", "channels:read", "groups:read", "im:write"];
  const { look } = await practice({ oauth_config: { scopes: { bot } } });
  const lines = await look();
  expect(lines.filter((line) => line.startsWith("mend"))).toEqual([]);
  expect(lines.join("\n")).toMatch(
    /leaves out optional scopes: .*channels:history \(after a crash.*files:read \(forms/,
  );
});

test("tokens that Slack refuses are told apart, and stand in no line", async () => {
  const { look } = await practice();
  const lines = await look({ SLACK_BOT_TOKEN: "xoxb-nobodys-own-token", SLACK_APP_TOKEN: "xapp-1-nobodys" });
  expect(lines.filter((line) => line.startsWith("mend")).join("\n")).toMatch(
    /SLACK_BOT_TOKEN.*invalid_auth[\s\S]*SLACK_APP_TOKEN.*invalid_auth/,
  );
  expect(lines.join("\n")).not.toContain("nobodys");
});

test("a bot token of another app than the app token is a finding, with the page of the right one", async () => {
  const { look, slack } = await practice();
  const other = "A0OTHER0APP";
  slack.faults.answer("bots.info", (response) => response.end(JSON.stringify({ ok: true, bot: { app_id: other } })));
  expect((await look()).filter((line) => line.startsWith("mend"))).toEqual([
    `mend Slack: SLACK_BOT_TOKEN is of another app, ${other}, than SLACK_APP_TOKEN, so no command would arrive: copy the bot token from https://api.slack.com/apps/${slack.appId}/install-on-team`,
  ]);
});

test("in HTTP mode it says what it cannot know", async () => {
  const { look, slack } = await practice();
  const lines = await look({ SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret });
  expect(lines.join("\n")).toMatch(/ok Slack: HTTP mode/);
});

test("the doctor names the address of a platform that does not answer", async () => {
  const { look } = await practice();
  const lines = await look({ PLATFORM_URL: "http://127.0.0.1:9/api/v1" });
  expect(lines.find((line) => line.startsWith("mend"))).toMatch(
    /platform: PLATFORM_URL: .*the connection was refused\. .*127\.0\.0\.1:9\/api\/v1\/openapi\.json/,
  );
});

test("a warning stops no start, and the sum does not hide it", () => {
  const warning = { about: "store", fine: true, warns: true, says: "Redis keeps nothing" } as const;
  const text = findingLines([{ about: "clock", fine: true, says: "right" }, warning]);
  expect(text).toContain("WARN  store:     Redis keeps nothing");
  expect(text).toMatch(/Nothing stops a start.*Read the warnings first/);
  expect(text).not.toContain("Nothing needs mending");
});

test("the doctor says by how much a clock is off, and by whose", async () => {
  const { look } = await practice();
  const late = createSandboxClock(Date.now() - 600_000);
  expect((await look({}, late)).filter((line) => line.startsWith("mend")).join("\n")).toMatch(
    /clock: .*600 s behind Slack's/,
  );
});

test("the doctor names a store of another key, and does not open one in use", async () => {
  const { look, environment } = await practice();
  const STORE_URL = `sqlite:${join(folder(), "rackbell.db")}`;
  const store = await openStore({ url: STORE_URL, clock: systemClock, log });
  await checkSealKey(store, createSeal({ key: Buffer.from(environment.ENCRYPTION_KEY ?? "", "base64") }));
  expect((await look({ STORE_URL })).at(-1)).toMatch(/ok store: in use/);
  await store.close();
  expect((await look({ STORE_URL })).at(-1)).toMatch(/ok store: opens/);
  const other = randomBytes(32).toString("base64");
  expect((await look({ STORE_URL, ENCRYPTION_KEY: other })).at(-1)).toMatch(
    /mend store: ENCRYPTION_KEY is not the key/,
  );
});

test("a look with a new key beside the former one leaves the store to an app that starts with the former one", async () => {
  const { look, clock } = await practice();
  const STORE_URL = `sqlite:${join(folder(), "rackbell.db")}`;
  const [former, next] = [randomBytes(32), randomBytes(32)];
  async function start(keys: Parameters<typeof createSeal>[0]): Promise<void> {
    const store = await openStore({ url: STORE_URL, clock, log });
    await checkSealKey(store, createSeal(keys)).finally(() => store.close());
  }
  await start({ key: former });
  const keys = { ENCRYPTION_KEY: next.toString("base64"), ENCRYPTION_KEY_PREVIOUS: former.toString("base64") };
  expect(await look({ STORE_URL, ...keys })).toContainEqual(expect.stringMatching(/^ok store: opens/));
  await start({ key: former });
  await start({ key: next, previous: former });
  await expect(start({ key: former })).rejects.toThrow("is not the key");
});

test("a store that is not there is not made by looking, and must be in a place that can be written to", async () => {
  const { look } = await practice();
  const path = join(folder(), "rackbell.db");
  await look({ STORE_URL: `sqlite:${path}` });
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "");
  expect((await look({ STORE_URL: `sqlite:${path}/rackbell.db` })).at(-1)).toMatch(
    /mend store: STORE_URL: .*Rackbell cannot create it/,
  );
});

test("`npm run doctor` ends with 0 where all is well, and with 1 where something needs mending", async () => {
  const { environment } = await practice();
  const run = (env: Record<string, string>) =>
    // In a folder of its own, where no `.env` of a developer is.
    promisify(execFile)(process.execPath, [resolve("src/start.js"), "doctor"], { env, cwd: folder() });
  const { stdout } = await run(environment);
  expect(stdout).toContain("Nothing needs mending.");
  await expect(run({})).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/MEND +variables: +PLATFORM_URL[\s\S]*\d problems need mending/),
  });
});

test("the doctor says that Slack counts dead connections, also those that a stopped Rackbell saw, and none in HTTP mode", async () => {
  const { look, slack, clock } = await practice();
  const STORE_URL = `sqlite:${join(folder(), "rackbell.db")}`;
  const store = await openStore({ url: STORE_URL, clock, log });
  await connectionGreeted({ store, clock }, { connections: 4, overlap: 1 });
  await store.close();
  const socket = await look({ STORE_URL });
  expect(socket).toContainEqual(
    expect.stringMatching(/^mend Slack: Slack counted 4 connections of Rackbell at .*, for 1 instance\. .*HTTP mode/),
  );
  const http = await look({ STORE_URL, SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret });
  expect(http.join("\n")).not.toContain("counted");
});
