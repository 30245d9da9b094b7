import { expect, test } from "vitest";
import type { Origin } from "../../src/messages/origin.ts";
import type { RequestsApp } from "../../src/requests/app.ts";
import { deny, press, withdraw } from "../../src/requests/decide.ts";
import { endApprovals } from "../../src/requests/endings.ts";
import { move } from "../../src/requests/facets/schedule/change.ts";
import { shownFacts } from "../../src/requests/shown-facts.ts";
import { sayLost } from "../../src/requests/state-answers.ts";
import { readRequest, storeFirst } from "../../src/requests/store.ts";
import { recoverAll } from "../../src/requests/timers.ts";
import type { Locks, Store } from "../../src/storage/store.ts";
import { auditNote, requestOf } from "./requests.ts";
import { askFor, askToCancel, forgettingPreconditions, openRooms } from "./rooms.ts";

/** Locks that let everybody in: the claim alone must stop a second run. */
const noLocks: Locks = {
  lock: async () => ({ fence: 1 }),
  unlock: async () => true,
};
const withoutLocks = (store: Store): Store => ({ ...store, locks: noLocks });

test("without any lock, of many presses in one moment one runs: the claim's own result stops the others", async () => {
  const rooms = await openRooms({ around: withoutLocks });
  const { app, personOf, platform } = rooms;
  const id = await askToCancel(rooms);
  platform.clearCalls();
  // Some find the facts changed by the first, and are refused.
  await Promise.allSettled(Array.from({ length: 10 }, () => press(app, id, personOf("ana"))));
  expect(rooms.writes()).toHaveLength(1);
  expect(await readRequest(app, id)).toMatchObject({ state: "done", decidedBy: personOf("ana").slackUser });
});

test.each(["vps cancel", "vps reboot", "vps stop"])(
  "a search for interrupted acts right after the claim of /%s takes it for none",
  async (command) => {
    const search = { run: async (): Promise<void> => {} };
    const rooms = await openRooms({
      around: (store) => ({
        ...store,
        async transact(step) {
          const stored = await store.transact(step);
          await search.run();
          return stored;
        },
      }),
    });
    const { app, personOf, platform } = rooms;
    search.run = () => recoverAll(app);
    platform.clearCalls();
    const id = await askFor(rooms, command);
    if (rooms.writes().length === 0) await press(app, id, personOf("ana"));
    expect(rooms.writes()).toHaveLength(1);
    expect(await readRequest(app, id)).toMatchObject({ looks: 0, outcome: expect.not.stringContaining("interrupted") });
  },
);

test("denied, withdrawn and run: whichever comes first is the end, and the input is erased with it", async () => {
  for (const first of ["press", "deny", "withdraw"] as const) {
    const rooms = await openRooms({ mode: "peer", around: withoutLocks });
    const { app, personOf } = rooms;
    const id = await askToCancel(rooms);
    const ways = {
      press: () => press(app, id, personOf("caro")),
      deny: () => deny(app, id, personOf("caro"), "Not tonight."),
      withdraw: () => withdraw(app, id, personOf("ana")),
    };
    await ways[first]();
    const ended = await readRequest(app, id);
    for (const way of Object.values(ways)) await way();
    expect(await readRequest(app, id)).toEqual(ended);
    expect(ended).toMatchObject({ input: { sealed: null } });
  }
});

/** All ways in which others than the requester decide a request. */
const ways: [string, (app: RequestsApp, id: string, by: Origin) => Promise<unknown>][] = [
  ["approved", (app, id, by) => press(app, id, by)],
  ["wanted a second time", (app, id, by) => press(app, id, by, { second: true, shown: null })],
  ["approved with a backup first", (app, id, by) => press(app, id, by, { withBackup: true, shown: null })],
  ["denied", (app, id, by) => deny(app, id, by, "Not now.")],
  ["run without approval", (app, id, by) => press(app, id, by, { override: "an outage", shown: null })],
];

test.each(ways)("a request whose command is gone ends, whichever way it is %s, and says why", async (_, decided) => {
  const rooms = await openRooms({ mode: "peer" });
  const { app, personOf, platform, without } = rooms;
  const id = await askToCancel(rooms);
  platform.clearCalls();
  await decided(without("vps cancel"), id, personOf("caro"));
  expect(await readRequest(app, id)).toMatchObject({
    state: "void",
    outcome: "This version of Rackbell no longer has that command. Nothing was done.",
  });
  expect(rooms.writes()).toEqual([]);
});

test.each(ways)(
  "a request whose time is over by the time that it is %s expires, runs nothing, and its presser gets the reason, although no timer marked it",
  async (_, decided) => {
    const rooms = await openRooms({ mode: "peer" });
    const { app, clock, personOf, messages } = rooms;
    const id = await askToCancel(rooms);
    clock.skip(60 * 60_000);
    await decided(app, id, personOf("caro"));
    expect(await readRequest(app, id)).toMatchObject({ state: "expired", input: { sealed: null } });
    expect(rooms.writes()).toEqual([]);
    expect(messages("caro").at(-1)).toContain("It expired before it");
  },
);

const noKey = "no longer has the key linked with which they asked.";

/** The requester's key as a press may find it after a crash, which came before the requests of the old key were cancelled. */
const otherKeys: [
  "self" | "peer",
  string,
  (rooms: Awaited<ReturnType<typeof openRooms>>) => Promise<unknown>,
  reason: string,
][] = [
  [
    "self",
    "is unlinked",
    ({ app, personOf }) => app.identities.unlink(personOf("ana").member, "customer", { retire: false }),
    noKey,
  ],
  ["self", "was replaced by another", linkAnotherKey, noKey],
  ["peer", "was replaced by another", linkAnotherKey, noKey],
  ["self", "acts for another account", actForNoAccount, "at the platform is not the same as when they asked."],
];

function actForNoAccount({ app, personOf, platform }: Awaited<ReturnType<typeof openRooms>>) {
  platform.changeUser("ana", { account: null });
  return app.identities.refresh(personOf("ana").member, "customer");
}

function linkAnotherKey({ app, personOf, platform }: Awaited<ReturnType<typeof openRooms>>) {
  return app.identities.link(personOf("ana"), platform.addKey({ owner: "ana", label: "ana-2" }).key);
}

test.each(otherKeys)(
  "a press (%s) on a request whose requester's key %s ends it with that reason, and runs nothing",
  async (mode, _, change, reason) => {
    const rooms = await openRooms({ mode });
    const { app, personOf, platform } = rooms;
    const id = await askToCancel(rooms);
    await change(rooms);
    platform.clearCalls();
    await press(app, id, personOf(mode === "self" ? "ana" : "caro"));
    expect(await readRequest(app, id)).toMatchObject({
      state: "void",
      input: { sealed: null },
      outcome: expect.stringContaining(`${reason} Nothing was done.`),
    });
    expect(rooms.writes()).toEqual([]);
  },
);

test("a price that rose since it was shown is not charged, even if the operation forgets to name it as a precondition", async () => {
  const rooms = await openRooms();
  const { personOf, platform } = rooms;
  const app = forgettingPreconditions(rooms, "service renew");
  const id = await askFor({ app, personOf }, "service renew");
  platform.change("web-1", { billing: { ...platform.findVps("web-1").billing, amount: "99.00" } });
  platform.clearCalls();
  await press(app, id, personOf("ana"));
  expect(await readRequest(app, id)).toMatchObject({
    state: "void",
    outcome: expect.stringContaining("Its price changed."),
  });
  expect(rooms.writes()).toEqual([]);
});

test("an approval that was taken back takes the approver's passkey with it, so that its removal later voids nothing", async () => {
  const { app, personOf } = await openRooms({ mode: "peer" });
  const [ben, caro] = [personOf("ben"), personOf("caro")];
  const approval = ({ member, slackUser }: Origin) => ({ member, slackUser, at: 1, key: member, users: [], keys: [] });
  const by = [ben, caro].map(({ member }) => ({ member, credential: `of ${member}` }));
  const request = requestOf({
    mode: "peer",
    needed: 3,
    approvals: [approval(ben), approval(caro)],
    proof: { by, salt: null },
  });
  await storeFirst(app, request, auditNote);
  await endApprovals(app, { member: ben.member, api: "customer" });
  expect(await readRequest(app, request.id)).toMatchObject({
    approvals: [approval(caro)],
    proof: { by: [{ member: caro.member }] },
    decidedBy: null,
  });
});

test("a member whose press was lost is not told that it counted when another member decided meanwhile", async () => {
  const { app, personOf } = await openRooms({ mode: "peer" });
  const [ana, caro] = [personOf("ana"), personOf("caro")];
  const texts: string[] = [];
  const say = async (_: Origin, text: string) => void texts.push(text);
  const told = { ...app, reply: { ...app.reply, say } };
  const decided = { mode: "peer", decidedBy: caro.slackUser } as const;
  for (const state of ["scheduled", "claimed", "unknown", "working"] as const) {
    const request = requestOf({ id: state, state, requester: ana, origin: ana, ...decided });
    await storeFirst(app, request, auditNote);
    await sayLost(told, state, ana, "Rackbell restarted.");
  }
  expect(texts).toHaveLength(4);
  for (const text of texts) expect(text).toContain("The request goes on, and its own message shows the outcome.");
});

test("a press that waits for another one is for the time that its button showed, also if the request moved meanwhile", async () => {
  const tried: string[] = [];
  const rooms = await openRooms({
    mode: "peer",
    around: (store) => ({
      ...store,
      locks: {
        ...store.locks,
        lock(name, ...others) {
          tried.push(name);
          return store.locks.lock(name, ...others);
        },
      },
    }),
  });
  const { app, clock, personOf, store } = rooms;
  const id = await askToCancel(rooms);
  const request = await readRequest(app, id);
  if (!request) throw new Error("There is no request");
  const name = `thing:${request.target?.id}`;
  const other = await store.locks.lock(name, { request: id, slackUser: "U9", title: "Cancel" }, 60_000);
  const answers: string[] = [];
  const how = { shown: shownFacts(request) };
  const pressed = press(app, id, personOf("caro"), how).catch((error: unknown) => answers.push(String(error)));
  await expect.poll(() => tried.filter((one) => one === name)).toHaveLength(2);
  await move(app, id, personOf("ana"), clock.now() + 10 * 60_000);
  if ("fence" in other) await store.locks.unlock(name, other.fence);
  const later = () => {
    clock.skip(250);
    return answers;
  };
  await expect
    .poll(later)
    .toEqual([expect.stringMatching(/now and was to run at once\. Nothing was decided\..*approvals/)]);
  await pressed;
  expect(await readRequest(app, id)).toMatchObject({ state: "pending", approvals: [] });
});
