import { expect, test } from "vitest";
import { createAssertionCheck } from "../../src/audit/assertions.ts";
import type { AuditEntry, PasskeyChange } from "../../src/audit/entry.ts";
import type { AuditKind } from "../../src/audit/kinds.ts";
import { type Assertion, challengeOf } from "../../src/webauthn/assertion.ts";
import { checkMade } from "../../src/webauthn/check.ts";
import { createAuthenticator } from "../stories/passkeys/authenticator.ts";

const site = { origin: "https://bell.example.com", rpId: "bell.example.com", url: "https://bell.example.com" };
const [ana, ben] = ["T1:U1", "T1:U2"];

function entry(what: AuditKind, member: string, more: Partial<AuditEntry> = {}): AuditEntry {
  const whose = { member, slackUser: member.slice(3), decidedBy: null, keyLabel: "key" };
  return { what, ...whose, command: "vps cancel", target: null, outcome: "", request: "r1", ...more };
}

/** A passkey, with the entry that registers it to a member and the facts that it signs. */
async function passkeyOf(member: string) {
  const device = createAuthenticator();
  const made = await checkMade(device.make({ challenge: "AAAA", ...site }), { challenge: "AAAA", site });
  if (!made) throw new Error("The passkey is not accepted");
  const { origin, rpId } = site;
  const registered: PasskeyChange = {
    is: "registered",
    member,
    credential: made.id,
    publicKey: made.publicKey,
    origin,
    rpId,
    proof: "key",
  };
  function sign(subject: string): Assertion {
    const read = { input: "", preconditions: "", rule: "", text: "" };
    const facts = { random: "r", workspace: "T1", subject, version: 1, decision: "approve", member, ...read };
    const { id, response } = device.sign({ challenge: challengeOf(facts), ...site });
    const { authenticatorData, clientDataJSON: clientData, signature } = response;
    return { ...facts, credential: id, authenticatorData, clientData, signature };
  }
  return { registered, sign };
}

test("a signature counts for one decision: a second entry with it is another's, unless it follows from the first", async () => {
  const { registered, sign } = await passkeyOf(ana);
  const { faultOf, counts } = createAssertionCheck({ isWhole: true });
  expect(await faultOf(entry("passkey added", ana, { passkeys: [registered] }))).toBeNull();
  const assertion = sign("r1");
  expect(await faultOf(entry("approved", ana, { assertion }))).toBeNull();
  expect(await faultOf(entry("passkey recovered", ana, { assertion }))).toBeNull();
  expect(await faultOf(entry("approved", ana, { assertion }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: sign("r1") }))).toBeNull();
  expect(counts()).toEqual({ checked: 2, unknown: 0 });
});

test("a signature for another request, or of another member, proves nothing", async () => {
  const { registered, sign } = await passkeyOf(ana);
  const { faultOf } = createAssertionCheck({ isWhole: true });
  await faultOf(entry("passkey added", ana, { passkeys: [registered] }));
  expect(await faultOf(entry("approved", ana, { assertion: sign("r2") }))).toBe("another's");
  expect(await faultOf(entry("approved", ben, { assertion: sign("r1") }))).toBe("another's");
});

test("a passkey that is registered is not registered once more, for the same member or another one", async () => {
  const { registered } = await passkeyOf(ana);
  const { faultOf } = createAssertionCheck({ isWhole: true });
  expect(await faultOf(entry("passkey added", ana, { passkeys: [registered] }))).toBeNull();
  const asBens: PasskeyChange = { ...registered, member: ben };
  expect(await faultOf(entry("passkey added", ben, { passkeys: [asBens] }))).toBe("not proven");
  const removed: PasskeyChange = { is: "removed", member: ana, credential: registered.credential };
  expect(await faultOf(entry("passkey removed", ana, { passkeys: [removed] }))).toBeNull();
  expect(await faultOf(entry("passkey added", ben, { passkeys: [asBens] }))).toBeNull();
});
