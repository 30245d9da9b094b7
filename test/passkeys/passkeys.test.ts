import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Links } from "../../src/identities/link.ts";
import { makePasskeyLink, readPasskeyLink } from "../../src/passkeys/links.ts";
import {
  mostPasskeys,
  passkeySetup,
  passkeysOf,
  recoveryOf,
  registerPasskey,
  removePasskey,
  spendLink,
} from "../../src/passkeys/passkeys.ts";
import { approveRecovery, askRecovery, recoveryTimers, stopRecovery } from "../../src/passkeys/recovery.ts";
import { defineKind } from "../../src/storage/kind.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { type Assertion, digestOf } from "../../src/webauthn/assertion.ts";
import { customerLink } from "../identities/links.ts";
import { openApp, origin } from "../requests/requests.ts";

const key = Buffer.alloc(32, 7);

const who = origin("U1");
const passkey = {
  id: "c1",
  name: "phone",
  publicKey: "k",
  counter: 3,
  transports: [],
  origin: "https://rackbell.example",
  rpId: "rackbell.example",
  proof: "key" as const,
  addedAt: 0,
  usedAt: null,
};

/** The parts of the app that keep passkeys, in a workspace whose admin is U9. `changes`: the namespaces of each transaction. */
async function openPasskeys() {
  const changes: string[][] = [];
  const { store, clock, audit } = await openApp((opened) => ({
    ...opened,
    async transact(step) {
      const done = await opened.transact(step);
      if (done) changes.push(step.records.map(({ namespace }) => namespace));
      return done;
    },
  }));
  const meanwhile = { run: async () => {} };
  const passkeys = passkeySetup({ mode: "on", publicUrl: "https://rackbell.example", workspace: "T1" });
  const admin: Links = {
    member: "T1:U9",
    customer: customerLink({ member: "T1:U9", slackUser: "U9" }),
    reseller: null,
  };
  const none = { customer: null, reseller: null };
  return {
    changes,
    /** Runs once, while somebody reads who the admins are. */
    meanwhile,
    store,
    clock,
    audit,
    seal: createSeal({ key }),
    passkeys,
    namedAdmins: ["U9"],
    people: {
      person: async (id: string) => ({ id, name: id, admin: false, outsider: null, deleted: false, zone: "UTC" }),
    },
    identities: {
      links: async (member: string) => (member === admin.member ? admin : { member, ...none }),
      person: async (member: string) => ({ member, users: [], keys: [] }),
      all: async () => {
        const { run } = meanwhile;
        meanwhile.run = async () => {};
        await run();
        return [admin];
      },
    },
  };
}

async function registrationLink(app: Awaited<ReturnType<typeof openPasskeys>>, lost: boolean) {
  const nonce = await makePasskeyLink(app, who, { is: "registration", lost, tries: 0, proven: null });
  const link = await readPasskeyLink(app, nonce);
  if (!link) throw new Error("There is no link");
  return link;
}

async function decisionLink(app: Awaited<ReturnType<typeof openPasskeys>>, request: string) {
  const link = await readPasskeyLink(app, await makePasskeyLink(app, who, { is: "decision", request, manner: {} }));
  if (!link) throw new Error("There is no link");
  return link;
}

/** A member with one passkey, and the link of a decision that it signed. */
async function signedOnce() {
  const app = await openPasskeys();
  const link = await registrationLink(app, false);
  expect(await registerPasskey(app, link, { ...who, keyLabel: "ana" }, passkey)).toBe(true);
  expect(await registerPasskey(app, link, { ...who, keyLabel: "ana" }, { ...passkey, id: "c2" })).toBe(false);
  const decision = await decisionLink(app, "r1");
  return { app, decision, assertion };
}

const noFacts = digestOf(null);
const assertion = {
  random: "r",
  workspace: "T1",
  subject: "r1",
  version: 1,
  decision: "approve",
  member: who.member,
  input: noFacts,
  preconditions: noFacts,
  rule: noFacts,
  text: noFacts,
  credential: "c1",
  authenticatorData: "",
  clientData: "",
  signature: "",
};

test("of ten uses of one link at once, exactly one spends it", async () => {
  const { app, decision, assertion } = await signedOnce();
  const counters = Array.from({ length: 10 }, (_, at) => 4 + at);
  const spent = await Promise.all(counters.map((counter) => spendLink(app, decision, { assertion, counter })));
  expect(spent.filter(Boolean)).toHaveLength(1);
  expect(await spendLink(app, decision, { assertion, counter: 99 })).toBe(false);
});

test("a passkey that counts nothing can be used on several pages at once", async () => {
  const app = await openPasskeys();
  const uncounted = { ...passkey, counter: 0 };
  await registerPasskey(app, await registrationLink(app, false), { ...who, keyLabel: "ana" }, uncounted);
  const pages = await Promise.all(["r1", "r2", "r3"].map((request) => decisionLink(app, request)));
  const spent = await Promise.all(pages.map((page) => spendLink(app, page, { assertion, counter: 0 })));
  expect(spent).toEqual([true, true, true]);
});

test("a counter that did not grow spends nothing, so that a copied passkey is found out", async () => {
  const { app, decision, assertion } = await signedOnce();
  expect(await spendLink(app, decision, { assertion, counter: 3 })).toBe(false);
  expect(await spendLink(app, decision, { assertion, counter: 0 })).toBe(false);
  expect(await spendLink(app, decision, { assertion, counter: 4 })).toBe(true);
});

test("a link for another member's passkey spends nothing", async () => {
  const { app, decision, assertion } = await signedOnce();
  const other = { ...assertion, member: "T1:U2" };
  expect(await spendLink(app, decision, { assertion: other, counter: 4 })).toBe(false);
});

test("a link that the version before made keeps the reason of an override and the backup first", async () => {
  const { store, clock } = await openApp();
  const links = store.keyv(defineKind({ name: "old link", namespace: "passkey-links", schema: z.unknown() }));
  const nonce = randomBytes(32).toString("base64url");
  const who = { random: "r", member: "T1:U1", slackUser: "U1", origin: origin("U1"), expiresAt: clock.now() + 60_000 };
  const manner = { glass: "an outage", copyFirst: true, second: true };
  const key = createHash("sha256").update(nonce).digest("hex");
  await links.set(key, { v: 1, ...who, purpose: { is: "decision", request: "r1", manner } });
  const read = await readPasskeyLink({ store, clock }, nonce);
  expect(read?.value.purpose).toEqual({
    is: "decision",
    request: "r1",
    manner: { override: "an outage", withBackup: true, second: true },
  });
});

const admin = { member: "T1:U9", slackUser: "U9", keyLabel: "caro", assertion: { ...assertion, credential: "c9" } };
const day = 24 * 60 * 60_000;

/** A member whose lost passkey `c1` is to be replaced by `c2`; the admin has a passkey. */
async function lostOne() {
  const app = await openPasskeys();
  const ana = { ...who, keyLabel: "ana" };
  await registerPasskey(
    app,
    await registrationLink(app, false),
    { ...admin, assertion: undefined },
    { ...passkey, id: "c9" },
  );
  await registerPasskey(app, await registrationLink(app, false), ana, passkey);
  const ask = async (id: string) => askRecovery(app, await registrationLink(app, true), ana, { ...passkey, id });
  await ask("c2");
  const [[lane = "", timer] = []] = Object.entries(recoveryTimers(app));
  const onTimer = typeof timer === "function" ? timer : timer?.run;
  const complete = () => onTimer?.(`${lane}${who.member}`, { lane, id: "", run: "" });
  const ids = async () => (await passkeysOf(app, who.member)).map(({ id }) => id);
  return { app, ana, ask, complete, ids };
}

test("every change that a thief could make is stored together with its notice, so that no crash silences it", async () => {
  const { app, ana, ask, complete } = await lostOne();
  await stopRecovery(app, who.member, ana);
  await ask("c3");
  await approveRecovery(app, who.member, admin);
  app.clock.skip(day);
  await complete();
  await ask("c4");
  await approveRecovery(app, who.member, admin);
  await removePasskey(app, "c9", admin);
  app.clock.skip(day);
  await complete();
  const changed = app.changes.filter((namespaces) => namespaces.includes("passkeys"));
  // The removal of an own passkey alone takes none: a passkey proved it.
  expect(changed.filter((namespaces) => !namespaces.includes("passkey-notice"))).toHaveLength(1);
  expect(changed).toHaveLength(11);
});

test("a member has ten passkeys, and an eleventh is not stored", async () => {
  const app = await openPasskeys();
  const register = async (id: string, by: Assertion | undefined) =>
    registerPasskey(
      app,
      await registrationLink(app, false),
      { ...who, keyLabel: "ana", assertion: by },
      { ...passkey, id },
    );
  expect(await register("c1", undefined)).toBe(true);
  for (let at = 2; at <= mostPasskeys; at += 1) expect(await register(`c${at}`, assertion)).toBe(true);
  expect(await register("eleventh", assertion)).toBe(false);
  expect(await passkeysOf(app, who.member)).toHaveLength(mostPasskeys);
});

test("a recovery takes effect a day after it was approved, and not at an earlier run of its timer", async () => {
  const { app, complete, ids } = await lostOne();
  await approveRecovery(app, who.member, admin);
  const approvedAt = (await recoveryOf(app, who.member))?.approved?.at ?? 0;
  app.clock.skip(day - 60_000);
  expect(await complete()).toBe(approvedAt + day);
  expect(await ids()).toEqual(["c1"]);
  app.clock.skip(60_000);
  await complete();
  expect(await ids()).toEqual(["c2"]);
});

test("a recovery is approved once: a second approval does not take the place of the first", async () => {
  const { app } = await lostOne();
  expect(await approveRecovery(app, who.member, admin)).toBe(true);
  const first = (await recoveryOf(app, who.member))?.approved;
  app.clock.skip(60_000);
  expect(await approveRecovery(app, who.member, { ...admin, member: "T1:U8", slackUser: "U8" })).toBe(false);
  expect((await recoveryOf(app, who.member))?.approved).toEqual(first);
});

test("a recovery that takes the place of a due one waits for a day of its own", async () => {
  const { app, ana, ask, complete, ids } = await lostOne();
  await approveRecovery(app, who.member, admin);
  app.clock.skip(day);
  app.meanwhile.run = async () => {
    await stopRecovery(app, who.member, ana);
    await ask("c3");
    await approveRecovery(app, who.member, admin);
  };
  await complete();
  expect(await ids()).toEqual(["c1"]);
  app.clock.skip(day);
  await complete();
  expect(await ids()).toEqual(["c3"]);
});
