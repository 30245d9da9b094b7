import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod";
import { makePasskeyLink, readPasskeyLink } from "../../src/passkeys/links.ts";
import { passkeySetup, registerPasskey, spendLink } from "../../src/passkeys/passkeys.ts";
import { defineKind } from "../../src/storage/kind.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { digestOf } from "../../src/webauthn/assertion.ts";
import { openApp, origin } from "../requests/requests.ts";

const key = Buffer.alloc(32, 7);

/** A member with one passkey, and the link of a decision that it signed. */
async function signedOnce() {
  const { store, clock, audit } = await openApp();
  const passkeys = passkeySetup({ mode: "on", publicUrl: "https://rackbell.example", workspace: "T1" });
  const app = { store, clock, audit, seal: createSeal({ key }), passkeys };
  const who = origin("U1");
  const registration = await makePasskeyLink(app, who, { is: "registration", lost: false, tries: 0, proven: null });
  const link = await readPasskeyLink(app, registration);
  if (!link) throw new Error("There is no link");
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
  expect(await registerPasskey(app, link, { ...who, keyLabel: "ana" }, passkey)).toBe(true);
  expect(await registerPasskey(app, link, { ...who, keyLabel: "ana" }, { ...passkey, id: "c2" })).toBe(false);
  const nonce = await makePasskeyLink(app, who, { is: "decision", request: "r1", manner: {} });
  const decision = await readPasskeyLink(app, nonce);
  if (!decision) throw new Error("There is no link");
  const none = digestOf(null);
  const assertion = {
    random: "r",
    workspace: "T1",
    subject: "r1",
    version: 1,
    decision: "approve",
    member: who.member,
    input: none,
    preconditions: none,
    rule: none,
    text: none,
    credential: "c1",
    authenticatorData: "",
    clientData: "",
    signature: "",
  };
  return { app, decision, assertion };
}

test("of ten uses of one link at once, exactly one spends it", async () => {
  const { app, decision, assertion } = await signedOnce();
  const counters = Array.from({ length: 10 }, (_, at) => 4 + at);
  const spent = await Promise.all(counters.map((counter) => spendLink(app, decision, { assertion, counter })));
  expect(spent.filter(Boolean)).toHaveLength(1);
  expect(await spendLink(app, decision, { assertion, counter: 99 })).toBe(false);
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
