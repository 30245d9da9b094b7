import { expect, test } from "vitest";
import { Refusal } from "../../src/operation/errors.ts";
import { changeRules } from "../../src/policy/policy.ts";
import { press, review } from "../../src/requests/decide.ts";
import { move } from "../../src/requests/facets/schedule/change.ts";
import { shownFacts } from "../../src/requests/shown-facts.ts";
import { amendNewest, readRequest, scheduleTimer } from "../../src/requests/store.ts";
import { runScheduled } from "../../src/requests/timers.ts";
import { rule } from "../policy/rules.ts";
import { askToCancel, openRooms } from "./rooms.ts";

type Rooms = Awaited<ReturnType<typeof openRooms>>;
type Name = "ana" | "ben" | "caro";

/** Two members who must be two persons. The links change after the first one has acted; `counted`: if the second one counts as another. */
interface Pair {
  first: Name;
  second: Name;
  prepare: (rooms: Rooms) => Promise<string>;
  counted: (rooms: Rooms, id: string) => Promise<boolean>;
}

async function pressed({ app, personOf }: Rooms, id: string, by: Name): Promise<void> {
  const request = await readRequest(app, id);
  await press(app, id, personOf(by), { shown: request ? shownFacts(request) : null }).catch(ignoreRefusal);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** True if the act was sent. Linking a reseller key sends writes of its own, to learn its scopes. */
function wasSent({ writes }: Rooms): boolean {
  return writes().some(({ method, path }) => method === "DELETE" && path.startsWith("/vps/"));
}

async function pressedAndSent(rooms: Rooms, id: string, by: Name): Promise<boolean> {
  await pressed(rooms, id, by);
  return wasSent(rooms);
}

async function askForTwo(rooms: Rooms): Promise<string> {
  const id = await askToCancel(rooms);
  await amendNewest(rooms.app, id, () => ({ needed: 2 }));
  return id;
}

const pairs: Record<string, Pair> = {
  "asks and approves": {
    first: "ana",
    second: "ben",
    prepare: askToCancel,
    counted: (rooms, id) => pressedAndSent(rooms, id, "ben"),
  },
  "wants it first and approves": {
    first: "caro",
    second: "ben",
    async prepare(rooms) {
      const id = await askToCancel(rooms);
      const originator = rooms.personOf("caro").slackUser;
      await amendNewest(rooms.app, id, () => ({ originator }));
      return id;
    },
    counted: (rooms, id) => pressedAndSent(rooms, id, "ben"),
  },
  "gives both of two approvals": {
    first: "ben",
    second: "caro",
    async prepare(rooms) {
      const id = await askForTwo(rooms);
      await pressed(rooms, id, "ben");
      return id;
    },
    counted: (rooms, id) => pressedAndSent(rooms, id, "caro"),
  },
  "has both of two approvals when a schedule begins": {
    first: "ben",
    second: "caro",
    async prepare(rooms) {
      const id = await askForTwo(rooms);
      await move(rooms.app, id, rooms.personOf("ana"), rooms.clock.now() + 30 * 60_000);
      for (const by of ["ben", "caro"] as const) await pressed(rooms, id, by);
      expect(await readRequest(rooms.app, id)).toMatchObject({ state: "scheduled" });
      return id;
    },
    async counted(rooms, id) {
      rooms.clock.skip(30 * 60_000);
      await runScheduled(rooms.app, `${scheduleTimer}${id}`);
      return wasSent(rooms);
    },
  },
  "overrides and reviews": {
    first: "caro",
    second: "ana",
    async prepare(rooms) {
      rooms.slack.setRole("caro", "admin");
      const by = { ...rooms.personOf("ana"), keyLabel: "ana", command: "rackbell policy", outcome: "", second: null };
      await changeRules(rooms.context, () => [rule({ risk: "destroy" }, "one-approval", true)], by);
      const id = await askToCancel(rooms);
      await press(rooms.app, id, rooms.personOf("caro"), { override: "It burns", shown: null });
      expect(wasSent(rooms)).toBe(true);
      return id;
    },
    async counted(rooms, id) {
      await review(rooms.app, id, rooms.personOf("ana")).catch(ignoreRefusal);
      return (await readRequest(rooms.app, id))?.overrides[0]?.reviewedBy !== null;
    },
  },
};

type Change = (rooms: Rooms, name: Name) => Promise<unknown>;
const unlink: Change = ({ app, personOf }, name) =>
  app.identities.unlink(personOf(name).member, "customer", { retire: false });
const linkKeyOf =
  (owner: "dave" | Name): Change =>
  ({ app, personOf, platform }, name) =>
    app.identities.link(personOf(name), platform.addKey({ owner, label: `another of ${owner}` }).key);

/** The first member changes their key after they acted. */
const leaving: Record<string, Change> = {
  keeps: async () => {},
  "unlinks it": unlink,
  "links another's key over it": linkKeyOf("dave"),
  async "unlinks it and links another's"(rooms, name) {
    await unlink(rooms, name);
    await linkKeyOf("dave")(rooms, name);
  },
  async "links another's over it and unlinks that"(rooms, name) {
    await linkKeyOf("dave")(rooms, name);
    await unlink(rooms, name);
  },
};

/** The ways in which the second member comes to the platform user of the first one. */
const taking: Record<string, (first: Name) => Change> = {
  "links a second key of that user over their own": (first) => linkKeyOf(first),
  "unlinks their own key and links a second one of that user": (first) => async (rooms, second) => {
    await unlink(rooms, second);
    await linkKeyOf(first)(rooms, second);
  },
  "links that very key": (first) => (rooms, second) =>
    rooms.app.identities.link(rooms.personOf(second), rooms.platform.keys[first].key),
};

const ways = Object.keys(pairs).flatMap((pair) =>
  Object.keys(leaving).flatMap((leaves) => Object.keys(taking).map((takes) => [pair, leaves, takes] as const)),
);

test.each(ways)(
  "nobody %s as one platform user: the first account %s, and the second one %s",
  async (name, leaves, takes) => {
    const pair = pairs[name];
    if (!pair) throw new Error("There is no such pair");
    const rooms = await openRooms({ mode: "peer" });
    const id = await pair.prepare(rooms);
    await leaving[leaves]?.(rooms, pair.first);
    await taking[takes]?.(pair.first)(rooms, pair.second);
    // A key that its first member keeps is linked by nobody else: the second one is who they were.
    const { customer } = await rooms.app.identities.links(rooms.personOf(pair.second).member);
    const isSame = String(customer?.user.name).toLowerCase().startsWith(pair.first);
    expect([leaves, takes, isSame]).toEqual([leaves, takes, leaves !== "keeps" || takes !== "links that very key"]);
    expect(await pair.counted(rooms, id)).toBe(!isSame);
  },
);

test.each(Object.keys(pairs))(
  "nobody %s with one reseller key: it proves no person, and a second account that links it after the first counts as the first",
  async (name) => {
    const pair = pairs[name];
    if (!pair) throw new Error("There is no such pair");
    const rooms = await openRooms({ mode: "peer" });
    const { app, platform, personOf } = rooms;
    const { key } = platform.reseller.keys.ben;
    expect(await app.identities.link(personOf(pair.first), key)).toMatchObject({ is: "linked" });
    const id = await pair.prepare(rooms);
    await app.identities.unlink(personOf(pair.first).member, "reseller", { retire: false });
    expect(await app.identities.link(personOf(pair.second), key)).toMatchObject({ is: "linked" });
    expect(await pair.counted(rooms, id)).toBe(false);
  },
);

test.each(Object.keys(pairs))(
  "two persons count as two where somebody %s, also after both have linked newer keys of their own",
  async (name) => {
    const pair = pairs[name];
    if (!pair) throw new Error("There is no such pair");
    const rooms = await openRooms({ mode: "peer" });
    const id = await pair.prepare(rooms);
    // A request runs with the very key that it was asked with.
    for (const one of [pair.first, pair.second]) if (one !== "ana") await linkKeyOf(one)(rooms, one);
    expect(await pair.counted(rooms, id)).toBe(true);
  },
);
