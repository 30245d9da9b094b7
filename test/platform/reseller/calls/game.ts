import * as backups from "../../../../src/platform/reseller/game/backups.ts";
import { openGameConsole } from "../../../../src/platform/reseller/game/console.ts";
import * as files from "../../../../src/platform/reseller/game/files.ts";
import * as mods from "../../../../src/platform/reseller/game/mods.ts";
import * as schedules from "../../../../src/platform/reseller/game/schedules.ts";
import * as server from "../../../../src/platform/reseller/game/server.ts";
import { readSftp, rotateSftp } from "../../../../src/platform/reseller/game/sftp.ts";
import type { Call } from "../call.ts";

const base = "/services/s1/game";
const body = { any: ["thing"] };
const query = { path: "/world", page: 2 };
/** Data without a known shape, which the endpoint must return unchanged. */
const anything = { told: [1, null, { x: "y" }] };
const console = { origin: "https://g.example", wsOrigin: "wss://g.example", ws_path: "/ws", token: "tok-4" };

const plain: [name: string, sends: string, call: Call["call"], sent?: object][] = [
  ["add-ons", "GET /addons", (client) => server.readGameAddons(client, "s1")],
  ["power", "POST /power/kill%20-9", (client) => server.powerGame(client, "s1", "kill -9")],
  ["a file", "GET /files/read?path=%2Fworld&page=2", (client) => files.readGameFile(client, "s1", query)],
  [
    "the contents of a file",
    "GET /files/contents?path=%2Fworld&page=2",
    (client) => files.readGameFileContents(client, "s1", query),
  ],
  ...files.fileOperations.flatMap((op): typeof plain =>
    op === "upload" || op === "download-url"
      ? []
      : [[`${op} of files`, `POST /files/${op}`, (client) => files.runFileOperation(client, "s1", op, body), body]],
  ),
  [
    "an upload",
    "POST /files/upload",
    (client) => files.uploadGameFile(client, "s1", { path: "/", name: "a.txt", content: Buffer.from("hello") }),
    { path: "/", name: "a.txt", content: "aGVsbG8=" },
  ],
  ["a new backup", "POST /backups", (client) => backups.createGameBackup(client, "s1", body), body],
  ["a new backup without a body", "POST /backups", (client) => backups.createGameBackup(client, "s1")],
  ["backups, changed", "PATCH /backups", (client) => backups.changeGameBackups(client, "s1", body), body],
  ["one backup, changed", "PATCH /backups/b1", (client) => backups.changeGameBackupAt(client, "s1", "b1", body), body],
  ["restoring", "POST /backups/b1/restore", (client) => backups.restoreGameBackup(client, "s1", "b1")],
  ["the calendar", "GET /calendar", (client) => schedules.readCalendar(client, "s1")],
  [
    "a part of the calendar",
    "GET /calendar?path=%2Fworld&page=2",
    (client) => schedules.readCalendar(client, "s1", query),
  ],
  ["a new schedule", "POST /schedules", (client) => schedules.createSchedule(client, "s1", body), body],
  ["a schedule, changed", "PATCH /schedules", (client) => schedules.changeSchedule(client, "s1", body), body],
  [
    "one schedule, changed",
    "PATCH /schedules/1",
    (client) => schedules.changeScheduleAt(client, "s1", "1", body),
    body,
  ],
  ["a schedule, deleted", "DELETE /schedules", (client) => schedules.deleteSchedule(client, "s1", body), body],
  ["one schedule, deleted", "DELETE /schedules/1", (client) => schedules.deleteScheduleAt(client, "s1", "1")],
  ["a schedule, run now", "POST /schedules/1/run", (client) => schedules.runSchedule(client, "s1", "1")],
  ["sources of mods", "GET /mods/sources", (client) => mods.readModSources(client, "s1")],
  ["found mods", "GET /mods/search?path=%2Fworld&page=2", (client) => mods.searchMods(client, "s1", query)],
  ["versions of a mod", "GET /mods/versions?path=%2Fworld&page=2", (c) => mods.readModVersions(c, "s1", query)],
  ["a mod's project", "GET /mods/project?path=%2Fworld&page=2", (client) => mods.readModProject(client, "s1", query)],
  ["a mod, installed", "POST /mods", (client) => mods.installMod(client, "s1", body), body],
  ["a mod of one's own", "POST /mods/upload", (client) => mods.uploadMod(client, "s1", body), body],
];

export const gameCalls: Call[] = [
  ...plain.map(([name, sends, call, sent]): Call => {
    const [method = "", path = ""] = sends.split(" ");
    return {
      name: `game: ${name}`,
      call,
      sends: `${method} ${base}${path}`,
      body: sent,
      answer: anything,
      gives: anything,
    };
  }),
  {
    name: "game: a folder",
    call: (client) => files.listGameFiles(client, "s1", query),
    sends: `GET ${base}/files?path=%2Fworld&page=2`,
    answer: { path: "/world", entries: [{ name: "level.dat", bytes: 5 }] },
    gives: {
      answer: { path: "/world", entries: [{ name: "level.dat", bytes: 5 }] },
      rows: [{ name: "level.dat", bytes: 5 }],
    },
  },
  {
    name: "game: the server, its passwords apart",
    call: (client) => server.readGame(client, "s1"),
    sends: `GET ${base}`,
    answer: { server: { players: 3, vars: { RCON_PASSWORD: "rcon-1" } }, capabilities: ["mods"] },
    gives: {
      secrets: [{ name: "server.vars.RCON_PASSWORD", value: "rcon-1" }],
      rest: { server: { players: 3, vars: {} }, capabilities: ["mods"] },
      server: { players: 3, vars: {} },
      capabilities: ["mods"],
    },
  },
  {
    name: "game: the server, beside the success",
    call: (client) => server.readGame(client, "s1"),
    sends: `GET ${base}`,
    beside: { server: { players: 3 }, capabilities: null },
    gives: {
      secrets: [],
      rest: { server: { players: 3 }, capabilities: null },
      server: { players: 3 },
      capabilities: null,
    },
  },
  {
    name: "game: variables",
    call: (client) => server.changeGameVars(client, "s1", { MOTD: "hi" }),
    sends: `PATCH ${base}/vars`,
    body: { MOTD: "hi" },
    answer: { MOTD: "hi", SERVER_PASSWORD: "sv-1" },
    gives: { secrets: [{ name: "SERVER_PASSWORD", value: "sv-1" }], rest: { MOTD: "hi" } },
  },
  {
    name: "game: the console",
    call: (client) => openGameConsole(client, "s1"),
    sends: `POST ${base}/console`,
    answer: { ...console, more: 1 },
    gives: console,
  },
  {
    name: "game: the console, asked with a body",
    call: (client) => openGameConsole(client, "s1", body),
    sends: `POST ${base}/console`,
    body,
    answer: console,
    gives: console,
  },
  {
    name: "game: a file, downloaded",
    call: (client) => files.downloadGameFile(client, "s1", { path: "/w.zip" }),
    sends: `GET ${base}/files/download?path=%2Fw.zip`,
    reply: (response) =>
      void response
        .writeHead(200, { "content-type": "application/zip", "content-disposition": 'attachment; filename="w.zip"' })
        .end(Buffer.from([0, 255])),
    gives: { content: Buffer.from([0, 255]), contentType: "application/zip", name: "w.zip" },
  },
  {
    name: "game: a link to a file, which is a secret whatever it is called",
    call: (client) => files.openGameFileLink(client, "s1", { path: "/w.zip" }),
    sends: `POST ${base}/files/download-url`,
    body: { path: "/w.zip" },
    answer: { href: "https://g.example/d/abc", seconds: 60 },
    gives: { secrets: [{ name: "href", value: "https://g.example/d/abc" }], rest: { seconds: 60 } },
  },
  {
    name: "game: SFTP",
    call: (client) => readSftp(client, "s1"),
    sends: `GET ${base}/sftp`,
    answer: { host: "g.example", port: 2022, credentials: { login: "u1", pass: "pw-2" } },
    gives: {
      secrets: [
        { name: "credentials.login", value: "u1" },
        { name: "credentials.pass", value: "pw-2" },
      ],
      rest: { host: "g.example", port: 2022, credentials: {} },
    },
  },
  {
    name: "game: a new SFTP password",
    call: (client) => rotateSftp(client, "s1"),
    sends: `POST ${base}/sftp/rotate`,
    answer: { sftp_password: "pw-3" },
    gives: { secrets: [{ name: "sftp_password", value: "pw-3" }], rest: {} },
  },
  ...(
    [
      ["backups", backups.listGameBackups],
      ["schedules", schedules.listSchedules],
      ["mods", mods.listMods],
    ] as const
  ).map(
    ([name, list]): Call => ({
      name: `game: ${name}`,
      call: (client) => list(client, "s1"),
      sends: `GET ${base}/${name}`,
      answer: { [name]: [{ id: 1, name: "x" }], limit: 3 },
      gives: { answer: { [name]: [{ id: 1, name: "x" }], limit: 3 }, rows: [{ id: "1", name: "x" }] },
    }),
  ),
  {
    name: "game: backups in no list",
    call: (client) => backups.listGameBackups(client, "s1"),
    sends: `GET ${base}/backups`,
    answer: { newest: "b1" },
    gives: { answer: { newest: "b1" }, rows: [] },
  },
  {
    name: "game: deleting a backup",
    call: (client) => backups.deleteGameBackup(client, "s1", "b1"),
    sends: `DELETE ${base}/backups/b1`,
  },
  {
    name: "game: removing a mod",
    call: (client) => mods.removeMod(client, "s1", "m1"),
    sends: `DELETE ${base}/mods/m1`,
  },
];
