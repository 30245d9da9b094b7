import { expect, test } from "vitest";
import { linksIn } from "../../src/members/identities/link.ts";
import { operations } from "../../src/operations/index.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";
import { press } from "../../src/requests/decide.ts";
import { onJobTimer } from "../../src/requests/facets/job/track.ts";
import { membershipTimers } from "../../src/requests/leavers.ts";
import { checkOutcome } from "../../src/requests/reconcile.ts";
import { step } from "../../src/requests/step.ts";
import { readRequest } from "../../src/requests/store.ts";
import { refuseWhileUnknown } from "../../src/requests/unknown-outcome.ts";
import { askFor, askToCancel, openRooms } from "./rooms.ts";

type Rooms = Awaited<ReturnType<typeof openRooms>>;

test.each<[string, string, (rooms: Rooms) => unknown]>([
  [
    "is gone",
    "no longer linked",
    ({ app, personOf }) => app.identities.unlink(personOf("ana").member, "customer", { retire: false }),
  ],
  ["is refused by the platform", "no longer accepts", ({ platform }) => platform.revoke(platform.keys.ana)],
  [
    "is refused by the platform, and was replaced since",
    "no longer accepts",
    async (rooms) => {
      rooms.platform.revoke(rooms.platform.keys.ana);
      await linkKey(rooms, another(rooms, "customer"));
    },
  ],
])(
  "a request whose key %s counts as unknown for as long as its checks take, and then as undecided, without its input",
  async (_, words, change) => {
    const rooms = await openRooms();
    const { app } = rooms;
    const id = await askToCancel(rooms);
    const request = await readRequest(app, id);
    const claimed = request && (await step(app, request, "approve", {}, { by: "U1" }));
    const unknown = claimed && (await step(app, claimed, "loseAnswer"));
    await change(rooms);
    if (!unknown) throw new Error("Another process took the step");
    const since = rooms.clock.now();
    expect(await checkAll(rooms, id)).toMatchObject({
      state: "undecided",
      input: { sealed: null },
      outcome: expect.stringContaining(words),
    });
    expect(rooms.clock.now() - since).toBeGreaterThan(5 * 60_000);
  },
);

/** Checks the outcome until it is settled, at the times that Rackbell would. While it is unknown, the same act is refused. */
async function checkAll({ app, clock }: Rooms, id: string) {
  for (;;) {
    const request = await readRequest(app, id);
    if (!request) throw new Error("The request is gone");
    const operation = app.registry.find(request.command);
    if (!operation || operation.api === "app") throw new Error("There is no such command");
    await expect(refuseWhileUnknown(app, operation, { ...request, id: "another" })).rejects.toThrow("still unknown");
    const next = await checkOutcome(app, request);
    if (next === undefined) return readRequest(app, id);
    clock.skip(next - clock.now());
  }
}

/** Runs an operation on Rackbell itself, without the checks before it. */
async function run(rooms: Rooms, command: string, by: "ana" | "caro", input: Record<string, unknown>) {
  const operation = operations.find((one) => one.command === command);
  if (operation?.api !== "app") throw new Error(`There is no ${command}`);
  const { context, personOf, clock } = rooms;
  const actor = { ...personOf(by), keyLabel: "", project: null };
  await operation.run({ context, actor, channel: null, input: operation.input.parse(input), now: clock.now() });
}

const own = (rooms: Rooms, api: ApiName) =>
  api === "customer" ? rooms.platform.keys.ana : rooms.platform.reseller.keys.ana;
const another = ({ platform }: Rooms, api: ApiName) =>
  api === "customer" ? platform.addKey({ owner: "ana", label: "ana-2" }) : platform.reseller.addKey({ label: "ana-2" });
const linkKey = (rooms: Rooms, { key }: { key: string }) => run(rooms, "rackbell link", "ana", { key });

/** All ways by which a key goes while outcomes of acts with it are unknown. */
const waysOut: Record<string, (rooms: Rooms, api: ApiName) => Promise<unknown>> = {
  "is unlinked": (rooms, key) => run(rooms, "rackbell unlink", "ana", { key }),
  "is replaced by another": async (rooms, api) => linkKey(rooms, another(rooms, api)),
  "is replaced twice": async (rooms, api) => {
    await linkKey(rooms, another(rooms, api));
    await linkKey(rooms, another(rooms, api));
  },
  "is replaced and linked again": async (rooms, api) => {
    await linkKey(rooms, another(rooms, api));
    await linkKey(rooms, own(rooms, api));
  },
  "is linked a second time": async (rooms, api) => linkKey(rooms, own(rooms, api)),
  "is unlinked by an admin": (rooms) =>
    run(rooms, "rackbell members unlink", "caro", { member: `<@${rooms.personOf("ana").slackUser}>` }),
  "goes with its deactivated member": async (rooms) => {
    rooms.slack.deactivate("ana", { silent: true });
    const token = { lane: "leaver:", id: `leaver:${rooms.personOf("ana").member}`, run: "", repeats: false };
    const timer = membershipTimers(rooms.app)[token.lane];
    await (typeof timer === "function" ? timer(token.id, token) : timer?.run(token.id, token));
  },
  "is marked as refused by the platform": async ({ app, personOf }, api) => {
    const { member } = personOf("ana");
    for (const { keyId, ...link } of linksIn(await app.identities.links(member)))
      if (link.api === api) await app.identities.markRejected(member, api, keyId);
  },
};

const lostActs: Record<ApiName, { command: string; names: [string, string] }> = {
  customer: { command: "service renew", names: ["web-1", "db-1"] },
  reseller: { command: "reseller service terminate", names: ["ACME-001", "ACME-002"] },
};
const lost = Object.keys(waysOut).flatMap((way) => (["customer", "reseller"] as const).map((api) => ({ way, api })));

test.each(lost)(
  "the outcomes of two acts are found although the key of the $api API $way meanwhile, and until then nobody can do them again",
  async ({ way, api }) => {
    const rooms = await openRooms();
    const { app, context, personOf, platform } = rooms;
    const ana = personOf("ana");
    await app.identities.link(ana, platform.reseller.keys.ana.key);
    await context.connection.setSigningSecret(ana, platform.reseller.signingSecret() ?? "");
    const { command, names } = lostActs[api];
    const ids: string[] = [];
    for (const [at, name] of names.entries()) {
      const id = await askFor(rooms, command, { name, id: `3f1f0a6e-2b6b-4a51-9d8a-0a4b6ef0c00${at}` });
      platform.faults.next({ how: "reset", applied: true, method: api === "customer" ? "POST" : "DELETE" });
      await press(app, id, ana);
      expect(await readRequest(app, id)).toMatchObject({ state: "unknown" });
      ids.push(id);
    }
    await waysOut[way]?.(rooms, api);
    for (const id of ids)
      expect(await checkAll(rooms, id)).toMatchObject({ outcome: expect.stringContaining("It was done after all") });
    // The key that was kept for the checks is erased after the last of them.
    const { requester } = (await readRequest(app, ids[0] ?? "")) ?? {};
    const keyIds = linksIn(await app.identities.links(ana.member)).map(({ keyId }) => keyId);
    const session = await app.identities.sessionOfKey(ana.member, api, requester?.keyId ?? "");
    expect(session !== null).toBe(keyIds.includes(requester?.keyId ?? ""));
  },
);

test("a key that is kept to check an outcome tracks no job: its job is left, as without the key", async () => {
  const rooms = await openRooms();
  const { app, personOf, platform } = rooms;
  const tracked = await askFor(rooms, "vps reboot", { id: "3f1f0a6e-2b6b-4a51-9d8a-0a4b6ef0c002", name: "web-2" });
  await press(app, tracked, personOf("ana"));
  expect(await readRequest(app, tracked)).toMatchObject({ state: "working" });
  const id = await askToCancel(rooms);
  platform.faults.next({ how: "reset", applied: true, method: "DELETE" });
  await press(app, id, personOf("ana"));
  await run(rooms, "rackbell unlink", "ana", {});
  await onJobTimer(app, `track:${tracked}`);
  expect(await readRequest(app, tracked)).toMatchObject({ state: "left" });
  expect(await checkAll(rooms, id)).toMatchObject({ outcome: expect.stringContaining("It was done after all") });
});
