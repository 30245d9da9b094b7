import { expect, test } from "vitest";
import { poll, pollingProblems, pollNow } from "../../../src/alerts/polling/polling.ts";
import { nothingRead, type PollingRound, pageReader, type Reader } from "../../../src/alerts/polling/reader.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { PlatformRefused, PlatformUnanswered } from "../../../src/platform/http/errors.ts";
import { customerClient } from "../../platform/clients.ts";
import { listed, raw } from "../../storage/raw.ts";
import { hour, minute, openPolling } from "./polled.ts";

/** One read; `cursor` is where it went on. */
interface Read {
  name: string;
  cursor: string;
  at: number;
  round: PollingRound;
}

const failed = new PlatformUnanswered({ api: "customer", method: "GET", path: "/vps" }, true);

/** Polling with readers that call nothing, and their reads. `limit`: the key's calls in an hour. */
async function turns(limit = 1_000) {
  const app = await openPolling();
  const { store, clock } = app;
  const reads: Read[] = [];
  const failing = new Set<string>();
  const during = new Map<string, () => Promise<unknown>>();
  const others = { leave: 1 };
  /** As the platform's last answer said: it is forgotten when it ends, an hour later. */
  const budget = () => {
    const at = reads.at(-1)?.at ?? clock.now();
    return clock.now() < at + hour ? { limit, remaining: limit * others.leave, resetAt: at + hour } : undefined;
  };
  const client: CustomerClient = customerClient({ budget });

  function reader(name: string, every: number, { pages = 1, whole = false } = {}): Reader<"customer"> {
    return {
      name,
      every,
      whole,
      async step(_client, cursor, round) {
        reads.push({ name, cursor, at: clock.now(), round });
        await during.get(name)?.();
        if (failing.has(name)) throw failed;
        const page = cursor === "" ? 1 : Number(cursor);
        return page < pages ? String(page + 1) : null;
      },
    };
  }

  /** One run of the timer. */
  const once = (readers: Reader<"customer">[], keyId = "k") => poll(app, "customer", { client, keyId }, readers);

  /** Polls for so long. */
  async function pass(readers: Reader<"customer">[], ms: number): Promise<void> {
    for (let until = clock.now() + ms; clock.now() < until; ) {
      const next = (await once(readers)) ?? until;
      if (next > clock.now()) clock.skip(Math.min(next, until) - clock.now());
    }
  }

  const count = (name: string) => reads.filter((one) => one.name === name).length;
  return { ...app, store, clock, reads, others, failing, during, reader, once, pass, count };
}

test("a monitoring key with a low rate limit still reads the whole lists, and finds failures too", async () => {
  const { reader, pass, count } = await turns(100);
  await pass(
    [
      reader("suspended", 5 * minute),
      reader("failed", 5 * minute),
      reader("orders that failed", 15 * minute),
      reader("services", 15 * minute, { pages: 3, whole: true }),
      reader("orders", 15 * minute, { pages: 3, whole: true }),
    ],
    12 * hour,
  );
  for (const name of ["suspended", "failed", "orders that failed", "services", "orders"])
    expect(count(name), name).toBeGreaterThan(10);
});

test("lists that a low rate limit keeps unread for an hour are named in one notice with the limit, and a usual limit names none", async () => {
  for (const [limit, notices] of [
    [20, 1],
    [24, 1],
    [1_000, 0],
  ] as const) {
    const { reader, pass, store, count } = await turns(limit);
    const readers = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => reader(`list ${at}`, 5 * minute));
    const orders = reader("orders", 5 * minute, { pages: 100, whole: true });
    await pass(limit === 1_000 ? [...readers, orders] : readers, 24 * hour);
    expect(count("list 1"), `${limit}`).toBeGreaterThan(5);
    const problems = await pollingProblems({ store }, "customer");
    expect(
      problems.map(({ why }) => why.slice(0, 40)),
      `${limit}`,
    ).toEqual(notices === 0 ? [] : [`The key may make ${limit} calls an hour, and p`.slice(0, 40)]);
    expect((await listed(store, raw("notices"))).size, `${limit}`).toBe(notices);
  }
});

test("a reader with a long interval gets its turn beside urgent ones that are always late", async () => {
  const { reader, pass, count } = await turns(20);
  await pass([reader("suspended", 5 * minute), reader("failed", 5 * minute), reader("images", 15 * minute)], 12 * hour);
  expect(count("images")).toBeGreaterThan(4);
  expect(count("suspended")).toBeGreaterThan(count("images"));
});

test("a clock that is set back stops no reader, not even one that has just failed", async () => {
  const { reader, once, pass, clock, failing, reads } = await turns();
  const readers = [reader("documents", 15 * minute), reader("machines", 5 * minute, { pages: 2, whole: true })];
  await pass(readers, hour);
  failing.add("documents");
  await pass(readers, 20 * minute);
  failing.clear();
  // The clock is set back in the middle of a round.
  while (reads.at(-1)?.name !== "machines" || reads.at(-1)?.cursor !== "") {
    clock.skip(minute);
    await once(readers);
  }
  clock.adjust(-3 * hour);
  reads.splice(0);
  const now = clock.now();
  await pass(readers, minute / 2);
  const read = reads.map(({ name, cursor }) => name + cursor);
  expect(read).toEqual(expect.arrayContaining(["documents", "machines2"]));
  for (const { round } of reads) expect(round.since).toBeLessThanOrEqual(now);
});

test("a clock that is set back leaves no reader behind the others, however low the rate limit is", async () => {
  const { reader, pass, clock, reads } = await turns(40);
  const names = ["suspended", "failed", "invoices", "images"];
  const lists = ["services", "orders"];
  const readers = [
    ...names.map((name) => reader(name, 5 * minute)),
    ...lists.map((name) => reader(name, 5 * minute, { whole: true })),
  ];
  await pass(readers, 4 * hour);
  clock.adjust(-3 * hour);
  reads.splice(0);
  await pass(readers, 2.7 * hour);
  expect([...new Set(reads.map(({ name }) => name))].toSorted()).toEqual([...names, ...lists].toSorted());
});

test("poll now reads what has just failed, and goes on with the round that it failed in", async () => {
  const { reader, once, store, clock, failing, reads } = await turns();
  const readers = [reader("machines", 5 * minute, { pages: 3, whole: true })];
  await once(readers);
  failing.add("machines");
  await once(readers);
  failing.clear();
  expect(await once(readers)).toBeGreaterThan(clock.now());
  await pollNow({ store, clock }, "customer", { atOnce: true });
  await once(readers);
  expect(reads.map(({ cursor }) => cursor)).toEqual(["", "2", "2"]);
  await once(readers);
  expect(await once(readers)).toBeGreaterThan(clock.now());
});

test("poll now during a read is not undone for the other readers", async () => {
  const { reader, once, store, clock, during, count } = await turns();
  const readers = [reader("first", 5 * minute), reader("second", 15 * minute)];
  await once(readers);
  await once(readers);
  clock.skip(6 * minute);
  during.set("first", () => pollNow({ store, clock }, "customer", { atOnce: true }));
  await once(readers);
  during.clear();
  await once(readers);
  expect(count("second")).toBe(2);
});

test("a read with the old monitoring key that ends late takes over no round of the new key", async () => {
  const { reader, once, during, reads } = await turns();
  const readers = [reader("first", 5 * minute), reader("second", 15 * minute)];
  during.set("first", async () => {
    during.clear();
    for (let run = 0; run < 3; run += 1) await once(readers, "new");
  });
  await once(readers, "old");
  await once(readers, "old");
  expect(reads.at(-1)?.name).toBe("second");
  expect(reads.at(-1)?.round).toMatchObject({ first: true, key: "old" });
});

test("a list that is not read for an hour is named with the time and the reason, however well the others are read", async () => {
  const { reader, pass, clock, store, failing } = await turns();
  const readers = [reader("first", 5 * minute), reader("second", 5 * minute)];
  failing.add("first").add("second");
  const since = clock.now();
  await pass(readers, 50 * minute);
  expect(await pollingProblems({ store }, "customer")).toEqual([]);
  await pass(readers, 25 * minute);
  const [problem] = await pollingProblems({ store }, "customer");
  expect(problem).toMatchObject({ names: ["first", "second"], all: true });
  expect(problem?.why).toContain("could not be reached");
  expect(Math.abs((problem?.since ?? 0) - since)).toBeLessThan(minute);
  failing.delete("second");
  await pass(readers, 15 * minute);
  expect(await pollingProblems({ store }, "customer")).toMatchObject([{ names: ["first"], all: false }]);
  failing.delete("first");
  await pass(readers, 15 * minute);
  expect(await pollingProblems({ store }, "customer")).toEqual([]);
});

test("a page that can never be read keeps no other page unread, and is named until the whole list is read", async () => {
  const { pass, store, reader } = await turns();
  const read: number[] = [];
  const seen: PollingRound[] = [];
  const broken = new Set<number>();
  const machines = pageReader<"customer", never>({
    name: "machines",
    every: 5 * minute,
    whole: true,
    async page(_client, page) {
      read.push(page);
      if (broken.has(page)) throw failed;
      return { rows: [], pagination: { pages: 3 } };
    },
    async see(_rows, round) {
      seen.push(round);
    },
  });
  const readers = [machines, reader("other", 5 * minute)];
  for (const page of [2, 1, 3]) {
    broken.add(page);
    await pass(readers, 1.5 * hour);
    const others = [1, 2, 3].filter((one) => one !== page);
    read.splice(0);
    await pass(readers, 3 * hour);
    for (const other of others) expect(read.filter((one) => one === other).length, `${other}`).toBeGreaterThan(3);
    expect(await pollingProblems({ store }, "customer")).toMatchObject([
      { names: ["some of the machines"], all: false },
    ]);
    broken.clear();
    await pass(readers, hour);
    expect(await pollingProblems({ store }, "customer")).toEqual([]);
  }
  // Until a first round has read all pages, the resources of the lost one are not new.
  expect(seen.findIndex(({ first }) => !first)).toBeGreaterThan(10);
});

test("a key that the platform refuses for one list is reported at once, and a rejected one for all lists", async () => {
  const { reader, pass, store, during } = await turns();
  const readers = [reader("first", 5 * minute), reader("second", 5 * minute)];
  const refuse = (refusal: { status: number; code: string; auth?: "key rejected" }) => async () => {
    throw new PlatformRefused({ api: "customer", method: "GET", path: "/vps" }, { ...refusal, reason: "No." });
  };
  await pass(readers, hour);
  during.set("first", refuse({ status: 403, code: "FORBIDDEN" }));
  await pass(readers, 6 * minute);
  expect(await pollingProblems({ store }, "customer")).toMatchObject([{ names: ["first"], all: false }]);
  during.set("second", refuse({ status: 401, code: "UNAUTHORIZED", auth: "key rejected" }));
  await pass(readers, 6 * minute);
  expect(await pollingProblems({ store }, "customer")).toMatchObject([{ all: false }, { all: true }]);
});

test("lists for which other calls leave no turn are named in one notice from their last answers on, and until all are read", async () => {
  const { reader, pass, clock, store, others } = await turns();
  const readers = [1, 2, 3, 4, 5].map((at) => reader(`list ${at}`, 5 * minute));
  await pass(readers, hour);
  others.leave = 0.1;
  const since = clock.now();
  await pass(readers, 3 * hour);
  const [problem, ...more] = await pollingProblems({ store }, "customer");
  expect(problem).toMatchObject({ all: false, why: expect.stringContaining("few calls left this hour") });
  expect(problem?.names.length).toBeGreaterThan(1);
  expect(Math.abs((problem?.since ?? 0) - since)).toBeLessThan(6 * minute);
  expect(more).toEqual([]);
  await pass(readers, 24 * hour);
  expect((await pollingProblems({ store }, "customer")).map(({ names }) => names.length)).toEqual([4]);
  expect((await listed(store, raw("notices"))).size).toBe(1);
  others.leave = 1;
  await pass(readers, 2 * hour);
  expect(await pollingProblems({ store }, "customer")).toEqual([]);
  expect(JSON.stringify([...(await listed(store, raw("notices"))).values()])).toContain("Polling reads list");
});

test("a list that nothing needs, and the hours in which Rackbell was stopped, are no wait for calls", async () => {
  const { reader, pass, clock, store, others } = await turns();
  let isNeeded = true;
  const balance = { ...reader("balance", 5 * minute), step: async () => (isNeeded ? null : nothingRead) };
  const readers = [...["machines", "services", "orders"].map((name) => reader(name, 5 * minute)), balance];
  await pass(readers, hour);
  isNeeded = false;
  await pass(readers, 72 * hour);
  clock.skip(5 * hour);
  others.leave = 0.1;
  const since = clock.now();
  await pass(readers, 50 * minute);
  expect(await pollingProblems({ store }, "customer")).toEqual([]);
  const named = new Set<string>();
  for (let passed = 0; passed < 24; passed += 1) {
    await pass(readers, hour);
    for (const { names, since: began } of await pollingProblems({ store }, "customer")) {
      for (const name of names) named.add(name);
      expect(began).toBeGreaterThanOrEqual(since);
    }
  }
  expect([...named].toSorted()).toEqual(["machines", "orders", "services"]);
});

test("lists that were never read are named after an hour", async () => {
  const { reader, pass, store, others } = await turns();
  others.leave = 0.1;
  const readers = [reader("first", 5 * minute), reader("second", 5 * minute)];
  for (const names of [[], [], [], ["first", "second"]]) {
    expect((await pollingProblems({ store }, "customer")).flatMap((one) => one.names)).toEqual(names);
    await pass(readers, 40 * minute);
  }
});
