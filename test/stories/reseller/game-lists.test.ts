import { expect, test } from "vitest";
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

test("a service without a game server, and a module that is off, each say so", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller game show ACME-001", "has no game server");
  platform.settings.modules.game = false;
  await story.ask(ana, "/reseller game show BOR-003", "switched game servers off");
  await story.ask(ana, "/reseller game start BOR-003", "switched game servers off", "Nothing changed");
});
