import { expect, test } from "vitest";
import { actorOf } from "../../src/access/access.ts";
import type { BoundOperation } from "../../src/access/bound.ts";
import type { CustomerLink } from "../../src/identities/link.ts";
import type { Origin } from "../../src/notifications/origin.ts";
import type { Act } from "../../src/operation/act.ts";
import { Refusal } from "../../src/operation/errors.ts";
import { cancel } from "../../src/operations/vps/cancel.ts";
import type { RequestChecks } from "../../src/requests/checks.ts";
import { type DecideApp, deny, press, withdraw } from "../../src/requests/decide.ts";
import type { Request } from "../../src/requests/request.ts";
import type { Rules } from "../../src/requests/rules.ts";
import { step } from "../../src/requests/step.ts";
import type { Visibilities } from "../../src/requests/visibility.ts";
import type { Locks } from "../../src/storage/store.ts";
import { asked, openRequests, origin, requestOf } from "./requests.ts";

/** Checks that let everybody pass, a run that only counts, and the real deciding code. */
async function open({ locks, gone = false, gate = {} }: { locks?: Locks; gone?: boolean; gate?: object } = {}) {
  const opened = await openRequests((store) => (locks ? { ...store, locks } : store));
  const { store, requests, clock } = opened;
  const ran: Request[] = [];
  const told: string[] = [];
  const checks: RequestChecks = {
    operation: () => (gone ? null : cancel),
    presser: async () => {},
    may: async () => {},
    mayOverride: async () => {},
    able: async () => {},
    asker: async () => {},
    requester: async () => bound,
    facts: async () => ({ bound, act, before: "as it is now", price: null }),
  };
  const say = {
    state: async (id: string) => void told.push(id),
    unseen: async () => {},
    lost: async () => {},
    locked: async () => void told.push("locked"),
  };
  const rules: Rules = {
    verdict: async () => ({ demand: "self", rule: null, passkey: null, relocations: [], leaving: null, admin: false }),
    reserve: async () => true,
    reserveAll: async () => true,
    release: async () => {},
  };
  const visibilities: Visibilities = {
    of: () => ({ at: async () => "whole", machinesOf: async ({ machines }) => machines, isIncomplete: () => false }),
    isKnownIn: async () => true,
  };
  const app: DecideApp = {
    ...{ store, requests, clock, checks, rules, say, visibilities },
    run: {
      async run(request) {
        ran.push(request);
        return { request: (await step(requests, request, "succeed")) ?? request };
      },
      ...{ finish: unused, offerInCase: unused, errorOf: unused, isRunning: () => false },
    },
    reconcile: { wasDone: async () => false, look: unused },
    repeats: { unseen: async () => [], enter: async () => [] },
    gate: { isOff: true, offer: unused, signedFacts: unused, requireSigned: unused, removedSince: unused, ...gate },
    access: { isAdmin: async () => false },
    identities: { links: unused },
  };
  const decide = {
    press: (id: string, who: Origin, counted?: number) => press(app, id, who, { counted }),
    pressSecond: (id: string, who: Origin) => press(app, id, who, { second: true }),
    copyFirst: (id: string, who: Origin) => press(app, id, who, { copyFirst: true }),
    override: (id: string, who: Origin, reason: string) => press(app, id, who, { glass: reason }),
    deny: (id: string, who: Origin, reason: string) => deny(app, id, who, reason),
    withdraw: (id: string, who: Origin) => withdraw(app, id, who),
  };
  const proven = (id: string, who: Origin) => press(app, id, who, { assertion });
  return { ...opened, decide, proven, ran, told };
}

const assertion = {
  ...{ random: "r", workspace: "T1", subject: "r1", version: 0, decision: "confirm", member: "T1:U1", text: "t" },
  ...{
    input: "i",
    preconditions: "p",
    rule: "r",
    credential: "c",
    authenticatorData: "",
    clientData: "",
    signature: "",
  },
};

test("a press with an assertion for other facts runs nothing: the request changed after its page was read", async () => {
  const other = async () => {
    throw new Refusal("The request changed after you read its page");
  };
  const { requests, proven, ran } = await open({ gate: { isOff: false, requireSigned: other } });
  await requests.storeFirst(requestOf({ passkey: true }), asked);
  await expect(proven("r1", origin("U1"))).rejects.toThrow("The request changed");
  expect(ran).toEqual([]);
});

test("a press that takes a passkey and has none only offers the page; one that has it runs, and is noted as proven", async () => {
  const offered: string[] = [];
  const gate = {
    isOff: false,
    offer: async ({ id }: Request) => void offered.push(id),
    requireSigned: async () => {},
  };
  const { requests, decide, proven, ran } = await open({ gate });
  await requests.storeFirst(requestOf({ passkey: true }), asked);
  await decide.press("r1", origin("U1"));
  expect([offered, ran]).toEqual([["r1"], []]);
  await proven("r1", origin("U1"));
  expect(ran.map((request) => request.proven)).toEqual([[{ member: "T1:U1", credential: "c" }]]);
});

const unused = () => Promise.reject(new Error("Nothing here asks for this"));

const act: Act = {
  ...{
    id: "r1",
    target: { id: "vps-1", name: "web-1" },
    names: ["web-1"],
    states: [],
    input: {},
    described: [],
    reason: "",
    project: null,
    hostname: null,
    relocations: async () => [],
    risk: "destroy",
    verb: "Cancel",
    backupFirst: null,
    makes: [],
  },
  ...{ usable: unused, review: unused, before: unused, run: unused, reconcile: unused },
};

const link: CustomerLink = {
  ...{ v: 2, api: "customer", member: "T1:U1", slackUser: "U1", keyId: "k1", keyLabel: "ana", scopes: ["read"] },
  ...{
    user: { id: "p1", name: "ana", email: "ana@example.com" },
    account: null,
    permissions: null,
    bound: null,
    project: null,
    hostname: null,
  },
  ...{ rejectedAt: null, linkedAt: 0, checkedAt: 0, usedAt: null },
};

const bound: BoundOperation = {
  ...{ operation: cancel, actor: actorOf(link), link, links: { member: "T1:U1", customer: link, reseller: null } },
  ...{
    may: () => true,
    budget: () => undefined,
    known: () => ({ entries: [], at: null }),
    wizard: null,
    unasked: async () => ({}),
    in: () => bound,
  },
  ...{
    begin: unused,
    poll: unused,
    choices: unused,
    present: unused,
    usable: unused,
    explainMissing: unused,
    offerCopy: unused,
    resolve: unused,
    listing: unused,
    find: unused,
    projects: unused,
    readBulk: unused,
    look: unused,
    usage: unused,
  },
};

/** Locks that let everybody in: the claim alone must stop a second run. */
const noLocks: Locks = {
  lock: async () => ({ fence: 1 }),
  renew: async () => true,
  unlock: async () => true,
};

test("without any lock, of many presses in one moment one runs: the claim's own result stops the others", async () => {
  const { decide, requests, ran, told } = await open({ locks: noLocks });
  await requests.storeFirst(requestOf(), asked);
  await Promise.all(Array.from({ length: 10 }, () => decide.press("r1", origin("U1"))));
  expect(ran).toHaveLength(1);
  expect(ran[0]).toMatchObject({ state: "claimed", decidedBy: "U1", before: "as it is now" });
  expect(told).toHaveLength(9);
});

test("many whose number must be typed are not run by a press without it, through whichever door", async () => {
  const { decide, requests, ran } = await open();
  const bulk = {
    ...{ nouns: "12 VPSes", digest: "d", projects: [null], counted: true, byState: false, stopAfter: 3 },
    ...{
      outcomes: Array.from({ length: 12 }, () => "waiting" as const),
      putOff: {},
      interrupted: [],
      stopped: null,
      repeats: null,
      doneLater: [],
    },
  };
  await requests.storeFirst(requestOf({ bulk, target: null }), asked);
  await expect(decide.press("r1", origin("U1"))).rejects.toThrow("Type the number of");
  await expect(decide.press("r1", origin("U1"), 11)).rejects.toThrow("Type the number of");
  expect(ran).toEqual([]);
  await decide.press("r1", origin("U1"), 12);
  expect(ran).toHaveLength(1);
});

test("at the very end of its time a press decides nothing, whether or not anything has marked it expired", async () => {
  const { decide, requests, clock, ran, told } = await open();
  await requests.storeFirst(requestOf({ expiresAt: clock.now() + 1_000 }), asked);
  clock.skip(1_000);
  await decide.press("r1", origin("U1"));
  expect(ran).toEqual([]);
  expect(told).toEqual(["r1"]);
  expect(await requests.read("r1")).toMatchObject({ state: "expired", sealed: null });
});

test("denied, withdrawn, expired and run: whichever comes first is the end, and the input is erased with it", async () => {
  for (const first of ["press", "deny", "withdraw"] as const) {
    const { decide, requests } = await open({ locks: noLocks });
    await requests.storeFirst(requestOf(), asked);
    const ways = {
      press: () => decide.press("r1", origin("U1")),
      deny: () => decide.deny("r1", origin("U2"), "Not tonight."),
      withdraw: () => decide.withdraw("r1", origin("U1")),
    };
    await ways[first]();
    const ended = await requests.read("r1");
    for (const way of Object.values(ways)) await way();
    expect(await requests.read("r1")).toEqual(ended);
    expect(ended?.sealed).toBeNull();
  }
});

type Decide = Awaited<ReturnType<typeof open>>["decide"];

/** All ways in which others than the requester decide a request. */
const ways: [string, (decide: Decide, by: Origin) => Promise<void>][] = [
  ["approved", (decide, by) => decide.press("r1", by)],
  ["wanted a second time", (decide, by) => decide.pressSecond("r1", by)],
  ["approved with a backup first", (decide, by) => decide.copyFirst("r1", by)],
  ["denied", (decide, by) => decide.deny("r1", by, "Not now.")],
  ["run without approval", (decide, by) => decide.override("r1", by, "an outage")],
];

test.each(ways)("a request whose command is gone ends, whichever way it is %s, and says why", async (_, decided) => {
  const { decide, requests, ran } = await open({ gone: true });
  await requests.storeFirst(requestOf({ mode: "peer", needed: 1, breakable: true }), asked);
  await decided(decide, origin("U2"));
  const ended = await requests.read("r1");
  expect([ended?.state, ended?.outcome]).toEqual([
    "void",
    "This version of Rackbell no longer has that command. Nothing was done.",
  ]);
  expect(ran).toEqual([]);
});

test.each(ways)(
  "a request whose time is over by the time that it is %s expires, runs nothing, and its presser is told",
  async (_, decided) => {
    const { decide, requests, clock, ran, told } = await open();
    await requests.storeFirst(
      requestOf({ mode: "peer", needed: 1, breakable: true, expiresAt: clock.now() - 1 }),
      asked,
    );
    await decided(decide, origin("U2"));
    expect((await requests.read("r1"))?.state).toBe("expired");
    expect(ran).toEqual([]);
    expect(told).toEqual(["r1"]);
  },
);
