import { expect, test } from "vitest";
import { createAssertionCheck } from "../../src/audit/assertions.ts";
import type { AuditEntry } from "../../src/audit/entry.ts";
import { unopposed } from "../../src/audit/kinds.ts";
import type { RegisteredPasskey } from "../../src/process/webauthn/assertion.ts";
import { site } from "../passkeys/statements.ts";
import { added, entry, passkeyOf, registering, registration } from "./signed.ts";

const [ana, ben] = ["T1:U1", "T1:U2"];

test("a signature counts for one decision: a second entry with it is another's, unless it follows from the first", async () => {
  const own = await passkeyOf(ana);
  const { faultOf, counts } = createAssertionCheck();
  expect(await faultOf(await added(own, ana))).toBeNull();
  const assertion = await own.sign();
  expect(await faultOf(entry("approved", ana, { assertion }))).toBeNull();
  expect(await faultOf(entry("approved in part", ana, { assertion }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion }))).toBe("another's");
  for (const later of ["policy changed", "passkey recovered"] as const)
    expect(await faultOf(entry(later, ana, { keyLabel: "", assertion }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: await own.sign() }))).toBeNull();
  const policy = { request: null, command: "rackbell policy set", outcome: "Added" };
  const proposing = await own.sign({ ...policy, entries: ["policy change proposed", "policy changed"] });
  expect(await faultOf(entry("policy change proposed", ana, { ...policy, assertion: proposing }))).toBeNull();
  const later = { ...policy, keyLabel: "", decidedBy: null, reason: unopposed, assertion: proposing };
  expect(await faultOf(entry("policy changed", ana, later))).toBeNull();
  expect(await faultOf(entry("policy changed", ana, later))).toBe("another's");
  expect(counts()).toEqual({ checked: 4, unsigned: 0 });
});

/** A decision about a proposal of Ana's agent, with a value in each part that can be empty. */
const agent = { id: "a", name: "claude", client: "Claude Code", why: "The disk is full", digest: "d" };
const whole = { target: { id: "1", name: "web-1" }, reason: "Nobody uses it", agent, outcome: "Run without approval" };

test("an entry that says anything else than its passkey signed is another's, in each of its parts", async () => {
  const own = await passkeyOf(ana);
  const begin = await added(own, ana);
  const differences: Partial<AuditEntry>[] = [
    { what: "denied" },
    { what: "scheduled" },
    { what: "approved" },
    { member: ben, slackUser: "U2" },
    { slackUser: "U2" },
    { decidedBy: ben },
    { decidedBy: null },
    { keyLabel: "another" },
    { command: "vps" },
    { command: "vps cancel all" },
    { target: { id: "1", name: "web-2" } },
    { target: { id: "2", name: "web-1" } },
    { target: null },
    { request: "r2" },
    { request: null },
    { reason: "Ben said so" },
    { reason: undefined },
    { outcome: "Run with two approvals" },
    ...Object.keys(agent).map((part) => ({ agent: { ...agent, [part]: "another" } })),
    { agent: undefined },
    { result: "failure" },
    { passkeys: [{ is: "removed", member: ana, credential: own.passkey.credential }] },
  ];
  const kinds = { entries: ["overridden"] };
  for (const differs of [{}, ...differences]) {
    const { faultOf } = createAssertionCheck();
    await faultOf(begin);
    const { at, entry: told } = entry("overridden", ana, {
      ...whole,
      assertion: await own.sign({ ...whole, ...kinds }),
    });
    const fault = Object.keys(differs).length === 0 ? null : "another's";
    expect.soft(await faultOf({ at, entry: { ...told, ...differs } }), JSON.stringify(differs)).toBe(fault);
  }
  const { faultOf } = createAssertionCheck();
  await faultOf(begin);
  const late = { ...entry("approved", ana, { assertion: await own.sign() }), at: 3_600_000 };
  expect(await faultOf(late)).toBe("another's");
  const early = { ...entry("approved", ana, { assertion: await own.sign({ at: 3_600_000 }) }), at: 1_800_000 };
  expect(await faultOf(early)).toBe("another's");
  expect(await faultOf(entry("approved", ana, { agent, assertion: await own.sign() }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: await own.sign({ workspace: "T2" }) }))).toBe("another's");
});

test("reasons that are their member's alone are signed by no one else, so that an entry may withhold them and nothing else", async () => {
  const own = await passkeyOf(ana);
  const withheld = { ...whole, reason: null, agent: { ...agent, why: null } };
  const { faultOf } = createAssertionCheck();
  await faultOf(await added(own, ana));
  const kinds = { entries: ["overridden"] };
  const shown = { ...whole, agent: { ...agent, why: "" } };
  for (const [differs, fault] of [
    [whole, null],
    [{ ...whole, reason: undefined, agent: { ...agent, why: "" } }, null],
    [{ ...shown, agent: { ...shown.agent, name: "another" } }, "another's"],
  ] as const) {
    const assertion = await own.sign({ ...withheld, ...kinds });
    expect(await faultOf(entry("overridden", ana, { ...differs, assertion }))).toBe(fault);
  }
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

test("a passkey decides for its own member and at its own site alone, whatever its device signs", async () => {
  const [anas, bens] = [await passkeyOf(ana), await passkeyOf(ben)];
  const { faultOf } = createAssertionCheck();
  for (const begin of [await added(anas, ana), await added(bens, ben)]) expect(await faultOf(begin)).toBeNull();
  const asAna = await bens.sign({ member: ana, requester: ana });
  expect(await faultOf(entry("approved", ana, { assertion: asAna }))).toBe("not signed");
  const elsewhere = { origin: "https://evil.test", rpId: "evil.test" };
  expect(await faultOf(entry("approved", ana, { assertion: await anas.sign(elsewhere) }))).toBe("another's");
  const port = { origin: `${site.origin}:8443` };
  expect(await faultOf(entry("approved", ana, { assertion: await anas.sign(port) }))).toBe("another's");
  expect(await faultOf(entry("approved", ana, { assertion: await anas.sign() }))).toBeNull();
});

test("a member who signs with their own device registers and removes no passkey of another member", async () => {
  const [anas, bens] = [await passkeyOf(ana), await passkeyOf(ben)];
  const thief = (more: Partial<RegisteredPasskey>) => ({ ...anas.passkey, credential: "thief", ...more });
  const gone = (member: string, { passkey }: typeof anas) => ({
    is: "removed" as const,
    member,
    credential: passkey.credential,
  });
  const taken = await passkeyOf(ben, "key", anas.passkey.credential);
  const device = await passkeyOf(ben);
  const carols = (proof: RegisteredPasskey["proof"]) => thief({ member: "T1:U3", proof });
  const lies: [string, typeof anas, AuditEntry["passkeys"]][] = [
    ["a first one, in another's name", anas, [carols("key")]],
    ["a further one, in another's name", anas, [carols("passkey")]],
    ["one in place of their own lost ones", anas, [gone(ana, anas), thief({ proof: "recovery" })]],
    ["a further one beside it", anas, [thief({ proof: "passkey" }), carols("key")]],
    ["two at once", device, [device.passkey, thief({ member: ben, proof: "key" })]],
    ["one credential for two members", device, [device.passkey, { ...device.passkey, member: "T1:U3" }]],
    ["one that is another's already", taken, [taken.passkey]],
    [
      "a further one that is another's already",
      anas,
      [thief({ credential: bens.passkey.credential, proof: "passkey" })],
    ],
    ["a further one, and none of another any more", anas, [gone(ben, bens), thief({ proof: "passkey" })]],
    ["none of another any more", anas, [gone(ben, bens)]],
    ["none of another any more, in their own name", anas, [gone(ana, bens)]],
    ["none of their own any more, in another's name", anas, [gone(ben, anas)]],
    ["one for another, and their own no more", anas, [gone(ben, bens), gone(ana, anas), carols("recovery")]],
    ["one for another, twice", anas, [gone(ben, bens), thief({ member: ben, proof: "recovery" }), carols("recovery")]],
  ];
  for (const [lie, signer, passkeys = []] of lies) {
    const { faultOf } = createAssertionCheck();
    await faultOf(await added(anas, ana));
    if (signer === anas) await faultOf(await added(bens, ben));
    const { member } = signer.passkey;
    const isAdded = passkeys.some(({ is }) => is === "registered");
    const what = isAdded ? ("passkey added" as const) : ("passkey removed" as const);
    const assertion = await signer.sign({ ...registering, entries: [what], passkeys });
    const fault = await faultOf(entry(what, member, { ...registration, passkeys, assertion }));
    expect.soft(["not proven", "not the first", "not signed"], `${lie}: ${fault}`).toContain(fault);
  }
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
  const approved = (passkeys: AuditEntry["passkeys"]) =>
    entry("passkey recovery approved", ana, { ...about, passkeys, assertion: approving });
  const carolsNow = { ...lost.passkey, member: "T1:U3" };
  for (const [passkeys, fault] of [
    [[gone, { ...lost.passkey, publicKey: admin.passkey.publicKey }], "another's"],
    [[gone, carolsNow], "another's"],
    [[lost.passkey], "not the first"],
    [[gone, { ...gone, credential: "another" }, lost.passkey], "not the first"],
    [[{ ...gone, credential: "another" }, lost.passkey], "not the first"],
    [[gone, { ...gone, member: ana, credential: admin.passkey.credential }, lost.passkey], "not proven"],
    [[gone, lost.passkey], null],
  ] as const) {
    const { faultOf } = createAssertionCheck();
    await faultOf(await added(admin, ana));
    await faultOf(await added(bens, ben));
    // It is not in effect before its day is over.
    expect(await faultOf(approved([gone, lost.passkey]))).toBe("another's");
    expect(await faultOf(approved([]))).toBeNull();
    expect(await faultOf(recovered([...passkeys]))).toBe(fault);
  }
});
