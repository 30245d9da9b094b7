import { expect, test } from "vitest";
import { createAssertionCheck } from "../../src/audit/assertions.ts";
import type { AuditEntry } from "../../src/audit/entry.ts";
import { type AuditKind, unopposed } from "../../src/audit/kinds.ts";
import { type Assertion, challengeOf, type RegisteredPasskey, type Statement } from "../../src/webauthn/assertion.ts";
import { checkMade, checkSigned } from "../../src/webauthn/check.ts";
import { site, statement } from "../passkeys/statements.ts";
import { createAuthenticator } from "../stories/passkeys/authenticator.ts";

const [ana, ben] = ["T1:U1", "T1:U2"];
let made = 0;

/** An entry that says what the assertion signed. */
function entry(what: AuditKind, member: string, more: Partial<AuditEntry> = {}) {
  const whose = { member, slackUser: member.slice(3), decidedBy: member, keyLabel: "key" };
  const about = { command: "vps cancel", target: null, outcome: "", request: "r1" };
  return { at: 1_000, entry: { what, ...whose, ...about, ...more } };
}

/** A device with a passkey of the member, and what it signs. */
async function passkeyOf(member: string, proof: RegisteredPasskey["proof"] = "key") {
  const device = createAuthenticator();
  const key = await checkMade(device.make({ challenge: "AAAA", ...site }), {
    challenge: "AAAA",
    site: { ...site, url: site.origin },
  });
  if (!key) throw new Error("The passkey is not accepted");
  const { id: credential, publicKey } = key;
  const passkey: RegisteredPasskey = { is: "registered", member, credential, publicKey, ...site, proof };
  async function sign(differs: Partial<Statement> = {}): Promise<Assertion> {
    made += 1;
    const signing = statement({ random: `r${made}`, member, requester: member, ...differs });
    const answer = device.sign({ challenge: challengeOf(signing), ...site });
    const signed = await checkSigned(answer, { statement: signing, key: { id: credential, publicKey, counter: 0 } });
    if (!signed) throw new Error("The signature is not accepted");
    return signed.assertion;
  }
  return { passkey, sign };
}

const registering = { entries: ["passkey added"], request: null, command: "rackbell passkeys" };
const registration = { request: null, command: "rackbell passkeys" };

/** The entry of a passkey that its member's linked key proved: it signs for itself. */
async function added({ passkey, sign }: Awaited<ReturnType<typeof passkeyOf>>, member: string) {
  const assertion = await sign({ ...registering, passkeys: [passkey] });
  return entry("passkey added", member, { ...registration, passkeys: [passkey], assertion });
}

test("a signature counts for one decision: a second entry with it is another's, unless it follows from the first", async () => {
  const own = await passkeyOf(ana);
  const { faultOf, counts } = createAssertionCheck();
  expect(await faultOf(await added(own, ana))).toBeNull();
  const assertion = await own.sign();
  expect(await faultOf(entry("approved", ana, { assertion }))).toBeNull();
  expect(await faultOf(entry("approved in part", ana, { assertion }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: await own.sign() }))).toBeNull();
  const policy = { request: null, command: "rackbell policy set", outcome: "Added" };
  const proposing = await own.sign({ ...policy, entries: ["policy change proposed", "policy changed"] });
  expect(await faultOf(entry("policy change proposed", ana, { ...policy, assertion: proposing }))).toBeNull();
  const later = { ...policy, keyLabel: "", decidedBy: null, reason: unopposed, assertion: proposing };
  expect(await faultOf(entry("policy changed", ana, later))).toBeNull();
  expect(await faultOf(entry("policy changed", ana, later))).toBe("another's");
  expect(counts()).toEqual({ checked: 4, unsigned: 0 });
});

test("an entry that says anything else than its passkey signed is another's", async () => {
  const own = await passkeyOf(ana);
  const begin = await added(own, ana);
  const differences: Partial<AuditEntry>[] = [
    { what: "denied" },
    { what: "scheduled" },
    { what: "overridden" },
    { member: ben, slackUser: "U2" },
    { slackUser: "U2" },
    { decidedBy: ben },
    { decidedBy: null },
    { keyLabel: "another" },
    { command: "vps" },
    { command: "vps cancel all" },
    { target: { id: "1", name: "web-1" } },
    { request: "r2" },
    { agent: { id: "a", name: "claude", client: null, why: "", digest: "d" } },
    { result: "failure" },
    { passkeys: [{ is: "removed", member: ana, credential: own.passkey.credential }] },
  ];
  for (const differs of differences) {
    const { faultOf } = createAssertionCheck();
    await faultOf(begin);
    const { at, entry: told } = entry("approved", ana, { assertion: await own.sign() });
    expect.soft(await faultOf({ at, entry: { ...told, ...differs } }), JSON.stringify(differs)).toBe("another's");
  }
  const { faultOf } = createAssertionCheck();
  await faultOf(begin);
  const late = { ...entry("approved", ana, { assertion: await own.sign() }), at: 3_600_000 };
  expect(await faultOf(late)).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: await own.sign({ workspace: "T2" }) }))).toBe("another's");
});

test("a passkey is registered once, for one member, and only with a signature over its public key", async () => {
  const own = await passkeyOf(ana);
  const { faultOf } = createAssertionCheck();
  const begin = await added(own, ana);
  expect(await faultOf({ ...begin, entry: { ...begin.entry, assertion: undefined } })).toBe("not proven");
  expect(await faultOf(begin)).toBeNull();
  const asBens = { ...own.passkey, member: ben };
  const bens = await own.sign({ ...registering, passkeys: [asBens] });
  const planted = entry("passkey added", ana, { ...registration, passkeys: [asBens], assertion: bens });
  expect(await faultOf(planted)).toBe("not proven");
  const further = await passkeyOf(ana, "passkey");
  const replaced = { ...further.passkey, publicKey: (await passkeyOf(ana)).passkey.publicKey };
  const signed = await own.sign({ ...registering, passkeys: [further.passkey] });
  const add = (passkey: RegisteredPasskey) =>
    entry("passkey added", ana, { ...registration, passkeys: [passkey], assertion: signed });
  expect(await faultOf(add(replaced))).toBe("another's");
  expect(await faultOf(add(further.passkey))).toBeNull();
  const first = await passkeyOf(ana);
  expect(await faultOf(await added(first, ana))).toBe("not the first");
});

test("the signature under the removal of a passkey adds none, and a removed passkey decides nothing more", async () => {
  const own = await passkeyOf(ana);
  const { faultOf } = createAssertionCheck();
  await faultOf(await added(own, ana));
  const gone = { is: "removed" as const, member: ana, credential: own.passkey.credential };
  const about = { request: null, command: "rackbell passkeys" };
  const removing = await own.sign({ ...about, entries: ["passkey removed"], passkeys: [gone] });
  const thief = await passkeyOf(ana, "passkey");
  const planted = { passkeys: [thief.passkey], assertion: removing };
  expect(await faultOf(entry("passkey added", ana, { ...registration, ...planted }))).toBe("another's");
  const removal = entry("passkey removed", ana, { ...about, passkeys: [gone], assertion: removing });
  expect(await faultOf(removal)).toBeNull();
  expect(await faultOf(entry("approved", ana, { assertion: await own.sign() }))).toBe("removed");
});

test("an admin's approval of a recovery registers that one passkey for that one member", async () => {
  const [admin, bens] = [await passkeyOf(ana), await passkeyOf(ben)];
  const lost = await passkeyOf(ben, "recovery");
  const about = { request: null, command: "rackbell passkey recover" };
  const entries = ["passkey recovery approved"];
  const approving = await admin.sign({ ...about, entries, passkeys: [lost.passkey] });
  const gone = { is: "removed" as const, member: ben, credential: bens.passkey.credential };
  const recovered = (passkeys: AuditEntry["passkeys"]) =>
    entry("passkey recovered", ana, { ...about, keyLabel: "", passkeys, assertion: approving });
  const carolsNow = { ...lost.passkey, member: "T1:U3" };
  for (const [passkeys, fault] of [
    [[gone, { ...lost.passkey, publicKey: admin.passkey.publicKey }], "another's"],
    [[gone, carolsNow], "another's"],
    [[lost.passkey], "not the first"],
    [[gone, lost.passkey], null],
  ] as const) {
    const { faultOf } = createAssertionCheck();
    await faultOf(await added(admin, ana));
    await faultOf(await added(bens, ben));
    expect(
      await faultOf(entry("passkey recovery approved", ana, { ...about, passkeys: [], assertion: approving })),
    ).toBeNull();
    expect(await faultOf(recovered([...passkeys]))).toBe(fault);
  }
});
