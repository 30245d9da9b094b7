import { expect, test } from "vitest";
import type { Links } from "../../src/members/identities/link.ts";
import { makePasskeyLink, readPasskeyLink } from "../../src/passkeys/links.ts";
import {
  mostPasskeys,
  passkeySetup,
  type RegistrationActor,
  readPasskeys,
  readRecovery,
  registerPasskey,
  removePasskey,
  spendLink,
} from "../../src/passkeys/passkeys.ts";
import type { Passkey } from "../../src/passkeys/record.ts";
import { approveRecovery, askRecovery, recoveryTimers, stopRecovery } from "../../src/passkeys/recovery.ts";
import { createSeal } from "../../src/storage/seal.ts";
import type { Store } from "../../src/storage/store.ts";
import { customerLink } from "../members/identities/links.ts";
import { openApp, origin } from "../requests/requests.ts";
import { opened, ownRedis } from "../storage/redis/opened.ts";
import { hasRedis } from "../storage/redis/server.ts";
import { unsigned } from "./statements.ts";

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

/**
 * The parts of the app that keep passkeys, in a workspace whose admin is U9, over a store in memory or a given one. `changes`: the
 * namespaces of each transaction.
 */
async function openPasskeys(given?: Store) {
  const changes: string[][] = [];
  const { store, clock, audit } = await openApp((inMemory) => ({
    ...(given ?? inMemory),
    async transact(step) {
      const done = await (given ?? inMemory).transact(step);
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
  const nonce = await makePasskeyLink(app, who, { is: "registration", lost, tries: 0, proven: false });
  const link = await readPasskeyLink(app, nonce);
  if (!link) throw new Error("There is no link");
  return link;
}

async function decisionLink(app: Awaited<ReturnType<typeof openPasskeys>>, request: string) {
  const link = await readPasskeyLink(app, await makePasskeyLink(app, who, { is: "decision", request, manner: {} }));
  if (!link) throw new Error("There is no link");
  return link;
}

/** The entry that registers the passkey says what its passkey signed. */
function registering({ clock }: Clocked, member: string, added: Passkey, by = added.id): RegistrationActor {
  const { slackUser } = origin(member.slice(3));
  const { id: credential, publicKey, origin: address, rpId, proof } = added;
  const passkeys = [{ is: "registered" as const, member, credential, publicKey, origin: address, rpId, proof }];
  const outcome = `Added the passkey \`${added.name}\`, proven by ${proof === "key" ? "the linked key" : "a passkey that the member had"}.`;
  const about = { entries: ["passkey added"], request: null, command: "rackbell passkeys", keyLabel: "ana" };
  const assertion = unsigned(by, { ...about, at: clock.now(), member, requester: member, outcome, passkeys });
  counts += 1;
  return { member, slackUser, keyLabel: "ana", assertion, counter: proof === "key" ? added.counter : 3 + counts };
}
let counts = 0;
type Clocked = { clock: { now(): number } };

/** A member with one passkey, and the link of a decision that it signed. */
async function signedOnce() {
  const app = await openPasskeys();
  const link = await registrationLink(app, false);
  expect(await registerPasskey(app, link, registering(app, who.member, passkey), passkey)).toBe(true);
  const other = { ...passkey, id: "c2" };
  expect(await registerPasskey(app, link, registering(app, who.member, other), other)).toBe(false);
  const decision = await decisionLink(app, "r1");
  return { app, decision, assertion };
}

const assertion = unsigned("c1");

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
  await registerPasskey(app, await registrationLink(app, false), registering(app, who.member, uncounted), uncounted);
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
  const { app, decision } = await signedOnce();
  const other = unsigned("c1", { member: "T1:U2" });
  expect(await spendLink(app, decision, { assertion: other, counter: 4 })).toBe(false);
});

/** The admin, who approves that one passkey of the member. */
function admin({ clock }: Clocked, id = "c2") {
  const { publicKey, origin: address, rpId } = passkey;
  const key = { credential: id, publicKey, origin: address, rpId, proof: "recovery" as const };
  const about = { request: null, command: "rackbell passkey recover", entries: ["passkey recovery approved"] };
  const by = { member: "T1:U9", requester: "T1:U9", keyLabel: "caro", at: clock.now() };
  const passkeys = [{ is: "registered" as const, member: who.member, ...key }];
  const signed = unsigned("c9", { ...about, ...by, passkeys });
  return { member: "T1:U9", slackUser: "U9", keyLabel: "caro", assertion: signed };
}
const day = 24 * 60 * 60_000;

/** A member whose lost passkey `c1` is to be replaced by `c2`; the admin has a passkey. */
async function lostOne() {
  const app = await openPasskeys();
  const ana = { ...who, keyLabel: "ana" };
  const admins = { ...passkey, id: "c9" };
  await registerPasskey(app, await registrationLink(app, false), registering(app, "T1:U9", admins), admins);
  await registerPasskey(app, await registrationLink(app, false), registering(app, who.member, passkey), passkey);
  const ask = async (id: string) =>
    askRecovery(app, await registrationLink(app, true), ana, { ...passkey, id, proof: "recovery" });
  await ask("c2");
  const [[lane = "", timer] = []] = Object.entries(recoveryTimers(app));
  const onTimer = typeof timer === "function" ? timer : timer?.run;
  const complete = () => onTimer?.(`${lane}${who.member}`, { lane, id: "", run: "", repeats: false });
  const ids = async () => (await readPasskeys(app, who.member)).map(({ id }) => id);
  return { app, ana, ask, complete, ids };
}

test("every change that a thief could make is stored together with its notice, so that no crash silences it", async () => {
  const { app, ana, ask, complete } = await lostOne();
  await stopRecovery(app, who.member, ana);
  await ask("c3");
  await approveRecovery(app, who.member, admin(app, "c3"));
  app.clock.skip(day);
  await complete();
  await ask("c4");
  await approveRecovery(app, who.member, admin(app, "c4"));
  await removePasskey(app, "c9", { ...who, member: "T1:U9", slackUser: "U9", keyLabel: "caro" });
  app.clock.skip(day);
  await complete();
  const changed = app.changes.filter((namespaces) => namespaces.includes("passkeys"));
  // The removal of an own passkey alone takes none: a passkey proved it.
  expect(changed.filter((namespaces) => !namespaces.includes("notices"))).toHaveLength(1);
  expect(changed).toHaveLength(11);
});

test("a member has ten passkeys, and an eleventh is not stored", async () => {
  const app = await openPasskeys();
  const register = async (id: string, proof: "key" | "passkey" = "passkey") => {
    const added = { ...passkey, id, proof };
    const link = await registrationLink(app, false);
    return registerPasskey(app, link, registering(app, who.member, added, "c1"), added);
  };
  expect(await register("c1", "key")).toBe(true);
  for (let at = 2; at <= mostPasskeys; at += 1) expect(await register(`c${at}`)).toBe(true);
  expect(await register("eleventh")).toBe(false);
  expect(await readPasskeys(app, who.member)).toHaveLength(mostPasskeys);
});

test("a recovery takes effect a day after it was approved, and not at an earlier run of its timer", async () => {
  const { app, complete, ids } = await lostOne();
  await approveRecovery(app, who.member, admin(app));
  const approvedAt = (await readRecovery(app, who.member))?.approved?.at ?? 0;
  app.clock.skip(day - 60_000);
  expect(await complete()).toBe(approvedAt + day);
  expect(await ids()).toEqual(["c1"]);
  app.clock.skip(60_000);
  await complete();
  expect(await ids()).toEqual(["c2"]);
});

test("an admin approves the one new passkey that their page showed, and not another one that waits by then", async () => {
  const { app, complete, ids } = await lostOne();
  const [signed] = admin(app).assertion.statement.passkeys;
  if (signed?.is !== "registered") throw new Error("Nothing is registered");
  for (const differs of [{ credential: "c3" }, { publicKey: "another" }]) {
    const { assertion, ...by } = admin(app);
    const statement = { ...assertion.statement, passkeys: [{ ...signed, ...differs }] };
    expect(await approveRecovery(app, who.member, { ...by, assertion: { ...assertion, statement } })).toBe(false);
  }
  app.clock.skip(2 * day);
  await complete();
  expect(await ids()).toEqual(["c1"]);
});

test("a recovery is approved once: a second approval does not take the place of the first", async () => {
  const { app } = await lostOne();
  expect(await approveRecovery(app, who.member, admin(app))).toBe(true);
  const first = (await readRecovery(app, who.member))?.approved;
  app.clock.skip(60_000);
  expect(await approveRecovery(app, who.member, { ...admin(app), member: "T1:U8", slackUser: "U8" })).toBe(false);
  expect((await readRecovery(app, who.member))?.approved).toEqual(first);
});

test("a recovery that takes the place of a due one waits for a day of its own", async () => {
  const { app, ana, ask, complete, ids } = await lostOne();
  await approveRecovery(app, who.member, admin(app));
  app.clock.skip(day);
  app.meanwhile.run = async () => {
    await stopRecovery(app, who.member, ana);
    await ask("c3");
    await approveRecovery(app, who.member, admin(app, "c3"));
  };
  await complete();
  expect(await ids()).toEqual(["c1"]);
  app.clock.skip(day);
  await complete();
  expect(await ids()).toEqual(["c3"]);
});

test("a credential that is or was anybody's passkey is taken by nobody, of several at once by one alone", async () => {
  const app = await openPasskeys();
  const add = async (member: string, proof: "key" | "passkey" = "key", by = passkey.id) => {
    const added = { ...passkey, proof };
    return registerPasskey(app, await registrationLink(app, false), registering(app, member, added, by), added);
  };
  const taken = await Promise.all(["T1:U1", "T1:U2", "T1:U3"].map((member) => add(member)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  const member = ["T1:U1", "T1:U2", "T1:U3"][taken.indexOf(true)] ?? "";
  // Its own member registers it once more, another member does, and one asks for it in place of lost ones.
  expect(await add(member, "passkey")).toBe(false);
  expect(await add("T1:U4")).toBe(false);
  const lost = await registrationLink(app, true);
  const ana = { ...who, keyLabel: "ana" };
  expect(await askRecovery(app, lost, ana, { ...passkey, proof: "recovery" })).toBe(false);
  await removePasskey(app, passkey.id, { member, slackUser: member.slice(3), keyLabel: "" });
  expect(await add("T1:U4")).toBe(false);
});

test.runIf(hasRedis)(
  "of two instances on one Redis to which one credential comes at the same moment, one alone takes it",
  async () => {
    const { url } = await ownRedis();
    const stores = [await opened(url), await opened(url)];
    const instances = await Promise.all(stores.map(({ store }) => openPasskeys(store)));
    for (let round = 1; round <= 20; round += 1) {
      const added = { ...passkey, id: `c${round}` };
      const taken = await Promise.all(
        instances.map(async (app, at) => {
          const member = `T1:U${at}${round}`;
          const link = await registrationLink(app, false);
          // By turns one of them asks for it in place of lost ones.
          if (at === round % 3)
            return askRecovery(app, link, { ...who, member, keyLabel: "" }, { ...added, proof: "recovery" });
          return registerPasskey(app, link, registering(app, member, added), added);
        }),
      );
      expect(taken.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  },
);

test("a first passkey that signs for itself counts that use: set back afterwards, it decides nothing", async () => {
  const app = await openPasskeys();
  const by = { ...registering(app, who.member, passkey), counter: 5 };
  expect(await registerPasskey(app, await registrationLink(app, false), by, passkey)).toBe(true);
  const decision = await decisionLink(app, "r1");
  expect(await spendLink(app, decision, { assertion, counter: 5 })).toBe(false);
  expect(await spendLink(app, decision, { assertion, counter: 6 })).toBe(true);
});

test("the passkey that signs for a further one counts that use: set back afterwards, it decides nothing", async () => {
  const { app, decision, assertion } = await signedOnce();
  const further = { ...passkey, id: "c2", proof: "passkey" as const };
  const by = { ...registering(app, who.member, further, "c1"), counter: 9 };
  expect(await registerPasskey(app, await registrationLink(app, false), by, further)).toBe(true);
  expect(await spendLink(app, decision, { assertion, counter: 9 })).toBe(false);
  expect(await spendLink(app, decision, { assertion, counter: 10 })).toBe(true);
  const again = { ...further, id: "c3" };
  const copied = { ...registering(app, who.member, again, "c1"), counter: 10 };
  expect(await registerPasskey(app, await registrationLink(app, false), copied, again)).toBe(false);
});
