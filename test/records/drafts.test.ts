import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { latestDraft, openDraft, readDraft, saveDraft, setDraftAside } from "../../src/records/drafts.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { raw } from "../storage/raw.ts";

const ana = { member: "T1:U1", command: "order new" };
const ben = { member: "T1:U2", command: "order new" };

async function opened() {
  const clock = createSandboxClock();
  const store = await openStore({ url: "sqlite::memory:", clock, log: pino({ level: "silent" }) });
  onTestFinished(() => store.close());
  return { clock, store, seal: createSeal({ key: randomBytes(32) }) };
}

test("a draft is kept sealed, for its member and its command alone", async () => {
  const app = await opened();
  const id = await openDraft(app, ana, { page: "plan", draft: { secret: "user data" } });
  expect(await readDraft(app, id, ana)).toEqual({ page: "plan", draft: { secret: "user data" } });
  expect(await readDraft(app, id, ben)).toBeNull();
  expect(await readDraft(app, id, { ...ana, command: "order list" })).toBeNull();
  expect(JSON.stringify(await app.store.keyv(raw("drafts")).get(id))).not.toContain("user data");
});

test("a draft is gone an hour after it was last touched", async () => {
  const app = await opened();
  const { clock } = app;
  const id = await openDraft(app, ana, { page: "product", draft: {} });
  clock.skip(50 * 60_000);
  await saveDraft(app, id, ana, { page: "plan", draft: {} });
  clock.skip(50 * 60_000);
  expect(await latestDraft(app, ana)).toMatchObject({ id });
  clock.skip(11 * 60_000);
  expect(await readDraft(app, id, ana)).toBeNull();
  expect(await latestDraft(app, ana)).toBeNull();
});

test("the latest draft is each member's own", async () => {
  const app = await opened();
  await saveDraft(app, await openDraft(app, ana, { page: "product", draft: 1 }), ana, { page: "plan", draft: 1 });
  const second = await openDraft(app, ana, { page: "product", draft: 2 });
  await saveDraft(app, second, ana, { page: "plan", draft: 2 });
  expect(await latestDraft(app, ana)).toMatchObject({ id: second });
  expect(await latestDraft(app, ben)).toBeNull();
  await openDraft(app, ana, { page: "product", draft: 3 });
  expect(await latestDraft(app, ana)).toMatchObject({ id: second });
  await setDraftAside(app, ana);
  expect(await latestDraft(app, ana)).toBeNull();
  expect(await readDraft(app, second, ana)).not.toBeNull();
});
