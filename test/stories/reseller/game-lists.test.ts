import { expect, test } from "vitest";
import { z } from "zod";
import { findControl } from "../../../src/sandbox/slack/blocks/controls.ts";
import { goAhead, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("a backup is started, changed, and restored once it was asked", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(
    ana,
    "/reseller game backup create BOR-003 body=name=today",
    "A backup of `arena-1.example.test` was started",
    "today",
  );
  await story.ask(
    ana,
    "/reseller game backup change BOR-003 backup=before-the-patch body='{\"locked\":false}'",
    "accepted the change",
  );
  const listed = await story.ask(ana, "/reseller game backups BOR-003", "has 2 backups");
  expect(said(listed)).toContain("Restore…");
  const request = await story.ask(
    ana,
    "/reseller game backup restore BOR-003 backup=before-the-patch",
    "asks to",
    "The backup `before-the-patch` will overwrite the present data",
  );
  await story.pressing(ana, request, goAhead, "is restoring the backup of");
});

test("a change of backups can name its backup in the body, too", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(
    ana,
    "/reseller game backup change BOR-003 backup=before-the-patch body='{\"locked\":false}'",
    "accepted the change",
  );
  const id = resellerWrites(story).at(-1)?.path.split("/").at(-1);
  await story.ask(
    ana,
    `/reseller game backup change BOR-003 body='id=${id} name=renamed'`,
    "accepted the change",
    "renamed",
  );
});

test("a backup that is gone by the time of the press voids the question", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller game backup create BOR-003 body=name=today", "was started");
  await story.ask(
    ana,
    "/reseller game backup change BOR-003 backup=before-the-patch body='{\"locked\":false}'",
    "accepted the change",
  );
  const restore = await story.ask(ana, "/reseller game backup restore BOR-003 backup=before-the-patch", "asks to");
  const remove = await story.ask(ana, "/reseller game backup delete BOR-003 backup=before-the-patch", "asks to");
  await story.pressing(ana, remove, goAhead, "is deleted");
  platform.clearCalls();
  await story.pressing(ana, restore, goAhead, "no backup with that id any more");
  expect(resellerWrites(story)).toEqual([]);
});

test("a schedule is made, changed, run and deleted, by its name", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(
    ana,
    '/reseller game schedule create BOR-003 body=\'{"name":"Daily","cron":"0 6 * * *","action":"backup"}\'',
    "has a new schedule",
    "Daily",
  );
  await story.ask(ana, "/reseller game schedule change BOR-003 schedule=Daily body='cron=0 7 * * *'", "was changed");
  await story.ask(ana, "/reseller game schedule change BOR-003 body='scheduleId=2 name=Early'", "was changed", "Early");
  await story.ask(ana, "/reseller game schedule run BOR-003 schedule=Early force=yes", "runs now");
  const request = await story.ask(
    ana,
    "/reseller game schedule delete BOR-003 schedule=Early",
    "Its actions will not run again",
  );
  await story.pressing(ana, request, goAhead, "is deleted");
  const other = await story.ask(
    ana,
    '/reseller game schedule delete BOR-003 schedule="Nightly restart" place=body',
    "asks to",
    "Nightly restart",
  );
  await story.pressing(ana, other, goAhead, "is deleted");
  await story.ask(ana, "/reseller game schedules BOR-003", "sent no details");
});

test("a mod is installed, and removed once it was asked", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller game mod install BOR-003 body=project=deep-caves", "accepted the mod", "Deep Caves");
  await story.ask(
    ana,
    "/reseller game mod install BOR-003 body='project=deep-caves version=2.9.1'",
    "installed already",
  );
  const listed = await story.ask(ana, "/reseller game mods BOR-003", "has 2 mods");
  expect(said(listed)).toContain("Remove…");
  const request = await story.ask(ana, '/reseller game mod remove BOR-003 mod="Deep Caves"', "will remove the mod");
  await story.pressing(ana, request, goAhead, "A mod was removed from");
});

/** For each kind of row: an act that adds one, an act that deletes the one that is there, the list, and its path. */
const kinds = [
  ["backup", 'backup create BOR-003 body="name=before-patch"', "backup delete BOR-003 backup=before-the-patch"],
  [
    "schedule",
    'schedule create BOR-003 body=\'{"name":"Daily","cron":"0 6 * * *","action":"backup"}\'',
    'schedule delete BOR-003 schedule="Nightly restart"',
  ],
  ["mod", "mod install BOR-003 body=project=deep-caves", 'mod remove BOR-003 mod="Fair Weather"'],
] as const;

const unreadable = (kind: string) => [
  { [`${kind}s`]: null, error: "node offline" },
  { [`${kind}s`]: [], node: "offline" },
  [{ name: "a row without an id" }],
];

test.each(
  kinds.flatMap(([kind, add, remove]) =>
    unreadable(kind).flatMap((data) => [[add, kind, data] as const, [remove, kind, data] as const]),
  ),
)("the outcome of a lost %s stays unknown while the list of each %s reads %j", async (typed, kind, data) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", method: /delete|remove/.test(typed) ? "DELETE" : "POST", path: /game/ });
  const answer = await story.ask(ana, `/reseller game ${typed}`, /asks to|outcome is unknown/);
  if (findControl(answer.blocks, goAhead)) await story.pressing(ana, answer, goAhead, "outcome is unknown");
  const how = { status: 200, body: { success: true, data } };
  platform.faults.next({ how, method: "GET", path: new RegExp(`/game/${kind}s$`), times: 1_000 });
  await story.comesToSee(ana, "The outcome stays unknown");
});

test.each(kinds)("a %s that another act added does not prove that a lost one was done", async (kind, add) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", method: "POST", path: /game/ });
  await story.ask(ana, `/reseller game ${add}`, "outcome is unknown");
  const path = new RegExp(`/game/${kind}s$`);
  platform.faults.next({ how: { rewrite: withAnother }, method: "GET", path, times: 1_000 });
  await story.comesToSee(ana, `There is a new ${kind}, \`nightly\`, but another act may have made it`);
});

const Rows = z.array(z.looseObject({ id: z.unknown() }));

/** The answer of a list with one more row. */
function withAnother(body: unknown) {
  const { data } = z.object({ data: z.union([Rows, z.record(z.string(), z.unknown())]) }).parse(body);
  const rows = Object.values({ data, ...data })
    .map((value) => Rows.safeParse(value).data)
    .find((found) => found);
  return { success: true, data: [...(rows ?? []), { id: "n1", name: "nightly" }] };
}

test.each(kinds)(
  "a lost %s is found again by its name, and its lost removal by the rows that are left",
  async (kind, add, remove) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.faults.next({ how: "reset", method: "POST", path: /game/, applied: true });
    await story.ask(ana, `/reseller game ${add}`, "outcome is unknown");
    await story.comesToSee(ana, "It was done after all");
    if (kind === "backup")
      await story.ask(
        ana,
        "/reseller game backup change BOR-003 backup=before-the-patch body='{\"locked\":false}'",
        "accepted",
      );
    const request = await story.ask(ana, `/reseller game ${remove}`, "asks to");
    platform.faults.next({ how: "reset", method: "DELETE", applied: true });
    await story.pressing(ana, request, goAhead, "outcome is unknown");
    await story.comesToSee(ana, `It was done after all: the ${kind} is gone`);
  },
);

test.each([
  ["mod install BOR-003 body='project=fair-weather version=1.4.0'", "An entry may have been replaced"],
  ["schedule create BOR-003 body='name=Nightly restart'", "An entry may have been replaced"],
  [kinds[0][1], "It was not done: the game module's list has no new entry"],
])("a lost %s without a new entry in the list reads: %s", async (typed, end) => {
  const story = await startResellerStory();
  story.platform.faults.next({ how: "reset", method: "POST", path: /game/ });
  await story.ask(story.ana, `/reseller game ${typed}`, "outcome is unknown");
  await story.comesToSee(story.ana, end);
});

test("a service without a game server, and a module that is off, each say so", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller game show ACME-001", "has no game server");
  platform.settings.modules.game = false;
  await story.ask(ana, "/reseller game show BOR-003", "switched game servers off");
  await story.ask(ana, "/reseller game start BOR-003", "switched game servers off", "Nothing changed");
});
