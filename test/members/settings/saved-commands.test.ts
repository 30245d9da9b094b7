import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import {
  changeSaved,
  forgetSaved,
  listSaved,
  saveCommand,
  savedAs,
} from "../../../src/members/settings/saved-commands.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openStore } from "../../../src/storage/open.ts";

async function opened() {
  const clock = createSandboxClock();
  const store = await openStore({ url: "sqlite::memory:", clock, log: pino({ level: "silent" }) });
  onTestFinished(() => store.close());
  const app = { store, clock };
  const save = (member: string, name: string, id?: string) =>
    saveCommand(app, { ...(id ? { id } : {}), name, line: `/vps list ${name}`, member, slackUser: member }, member);
  const names = async () => (await listSaved(app)).map(({ name }) => name);
  return { app, save, names };
}

test("a changed command keeps its member and its channel, and says who changed it", async () => {
  const { app, save } = await opened();
  await save("ana", "web");
  const [first] = await listSaved(app);
  await changeSaved(app, first?.id ?? "", { channel: "C1" });
  await save("ben", "other", first?.id ?? "");
  expect(await listSaved(app)).toMatchObject([
    { name: "web", line: "/vps list other", member: "ana", channel: "C1", changedBy: "ben" },
  ]);
});

test("a name means all that have it, in any case", async () => {
  const { app, save } = await opened();
  await save("ana", "Web");
  await save("ben", "web");
  expect(savedAs(await listSaved(app), "WEB").map(({ member }) => member)).toEqual(["ben", "ana"]);
  expect(savedAs(await listSaved(app), "nothing")).toEqual([]);
});

test("the commands of a member who leaves are removed, but for those that they shared", async () => {
  const { app, save, names } = await opened();
  for (const [member, name] of [
    ["ana", "mine"],
    ["ana", "ours"],
    ["ben", "his"],
  ] as const)
    await save(member, name);
  const [ours] = savedAs(await listSaved(app), "ours");
  await changeSaved(app, ours?.id ?? "", { channel: "C1" });
  await forgetSaved(app, "ana");
  expect(await names()).toEqual(["his", "ours"]);
});

test("a workspace that has its fill of them gets a refusal, and loses none", async () => {
  const { app, save, names } = await opened();
  for (let at = 0; at < 200; at += 1) await save("ana", `t${at}`);
  await expect(save("ben", "one more")).rejects.toThrow("was not saved");
  const [seventh] = savedAs(await listSaved(app), "t7");
  await save("ana", "t7", seventh?.id ?? "");
  expect(await names()).toHaveLength(200);
});
