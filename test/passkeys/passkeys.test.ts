import { expect, test } from "vitest";
import { createPasskeys } from "../../src/passkeys/passkeys.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { createSigner } from "../../src/storage/signer.ts";
import { digestOf } from "../../src/webauthn/assertion.ts";
import { openApp, origin } from "../requests/requests.ts";

const key = Buffer.alloc(32, 7);

/** A member with one passkey, and the link of a decision that it signed. */
async function signedOnce() {
  const { store, clock, log, audit } = await openApp();
  const foundation = { store, clock, log, seal: createSeal({ key }), signer: createSigner({ key }, "audit record") };
  const passkeys = createPasskeys(foundation, {
    ...{ audit, mode: "on" as const, publicUrl: "https://rackbell.example", workspace: "T1" },
  });
  const who = origin("U1");
  const registration = await passkeys.links.make(who, { is: "registration", lost: false, tries: 0, proven: null });
  const link = await passkeys.links.read(registration);
  if (!link) throw new Error("There is no link");
  const passkey = {
    ...{ id: "c1", name: "phone", publicKey: "k", counter: 3, transports: [], origin: "https://rackbell.example" },
    ...{ rpId: "rackbell.example", proof: "key" as const, addedAt: 0, usedAt: null },
  };
  expect(await passkeys.register(link, { ...who, keyLabel: "ana" }, passkey)).toBe(true);
  expect(await passkeys.register(link, { ...who, keyLabel: "ana" }, { ...passkey, id: "c2" })).toBe(false);
  const nonce = await passkeys.links.make(who, { is: "decision", request: "r1", manner: {} });
  const decision = await passkeys.links.read(nonce);
  if (!decision) throw new Error("There is no link");
  const none = digestOf(null);
  const assertion = {
    ...{ random: "r", workspace: "T1", subject: "r1", version: 1, decision: "approve", member: who.member },
    ...{ input: none, preconditions: none, rule: none, text: none },
    ...{ credential: "c1", authenticatorData: "", clientData: "", signature: "" },
  };
  return { passkeys, decision, assertion };
}

test("of ten uses of one link at once, exactly one spends it", async () => {
  const { passkeys, decision, assertion } = await signedOnce();
  const counters = Array.from({ length: 10 }, (_, at) => 4 + at);
  const spent = await Promise.all(counters.map((counter) => passkeys.spend(decision, { assertion, counter })));
  expect(spent.filter(Boolean)).toHaveLength(1);
  expect(await passkeys.spend(decision, { assertion, counter: 99 })).toBe(false);
});

test("a counter that did not grow spends nothing, so that a copied passkey is found out", async () => {
  const { passkeys, decision, assertion } = await signedOnce();
  expect(await passkeys.spend(decision, { assertion, counter: 3 })).toBe(false);
  expect(await passkeys.spend(decision, { assertion, counter: 0 })).toBe(false);
  expect(await passkeys.spend(decision, { assertion, counter: 4 })).toBe(true);
});

test("a link for another member's passkey spends nothing", async () => {
  const { passkeys, decision, assertion } = await signedOnce();
  const other = { ...assertion, member: "T1:U2" };
  expect(await passkeys.spend(decision, { assertion: other, counter: 4 })).toBe(false);
});
