import fc from "fast-check";
import { expect, test } from "vitest";
import type { CustomerLink, Links, ResellerLink } from "../../../src/members/identities/link.ts";
import type { KindList } from "../../../src/members/resources/resources.ts";
import { rowButton } from "../../../src/messages/answers/buttons.ts";
import { offerTo } from "../../../src/messages/answers/offer.ts";
import type { Entry } from "../../../src/operation/target.ts";
import { registry } from "../../../src/operations/index.ts";
import { homeKinds, resourcesIn } from "../../../src/operations/rackbell/home-kinds.ts";
import { refusedView, tooLarge } from "../../../src/sandbox/slack/blocks/views.ts";
import type { HomeData } from "../../../src/slack/home/home-data.ts";
import { homeBlocks } from "../../../src/slack/home/page.ts";
import { divider, section } from "../../../src/views/blocks.ts";

const now = Date.UTC(2026, 10, 22);
const common = {
  member: "T:U",
  slackUser: "U1",
  keyId: "k",
  keyLabel: "ana",
  rejectedAt: now,
  linkedAt: 0,
  checkedAt: 0,
  usedAt: null,
  bound: null,
};
const customer: CustomerLink = {
  ...common,
  api: "customer",
  scopes: ["read", "services", "orders", "billing", "destructive"],
  user: { id: "u", name: "ana", email: "ana@example.com" },
  account: null,
  permissions: null,
  project: null,
};
const reseller: ResellerLink = { ...common, api: "reseller", scopes: ["read", "orders", "services"] };
const links: Links = { member: "T:U", customer, reseller };

const wild = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("<!channel>", "*b*", "`x`", ""));
const days = fc.integer({ min: -400, max: 400 }).map((at) => new Date(now + at * 86_400_000).toISOString());
const entry = fc.record(
  {
    name: wild,
    state: wild,
    project: wild,
    detail: wild,
    trouble: wild,
    due: fc.record({
      at: days,
      what: fc.constantFrom("due for renewal" as const, "ends" as const, "due for payment" as const),
    }),
    awaitedSince: days,
    type: fc.constantFrom("vps", "game", "unknown"),
  },
  { requiredKeys: ["name", "state", "project", "detail"] },
);

const kinds = [
  ...homeKinds.customer.map(({ noun }) => ({ api: "customer" as const, noun })),
  ...homeKinds.reseller.map(({ noun }) => ({ api: "reseller" as const, noun })),
];

/** Estates of a few rows, repeated so often. */
const parts = fc.tuple(
  ...kinds.map((kind) =>
    fc
      .record({
        rows: fc.array(entry, { maxLength: 5 }),
        times: fc.constantFrom(1, 3, 40),
        at: fc.option(fc.integer({ min: 0, max: now }), { nil: null }),
      })
      .map(({ rows, times, at }): KindList => ({ ...kind, at, entries: repeated(rows, times, kind.noun) })),
  ),
);

function repeated(rows: Omit<Entry, "id" | "aliases">[], times: number, noun: string): Entry[] {
  return Array.from({ length: times }, (_, turn) =>
    rows.map((row, at) => ({ ...row, id: `${noun}-${turn}-${at}`, aliases: [] })),
  ).flat();
}

function dayOf(known: KindList[], more: Partial<HomeData> = {}): HomeData {
  return {
    links,
    offer: offerTo(links, registry),
    registry,
    now,
    parts: known,
    unread: ["It took too long."],
    refused: [],
    resources: resourcesIn(known),
    downs: new Map(),
    waiting: { shown: [], next: "more" },
    own: [],
    favourites: [],
    watches: [],
    saved: [],
    away: { lines: [], next: [] },
    onCall: { lines: [], next: [] },
    agents: [],
    setup: "*Set up Rackbell:* 1 of 7 steps done.",
    notLinked: "You have not linked a key yet.",
    ...more,
  };
}

test("Home is a view that Slack takes, whatever the estate holds and however large it is", () => {
  fc.assert(
    fc.property(parts, fc.array(wild, { maxLength: 20 }), (known, stars) => {
      const favourites = stars.map((name, at) => ({ card: "vps show", id: `vps-0-${at}`, name, at }));
      const notes = Array.from({ length: 18 }, (_, at) => (at % 9 === 8 ? divider() : section("said")));
      const view = { type: "home", blocks: homeBlocks(dayOf(known, { favourites }), notes) };
      expect(refusedView(view, "home")).toEqual([]);
      expect(tooLarge(view)).toBe(false);
      expect(view.blocks.length).toBeLessThanOrEqual(100);
      // A member with a key always sees the last block: their identity.
      expect(JSON.stringify(view.blocks.at(-1))).toContain("refused this key");
    }),
    { numRuns: 30 },
  );
});

test("an estate of 10,000 machines is drawn in a fraction of a second", () => {
  const row = { name: "m", state: "running", project: "production", detail: "running", trouble: "suspended" };
  const known: KindList[] = [{ api: "customer", noun: "vps", at: now, entries: repeated([row], 10_000, "vps") }];
  homeBlocks(dayOf(known), []);
  // Its own time on the processor: a busy machine makes nothing slower by this measure.
  const began = process.threadCpuUsage();
  homeBlocks(dayOf(known), []);
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(500);
});

test("Home has a button to the list of each kind of which more is due soon than it has room for", () => {
  const at = new Date(now + 86_400_000).toISOString();
  const due = { at, what: "due for renewal" } as const;
  const row = { name: "m", state: "running", project: "production", detail: "running", due };
  const known: KindList[] = [{ api: "customer", noun: "vps", at: now, entries: repeated([row], 9, "vps") }];
  const more = rowButton("and 3 VPSes", { command: "vps list" }, "VPS");
  expect(JSON.stringify(homeBlocks(dayOf(known), []))).toContain(JSON.stringify(more));
});
