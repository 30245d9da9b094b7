import { expect, test } from "vitest";
import { at, createPractice, layout, listAt, success, textAt } from "../../client.ts";

/** The practice platform in one of its shapes, and the routes of a game server. */
async function playing(payload = 0) {
  const practice = await createPractice();
  practice.platform.settings.shapes.payload = payload;
  const game = (line: string, body?: unknown) => {
    const [method = "", path = ""] = line.split(" ");
    return practice.resell(`${method} /services/{arena-1}/game${path}`, body === undefined ? {} : { body });
  };
  return { ...practice, game };
}

test.each([
  "GET ",
  "GET /addons",
  "GET /files",
  "GET /files/read?path=/server.properties",
  "GET /files/contents?path=/server.properties",
  "GET /sftp",
  "GET /backups",
  "GET /schedules",
  "GET /calendar",
  "GET /mods",
  "GET /mods/sources",
  "GET /mods/search?query=a",
  "GET /mods/versions?project=deep-caves",
])("%s, which the spec does not show, comes in two shapes", async (line) => {
  const { game, platform } = await playing();
  const seen = new Set<string>();
  for (const payload of [0, 1]) {
    platform.settings.shapes.payload = payload;
    const answer = await game(line);
    expect(answer.status).toBe(200);
    seen.add(`${layout(answer)} ${Object.keys(Object(at(answer, "data.server") ?? {}))}`);
  }
  expect(seen.size).toBe(2);
});

test("a game server tells itself and what it can", async () => {
  const { game } = await playing();
  expect(await game("GET ")).toMatchObject(
    success({ server: { game: "Practice Craft", state: "running" }, capabilities: { console: true } }),
  );
});

test("variables are set at the top of the body or below vars; one that the game does not have sets nothing", async () => {
  const { game } = await playing();
  expect(await game("PATCH /vars", { MOTD: "Hello" })).toMatchObject(success({ MOTD: "Hello" }));
  expect(await game("PATCH /vars", { vars: { MOTD: "Again" } })).toMatchObject(success({ MOTD: "Again" }));
  await game("PATCH /vars", { MOTD: "No", NOPE: "x" });
  expect(at(await game("GET "), "data.server.vars.MOTD")).toBe("Again");
});

test("a game server is switched off, and has a console", async () => {
  const { game } = await playing();
  expect(await game("POST /power/kill")).toMatchObject(success({ state: "stopped" }));
  const console = await game("POST /console");
  expect(layout(console)).toBe("origin,token,wsOrigin,ws_path");
  expect(textAt(console, "data.wsOrigin")).toMatch(/^wss:/);
});

test("a suspended game server can be read", async () => {
  const { game, platform } = await playing();
  platform.change("arena-1", { status: "suspended" });
  expect((await game("GET /files")).status).toBe(200);
});

test("files are written, listed, read, renamed, protected, packed, unpacked and deleted", async () => {
  const { game } = await playing();
  const names = async (path: string) =>
    listAt(await game(`GET /files?path=${path}`), "data.files").map((row) => Object(row).name);
  expect(await names("/")).toEqual(["config", "server.properties", "world"]);
  expect(await game("POST /files/mkdir", { path: "/logs" })).toMatchObject({ status: 200 });
  expect(await game("POST /files/write", { path: "/logs/a.log", content: "one\n" })).toMatchObject({ status: 200 });
  expect(at(await game("GET /files/read?path=/logs/a.log"), "data.content")).toBe("one\n");
  expect(await game("POST /files/chmod", { path: "/logs/a.log", mode: "600" })).toMatchObject({ status: 200 });
  expect(listAt(await game("GET /files?path=/logs"), "data.files")).toMatchObject([{ name: "a.log", mode: "0600" }]);
  expect(await game("POST /files/rename", { from: "/logs", to: "/old-logs" })).toMatchObject({ status: 200 });
  expect(await names("/old-logs")).toEqual(["a.log"]);
  expect((await game("POST /files/rename", { from: "/old-logs", to: "/config" })).status).toBe(409);
  const packed = await game("POST /files/compress", { paths: ["/old-logs"] });
  expect(await game("POST /files/decompress", { path: textAt(packed, "data.path") })).toMatchObject({ status: 200 });
  expect(await game("POST /files/delete", { paths: ["/old-logs"] })).toMatchObject({ status: 200 });
  expect((await game("GET /files?path=/old-logs")).status).toBe(404);
  expect((await game("POST /files/delete", { path: "/old-logs" })).status).toBe(404);
});

test("a download is the bytes of the file under its name, and an upload takes 4 MiB and no more", async () => {
  const { game, platform, id } = await playing();
  const download = async (path: string) =>
    fetch(`${platform.url}/reseller/services/${id("arena-1")}/game/files/download?path=${path}`, {
      headers: { authorization: `Bearer ${platform.reseller.keys.ana.key}` },
    });
  const level = await download("/world/level.dat");
  expect(Buffer.from(await level.arrayBuffer())).toEqual(Buffer.from([0, 255, 1, 254, 10]));
  expect(level.headers.get("content-disposition")).toBe(
    "attachment; filename=\"level.dat\"; filename*=UTF-8''level.dat",
  );
  const content = Buffer.alloc(4 * 1024 * 1024, 7);
  const upload = (bytes: Buffer) =>
    game("POST /files/upload", { path: "/world", name: "big.bin", content: bytes.toString("base64") });
  expect(await upload(content)).toMatchObject(success({ path: "/world/big.bin", size: content.length }));
  expect(Buffer.from(await (await download("/world/big.bin")).arrayBuffer()).equals(content)).toBe(true);
  expect((await upload(Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(400);
  expect((await upload(Buffer.alloc(6 * 1024 * 1024))).status).toBe(413);
});

test("a file has a link, and SFTP gets another password", async () => {
  const { game } = await playing(1);
  expect(textAt(await game("POST /files/download-url", { path: "/server.properties" }), "data.url")).toMatch(/^https:/);
  const old = textAt(await game("GET /sftp"), "data.sftp.credentials.password");
  const rotated = textAt(await game("POST /sftp/rotate"), "data.sftp_password");
  expect(rotated).not.toBe(old);
  expect(textAt(await game("GET /sftp"), "data.sftp.credentials.password")).toBe(rotated);
});

test("backups are taken up to their limit, renamed by path or body, locked, restored and deleted", async () => {
  const { game, clock } = await playing();
  const first = textAt(await game("GET /backups"), "data.backups.0.id");
  const made = await game("POST /backups", { name: "mine" });
  expect(made).toMatchObject(success({ backup: { status: "running" } }, 201));
  const id = textAt(made, "data.backup.id");
  expect((await game(`POST /backups/${id}/restore`)).status).toBe(409);
  clock.skip(60_000);
  expect((await game("POST /backups")).status).toBe(201);
  expect((await game("POST /backups")).status).toBe(409);
  expect(await game("PATCH /backups", { id, name: "ours" })).toMatchObject(success({ backup: { name: "ours" } }));
  expect(await game(`PATCH /backups/${id}`, { locked: true })).toMatchObject(success({ backup: { locked: true } }));
  expect((await game(`DELETE /backups/${id}`)).status).toBe(409);
  await game(`PATCH /backups/${id}`, { locked: false });
  expect(await game(`POST /backups/${first}/restore`)).toMatchObject({ status: 200 });
  expect(await game(`DELETE /backups/${id}`)).toMatchObject({ status: 200 });
  expect((await game(`DELETE /backups/${id}`)).status).toBe(404);
});

test("schedules are made up to their limit, changed and deleted by path or body, run, and stand in the calendar", async () => {
  const { game } = await playing();
  const body = { name: "Weekly", cron: "0 5 * * 1", action: "backup" };
  const made = await game("POST /schedules", body);
  expect(made).toMatchObject(success({ schedule: { id: 2, enabled: true } }, 201));
  expect(await game("PATCH /schedules/2", { enabled: false })).toMatchObject(success({ schedule: { enabled: false } }));
  expect(await game("PATCH /schedules", { id: 2, name: "Rare" })).toMatchObject(
    success({ schedule: { name: "Rare" } }),
  );
  expect(await game("POST /schedules/1/run")).toMatchObject(success({ schedule: { last_run_at: expect.any(String) } }));
  expect(listAt(await game("GET /calendar"), "data.events")).toHaveLength(7);
  for (let index = 0; index < 3; index += 1) await game("POST /schedules", body);
  expect((await game("POST /schedules", body)).status).toBe(409);
  expect(await game("DELETE /schedules/2")).toMatchObject({ status: 200 });
  expect(await game("DELETE /schedules", { id: 3 })).toMatchObject({ status: 200 });
  expect((await game("DELETE /schedules/2")).status).toBe(404);
});

test("mods are found, installed once, uploaded and removed", async () => {
  const { game } = await playing();
  const found = textAt(await game("GET /mods/search?query=caves"), "data.results.0.id");
  expect(at(await game(`GET /mods/project?project=${found}`), "data.project.name")).toBe("Deep Caves");
  const version = textAt(await game(`GET /mods/versions?project=${found}`), "data.versions.1.id");
  const installed = await game("POST /mods", { project: found, version });
  expect(installed).toMatchObject(success({ mod: { version: "2.9.1" } }, 201));
  expect((await game("POST /mods", { project: found })).status).toBe(409);
  const content = Buffer.from("a mod").toString("base64");
  expect(await game("POST /mods/upload", { name: "own.jar", content })).toMatchObject({ status: 201 });
  expect(listAt(await game("GET /mods"), "data.mods")).toHaveLength(3);
  const remove = `DELETE /mods/${textAt(installed, "data.mod.id")}`;
  expect(await game(remove)).toMatchObject({ status: 200 });
  expect((await game(remove)).status).toBe(404);
});
