import { expect, test } from "vitest";
import {
  checkpointNote,
  digestOfCheckpoint,
  makeCheckpoint,
  type NotedCheckpoint,
  readNote,
} from "../../src/audit/checkpoint.ts";
import { digestOfEntry, digestOfText } from "../../src/audit/proof.ts";
import type { Clock } from "../../src/process/clock.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Store } from "../../src/storage/store.ts";
import { raw } from "../storage/raw.ts";
import { aKey, newKey, type RecordAt, recordAt } from "./record.ts";

/** A store that can be closed, changed by hand, and opened again. */
export interface Hands {
  clock: Clock;
  open(): Promise<Store>;
  /** Changes the stored parts of an entry: its data as a text, and its time. */
  change(place: number, data: (text: string) => string, log?: string): Promise<void>;
  remove(log: string, place: number): Promise<void>;
  swap(one: number, other: number): Promise<void>;
  /** Appends what an entry holds once more, or what somebody made up. */
  append(log: string, data: string): Promise<void>;
  data(log: string, place: number): Promise<string>;
  setHead(text: string | null): Promise<void>;
  head(): Promise<string>;
}

/** A database tool: it changes the text under a key, and a member of an index. */
export interface Tool {
  text(key: string): string;
  put(key: string, text: string | null): void;
  /** The member with this score, or with the highest one. */
  member(index: string, score: number | "last"): { member: string; score: number };
  score(index: string, member: string, score: number | null): void;
  /** The counter has given this number. */
  count(counter: string, number: number): void;
}

const logIndex = (name: string) => `~log ${name}`;
const entryKey = (member: string) => `value:~entry:${member}`;
const headKey = "value:audit-head:newest";

/** The changes by hand of somebody with that tool. */
export function hands({ text, put, member, score, count }: Tool, of: Pick<Hands, "clock" | "open">): Hands {
  const stored = (name: string, place: number | "last") => {
    const found = member(logIndex(name), place);
    const entry: { data: unknown } = JSON.parse(text(entryKey(found.member)));
    return { ...found, entry };
  };
  return {
    ...of,
    async change(place, data, name = "audit") {
      const found = stored(name, place);
      const changed = { ...found.entry, data: JSON.parse(data(JSON.stringify(found.entry.data))) };
      put(entryKey(found.member), JSON.stringify(changed));
    },
    async remove(name, place) {
      const found = stored(name, place);
      put(entryKey(found.member), null);
      score(logIndex(name), found.member, null);
    },
    async swap(one, other) {
      const [a, b] = [stored("audit", one), stored("audit", other)];
      for (const { member: each } of [a, b]) score(logIndex("audit"), each, null);
      score(logIndex("audit"), a.member, other);
      score(logIndex("audit"), b.member, one);
    },
    async append(name, data) {
      const last = stored(name, "last");
      put(entryKey("by hand"), JSON.stringify({ ...last.entry, data: JSON.parse(data) }));
      score(logIndex(name), "by hand", last.score + 1);
      count(`log ${name}`, last.score + 1);
    },
    data: async (name, place) => JSON.stringify(stored(name, place).entry.data),
    setHead: async (head) => put(headKey, head),
    head: async () => text(headKey),
  };
}

/** The tests of a record in a store that can be changed by hand. */
export function verifiesRecords(at: () => Hands): void {
  /** Entries 1 to 3 under the first checkpoint, 4 and 5 under the second, 6 under none; then the forgery. */
  async function written(): Promise<Hands> {
    const hands = at();
    await withRecord(hands, async ({ note, checkpoints }) => {
      for (const what of ["asked", "approved", "done"] as const) await note(what);
      await checkpoints.take();
      for (const what of ["denied", "expired"] as const) await note(what);
      await checkpoints.take();
      await note("withdrawn");
    });
    return hands;
  }

  async function withRecord<T>(hands: Hands, work: (record: RecordAt) => Promise<T>, keys?: Keys): Promise<T> {
    const store = await hands.open();
    try {
      return await work(recordAt(store, hands.clock, keys));
    } finally {
      await store.close();
    }
  }

  const verdictOn = (hands: Hands, note: NotedCheckpoint | undefined) =>
    withRecord(hands, ({ verify }) => verify(note ?? null));

  async function checkpointOf(hands: Hands): Promise<NotedCheckpoint> {
    const found = await verdict(hands);
    if (found.is !== "whole") throw new Error("The record is not whole");
    const note = readNote(checkpointNote(found.newest));
    if (!note) throw new Error("What is noted cannot be read");
    return note;
  }

  const verdict = (hands: Hands, keys?: Keys) => withRecord(hands, ({ verify }) => verify(null), keys);

  test("is whole as it was written, and the last minute is told apart", async () => {
    expect(await verdict(await written())).toMatchObject({ is: "whole", fixed: 5, loose: 1 });
  });

  test("tells which entry was removed, also one that a checkpoint, or the log, ends with", async () => {
    for (const places of [[1], [2], [5], [5, 6]]) {
      const hands = await written();
      for (const place of places) await hands.remove("audit", place);
      expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "removed", place: String(places[0]) } });
    }
  });

  test("tells which entry was changed: what it says, and when that was sealed or not yet", async () => {
    for (const place of [2, 6]) {
      const hands = await written();
      await hands.change(place, (text) => text.replace("U1", "U2"));
      expect(await verdict(hands)).toMatchObject({
        is: "broken",
        fault: { is: "changed", place: String(place), entry: { content: { member: "T1:U2" } } },
      });
      // Sealing over it changes nothing of that.
      await withRecord(hands, ({ checkpoints }) => checkpoints.take());
      expect(await verdict(hands)).toMatchObject({ fault: { is: "changed", place: String(place) } });
    }
  });

  test("tells of two that were swapped, of which each by itself is right", async () => {
    const hands = await written();
    await hands.swap(2, 4);
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "changed", place: "2" } });
  });

  test("tells of an entry that was made up, before and after it was sealed over", async () => {
    const hands = await written();
    const made = (await hands.data("audit", 6)).replace(/,"proof":.*\}$/, "}").replace("withdrawn", "approved");
    await hands.append("audit", made);
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "added", place: "7" } });
    await withRecord(hands, ({ checkpoints }) => checkpoints.take());
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "added", place: "7" } });
  });

  test("tells of an entry that says it was signed with a key of long ago", async () => {
    const hands = await written();
    await hands.append("audit", (await hands.data("audit", 6)).replace(/"key":"\w+"/, '"key":"00000000"'));
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "added", place: "7" } });
    await withRecord(hands, ({ checkpoints }) => checkpoints.take());
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "added", place: "7" } });
  });

  test("tells of a copy of an entry that is right by itself", async () => {
    const hands = await written();
    await hands.append("audit", await hands.data("audit", 6));
    expect(await verdict(hands)).toMatchObject({ is: "broken", fault: { is: "copied", place: "7" } });
  });

  test("tells of a checkpoint that was removed, changed or made up, and of an end that was taken away", async () => {
    const first = await written();
    await first.remove("audit-checkpoints", 1);
    expect(await verdict(first)).toMatchObject({ fault: { is: "no checkpoint", number: 1 } });

    const last = await written();
    await last.remove("audit-checkpoints", 2);
    for (const place of [4, 5, 6]) await last.remove("audit", place);
    expect(await verdict(last)).toMatchObject({ fault: { is: "no checkpoint", number: 2 } });

    const twice = await written();
    await twice.append("audit-checkpoints", await twice.data("audit-checkpoints", 2));
    expect(await verdict(twice)).toMatchObject({ fault: { is: "no checkpoint", number: 3 } });

    const headless = await written();
    await headless.setHead(null);
    expect(await verdict(headless)).toMatchObject({ fault: { is: "no head" } });
    // Sealing goes on from nothing, and that does not heal it.
    await withRecord(headless, ({ checkpoints }) => checkpoints.take());
    expect(await verdict(headless)).toMatchObject({ is: "broken" });
  });

  test("tells of a checkpoint that was changed, before it holds any entry to it", async () => {
    const hands = await written();
    await hands.change(1, (text) => text.replace('"1.', '"1.x'), "audit-checkpoints");
    expect(await verdict(hands)).toMatchObject({ fault: { is: "wrong checkpoint", number: 1 } });
  });

  test("tells of an entry and its checkpoint that were made to fit each other, though their key is long gone", async () => {
    const hands = await written();
    const exchanging = { key: newKey, previous: aKey };
    await withRecord(hands, ({ checkpoints }) => checkpoints.take(), exchanging);
    await hands.change(1, (text) => text.replaceAll("U1", "U2"));
    const digests = await withRecord(hands, async ({ store }) => {
      const entries = await store.log("audit", { retentionMs: 1 }).read({ after: "", limit: 3 });
      return entries.map(digestOfEntry);
    });
    const marks = digests.map((digest, index) => `${index + 1}.${digest.slice(0, 8)}`);
    const made = { marks, digest: digestOfText(digests.join()) };
    await hands.change(1, (text) => JSON.stringify({ ...JSON.parse(text), ...made }), "audit-checkpoints");
    expect(await verdict(hands, { key: newKey })).toMatchObject({ fault: { is: "wrong checkpoint", number: 1 } });
  });

  test("holds the entries to the whole digest, too, of which the marks are only the beginning", async () => {
    const hands = at();
    await withRecord(hands, async ({ note, store, verify }) => {
      await note("asked");
      const signer = createSigner({ key: aKey }, "audit record");
      const entries = await store.log("audit", { retentionMs: 1 }).read();
      const about = { number: 1, at: 0, after: "", strange: [], start: 0, previous: null, severed: false };
      const made = { ...makeCheckpoint(signer, entries, about), digest: "x".repeat(43) };
      const data = { ...made, signatures: signer.signWithAll(digestOfCheckpoint(made)) };
      await store.log("audit-checkpoints", { retentionMs: 1e9 }).append({ at: hands.clock.now(), subjects: [], data });
      await store.keyv(raw("audit-head")).set("newest", data);
      expect(await verify(null)).toMatchObject({ fault: { is: "wrong checkpoint", number: 1 } });
    });
  });

  test("tells of an end that was moved on, so that what lies between would never be sealed", async () => {
    const hands = await written();
    const head = JSON.parse(await hands.head());
    await hands.remove("audit", 6);
    await hands.setHead(JSON.stringify({ ...head, through: "0000000000000006", start: 1 }));
    await withRecord(hands, async ({ note, checkpoints }) => {
      await note("asked");
      await checkpoints.take();
    });
    expect(await verdict(hands)).toMatchObject({ is: "broken" });
  });

  test("tells of a beginning that was taken away as if it were too old", async () => {
    const hands = await written();
    const head = JSON.parse(await hands.head());
    await hands.setHead(JSON.stringify({ ...head, start: 1 }));
    for (const place of [1, 2, 3]) await hands.remove("audit", place);
    expect(await verdict(hands)).toMatchObject({ is: "broken" });
    await withRecord(hands, async ({ note, checkpoints }) => {
      await note("asked");
      await checkpoints.take();
    });
    expect(await verdict(hands)).toMatchObject({ is: "broken" });
  });

  test("does not heal when the head is made up: what is sealed after it says so for good", async () => {
    const hands = await written();
    const head = JSON.parse(await hands.head());
    await hands.setHead(JSON.stringify({ ...head, at: head.at + 1 }));
    const lines = await withRecord(hands, async ({ note, checkpoints, lines: said }) => {
      await note("asked");
      await checkpoints.take();
      return said;
    });
    expect(lines.join()).toContain("did not write the newest checkpoint");
    expect(await verdict(hands)).toMatchObject({ is: "broken" });
  });

  test("has no entry without a proof, from the first one on", async () => {
    const hands = at();
    await withRecord(hands, async ({ note, checkpoints, store }) => {
      const log = store.log("audit", { retentionMs: 365 * 24 * 3_600_000 });
      await log.append({ at: hands.clock.now(), subjects: [], data: { what: "approved" } });
      await note("asked");
      await checkpoints.take();
    });
    expect(await verdict(hands)).toMatchObject({ fault: { is: "added", place: "1" } });
  });

  test("is held to a checkpoint that somebody noted: that shows a store that was put back whole", async () => {
    const hands = await written();
    const [old, ...notes] = [await hands.head(), await checkpointOf(hands)];
    expect(await verdictOn(hands, notes[0])).toMatchObject({ is: "whole", compared: true });
    await withRecord(hands, ({ checkpoints }) => checkpoints.take());
    const later = await checkpointOf(hands);
    await hands.remove("audit-checkpoints", 3);
    await hands.remove("audit", 6);
    await hands.setHead(old);
    expect(await verdict(hands)).toMatchObject({ is: "whole", fixed: 5, loose: 0 });
    expect(await verdictOn(hands, later)).toMatchObject({ fault: { is: "not the posted one", number: 3 } });
    expect(await verdictOn(hands, { number: 2, digest: "x".repeat(22) })).toMatchObject({
      fault: { is: "not the posted one", number: 2 },
    });
  });

  test("two instances write and seal one record, and of two who seal at once one does", async () => {
    const hands = at();
    const store = await hands.open();
    const [one, other] = [recordAt(store, hands.clock), recordAt(store, hands.clock)];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([one.note("asked"), other.note("approved"), one.note("done")]);
      await Promise.all([one.checkpoints.take(), other.checkpoints.take(), other.note("asked")]);
    }
    expect(await one.verify(null)).toMatchObject({ is: "whole" });
    await one.checkpoints.take();
    expect(await other.verify(null)).toMatchObject({ is: "whole", fixed: 20, loose: 0 });
    await store.close();
  });

  test("stays provable when the encryption key is exchanged, and after the former one is gone", async () => {
    const hands = await written();
    const exchanging = { key: newKey, previous: aKey };
    await withRecord(hands, ({ checkpoints }) => checkpoints.take(), exchanging);
    await withRecord(hands, ({ note }) => note("asked"), exchanging);
    // An instance that was not restarted yet can check it, too.
    expect(await verdict(hands, exchanging)).toMatchObject({ is: "whole", fixed: 6, loose: 1 });
    await withRecord(hands, ({ checkpoints }) => checkpoints.take(), exchanging);
    expect(await verdict(hands)).toMatchObject({ is: "whole", fixed: 7 });
    expect(await verdict(hands, { key: newKey })).toMatchObject({ is: "whole", fixed: 7 });
    await hands.change(1, (text) => text.replace("U1", "U2"));
    expect(await verdict(hands, { key: newKey })).toMatchObject({ fault: { is: "changed", place: "1" } });
  });

  test("says that what came before cannot be told where the former key was gone before the new one sealed", async () => {
    const hands = await written();
    await withRecord(hands, ({ checkpoints }) => checkpoints.take(), { key: newKey });
    expect(await verdict(hands, { key: newKey })).toMatchObject({ fault: { is: "severed", number: 3 } });
  });

  test("is signed with the new key as soon as that is there, also when nothing new was written", async () => {
    const hands = await written();
    await withRecord(hands, ({ checkpoints }) => checkpoints.take());
    await withRecord(hands, ({ checkpoints }) => checkpoints.take(), { key: newKey, previous: aKey });
    expect(await verdict(hands, { key: newKey })).toMatchObject({ is: "whole", fixed: 6, newest: { number: 4 } });
  });
}

type Keys = { key: Buffer; previous?: Buffer };
