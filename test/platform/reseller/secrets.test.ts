import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCast } from "../../../src/platform/reseller/casts.ts";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { openConsole, openConsoleSession } from "../../../src/platform/reseller/console.ts";
import { gameConsoleAddress, openGameConsole } from "../../../src/platform/reseller/game/console.ts";
import { openGameFileLink, uploadBytes, uploadGameFile } from "../../../src/platform/reseller/game/files.ts";
import { changeGameVars } from "../../../src/platform/reseller/game/server.ts";
import { readSftp, rotateSftp } from "../../../src/platform/reseller/game/sftp.ts";
import { runUiAction } from "../../../src/platform/reseller/provider.ts";
import { reinstallService, resetServicePassword } from "../../../src/platform/reseller/reinstall.ts";
import { startRescue } from "../../../src/platform/reseller/rescue.ts";
import { partSecrets } from "../../../src/platform/reseller/secret-fields.ts";
import { failure, ok } from "../server.ts";
import { open, refuse } from "./call.ts";
import { castRow } from "./rows.ts";

const told = "correct-horse-battery";

const openers: { name: string; open: (client: ResellerClient) => Promise<unknown>; answer: object }[] = [
  { name: "a rescue password", open: (client) => startRescue(client, "s1"), answer: { rescue_password: told } },
  {
    name: "a generated password of a reinstall",
    open: (client) => reinstallService(client, "s1", { osTemplate: "i1" }),
    answer: { password: told, method: "manual" },
  },
  { name: "a generated password", open: (client) => resetServicePassword(client, "s1"), answer: { password: told } },
  {
    name: "a link to a console",
    open: (client) => createCast(client, "s1", {}),
    answer: castRow({ url: `https://supplier.example/${told}`, ticket: told }),
  },
  {
    name: "a console",
    open: (client) => openConsole(client, "s1"),
    answer: { type: "novnc", token: told, rfbPassword: told, websocketUrl: `wss://supplier.example/?token=${told}` },
  },
  {
    name: "a provider's console",
    open: (client) => openConsole(client, "s1"),
    answer: { url: `https://x:${told}@panel.example/` },
  },
  { name: "a console session", open: (client) => openConsoleSession(client, "s1"), answer: { token: told } },
  {
    name: "a game server's console",
    open: (client) => openGameConsole(client, "s1"),
    answer: { wsOrigin: "wss://g.example", ws_path: "/ws", token: told },
  },
  { name: "SFTP", open: (client) => readSftp(client, "s1"), answer: { password: told } },
  { name: "a new SFTP password", open: (client) => rotateSftp(client, "s1"), answer: { sftp: { password: told } } },
  {
    name: "a link to a file",
    open: (client) => openGameFileLink(client, "s1", {}),
    answer: { url: `https://g.example/${told}` },
  },
  {
    name: "what a provider answers",
    open: (client) => runUiAction(client, "s1", "x"),
    answer: { adminPassword: told },
  },
];

describe("a secret that is told once", () => {
  test.each(openers)("is in the result and in no line of the log: $name", async ({ open: ask, answer }) => {
    const { client, practice } = await open(ok(answer));

    expect(JSON.stringify(await ask(client))).toContain(told);

    expect(practice.lines.length).toBeGreaterThan(0);
    expect(practice.lines.join("")).not.toContain(told);
  });

  const unreadable: ((data: object) => string)[] = [
    (data) => JSON.stringify({ success: "yes", data }),
    (data) => JSON.stringify({ success: true, data }).slice(0, -2),
    (data) => JSON.stringify([data]),
  ];

  test.each(openers)("is in no error and no line of the log where the answer cannot be read: $name", async (one) => {
    for (const text of unreadable) {
      const { client, practice } = await open((response) => void response.writeHead(200).end(text(one.answer)));

      const error = await failure(one.open(client));

      expect(error).toMatchObject({ name: "PlatformOffContract" });
      expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(told);
    }
  });

  const misshapen: [name: string, ask: (client: ResellerClient) => Promise<unknown>, answer: object][] = [
    ["a link to a console", (client) => createCast(client, "s1", {}), castRow({ status: told, url: told })],
    ["a console", (client) => openConsole(client, "s1"), { type: "novnc", websocketUrl: [told] }],
    ["a console session", (client) => openConsoleSession(client, "s1"), { token: { [told]: told } }],
    ["a game server's console", (client) => openGameConsole(client, "s1"), { ws_path: told, token: told }],
  ];

  test.each(misshapen)(
    "is in no error and no line of the log where it has another shape: %s",
    async (_, ask, answer) => {
      const { client, practice } = await open(ok(answer));

      const error = await failure(ask(client));

      expect(error).toMatchObject({ name: "PlatformOffContract" });
      expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(told);
    },
  );
});

test("a secret that was sent is in no error and in no line of the log, however deep it stood in the body", async () => {
  const sent = [
    (client: ResellerClient) => runUiAction(client, "s1", "set", { admin: { newPassword: told } }),
    (client: ResellerClient) => changeGameVars(client, "s1", { vars: [{ RCON_PASSWORD: told }] }),
    (client: ResellerClient) => changeGameVars(client, "s1", { tokens: [[told]] }),
    (client: ResellerClient) => reinstallService(client, "s1", { osTemplate: "i1", password: told }),
  ];
  for (const send of sent) {
    const { client, practice } = await open(
      refuse(400, { message: `No: ${told}`, details: [{ field: told, message: told }] }),
    );

    const error = await failure(send(client));

    expect(error).toMatchObject({ name: "PlatformRefused", reason: "No: [removed]" });
    expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(told);
  }
});

describe("an answer in a shape that nobody knows", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."abxyz "), maxLength: 8 });
  const { tree } = fc.letrec((again) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constant(told),
      plain,
      fc.integer(),
      fc.array(again("tree"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("password", "rootPassword", "ws_token", "ticket", "api-key", "tokens", "credentials"),
        again("tree"),
        { maxKeys: 3 },
      ),
    ),
  }));

  test("keeps nothing that stands under the name of a secret, and loses none of it", () => {
    const named = fc.dictionary(fc.constantFrom("password", "sftpPassword", "secrets", "credentials"), tree, {
      minKeys: 1,
    });
    fc.assert(
      fc.property(named, (answer) => {
        const { secrets, rest } = partSecrets(answer);
        const times = JSON.stringify(answer).split(told).length - 1;
        expect(JSON.stringify(rest)).not.toContain(told);
        expect(secrets.filter(({ value }) => value === told)).toHaveLength(times);
      }),
    );
  });

  test("stays as it is where nothing in it is a secret", () => {
    const names = fc.constantFrom("name", "tokenExpiresAt", "password_reset", "status", "key", "monkeys");
    const { harmless } = fc.letrec((again) => ({
      harmless: fc.oneof(
        { depthSize: "small" },
        plain,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(again("harmless"), { maxLength: 3 }),
        fc.dictionary(names, again("harmless"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(harmless, (answer) => {
        expect(partSecrets(answer)).toEqual({ secrets: [], rest: answer });
      }),
    );
  });

  test.each([
    ["https://panel.example/c?ticket=abc", true],
    ["https://panel.example/c#access_token=abc", true],
    ["https://bucket.example/f?X-Amz-Signature=abc", true],
    ["sftp://u1:pw@g.example/", true],
    ["https://panel.example/c?page=2", false],
    ["https://panel.example/", false],
    ["mail ada@example.net: now?", false],
  ])("%s is a credential itself: %s", (address, isSecret) => {
    expect(partSecrets([address]).secrets).toHaveLength(isSecret ? 1 : 0);
  });

  test("that is deeper than anything is shown is left out and not walked for ever", () => {
    let deep: unknown = { password: told };
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    const { secrets, rest } = partSecrets({ status: "ok", deep });
    expect(secrets).toEqual([]);
    expect(rest).toMatchObject({ status: "ok" });
  });
});

test("the address of a game server's console carries its token as one value", () => {
  const console = { wsOrigin: "wss://g.example", ws_path: "/ws", token: "a b&c" };
  expect(gameConsoleAddress(console)).toBe("wss://g.example/ws?token=a%20b%26c");
});

test("an upload takes 4 MiB, and what is larger is not sent", async () => {
  const { client, seen } = await open(ok({}));
  const upload = (bytes: number) => () =>
    uploadGameFile(client, "s1", { path: "/", name: "w.zip", content: Buffer.alloc(bytes) });

  await upload(uploadBytes)();
  expect(upload(uploadBytes + 1)).toThrow(RangeError);

  expect(uploadBytes).toBe(4_194_304);
  expect(seen).toHaveLength(1);
});
