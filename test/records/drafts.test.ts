import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createDrafts } from "../../src/records/drafts.ts";
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
  return {
    clock,
    store,
    drafts: createDrafts({ store, clock, seal: createSeal({ key: randomBytes(32) }) }),
  };
}

test("a draft is kept sealed, for its member and its command alone", async () => {
  const { store, drafts } = await opened();
  const id = await drafts.open(ana, { page: "plan", draft: { secret: "user data" } });
  expect(await drafts.read(id, ana)).toEqual({ page: "plan", draft: { secret: "user data" } });
  expect(await drafts.read(id, ben)).toBeNull();
  expect(await drafts.read(id, { ...ana, command: "order list" })).toBeNull();
  expect(JSON.stringify(await store.keyv(raw("drafts")).get(id))).not.toContain("user data");
});

test("a draft is gone an hour after it was last touched", async () => {
  const { clock, drafts } = await opened();
  const id = await drafts.open(ana, { page: "product", draft: {} });
  clock.skip(50 * 60_000);
  await drafts.save(id, ana, { page: "plan", draft: {} });
  clock.skip(50 * 60_000);
  expect(await drafts.latest(ana)).toMatchObject({ id });
  clock.skip(11 * 60_000);
  expect(await drafts.read(id, ana)).toBeNull();
  expect(await drafts.latest(ana)).toBeNull();
});

test("the latest draft is each member's own", async () => {
  const { drafts } = await opened();
  await drafts.save(await drafts.open(ana, { page: "product", draft: 1 }), ana, { page: "plan", draft: 1 });
  const second = await drafts.open(ana, { page: "product", draft: 2 });
  await drafts.save(second, ana, { page: "plan", draft: 2 });
  expect(await drafts.latest(ana)).toMatchObject({ id: second });
  expect(await drafts.latest(ben)).toBeNull();
  await drafts.open(ana, { page: "product", draft: 3 });
  expect(await drafts.latest(ana)).toMatchObject({ id: second });
  await drafts.setAside(ana);
  expect(await drafts.latest(ana)).toBeNull();
  expect(await drafts.read(second, ana)).not.toBeNull();
});
