import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { copyStore, openPortable } from "../../../src/storage/copy.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { Place, Scene } from "../contract.ts";
import { place, raw } from "../raw.ts";
import { fenceOf } from "./locks.ts";
import { patience } from "./notebook.ts";

const hour = 3_600_000;
const log = pino({ level: "silent" });

export function copyingContract(scene: () => Scene): void {
  const portable = ({ url, prefix }: Pick<Place, "url" | "prefix">) => openPortable({ url, prefix, log, to: "fill" });

  test("a copy holds everything that is kept: records, members, entries under their ids, uniques, timers", async () => {
    const { place, another, now } = scene();
    const store = await scene().open();
    await fill(store, now());
    await fenceOf(store.locks.lock("thing", "me", hour));
    await store.close();
    const copy = await another();
    const [from, to] = [await portable(place), await portable(copy)];
    const { counts } = await copyStore(from, to, now());
    await expect(copyStore(from, to, now())).rejects.toThrow("is not empty");
    await Promise.all([from.close(), to.close()]);
    expect(counts).toEqual({ text: 7, member: 8, counter: 1 });
    const copied = await copy.open(log);
    const events = copied.log("events", { retentionMs: hour });
    expect(await copied.keyv(raw("a:b%")).get("k:e y*")).toEqual({ text: "ü 😀 \u0000" });
    expect(await copied.keyv(raw("ends")).get("ends")).toBe(1);
    expect((await copied.index("open: 1").range()).entries).toEqual([
      { member: "one", score: -2.5 },
      { member: "", score: 1e21 },
    ]);
    expect((await events.read({ after: "" })).map(({ id, data }) => [Number(id), data])).toEqual([
      [2, "second"],
      [3, "third"],
    ]);
    expect(await events.read({ subjects: ["every"] })).toHaveLength(2);
    expect(await events.append({ at: now(), subjects: [], data: "again" }, ["first"])).toBeNull();
    expect(Number(await events.append({ at: now(), subjects: [], data: "fourth" }))).toBe(4);
    await fenceOf(copied.locks.lock("thing", "other", hour));
    const ran: string[] = [];
    copied.timers.handle("note:", async (id) => void ran.push(id));
    await copied.timers.start();
    await vi.waitFor(() => expect(ran).toEqual(["note:due"]), patience);
    await copied.close();
    await copy.remove();
  });
}

/** Something of everything, with names that a backend could stumble over. The first entry is cut off again. */
async function fill(store: Store, now: number): Promise<void> {
  await store.keyv(raw("a:b%")).set("k:e y*", { text: "ü 😀 \u0000" });
  await store.keyv(raw("ends")).set("ends", 1, hour);
  await place(store, "open: 1", "one", -2.5);
  await place(store, "open: 1", "", 1e21);
  const events = store.log("events", { retentionMs: hour });
  for (const data of ["first", "second", "third"]) await events.append({ at: now, subjects: ["every"], data }, [data]);
  await events.cut("1");
  await store.timers.set("note:later", now + hour);
  await store.timers.set("note:due", now);
}
