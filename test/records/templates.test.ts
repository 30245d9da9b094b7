import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createTemplates } from "../../src/records/templates.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";

const command = "order new";

async function templates() {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  const kept = createTemplates({ store, clock });
  const save = (member: string, name: string, saved = "x") =>
    kept.save(command, { name, member, slackUser: member, saved });
  const names = async (member: string) => (await kept.list(command, member)).map(({ name }) => name);
  return { kept, save, names };
}

test("saving under a name that one has already replaces it, and keeps it shared", async () => {
  const { kept, save, names } = await templates();
  await save("ana", "Web");
  const [first] = await kept.list(command, "ana");
  await kept.change(command, first?.id ?? "", { shared: true });
  await save("ana", "WEB", "y");
  expect(await names("ben")).toEqual(["WEB"]);
  expect(await kept.find(command, "ben", "web")).toMatchObject({ id: first?.id, saved: "y" });
});

test("of two of one name one's own is meant", async () => {
  const { kept, save } = await templates();
  await save("ana", "Web", "ana's");
  const [shared] = await kept.list(command, "ana");
  await kept.change(command, shared?.id ?? "", { shared: true });
  await save("ben", "Web", "ben's");
  expect(await kept.find(command, "ben", "Web")).toMatchObject({ saved: "ben's" });
  expect(await kept.find(command, "caro", "Web")).toMatchObject({ saved: "ana's" });
});

test("what a member saved goes with them, but for what they shared", async () => {
  const { kept, save, names } = await templates();
  await save("ana", "Mine");
  await save("ana", "Ours");
  const ours = await kept.find(command, "ana", "Ours");
  await kept.change(command, ours?.id ?? "", { shared: true });
  await save("ben", "His");
  await kept.forget("ana");
  expect(await names("ana")).toEqual(["Ours"]);
  expect(await names("ben")).toEqual(["His", "Ours"]);
});

test("a workspace that has its fill of them is told so, and loses none", async () => {
  const { save, names } = await templates();
  for (let at = 0; at < 200; at += 1) await save("ana", `t${at}`);
  await expect(save("ben", "one more")).rejects.toThrow("was not saved");
  await save("ana", "t7", "again");
  expect(await names("ana")).toHaveLength(200);
});
