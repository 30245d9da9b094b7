import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { createCast, openConsole, openConsoleSession } from "../../../src/platform/reseller/console.ts";
import { openGameFileLink, uploadBytes, uploadGameFile } from "../../../src/platform/reseller/game/files.ts";
import {
  changeGameVars,
  gameConsoleAddress,
  openGameConsole,
  readSftp,
  rotateSftp,
} from "../../../src/platform/reseller/game/server.ts";
import { runUiAction } from "../../../src/platform/reseller/provider.ts";
import { reinstallService, resetServicePassword, startRescue } from "../../../src/platform/reseller/reinstall.ts";
import { partSecrets } from "../../../src/process/secret-parts.ts";
import { jsonBlocks, jsonLines } from "../../../src/views/json.ts";
import { failure, ok } from "../server.ts";
import { open, refuse } from "./call.ts";
import { castRow } from "./rows.ts";

const secretValue = "correct-horse-battery";

const openers: [name: string, ask: (client: ResellerClient<string>) => Promise<unknown>, answer: object][] = [
  ["a rescue password", (client) => startRescue(client, "s1"), { rescue_password: secretValue }],
  [
    "a generated password of a reinstall",
    (client) => reinstallService(client, "s1", { osTemplate: "i1" }),
    { password: secretValue, method: "manual" },
  ],
  ["a generated password", (client) => resetServicePassword(client, "s1"), { password: secretValue }],
  [
    "a link to a console",
    (client) => createCast(client, "s1", {}),
    castRow({ url: `https://supplier.example/${secretValue}`, ticket: secretValue }),
  ],
  [
    "a console",
    (client) => openConsole(client, "s1"),
    {
      type: "novnc",
      token: secretValue,
      rfbPassword: secretValue,
      websocketUrl: `wss://supplier.example/?token=${secretValue}`,
    },
  ],
  ["a provider's console", (client) => openConsole(client, "s1"), { url: `https://x:${secretValue}@panel.example/` }],
  ["a console session", (client) => openConsoleSession(client, "s1"), { token: secretValue }],
  [
    "a game server's console",
    (client) => openGameConsole(client, "s1"),
    { wsOrigin: "wss://g.example", ws_path: "/ws", token: secretValue },
  ],
  ["SFTP", (client) => readSftp(client, "s1"), { password: secretValue }],
  ["a new SFTP password", (client) => rotateSftp(client, "s1"), { sftp: { password: secretValue } }],
  ["a link to a file", (client) => openGameFileLink(client, "s1", {}), { url: `https://g.example/${secretValue}` }],
  ["what a provider answers", (client) => runUiAction(client, "s1", "x"), { adminPassword: secretValue }],
];

describe("a secret that is shown once", () => {
  test.each(openers)("is in the result and in no line of the log: %s", async (_, ask, answer) => {
    const { client, practice } = await open(ok(answer));

    expect(JSON.stringify(await ask(client))).toContain(secretValue);

    expect(practice.lines.length).toBeGreaterThan(0);
    expect(practice.lines.join("")).not.toContain(secretValue);
  });

  const unreadable: ((data: object) => string)[] = [
    (data) => JSON.stringify({ success: "yes", data }),
    (data) => JSON.stringify({ success: true, data }).slice(0, -2),
    (data) => JSON.stringify([data]),
  ];

  test.each(openers)(
    "is in no error and no line of the log where the answer cannot be read: %s",
    async (_, ask, answer) => {
      for (const text of unreadable) {
        const { client, practice } = await open((response) => void response.writeHead(200).end(text(answer)));

        const error = await failure(ask(client));

        expect(error).toMatchObject({ name: "PlatformOffContract" });
        expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(secretValue);
      }
    },
  );

  const misshapen: typeof openers = [
    ["a link to a console", (client) => createCast(client, "s1", {}), castRow({ id: null, url: secretValue })],
    ["a console", (client) => openConsole(client, "s1"), { type: "novnc", websocketUrl: [secretValue] }],
    ["a console session", (client) => openConsoleSession(client, "s1"), { token: { [secretValue]: secretValue } }],
    [
      "a game server's console",
      (client) => openGameConsole(client, "s1"),
      { ws_path: secretValue, token: secretValue },
    ],
  ];

  test.each(misshapen)(
    "is in no error and no line of the log where it has another shape: %s",
    async (_, ask, answer) => {
      const { client, practice } = await open(ok(answer));

      const error = await failure(ask(client));

      expect(error).toMatchObject({ name: "PlatformOffContract" });
      expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(secretValue);
    },
  );
});

test("a secret that was sent is in no error and in no line of the log, however deep it stood in the body", async () => {
  const sent = [
    (client: ResellerClient<string>) => runUiAction(client, "s1", "set", { admin: { newPassword: secretValue } }),
    (client: ResellerClient<string>) => changeGameVars(client, "s1", { vars: [{ RCON_PASSWORD: secretValue }] }),
    (client: ResellerClient<string>) => changeGameVars(client, "s1", { tokens: [[secretValue]] }),
    (client: ResellerClient<string>) =>
      changeGameVars(client, "s1", { vars: [{ name: "RCON_PASSWORD", value: secretValue }] }),
    (client: ResellerClient<string>) => reinstallService(client, "s1", { osTemplate: "i1", password: secretValue }),
  ];
  for (const send of sent) {
    const { client, practice } = await open(
      refuse(400, { message: `No: ${secretValue}`, details: [{ field: secretValue, message: secretValue }] }),
    );

    const error = await failure(send(client));

    expect(error).toMatchObject({ name: "PlatformRefused", reason: "No: [removed]" });
    expect(inspect(error, { depth: 20, showHidden: true }) + practice.lines.join("")).not.toContain(secretValue);
  }
});

describe("an answer in a shape that nobody knows", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."abxyz "), maxLength: 8 });
  const { tree } = fc.letrec((again) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constant(secretValue),
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
        const times = JSON.stringify(answer).split(secretValue).length - 1;
        expect(JSON.stringify(rest)).not.toContain(secretValue);
        expect(secrets.filter(({ value }) => value === secretValue)).toHaveLength(times);
      }),
    );
  });

  test("keeps no value beside which a sibling names a secret, wherever it stands, and loses none of it", () => {
    const sibling = fc
      .tuple(
        fc.constantFrom("name", "key", "variable", "env_variable", "envVariable", "label", "title", "field"),
        fc.constantFrom("RCON_PASSWORD", "Rcon password", "api-token", "Password (admin)", "db.secret", "ACCESS_KEY"),
        fc.constantFrom("value", "default_value", "serverValue", "current", "content", "data"),
        fc.oneof(fc.constant(secretValue), fc.constant({ a: [secretValue] }), fc.constant([secretValue, secretValue])),
      )
      .map(([naming, name, valued, value]) => ({ description: "what it is", [naming]: name, [valued]: value }));
    const { holder } = fc.letrec((again) => ({
      holder: fc.oneof(
        { depthSize: "small" },
        sibling,
        fc.array(fc.oneof(plain, again("holder")), { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom("server", "variables", "rows"), again("holder"), { minKeys: 1, maxKeys: 2 }),
      ),
    }));
    fc.assert(
      fc.property(holder, (answer) => {
        const { secrets, rest } = partSecrets(answer);
        const times = JSON.stringify(answer).split(secretValue).length - 1;
        expect(JSON.stringify(rest)).not.toContain(secretValue);
        expect(secrets.filter(({ value }) => value === secretValue)).toHaveLength(times);
        expect(
          [...jsonBlocks(answer).map((block) => JSON.stringify(block)), ...jsonLines(answer)].join(),
        ).not.toContain(secretValue);
      }),
    );
  });

  test.each<[string, unknown]>([
    [
      "a pair of a variable and its value",
      {
        env: [
          ["RCON_PASSWORD", secretValue],
          ["MOTD", "Hello"],
        ],
      },
    ],
    ["a pair of lower case", { env: [["rcon.password", secretValue]] }],
    ["a row of a table", { columns: ["name", "value", "type"], rows: [["RCON_PASSWORD", secretValue]] }],
    ["a value that is called by a short word", { variable: "ADMIN_PWD", val: secretValue }],
    ["a value whose name is null", { variables: [{ name: null, value: secretValue }] }],
    ["a value whose name is no text", { variables: [{ name: { en: "Rcon" }, value: secretValue }] }],
    ["a value without anything beside it", { variables: [{ value: secretValue }] }],
    ["a field that says that it is a password", { type: "password", name: "Admin", value: secretValue }],
    ["a field that says that it is not to be seen", { name: "Admin", sensitive: true, value: secretValue }],
    ["a key that nobody may have", { secret_key: secretValue }],
    ["a password by a short word", { dbPass: secretValue }],
    ["a password that is told in the clear", { root_password_plain: secretValue }],
    ["a header", { headers: [{ name: "Authorization", value: secretValue }] }],
    ["a line of a header", { curl: `Authorization: Bearer ${secretValue}9` }],
    ["an option of a command line", { startup: `run --admin-password "${secretValue}" --map dust` }],
    ["a variable of a game's command line", { startup: `./srcds_run +rcon_password ${secretValue} +map de_dust2` }],
    ["JSON in a text", { config: `{"motd":"Hello","password":"${secretValue}"}` }],
    ["a line of settings", { startup: `java -Drcon.password=${secretValue} -jar server.jar` }],
    ["a file of settings", `MOTD=Hello\nRCON_PASSWORD=${secretValue}\n`],
    ["a line of YAML", `motd: Hello\npassword: ${secretValue}`],
    [
      "a private key",
      { note: `-----BEGIN OPENSSH PRIVATE KEY-----\n${secretValue}\n-----END OPENSSH PRIVATE KEY-----` },
    ],
    [
      "an address with a password within a sentence",
      { how: `Connect to mysql://u1:${secretValue}@db.example/shop now` },
    ],
    ["a long random token", { line: "Zk3vQ9xT7bLm2Rw8Yc5Nh1Pd4Sg6Jf0A" }],
    ["a signed web token", { line: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln" }],
    ["long hexadecimal digits", { line: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c" }],
    ["all of it", secretValue.padEnd(12).concat("\nsecret=1")],
  ])("keeps %s for who asks to see it", (_, answer) => {
    const { secrets, rest } = partSecrets(answer);
    expect(secrets).toHaveLength(1);
    const shown = [
      ...jsonBlocks(answer).map((block) => JSON.stringify(block)),
      ...jsonLines(answer),
      JSON.stringify(rest),
    ];
    expect(shown.join()).not.toContain(secrets[0]?.value.slice(0, 12));
    expect(jsonLines(answer).join()).toContain("Secret, and so not shown");
  });

  test.each<[string, unknown]>([
    ["ids", { id: "7c1f2d3e-0000-4000-8000-00000000000a", orderId: "9f86d081884c7d659a2feaa0c55ad015" }],
    [
      "digests",
      {
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        etag: "Zk3vQ9xT7bLm2Rw8Yc5Nh1Pd4Sg6Jf0A",
      },
    ],
    ["public keys", { publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx0Zk3vQ9xT7bLm2Rw8Yc5Nh1Pd4Sg6Jf0A me" }],
    [
      "host names and files",
      { host: "vps-2026-frankfurt-build-11.Example.com", file: "world-backup-2026-11-22T10-00.tar.gz" },
    ],
    ["sentences", { description: "Password: leave it empty for none", capabilities: ["password", "console"] }],
    [
      "words that end like a short one",
      { compass: "north", bypass: "on", shipping: "fast", type: "password", kind: "text" },
    ],
    ["options that are no secret", { startup: "run --password-file /etc/x --map dust", auth: "Basic authentication" }],
    [
      "values of what is no secret",
      [
        { name: "MOTD", value: "Hello" },
        { name: "MAX_PLAYERS", value: 20 },
      ],
    ],
    ["figures beside their times", { points: [{ time: 1, value: 20 }], cpu: { value: 3, unit: "%" } }],
    ["figures without their times", { points: [{ value: 20 }, { value: "4.5" }] }],
  ])("shows %s", (_, answer) => {
    expect(partSecrets(answer)).toEqual({ secrets: [], rest: answer });
  });

  test("says of what holds nothing else that it is secret, and not that there is none", () => {
    const answer = { sftp: { host: "g.example", credentials: { password: secretValue, user: "" } } };
    expect(partSecrets(answer).rest).toEqual({ sftp: { host: "g.example", credentials: { user: "" } } });
    const alone = { host: "g.example", credentials: { password: secretValue } };
    expect(partSecrets(alone).rest).toEqual({ host: "g.example" });
    expect(jsonLines(alone).join()).not.toContain("none");
  });

  test("may hold a text of megabytes, as a file's contents are", () => {
    const long = ["A1b2+/".repeat(1_000_000), `https://x.example/${"a".repeat(6_000_000)}`, "eyJ".repeat(2_000_000)];
    expect(partSecrets(long)).toEqual({ secrets: [], rest: long });
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
    ["https://vnc.example/s/Zk3vQ9xT7bLm2Rw8/vnc.html", true],
    ["https://panel.example/reset/9f86d081884c7d659a2feaa0c55ad015", true],
    ["https://panel.example/r#4q8z1k7m2x9c5v3b", true],
    ["Open wss://host.example/ws/a1B2c3D4e5F6g7H8 within a minute", true],
    ["https://panel.example/c?page=2", false],
    ["https://api.example/v1/vps/7c1f2d3e-0000-4000-8000-00000000000a/snapshots", false],
    ["https://mirror.example/debian-13-generic-amd64-20261101.qcow2", false],
    ["https://panel.example/help/how-to-restart-a-server-in-2026", false],
    ["https://panel.example/", false],
    ["mail ada@example.net: now?", false],
  ])("%s is a credential itself: %s", (address, isSecret) => {
    expect(partSecrets([address]).secrets).toHaveLength(isSecret ? 1 : 0);
  });

  test.each<[string, unknown]>([
    ["console_url", { console_url: "https://panel.example/open/short" }],
    ["loginUrl", { panel: { loginUrl: "https://panel.example/in/4711" } }],
    ["vnc_url", { vnc_url: "wss://host.example/7c1f2d3e-0000-4000-8000-00000000000a" }],
    ["reset_link", [{ reset_link: "https://panel.example/reset/abc" }]],
    ["wsPath", { wsPath: "/ws/abc" }],
    ["a link under its name", { console: { url: "https://panel.example/open/short" } }],
    ["a name under the links", { links: { login: "https://panel.example/in/4711" } }],
    ["several", { console_urls: ["https://panel.example/open/short"] }],
  ])("%s opens something for whoever has it", (_, answer) => {
    const { secrets, rest } = partSecrets(answer);
    expect(secrets).toHaveLength(1);
    expect(JSON.stringify(rest)).not.toContain(secrets[0]?.value);
  });

  test("a link that opens nothing, and a word in the place of a link, are shown", () => {
    const answer = {
      docs_url: "https://docs.example/console",
      access_path: "read",
      console: "novnc",
      sshAddress: "host",
    };
    expect(partSecrets(answer)).toEqual({ secrets: [], rest: answer });
  });

  test("that is deeper than anything is shown is left out and not walked for ever", () => {
    let deep: unknown = { password: secretValue };
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
