import { createClient } from "@redis/client";
import { systemClock } from "../../clock.ts";
import { createLog } from "../../log.ts";
import { openStore } from "../../storage/open.ts";
import type { Store } from "../../storage/store.ts";
import { plainRow, type Row } from "./report.ts";

const count = 5_000;
const atOnce = 100;
const year = 365 * 24 * 3_600_000;

/** What is kept of each thing that there are many of, in the sizes that the app writes. */
const units: [what: string, keep: (store: Store, number: number) => Promise<unknown>][] = [
  [
    "a linked member",
    (store, number) =>
      store.values("identities").set(`T0BENCH:U${number}`, { sealed: "x".repeat(250), about: "y".repeat(450) }),
  ],
  [
    "an open request or a follow-up, with its wake-up and audit entry",
    (store, number) =>
      store.commit({
        record: { namespace: "requests", key: `r${number}`, expected: undefined, value: { about: "z".repeat(2_500) } },
        append: [
          {
            log: "audit",
            retentionMs: year,
            at: systemClock.now(),
            subjects: subjectsOf(number),
            data: { about: "a".repeat(350) },
          },
        ],
        index: [{ name: "requests-open", member: `r${number}`, score: number }],
        wake: [{ id: `request:r${number}`, at: systemClock.now() + year }],
      }),
  ],
  [
    "an entry of the audit",
    (store, number) =>
      store
        .log("audit", { retentionMs: year })
        .append({ at: systemClock.now(), subjects: subjectsOf(number), data: { about: "a".repeat(350) } }),
  ],
  [
    "an event that was delivered, with its two uniques",
    (store, number) =>
      store
        .log("events", { retentionMs: year })
        .append({ at: systemClock.now(), subjects: [`order:${number}`], data: { body: "b".repeat(900) } }, [
          `delivery:${number}`,
          `digest:${number}`,
        ]),
  ],
];

function subjectsOf(number: number): string[] {
  return [
    `member:T0BENCH:U${number % 100}`,
    `about:${number % 1_000}`,
    `about:web-${number % 1_000}`,
    `request:r${number}`,
  ];
}

/** Bytes of Redis's memory, and steps a second over one connection, for each. */
export async function unitsOnRedis(url: string): Promise<Row[]> {
  const store = await openStore({ url, prefix: "units", clock: systemClock, log: createLog({ level: "silent" }) });
  const client = await createClient({ url }).connect();
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
  const rows: Row[] = [];
  for (const [what, keep] of units) {
    const before = await used();
    const began = performance.now();
    for (let number = 0; number < count; number += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, at) => keep(store, number + at)));
    const perSecond = Math.round((count * 1_000) / (performance.now() - began));
    const bytes = ((await used()) - before) / count;
    rows.push(plainRow(what, bytes, null, (figure) => `${Math.round(figure)} bytes, ${perSecond} kept a second`));
  }
  await client.close();
  await store.close();
  return rows;
}
