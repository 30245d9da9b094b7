import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { LogLevel } from "@slack/web-api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyForms } from "../../src/members/identities/keys.ts";
import { looksSecret } from "../../src/operation/reason.ts";
import { createLog, scrub, slackLogger } from "../../src/process/log.ts";
import { readCommand } from "../../src/slack/command/language.ts";

function hex(length: number): string {
  return Array.from({ length }, (_, index) => ((index * 7 + length) % 16).toString(16)).join("");
}

const customerKey = `fbk_${hex(8)}_${hex(96)}`;
const resellerKey = `rsk_${hex(8)}_${hex(64)}`;
const botToken = `xoxb-${hex(12)}-${hex(24)}`;
const appToken = `xapp-1-A${hex(10)}-${hex(64)}`;
const agentToken = `rba_Ab-_${hex(39)}`;
const signingSecret = hex(64);
const password = 'Correct "horse" \\ staple';

function record(level = "trace") {
  const lines: string[] = [];
  let scrubs = 0;
  const log = createLog({
    level,
    destination: { write: (line) => void lines.push(line) },
    onScrub: () => {
      scrubs += 1;
    },
  });
  return { log, lines, scrubs: () => scrubs };
}

describe("the log", () => {
  test("a line is one JSON object with its message and its data", () => {
    const { log, lines, scrubs } = record();
    log.info({ command: "vps list", ms: 12 }, "command answered");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines.join(""))).toMatchObject({
      level: 30,
      command: "vps list",
      ms: 12,
      msg: "command answered",
    });
    expect(scrubs()).toBe(0);
  });

  test("a line below the level is not written", () => {
    const { log, lines } = record("warn");
    log.info("small talk");
    log.warn("trouble");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["trouble"]);
  });

  test.each([
    ["a customer key in the message", customerKey, (log: Logs) => log.info(`called with ${customerKey}`)],
    ["a reseller key in an error", resellerKey, (log: Logs) => log.error(new Error(`no ${resellerKey}`))],
    [
      "a key in the cause of an error",
      customerKey,
      (log: Logs) => log.error(new Error("no", { cause: new Error(customerKey) })),
    ],
    ["a bot token in nested data", botToken, (log: Logs) => log.info({ a: { b: { c: { d: [botToken] } } } })],
    ["an app token in a name", appToken, (log: Logs) => log.info({ [appToken]: 1 })],
    ["a header", "abcdefghij", (log: Logs) => log.info({ headers: { x: "Bearer abcdefghij" } })],
    ["a signing secret", signingSecret, (log: Logs) => log.info(`the signing secret is ${signingSecret}`)],
    ["a signing secret by its field", signingSecret, (log: Logs) => log.info({ signingSecret })],
    ["a password field near the top", "horse", (log: Logs) => log.info({ input: { password } })],
    ["a password field further down", "horse", (log: Logs) => log.info({ a: { b: { c: { d: { password } } } } })],
    ["a password in JSON in a string", "horse", (log: Logs) => log.info({ body: JSON.stringify({ password, ok: 1 }) })],
    ["a password in a form", "hunter2", (log: Logs) => log.info("name=web-1&password=hunter2&ok=1")],
    [
      "a quoted password in a command",
      "staple",
      (log: Logs) => log.info({ text: 'reinstall web-1 password="correct staple"' }),
    ],
    ["a curly-quoted password in a command", "staple", (log: Logs) => log.info("pass=“correct staple” yes")],
    ["a password with an apostrophe", "horse", (log: Logs) => log.info({ text: `password="it's a horse"` })],
    ["a response URL", "AbCdEf", (log: Logs) => log.info("https://hooks.slack.com/commands/T1/22/AbCdEf")],
    ["a store's password", "s3cr3t", (log: Logs) => log.info("redis://me:s3cr3t@cache:6379/0")],
    [
      "a number under a secret's name, further down",
      "424242",
      (log: Logs) => log.info({ a: { b: { token: 424242 } } }),
    ],
    ["a trigger", "13345", (log: Logs) => log.info({ body: { trigger_id: "13345.98.abc" } })],
    ["a number under a secret's name", "424242", (log: Logs) => log.info({ token: 424242 })],
  ])("%s never reaches a line, and the line stays JSON", (_, secret, write) => {
    const { log, lines } = record();
    write(log);
    expect(lines).toHaveLength(1);
    expect(lines.join("")).not.toContain(secret);
    expect(() => JSON.parse(lines.join(""))).not.toThrow();
  });

  test("a line that the last guard had to change is counted", () => {
    const { log, scrubs } = record();
    log.info("nothing here");
    log.info(customerKey);
    expect(scrubs()).toBe(1);
  });

  test("wherever a key is put, no line holds it and each is JSON", () => {
    const secret = fc.constantFrom(customerKey, resellerKey, botToken, appToken, agentToken);
    const around = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(
        secret,
        around,
        around,
        fc.array(fc.constantFrom("a", "password", "x y"), { maxLength: 5 }),
        (key, before, after, path) => {
          const { log, lines } = record();
          const text = `${before}${key}${after}`;
          log.info(
            path.reduce<unknown>((inner, name) => ({ [name]: inner }), { text }),
            "wild",
          );
          expect(lines.join("")).not.toContain(key.slice(4));
          expect(() => JSON.parse(lines.join(""))).not.toThrow();
        },
      ),
    );
  });

  test("a line with any password stays JSON, and its other fields stay", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 6 }), (wild) => {
        const { log, lines } = record();
        const secret = `Zq9${wild}`;
        log.info({
          a: { b: { c: { d: { password: secret, kept: "kept" } } } },
          body: JSON.stringify({ password: secret, kept: 1 }),
        });
        const line = JSON.parse(lines.join(""));
        expect(line.a.b.c.d).toEqual({ password: "[redacted]", kept: "kept" });
        expect(JSON.parse(line.body)).toEqual({ password: "[redacted]", kept: 1 });
      }),
    );
  });
});

type Logs = ReturnType<typeof record>["log"];

test.each(Object.entries(keyForms))("each %s key that can be linked is taken for a secret", (_, form) => {
  fc.assert(
    fc.property(fc.stringMatching(form), (key) => {
      expect(scrub(`with ${key} it fails`)).toBe(`with ${key.slice(0, 4)}[redacted] it fails`);
      expect(looksSecret(`I have ${key}`)).toBe(true);
      const [begin, rest] = [key.slice(0, 40), key.slice(40)];
      for (const typed of [`link ${key}`, `link ${begin} ${rest}`]) expect(readCommand(typed).words).toEqual(["link"]);
    }),
  );
});

describe("scrub", () => {
  test("an ordinary text stays as it is", () => {
    const text =
      "fbk_… links the customer API; a bearer token is missing; password: too short; see https://a.example/x?y=1";
    expect(scrub(text)).toBe(text);
    expect(scrub(`digest ${signingSecret}`)).toBe(`digest ${signingSecret}`);
    expect(scrub("id 0b1c7c1e-8f2a-4b7e-9d59-0a1b2c3d4e5f bypass=yes")).toBe(
      "id 0b1c7c1e-8f2a-4b7e-9d59-0a1b2c3d4e5f bypass=yes",
    );
  });

  test.each([
    ["two signing secrets in a row", `secret ${signingSecret} ${signingSecret}`, "secret [redacted] [redacted]"],
    ["a password in the place of a password", "redis://me:password=redis://me:#@cache", "redis://me:[redacted]@cache"],
  ])("%s: none of them stays", (_, text, clean) => {
    expect(scrub(text)).toBe(clean);
  });

  test("a second pass changes nothing more", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(customerKey, botToken, signingSecret, "password=", '"token":"', "secret ", "Bearer ", '\\"', " "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = scrub(pieces.join(""));
        expect(scrub(once)).toBe(once);
      }),
    );
  });
});

describe("the lines of Slack's libraries", () => {
  test("debug output is dropped even when they ask for it", () => {
    const { log, lines } = record();
    const logger = slackLogger(log);
    logger.setLevel(LogLevel.DEBUG);
    logger.debug("modal values", { password: "hunter2" });
    expect(logger.getLevel()).toBe(LogLevel.INFO);
    expect(lines).toEqual([]);
  });

  test("the rest keeps its level, its parts and its error", () => {
    const { log, lines } = record();
    const logger = slackLogger(log);
    logger.setName("web-api");
    logger.info("hello", { a: 1 });
    logger.warn("slow");
    logger.error(new Error("gone"));
    const [hello, slow, failure] = lines.map((line) => JSON.parse(line));
    expect(hello).toMatchObject({ level: 30, msg: "hello { a: 1 }" });
    expect(slow).toMatchObject({ level: 40, msg: "slow" });
    expect(failure).toMatchObject({ level: 50, msg: "gone", err: { type: "Error", message: "gone" } });
  });

  test("they may ask for less", () => {
    const { log, lines } = record();
    const logger = slackLogger(log);
    logger.setLevel(LogLevel.ERROR);
    logger.warn("slow");
    logger.error("gone");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["gone"]);
  });
});

test("a rejection that nobody handled ends the process, and no secret stands in its last words", async () => {
  const program = `
    import { createLog, logUnhandled } from "./src/process/log.ts";
    logUnhandled(process, createLog({ level: "info" }));
    Promise.reject(new Error("no ${botToken}"));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  const words = Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await once(child, "exit")).toEqual([1, null]);
  const [out, err] = await words;
  expect(out).toContain("a failure that nobody handled");
  expect(out + err).not.toContain(botToken.slice(5));
});
