import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import {
  changeTemplate,
  findTemplate,
  forgetTemplates,
  listTemplates,
  saveTemplate,
} from "../../src/records/templates.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";

const command = "order new";

async function templates() {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  const app = { store, clock };
  const save = (member: string, name: string, saved = "x") =>
    saveTemplate(app, command, { name, member, slackUser: member, saved });
  const names = async (member: string) => (await listTemplates(app, command, member)).map(({ name }) => name);
  return { app, save, names };
}

test("saving under a name that one has already replaces it, and keeps it shared", async () => {
  const { app, save, names } = await templates();
  await save("ana", "Web");
  const [first] = await listTemplates(app, command, "ana");
  await changeTemplate(app, command, first?.id ?? "", { shared: true });
  await save("ana", "WEB", "y");
  expect(await names("ben")).toEqual(["WEB"]);
  expect(await findTemplate(app, command, "ben", "web")).toMatchObject({ id: first?.id, saved: "y" });
});

test("of two of one name one's own is meant", async () => {
  const { app, save } = await templates();
  await save("ana", "Web", "ana's");
  const [shared] = await listTemplates(app, command, "ana");
  await changeTemplate(app, command, shared?.id ?? "", { shared: true });
  await save("ben", "Web", "ben's");
  expect(await findTemplate(app, command, "ben", "Web")).toMatchObject({ saved: "ben's" });
  expect(await findTemplate(app, command, "caro", "Web")).toMatchObject({ saved: "ana's" });
});

test("the templates of a member who leaves are removed, but for those that they shared", async () => {
  const { app, save, names } = await templates();
  await save("ana", "Mine");
  await save("ana", "Ours");
  const ours = await findTemplate(app, command, "ana", "Ours");
  await changeTemplate(app, command, ours?.id ?? "", { shared: true });
  await save("ben", "His");
  await forgetTemplates(app, "ana");
  expect(await names("ana")).toEqual(["Ours"]);
  expect(await names("ben")).toEqual(["His", "Ours"]);
});

test("a workspace that has its fill of them gets a refusal, and loses none", async () => {
  const { save, names } = await templates();
  for (let at = 0; at < 200; at += 1) await save("ana", `t${at}`);
  await expect(save("ben", "one more")).rejects.toThrow("was not saved");
  await save("ana", "t7", "again");
  expect(await names("ana")).toHaveLength(200);
});
