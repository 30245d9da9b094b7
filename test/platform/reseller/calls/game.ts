import * as files from "../../../../src/platform/reseller/game/files.ts";
import * as lists from "../../../../src/platform/reseller/game/lists.ts";
import * as server from "../../../../src/platform/reseller/game/server.ts";
import { openGameConsole, readSftp, rotateSftp } from "../../../../src/platform/reseller/game/server.ts";
import type { ResellerCall } from "../call.ts";

const base = "/services/s1/game";
const body = { any: ["thing"] };
const query = { path: "/world", page: 2 };
/** Data without a known shape, which the endpoint must return unchanged. */
const anything = { told: [1, null, { x: "y" }] };
const console = { origin: "https://g.example", wsOrigin: "wss://g.example", ws_path: "/ws", token: "tok-4" };

const plain: [sends: string, call: ResellerCall[1], sent?: object][] = [
  ["GET /addons", (client) => server.readGameAddons(client, "s1")],
  ["GET /files/read?path=%2Fworld&page=2", (client) => files.readGameFile(client, "s1", query)],
  ["GET /files/contents?path=%2Fworld&page=2", (client) => files.readGameFileContents(client, "s1", query)],
  ...files.fileOperations.flatMap((op): typeof plain =>
    op === "upload" || op === "download-url"
      ? []
      : [[`POST /files/${op}`, (client) => files.runFileOperation(client, "s1", op, body), body]],
  ),
  [
    "POST /files/upload",
    (client) => files.uploadGameFile(client, "s1", { path: "/", name: "a.txt", content: Buffer.from("hello") }),
    { path: "/", name: "a.txt", content: "aGVsbG8=" },
  ],
  ["POST /backups", (client) => lists.createGameBackup(client, "s1", body), body],
  ["POST /backups", (client) => lists.createGameBackup(client, "s1")],
  ["PATCH /backups", (client) => lists.changeGameBackups(client, "s1", body), body],
  ["PATCH /backups/b1", (client) => lists.changeGameBackupAt(client, "s1", "b1", body), body],
  ["POST /backups/b1/restore", (client) => lists.restoreGameBackup(client, "s1", "b1")],
  ["GET /calendar", (client) => lists.readCalendar(client, "s1")],
  ["GET /calendar?path=%2Fworld&page=2", (client) => lists.readCalendar(client, "s1", query)],
  ["POST /schedules", (client) => lists.createSchedule(client, "s1", body), body],
  ["PATCH /schedules", (client) => lists.changeSchedule(client, "s1", body), body],
  ["PATCH /schedules/1", (client) => lists.changeScheduleAt(client, "s1", "1", body), body],
  ["DELETE /schedules", (client) => lists.deleteSchedule(client, "s1", body), body],
  ["DELETE /schedules/1", (client) => lists.deleteScheduleAt(client, "s1", "1")],
  ["POST /schedules/1/run", (client) => lists.runSchedule(client, "s1", "1")],
  ["GET /mods/sources", (client) => lists.readModSources(client, "s1")],
  ["GET /mods/search?path=%2Fworld&page=2", (client) => lists.searchMods(client, "s1", query)],
  ["GET /mods/versions?path=%2Fworld&page=2", (c) => lists.readModVersions(c, "s1", query)],
  ["GET /mods/project?path=%2Fworld&page=2", (client) => lists.readModProject(client, "s1", query)],
  ["POST /mods", (client) => lists.installMod(client, "s1", body), body],
  ["POST /mods/upload", (client) => lists.uploadMod(client, "s1", body), body],
];

export const gameCalls: ResellerCall[] = [
  ...plain.map(([sends, call, sent]): ResellerCall => {
    const [method = "", path = ""] = sends.split(" ");
    return [`${method} ${base}${path}`, call, { body: sent, passes: anything }];
  }),
  [
    `GET ${base}/files?path=%2Fworld&page=2`,
    (client) => files.listGameFiles(client, "s1", query),
    {
      answer: { path: "/world", entries: [{ name: "level.dat", bytes: 5 }] },
      gives: {
        answer: { path: "/world", entries: [{ name: "level.dat", bytes: 5 }] },
        rows: [{ name: "level.dat", bytes: 5 }],
      },
    },
  ],
  [
    `GET ${base}`,
    (client) => server.readGame(client, "s1"),
    {
      answer: { server: { players: 3, vars: { RCON_PASSWORD: "rcon-1" } }, capabilities: ["mods"] },
      gives: {
        secrets: [{ name: "server.vars.RCON_PASSWORD", value: "rcon-1" }],
        rest: { server: { players: 3 }, capabilities: ["mods"] },
        server: { players: 3 },
      },
    },
    {
      beside: { server: { players: 3 }, capabilities: null },
      gives: {
        secrets: [],
        rest: { server: { players: 3 }, capabilities: null },
        server: { players: 3 },
      },
    },
  ],
  [
    `PATCH ${base}/vars`,
    (client) => server.changeGameVars(client, "s1", { MOTD: "hi" }),
    { body: { MOTD: "hi" }, answer: { MOTD: "hi", SERVER_PASSWORD: "sv-1" } },
  ],
  [
    `POST ${base}/power/kill%20-9`,
    (client) => server.powerGame(client, "s1", "kill -9"),
    { answer: anything, gives: "begun" },
  ],
  [
    `POST ${base}/console`,
    (client) => openGameConsole(client, "s1"),
    { answer: { ...console, more: 1 }, gives: console },
  ],
  [`POST ${base}/console`, (client) => openGameConsole(client, "s1", body), { body, passes: console }],
  [
    `GET ${base}/files/download?path=%2Fw.zip`,
    (client) => files.downloadGameFile(client, "s1", { path: "/w.zip" }),
    {
      reply: (response) =>
        void response
          .writeHead(200, { "content-type": "application/zip", "content-disposition": 'attachment; filename="w.zip"' })
          .end(Buffer.from([0, 255])),
      gives: { content: Buffer.from([0, 255]), contentType: "application/zip", name: "w.zip" },
    },
  ],
  [
    `POST ${base}/files/download-url`,
    (client) => files.openGameFileLink(client, "s1", { path: "/w.zip" }),
    {
      body: { path: "/w.zip" },
      answer: { href: "https://g.example/d/abc", seconds: 60 },
      gives: { secrets: [{ name: "href", value: "https://g.example/d/abc" }], rest: { seconds: 60 } },
    },
  ],
  [
    `GET ${base}/sftp`,
    (client) => readSftp(client, "s1"),
    {
      answer: { host: "g.example", port: 2022, credentials: { login: "u1", pass: "pw-2" } },
      gives: {
        secrets: [
          { name: "credentials.login", value: "u1" },
          { name: "credentials.pass", value: "pw-2" },
        ],
        rest: { host: "g.example", port: 2022 },
      },
    },
  ],
  [
    `POST ${base}/sftp/rotate`,
    (client) => rotateSftp(client, "s1"),
    { answer: { sftp_password: "pw-3" }, gives: { secrets: [{ name: "sftp_password", value: "pw-3" }], rest: {} } },
  ],
  ...(
    [
      ["backups", lists.listGameBackups],
      ["schedules", lists.listSchedules],
      ["mods", lists.listMods],
    ] as const
  ).map(
    ([name, list]): ResellerCall => [
      `GET ${base}/${name}`,
      (client) => list(client, "s1"),
      {
        answer: { [name]: [{ id: 1, name: "x" }], limit: 3 },
        gives: { answer: { [name]: [{ id: 1, name: "x" }], limit: 3 }, rows: [{ id: "1", name: "x" }] },
      },
    ],
  ),
  [
    `GET ${base}/backups`,
    (client) => lists.listGameBackups(client, "s1"),
    { answer: { newest: "b1" }, gives: { answer: { newest: "b1" }, rows: null } },
  ],
  [`DELETE ${base}/backups/b1`, (client) => lists.deleteGameBackup(client, "s1", "b1")],
  [`DELETE ${base}/mods/m1`, (client) => lists.removeMod(client, "s1", "m1")],
];
