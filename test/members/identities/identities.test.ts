import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { createConnection } from "../../../src/members/identities/connection.ts";
import { createIdentities } from "../../../src/members/identities/identities.ts";
import { createWorkspaceSecrets } from "../../../src/members/identities/workspace.ts";
import { createPlatform } from "../../../src/platform/platform.ts";
import { systemClock } from "../../../src/process/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "../../../src/sandbox/platform/practice-platform.ts";
import { openStore } from "../../../src/storage/open.ts";
import { createSeal, type Seal } from "../../../src/storage/seal.ts";
import { raw } from "../../storage/raw.ts";

async function world() {
  const log = pino({ level: "silent" });
  const practice = await createPracticePlatform({ clock: systemClock });
  const store = await openStore({ url: "sqlite::memory:", clock: systemClock, log });
  const platform = createPlatform({ url: practice.url, clock: systemClock, log });
  onTestFinished(async () => {
    practice.faults.resume();
    await platform.close();
    await practice.close();
    await store.close();
  });
  function open(seal: Seal) {
    const workspace = createWorkspaceSecrets({ store, seal });
    return createIdentities({ foundation: { store, seal, clock: systemClock, log }, platform, workspace });
  }
  const with_ = (keys: Parameters<typeof createSeal>[0]) => open(createSeal(keys));
  const key = randomBytes(32);
  const identities = with_({ key });
  const secrets = createWorkspaceSecrets({ store, seal: createSeal({ key }) });
  const connection = createConnection({ platform, identities, secrets, clock: systemClock });
  return { practice, store, key, identities, connection, sealedWith: with_ };
}

/** Waits until the platform has one call that it does not answer. */
async function hangsAt(practice: PracticePlatform): Promise<void> {
  await expect.poll(() => practice.calls().filter(({ status }) => status === null)).toHaveLength(1);
}

const ana = { member: "T1:U1", slackUser: "U1" };
const ben = { member: "T1:U2", slackUser: "U2" };

test("a key that is unlinked while the platform is asked about it does not come back", async () => {
  const { practice, store, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  practice.faults.hang("/");
  const refreshed = identities.refresh(ana.member, "customer");
  await expect.poll(() => practice.calls().filter(({ status }) => status === null)).toHaveLength(1);
  await identities.unlink(ana.member, "customer", { retire: false });
  practice.faults.resume();
  expect(await refreshed).toBeNull();
  expect((await identities.links(ana.member)).customer).toBeNull();
  expect(await store.keyv(raw("identities")).get(ana.member)).toBeUndefined();
});

test("the links of a member, as others see them, hold neither the key nor its sealed form nor its fingerprint", async () => {
  const { practice, store, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const stored = z
    .object({ sealed: z.string(), fingerprint: z.string() })
    .parse(await store.keyv(raw("identities")).get(ana.member));
  const session = await identities.session(ana.member, "customer");
  const answers = JSON.stringify([await identities.links(ana.member), session?.link, session?.links]);
  expect(answers).toContain(ana.slackUser);
  for (const secret of [stored.sealed, stored.fingerprint, practice.keys.ana.key])
    expect(answers).not.toContain(secret);
});

test("of two members who link one key at once, one has it", async () => {
  const { practice, identities } = await world();
  const outcomes = await Promise.all([ana, ben].map((person) => identities.link(person, practice.keys.ana.key)));
  expect(outcomes.map(({ is }) => is).toSorted()).toEqual(["linked", "someone else's"]);
  expect(await identities.all()).toHaveLength(1);
});

test("a key that was unlinked can be linked by somebody else", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  await identities.unlink(ana.member, "customer", { retire: false });
  expect((await identities.link(ben, practice.keys.ana.key)).is).toBe("linked");
  expect((await identities.all()).map(({ member }) => member)).toEqual([ben.member]);
});

test("a link that the previous encryption key sealed is sealed anew when it is read", async () => {
  const { practice, store, key, identities, sealedWith } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const before = JSON.stringify(await store.keyv(raw("identities")).get(ana.member));
  const next = randomBytes(32);
  expect(await sealedWith({ key: next, previous: key }).session(ana.member, "customer")).not.toBeNull();
  expect(JSON.stringify(await store.keyv(raw("identities")).get(ana.member))).not.toBe(before);
  expect(await sealedWith({ key: next }).session(ana.member, "customer")).not.toBeNull();
});

test("a key that was sealed with a key that is gone counts as not linked, and can be linked again", async () => {
  const { practice, identities, sealedWith } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const later = sealedWith({ key: randomBytes(32) });
  expect((await later.links(ana.member)).customer).toBeNull();
  expect((await later.link(ana, practice.keys.ana.key)).is).toBe("linked");
});

test("nothing that is kept holds the key in the clear", async () => {
  const { practice, store, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  for (const name of ["identities", "key-owners"]) {
    for await (const entry of store.scan(raw(name))) {
      expect(JSON.stringify(entry)).not.toContain(practice.keys.ana.key.slice(-96));
    }
  }
});

test("a key that is unlinked while its link is changed stays unlinked, however the two fall together", async () => {
  const { practice, identities } = await world();
  for (let round = 0; round < 50; round += 1) {
    await identities.link(ana, practice.keys.ana.key);
    const staging = { id: `p${round}`, name: "Staging" };
    await Promise.all([
      identities.chooseProject(ana.member, staging),
      identities.unlink(ana.member, "customer", { retire: false }),
      identities.markRejected(ana.member, "customer", practice.keys.ana.id),
    ]);
    expect((await identities.links(ana.member)).customer).toBeNull();
  }
});

test("of two changes of one link at once neither undoes the other", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  await Promise.all([
    identities.chooseProject(ana.member, { id: "p", name: "Staging" }),
    identities.markRejected(ana.member, "customer", practice.keys.ana.id),
  ]);
  expect((await identities.links(ana.member)).customer).toMatchObject({
    project: { id: "p" },
    rejectedAt: expect.any(Number),
  });
});

test("a key that is retired is used for nothing new, looked after with, and then erased", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const keyId = (await identities.links(ana.member)).customer?.keyId ?? "";
  await identities.unlink(ana.member, "customer", { retire: true });
  expect(await identities.session(ana.member, "customer")).toBeNull();
  expect(await identities.sessionOfKey(ana.member, "customer", keyId)).not.toBeNull();
  await identities.eraseRetired(ana.member, "customer", keyId);
  expect(await identities.sessionOfKey(ana.member, "customer", keyId)).toBeNull();
});

test("a link that a newer version kept is not taken for none", async () => {
  const { practice, store, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const stored = await store.keyv(raw("identities")).get(ana.member);
  await store.keyv(raw("identities")).set(ana.member, { ...Object(stored), v: 9 });
  await expect(identities.links(ana.member)).rejects.toThrow("linked key");
});

test("a project that is chosen while the platform is asked about the key stays chosen", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  practice.faults.hang("/");
  const refreshed = identities.refresh(ana.member, "customer");
  await hangsAt(practice);
  const staging = { id: "p", name: "Staging" };
  await identities.chooseProject(ana.member, staging);
  const { customer } = await identities.links(ana.member);
  practice.faults.resume();
  await refreshed;
  expect((await identities.links(ana.member)).customer).toMatchObject({
    project: staging,
    linkedAt: customer?.linkedAt,
  });
});

test("a chosen project stays when the same key is linked again, and goes with another key", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const staging = { id: "p", name: "Staging" };
  await identities.chooseProject(ana.member, staging);
  expect(await identities.link(ana, practice.keys.ana.key)).toMatchObject({ link: { project: staging } });
  expect((await identities.links(ana.member)).customer?.project).toEqual(staging);
  await identities.link(ana, practice.keys.ben.key);
  expect((await identities.links(ana.member)).customer?.project).toBeNull();
});

test("the last use of a key ends with its link: nothing remains of a key that was unlinked or replaced", async () => {
  const { practice, store, identities } = await world();
  const uses = async () => {
    const all: unknown[] = [];
    for await (const { value } of store.scan({ ...raw("key-uses"), lasts: "soon" })) all.push(value);
    return all;
  };
  const used = async () => {
    await identities.session(ana.member, "customer");
    const { customer } = await identities.links(ana.member);
    await expect.poll(async () => customer && (await identities.lastUse(customer))).not.toBeNull();
  };
  await identities.link(ana, practice.keys.ana.key);
  await used();
  await identities.link(ana, practice.addKey({ owner: "ana", label: "another" }).key);
  expect(await uses()).toEqual([]);
  await used();
  await identities.unlink(ana.member, "customer", { retire: false });
  expect(await uses()).toEqual([]);
});

test("a rejection of the former key does not mark the one that was linked meanwhile", async () => {
  const { practice, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  practice.faults.next({ how: "hang", path: "/" });
  const refreshed = identities.refresh(ana.member, "customer").catch((error: unknown) => error);
  await hangsAt(practice);
  await identities.link(ana, practice.keys.ben.key);
  practice.revoke(practice.keys.ana);
  practice.faults.resume();
  expect(await refreshed).toMatchObject({ auth: "key rejected" });
  await identities.markRejected(ana.member, "customer", practice.keys.ana.id);
  expect((await identities.links(ana.member)).customer?.rejectedAt).toBeNull();
});

test("of a member and an admin who connect one key at once, one has it", async () => {
  const { practice, identities, connection } = await world();
  practice.faults.next({ how: "hang", path: "/" });
  const linking = identities.link(ana, practice.keys.reader.key);
  await hangsAt(practice);
  expect(await connection.setReader("customer", ana, practice.keys.reader.key)).toMatchObject({ is: "connected" });
  practice.faults.resume();
  expect(await linking).toEqual({ is: "the workspace's" });
  await connection.disconnect("customer-reader");
  expect(await identities.link(ana, practice.keys.reader.key)).toMatchObject({ is: "linked" });
  expect(await connection.setReader("customer", ana, practice.keys.reader.key)).toEqual({ is: "a member's" });
});

test("a member who links another key keeps the former platform user, though the process dies in between", async () => {
  const { practice, store, identities } = await world();
  await identities.link(ana, practice.keys.ana.key);
  const [former] = (await identities.person(ana.member)).users;
  const transact = vi.spyOn(store, "transact");
  await identities.link(ana, practice.keys.ben.key);
  expect(transact.mock.calls.flatMap(([{ records = [] }]) => records.map(({ namespace }) => namespace))).toEqual(
    expect.arrayContaining(["identities", "past-links"]),
  );
  expect(transact).toHaveBeenCalledTimes(1);
  expect((await identities.person(ana.member)).users).toContain(former);
});
