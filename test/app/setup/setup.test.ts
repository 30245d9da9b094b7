import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv, promisify } from "node:util";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { envFileIn } from "../../../src/app/setup/env-file.ts";
import { findApiRoot, writeProblem } from "../../../src/app/setup/setup.ts";
import { registry } from "../../../src/operations/index.ts";
import { systemClock } from "../../../src/process/clock.ts";
import { freePort } from "../../../src/sandbox/bench/ports.ts";
import { startPractice } from "../../../src/sandbox/practice.ts";
import { said } from "../../../src/sandbox/slack/server.ts";
import { manifestOf, newAppPage } from "../../../src/slack/manifest.ts";
import { ownFolder } from "../../own-folder.ts";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";

/** A terminal of a test, which is skipped if this machine has none. The process ends with the test. */
async function terminalFor(
  context: Pick<TestContext, "skip">,
  args: string[],
  options: TerminalOptions,
): Promise<Terminal> {
  const terminal = process.platform === "win32" ? null : await openTerminal(args, options);
  if (terminal === null) return context.skip("this machine has no pseudo-terminal for Node");
  onTestFinished(async () => {
    terminal.kill("SIGKILL");
    await terminal.ended;
  });
  return terminal;
}

/** An empty folder, a practice Slack in which the app is not made yet, a practice platform, and a browser that notes what it opens. */
async function newcomer() {
  const folder = ownFolder();
  const practice = await startPractice({ clock: systemClock, manifest: {} });
  onTestFinished(practice.close);
  const { slack, platform } = practice;
  const [browser, opened] = [join(folder, "browser.sh"), join(folder, "opened.txt")];
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  chmodSync(browser, 0o755);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    SLACK_API_URL: slack.apiUrl,
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    BROWSER: browser,
  };
  const secrets = [slack.botToken, slack.appToken, slack.signingSecret];
  return {
    folder,
    slack,
    platform,
    env,
    /** The address of the panel, as people know it. */
    panel: new URL(platform.url).origin,
    terminal: (context: Pick<TestContext, "skip">, more: Record<string, string> = {}) =>
      terminalFor(context, [resolve("src/start.js"), "setup"], { cwd: folder, env: { ...env, ...more } }),
    /** Runs the setup as a script does. Resolves with all that it says, and its exit code. */
    withoutTerminal: async (more: Record<string, string>) => {
      const child = spawn(process.execPath, [resolve("src/start.js"), "setup"], {
        cwd: folder,
        env: { ...env, ...more },
      });
      child.stdin.end();
      const [[code], says] = await Promise.all([once(child, "exit"), text(child.stdout)]);
      return { code, says };
    },
    variables: () => parseEnv(readFileSync(join(folder, ".env"), "utf8")),
    pagesOpened: () => (existsSync(opened) ? readFileSync(opened, "utf8").trim().split("\n") : []),
    /** Enters all that the setup asks for, and the app's tokens. Resolves when it asks if Rackbell is to start. */
    async answersAll(terminal: Terminal) {
      await terminal.sees("of its panel, or of its API");
      terminal.enters(new URL(platform.url).origin);
      await terminal.sees("How do Slack and Rackbell reach each other?");
      terminal.press("enter");
      await terminal.sees("Slack's page for a new app");
      terminal.press("enter");
      await terminal.sees("Paste the app-level token");
      terminal.enters(slack.appToken);
      await terminal.sees("Paste the bot token");
      terminal.enters(slack.botToken);
      await terminal.sees("Start Rackbell now?");
    },
    /** Makes the app by the link that the browser opened, as its reader does. */
    makeApp() {
      const [link = ""] = readFileSync(opened, "utf8").split("\n");
      slack.manifest(JSON.parse(new URL(link).searchParams.get("manifest_json") ?? ""));
    },
    expectNoSecretIn(text: string) {
      for (const secret of secrets) expect(text).not.toContain(secret);
      const { ENCRYPTION_KEY = "no key" } = parseEnv(readFileSync(join(folder, ".env"), "utf8"));
      expect(text).not.toContain(ENCRYPTION_KEY);
    },
  };
}

test("from an empty folder, the setup ends with a running Rackbell that lists the servers in Slack", async (context) => {
  const one = await newcomer();
  const { slack, platform } = one;
  const terminal = await one.terminal(context);
  await terminal.sees("of its panel, or of its API");
  terminal.enters(one.panel);
  await terminal.sees(`answers at ${platform.url}`, "How do Slack and Rackbell reach each other?");
  terminal.press("enter");
  await terminal.sees("Slack's page for a new app", "Open it in the browser");
  terminal.press("enter");
  await terminal.sees("The browser shows Slack's page", "Paste the app-level token");
  one.makeApp();
  terminal.enters(slack.appToken);
  await terminal.sees(
    "Slack accepts the app token",
    `https://api.slack.com/apps/${slack.appId}/install-on-team`,
    "Paste the bot token",
  );
  terminal.enters(slack.botToken);
  await terminal.sees("every scope of the manifest", "Made ENCRYPTION_KEY", "clock: right", "Start Rackbell now?");
  terminal.press("enter");
  await terminal.sees("Rackbell is ready");

  const ana = slack.as("ana");
  await ana.type("/rackbell link");
  await slack.until(() => ana.modal() !== undefined, "the form of the key");
  await ana.fill({ key: platform.keys.ana.key });
  await ana.submit();
  await slack.until(() => ana.sees().some((message) => said(message).includes("is linked")), "the linked key");
  await ana.type("/vps list");
  await slack.until(() => ana.sees().some((message) => said(message).includes("web-1")), "the list of servers");

  // The terminal is as before: Ctrl-C stops Rackbell.
  terminal.press("ctrl-c");
  expect(await terminal.ended).toBe(0);

  expect(one.pagesOpened()).toEqual([
    expect.stringContaining("https://api.slack.com/apps?new_app=1&manifest_json="),
    `https://api.slack.com/apps/${slack.appId}/install-on-team`,
  ]);
  expect(statSync(join(one.folder, ".env")).mode & 0o777).toBe(0o600);
  expect(one.variables()).toEqual({
    PLATFORM_URL: platform.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_BOT_TOKEN: slack.botToken,
    ENCRYPTION_KEY: expect.stringMatching(/^[\w+/]{43}=$/),
  });
  one.expectNoSecretIn(terminal.shown());
});

test("a token in the field of another one is named, and so is one that Slack does not know; neither is kept", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  slack.manifest(manifestOf(registry));
  const terminal = await one.terminal(context, { PLATFORM_URL: one.platform.url });
  await terminal.sees("How do Slack and Rackbell reach each other?");
  terminal.press("enter");
  await terminal.sees("Slack's page for a new app");
  terminal.press("enter");
  await terminal.sees("Paste the app-level token");
  terminal.enters(slack.botToken);
  await terminal.sees("This is the bot token. The app-level token belongs here: it begins with xapp-.");
  terminal.enters("xoxp-1-of-a-person");
  await terminal.sees("SLACK_APP_TOKEN is not an app-level token");
  terminal.enters(slack.appToken);
  await terminal.sees("Paste the bot token");
  terminal.enters(slack.appToken);
  await terminal.sees("This is the app-level token. The bot token belongs here: it begins with xoxb-.");
  terminal.enters("xoxb-0-of-nobody");
  await terminal.sees("invalid_auth", "Paste another bot token");
  expect(one.variables()).not.toHaveProperty("SLACK_BOT_TOKEN");
  terminal.press("enter");
  await terminal.sees("Paste the bot token");
  terminal.enters(slack.botToken);
  await terminal.sees("Start Rackbell now?");
  terminal.press("down");
  terminal.press("enter");
  await terminal.sees("`npm start` starts it.");
  expect(await terminal.ended).toBe(0);
  one.expectNoSecretIn(terminal.shown());
  expect(terminal.shown()).not.toContain("of-nobody");
});

test("a forgotten reinstall is a sentence with the app's own page, and is checked again with the same token", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  slack.manifest({ oauth_config: { scopes: { bot: ["commands", "chat:write"] } } });
  const { appToken, botToken } = slack;
  const terminal = await one.terminal(context, { PLATFORM_URL: one.platform.url, SLACK_APP_TOKEN: appToken });
  await terminal.sees("Slack's page for a new app");
  terminal.press("down");
  terminal.press("down");
  terminal.press("enter");
  await terminal.sees("Paste the bot token");
  terminal.enters(botToken);
  const page = `https://api.slack.com/apps/${slack.appId}/install-on-team`;
  await terminal.sees("the installation lacks", "im:write", `reinstall the app to the workspace at ${page}`);
  await terminal.sees("after you reinstalled the app");
  slack.manifest(manifestOf(registry));
  terminal.press("enter");
  await terminal.sees("the installation has every scope of the manifest", "Start Rackbell now?");
  expect(one.pagesOpened()).toEqual([]);
});

test("an interrupted setup goes on with the next question: after Ctrl-C, and after a kill", async (context) => {
  const one = await newcomer();
  const { slack, platform } = one;
  slack.manifest(manifestOf(registry));
  const first = await one.terminal(context);
  await first.sees("of its panel, or of its API");
  first.enters(one.panel);
  await first.sees("How do Slack and Rackbell reach each other?");
  first.press("ctrl-c");
  await first.sees("Run it again: it goes on here.");
  expect(await first.ended).toBe(1);

  const second = await one.terminal(context);
  await second.sees("is there, with 2 variables", "Go on with it");
  second.press("enter");
  await second.sees("The platform answers", "How do Slack and Rackbell reach each other?");
  second.press("enter");
  await second.sees("Slack's page for a new app");
  second.press("enter");
  await second.sees("Paste the app-level token");
  second.enters(slack.appToken);
  await second.sees("Paste the bot token");
  second.kill("SIGKILL");
  await second.ended;

  const third = await one.terminal(context);
  await third.sees("Go on with it");
  third.press("enter");
  await third.sees("The platform answers", "Slack accepts the app token", "Slack's page for a new app");
  third.press("enter");
  await third.sees("Paste the bot token");
  third.enters(slack.botToken);
  await third.sees("Start Rackbell now?");
  third.press("ctrl-c");
  await third.ended;
  const { PLATFORM_URL, SLACK_APP_TOKEN, SLACK_BOT_TOKEN } = one.variables();
  expect([PLATFORM_URL, SLACK_APP_TOKEN, SLACK_BOT_TOKEN]).toEqual([platform.url, slack.appToken, slack.botToken]);
});

test("Ctrl-C during a check ends the setup with 1, and gives the terminal back", async (context) => {
  const one = await newcomer();
  one.slack.manifest(manifestOf(registry));
  const resume = one.slack.faults.hangApi("apps.connections.open");
  onTestFinished(() => void resume());
  const terminal = await one.terminal(context, { PLATFORM_URL: one.platform.url, SLACK_APP_TOKEN: one.slack.appToken });
  await terminal.sees("Slack checks the app-level token");
  // Pasted too early: it is no answer to anything, and nobody may read it.
  terminal.enters(one.slack.botToken);
  terminal.press("ctrl-c");
  expect(await terminal.ended).toBe(1);
  one.expectNoSecretIn(terminal.shown());
});

test("an existing .env changes only after a question, keeps its other lines, and its user alone can read it then", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  slack.manifest(manifestOf(registry));
  const path = join(one.folder, ".env");
  const key = randomBytes(32).toString("base64");
  const before = `# ours\nADMINS=U012AB3CD # two\nexport SLACK_BOT_TOKEN='xoxb-old'\n\nENCRYPTION_KEY=${key}\nLOG_LEVEL=warn`;
  writeFileSync(path, before);
  // Left by a setup that was killed while it wrote.
  writeFileSync(`${path}.new`, "half");
  const refused = await one.terminal(context);
  await refused.sees(".env is there, with 4 variables", "Go on with it");
  refused.press("ctrl-c");
  await refused.ended;
  expect(readFileSync(path, "utf8")).toBe(before);

  const terminal = await one.terminal(context);
  await terminal.sees("Go on with it");
  terminal.press("down");
  terminal.press("enter");
  await one.answersAll(terminal);
  terminal.press("ctrl-c");
  await terminal.ended;
  expect(readFileSync(path, "utf8")).toBe(
    `# ours\nADMINS=U012AB3CD # two\nSLACK_BOT_TOKEN=${slack.botToken}\n\nENCRYPTION_KEY=${key}\nLOG_LEVEL=warn\nPLATFORM_URL=${one.platform.url}\nSLACK_API_URL=${slack.apiUrl}\nSLACK_APP_TOKEN=${slack.appToken}\n`,
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test("a .env that is a link stays one, the file that it leads to changes, and each variable is one line", () => {
  const folder = ownFolder();
  const target = join(folder, "secrets.env");
  writeFileSync(target, "LOG_LEVEL=warn\n");
  symlinkSync(target, join(folder, ".env"));
  envFileIn(folder).write({ PLATFORM_URL: "https://panel.example.com\n/api/v1" });
  expect(lstatSync(join(folder, ".env")).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toBe("LOG_LEVEL=warn\nPLATFORM_URL=https://panel.example.com/api/v1\n");
});

test("a folder that cannot be written to is a sentence", () => {
  const file = envFileIn(join(ownFolder(), "missing"));
  expect(writeProblem(file, {})).toMatch(/\.env cannot be written \(ENOENT\): let this user write/);
});

test("in HTTP mode it asks for the address and the signing secret, and the manifest has that address", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  // It would win over the signing secret.
  writeFileSync(join(one.folder, ".env"), `SLACK_APP_TOKEN=${slack.appToken}\n`);
  const terminal = await one.terminal(context);
  await terminal.sees("Go on with it");
  terminal.press("down");
  terminal.press("enter");
  await terminal.sees("of its panel, or of its API");
  terminal.enters(one.panel);
  await terminal.sees("How do Slack and Rackbell reach each other?");
  terminal.press("down");
  terminal.press("enter");
  await terminal.sees("under which Slack reaches Rackbell");
  terminal.enters("http://127.0.0.1:3000");
  await terminal.sees("PUBLIC_URL begins with https://");
  for (let typed = 0; typed < 21; typed++) terminal.press("backspace");
  terminal.enters("https://rackbell.example.com");
  await terminal.sees("Slack's page for a new app");
  terminal.press("enter");
  await terminal.sees("Paste the signing secret");
  one.makeApp();
  terminal.enters(slack.appToken);
  await terminal.sees("This is the app-level token. The signing secret belongs here");
  terminal.enters(slack.signingSecret);
  await terminal.sees(
    "Install the app, and find its bot token there: https://api.slack.com/apps",
    "Paste the bot token",
  );
  terminal.enters(slack.botToken);
  await terminal.sees("HTTP mode: Slack posts to /slack/events", "Start Rackbell now?");
  expect(one.pagesOpened()[0]).toContain(encodeURIComponent("https://rackbell.example.com/slack/events"));
  expect(one.variables()).toMatchObject({
    PUBLIC_URL: "https://rackbell.example.com",
    SLACK_SIGNING_SECRET: slack.signingSecret,
  });
  expect(one.variables().SLACK_APP_TOKEN).toBe("");
});

test("a machine without a browser gets the link in setup-link.html, with the manifest to paste", async (context) => {
  const one = await newcomer();
  const terminal = await one.terminal(context, { PLATFORM_URL: one.platform.url, BROWSER: "/nowhere/browser" });
  await terminal.sees("How do Slack and Rackbell reach each other?");
  terminal.press("enter");
  await terminal.sees("Slack's page for a new app");
  terminal.press("enter");
  await terminal.sees("There is no browser here.", join(one.folder, "setup-link.html"));
  const page = readFileSync(join(one.folder, "setup-link.html"), "utf8");
  const unescaped = (html = "") =>
    html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const link = unescaped(/href="([^"]+)"/.exec(page)?.[1]);
  expect(page).toContain("?new_app=1&amp;manifest_json=");
  const shown = unescaped(/<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(page)?.[1]);
  expect(JSON.parse(new URL(link).searchParams.get("manifest_json") ?? "")).toEqual(manifestOf(registry));
  expect(JSON.parse(shown)).toEqual(manifestOf(registry));
});

test("for a container it writes into the folder that it is given, and starts nothing", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  slack.manifest(manifestOf(registry));
  const folder = join(one.folder, "mounted");
  mkdirSync(folder);
  const terminal = await terminalFor(context, [resolve("src/start.js"), "setup", folder], {
    cwd: one.folder,
    env: {
      ...one.env,
      // The store of the container that Rackbell will run in.
      STORE_URL: `sqlite:${join(one.folder, "browser.sh", "rackbell.db")}`,
      PLATFORM_URL: one.platform.url,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_BOT_TOKEN: slack.botToken,
    },
  });
  await terminal.sees("Start it with this file.");
  expect(await terminal.ended).toBe(0);
  expect(existsSync(join(one.folder, ".env"))).toBe(false);
  expect(parseEnv(readFileSync(join(folder, ".env"), "utf8"))).toMatchObject({ SLACK_BOT_TOKEN: slack.botToken });
});

test("an answer that the environment would overrule is said, and Rackbell is not started with the wrong one", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  slack.manifest(manifestOf(registry));
  const terminal = await one.terminal(context, {
    PLATFORM_URL: one.platform.url,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_BOT_TOKEN: "xoxb-0-of-nobody",
  });
  await terminal.sees("invalid_auth", "Paste another bot token");
  terminal.press("enter");
  await terminal.sees("Slack's page for a new app");
  terminal.press("enter");
  await terminal.sees("Paste the bot token");
  terminal.enters(slack.botToken);
  await terminal.sees("The environment has another SLACK_BOT_TOKEN", "`npm start` starts it.");
  expect(await terminal.ended).toBe(0);
});

test("a secret that comes from a file is mended there: the setup says so, and writes no second one", async (context) => {
  const one = await newcomer();
  const { slack } = one;
  const path = join(one.folder, "bot-token");
  const env = { PLATFORM_URL: one.platform.url, SLACK_APP_TOKEN: slack.appToken, SLACK_BOT_TOKEN_FILE: path };
  const without = await one.terminal(context, env);
  await without.sees("SLACK_BOT_TOKEN_FILE names a file that is not there", "Then run the setup again.");
  expect(await without.ended).toBe(1);

  writeFileSync(path, "xoxb-0-of-nobody");
  const terminal = await one.terminal(context, env);
  await terminal.sees("invalid_auth", "Paste another bot token");
  terminal.press("enter");
  await terminal.sees("Slack's page for a new app");
  terminal.press("enter");
  await terminal.sees("Paste the bot token");
  slack.manifest(manifestOf(registry));
  terminal.enters(slack.botToken);
  await terminal.sees("SLACK_BOT_TOKEN comes from the file that SLACK_BOT_TOKEN_FILE names");
  expect(await terminal.ended).toBe(1);
  writeFileSync(path, slack.botToken);
  const mended = await one.terminal(context, env);
  await mended.sees("Go on with it");
  mended.press("enter");
  await mended.sees("Start Rackbell now?");
  expect(one.variables()).not.toHaveProperty("SLACK_BOT_TOKEN");
});

test.each([
  ["is a folder", (path: string) => mkdirSync(path), "cannot be read (EISDIR): let this user read it, or move it away"],
  [
    "links to itself",
    (path: string) => symlinkSync(".env", path),
    "cannot be read (ELOOP): let this user read it, or move it away",
  ],
  [
    "begins with a byte order mark",
    (path: string) => writeFileSync(path, "\uFEFFPLATFORM_URL=x"),
    "begins with a byte order mark: save it as UTF-8 without one",
  ],
])("an .env that %s stops the start, the setup and the store's tool with a sentence", async (_, make, words) => {
  const cwd = ownFolder();
  make(join(cwd, ".env"));
  const lines = [["start.js"], ["start.js", "setup"], ["app/tools/store.ts", "check"]];
  for (const [file = "", ...args] of lines)
    await expect(promisify(execFile)(process.execPath, [resolve("src", file), ...args], { cwd })).rejects.toMatchObject(
      {
        code: 1,
        stderr: `.env ${words}.\n`,
      },
    );
});

test("without a terminal it says each variable that is missing or wrong, and writes nothing", async () => {
  const one = await newcomer();
  const { code, says } = await one.withoutTerminal({ PLATFORM_URL: one.panel, SLACK_BOT_TOKEN: one.slack.appToken });
  expect(code).toBe(1);
  expect(says).toContain("- SLACK_BOT_TOKEN is not a bot token");
  expect(says).toContain("- SLACK_APP_TOKEN is missing");
  expect(says).not.toContain("PLATFORM_URL");
  expect(says).not.toContain(one.slack.appToken);
  // Nobody answers at the panel's address: its form is not the fault.
  const away = await one.withoutTerminal({ PLATFORM_URL: "http://127.0.0.1:9" });
  expect(away.says).toMatch(/- .*127\.0\.0\.1:9\/api\/v1/);
  expect(away.says).not.toContain("does not end in");
  expect(existsSync(join(one.folder, ".env"))).toBe(false);
});

test("without a terminal it takes the variables of the environment, finds the API, makes the key, and the app starts from the file", async () => {
  const one = await newcomer();
  const { slack, platform } = one;
  slack.manifest(manifestOf(registry));
  const tokens = { SLACK_APP_TOKEN: slack.appToken, SLACK_BOT_TOKEN: slack.botToken };
  const { code, says } = await one.withoutTerminal({ PLATFORM_URL: `${one.panel}/services/list`, ...tokens });
  expect(says).toContain("Nothing needs mending.");
  expect(code).toBe(0);
  expect(one.variables()).toMatchObject({ PLATFORM_URL: platform.url, ...tokens });
  expect(statSync(join(one.folder, ".env")).mode & 0o777).toBe(0o600);
  one.expectNoSecretIn(says);

  // The start and the doctor read the file; the environment wins.
  const run = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [resolve("src/start.js"), "doctor"], { cwd: one.folder, env });
  expect((await run({})).stdout).toContain(`answers at ${platform.url}`);
  await expect(run({ PLATFORM_URL: "http://127.0.0.1:9/api/v1" })).rejects.toMatchObject({
    stdout: expect.stringContaining("127.0.0.1:9/api/v1/openapi.json"),
  });
});

test("without a terminal an existing .env stays as it is, whatever the environment has", async () => {
  const one = await newcomer();
  one.slack.manifest(manifestOf(registry));
  const path = join(one.folder, ".env");
  writeFileSync(path, `SLACK_APP_TOKEN=${one.slack.appToken}\n`);
  const { code, says } = await one.withoutTerminal({ PLATFORM_URL: one.panel, SLACK_BOT_TOKEN: one.slack.botToken });
  expect(says).toContain(
    "nobody can be asked if it may change: it lacks these values of PLATFORM_URL, SLACK_BOT_TOKEN",
  );
  expect(code).toBe(1);
  expect(readFileSync(path, "utf8")).toBe(`SLACK_APP_TOKEN=${one.slack.appToken}\n`);
});

test("a secret that comes from a file stays there", async () => {
  const one = await newcomer();
  one.slack.manifest(manifestOf(registry));
  const path = join(one.folder, "bot-token");
  writeFileSync(path, one.slack.botToken);
  const { code, says } = await one.withoutTerminal({
    PLATFORM_URL: one.panel,
    SLACK_APP_TOKEN: one.slack.appToken,
    SLACK_BOT_TOKEN_FILE: path,
  });
  expect(says).toContain("Nothing needs mending.");
  expect(code).toBe(0);
  expect(readFileSync(join(one.folder, ".env"), "utf8")).not.toContain("SLACK_BOT_TOKEN");
});

test("Slack's link holds the whole manifest, and is short enough for browsers and servers", () => {
  const manifest = manifestOf(registry);
  for (const [api, site] of [
    ["https://slack.com/api/", "https://api.slack.com"],
    ["https://slack-gov.com/api/", "https://api.slack-gov.com"],
  ]) {
    const link = newAppPage(manifest, api ?? "");
    expect(link.startsWith(`${site}/apps?new_app=1&manifest_json=`)).toBe(true);
    expect(JSON.parse(new URL(link).searchParams.get("manifest_json") ?? "")).toEqual(
      JSON.parse(readFileSync("manifest.json", "utf8")),
    );
    // Servers take 8,000 characters of a request line at least (RFC 9112 section 3), and cookies are no part of it.
    expect(link.length).toBeLessThan(6_000);
  }
});

test.each([
  ["https://panel.example.com", ["https://panel.example.com/api/v1"]],
  ["panel.example.com/", ["https://panel.example.com/api/v1"]],
  ["https://panel.example.com/api/v1/openapi.json", ["https://panel.example.com/api/v1"]],
  ["https://example.com/panel/api/v1/", ["https://example.com/panel/api/v1"]],
  [
    "https://example.com/panel/services?sort=name#top",
    ["https://example.com/panel/services/api/v1", "https://example.com/api/v1", "https://example.com/panel/api/v1"],
  ],
])("for the address %s it tries %j", async (typed, roots) => {
  const tried: string[] = [];
  const found = await findApiRoot(typed, {
    checkPlatform: async (url) => {
      tried.push(url);
      return { about: "platform", fine: url === roots.at(-1), says: "answers" };
    },
  });
  expect(tried).toEqual(roots);
  expect(found).toEqual({ root: roots.at(-1), says: "answers" });
});

test.each([
  ["http://panel.example.com", "PLATFORM_URL is not encrypted"],
  ["https://me:pass@panel.example.com", "PLATFORM_URL has a user name or password"],
  ["not an address", "PLATFORM_URL is not a web address"],
])("the address %s is refused with its reason, and nothing is sent there", async (typed, reason) => {
  const checkPlatform = () => Promise.reject(new Error("sent"));
  expect(await findApiRoot(typed, { checkPlatform })).toEqual({ problem: expect.stringContaining(reason) });
});
