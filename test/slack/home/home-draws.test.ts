import { expect, test } from "vitest";
import { SlackRefused } from "../../../src/messages/chat/errors.ts";
import { createHomeNotes } from "../../../src/messages/home-notes.ts";
import { beginHomeDraw, type HomeDraw } from "../../../src/slack/home/home-draws.ts";
import type { Message } from "../../../src/views/blocks.ts";
import { openMemory } from "../../storage/memory.ts";

const [done, paid, linked] = ["Done.", "Paid.", "Linked."].map((text) => ({ text, blocks: [] }));
if (!done || !paid || !linked) throw new Error("a message is missing");

type Begin = (member: string, notes: Message[], since?: number) => Promise<HomeDraw>;

async function openDraws(): Promise<{ begin: Begin; lose(): Promise<void> }> {
  const { store, log } = await openMemory();
  return {
    begin: (member, notes, since = 0) => beginHomeDraw({ store, log }, member, { notes, since }),
    lose: () => store.close(),
  };
}

test("an older Home that was slow does not replace a newer one, which shows the messages of both", async () => {
  const { begin } = await openDraws();
  const published: string[] = [];
  const older = await begin("T:U", [done]);
  const other = await begin("T:V", []);
  const newer = await begin("T:U", [paid]);
  await newer.publish(async () => void published.push("newer"));
  await older.publish(async () => void published.push("older"));
  await other.publish(async () => void published.push("other"));
  expect(published).toEqual(["newer", "other"]);
  expect(newer.notes).toEqual([done, paid]);
  expect(await older.isOvertaken()).toBe(true);
});

test("a newer Home reads again all that the one before it was to read again", async () => {
  const { begin } = await openDraws();
  await begin("T:U", [], 5_000);
  expect((await begin("T:U", [], 1_000)).since).toBe(5_000);
  expect((await begin("T:U", [], 9_000)).since).toBe(9_000);
  expect((await begin("T:V", [], 1_000)).since).toBe(1_000);
});

test("of many Homes of one member that begin at once, one is the newest, and it shows the messages of those before it", async () => {
  const { begin } = await openDraws();
  const all = await Promise.all([begin("T:U", [done]), begin("T:U", [paid]), begin("T:U", [paid])]);
  const overtaken = await Promise.all(all.map((draw) => draw.isOvertaken()));
  const [newest, ...others] = all.filter((_, at) => !overtaken[at]);
  expect(others).toEqual([]);
  expect(newest?.notes.map(({ text }) => text).toSorted()).toEqual(["Done.", "Paid."]);
});

test("a message on Home is shown once, and again only if Slack did not take it", async () => {
  const { begin } = await openDraws();
  await (await begin("T:U", [done])).publish(async () => {});
  const failed = await begin("T:U", [paid]);
  await expect(failed.publish(() => Promise.reject(new Error("Slack is silent")))).rejects.toThrow("silent");
  const next = await begin("T:U", [paid, linked]);
  expect(next.notes).toEqual([paid, linked]);
});

test("a message on Home that Slack refuses is not shown again: it would keep each later Home from being shown", async () => {
  const { begin } = await openDraws();
  const refused = await begin("T:U", [done]);
  const refusal = new SlackRefused("views.publish", "invalid_blocks");
  await expect(refused.publish(() => Promise.reject(refusal))).rejects.toThrow("invalid_blocks");
  expect((await begin("T:U", [paid])).notes).toEqual([paid]);
});

test("a Home is shown with its messages where the store is lost before it, or while it is drawn", async () => {
  const { begin, lose } = await openDraws();
  const shown: (readonly Message[])[] = [];
  const before = await begin("T:U", [done]);
  await lose();
  await before.publish(async () => void shown.push(before.notes));
  const after = await begin("T:U", [paid]);
  await after.publish(async () => void shown.push(after.notes));
  expect(shown).toEqual([[done], [paid]]);
});

test("of two presses on Home at once, each message is shown there, whichever press ends first", async () => {
  const notes = createHomeNotes();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const firstNotes = notes.during("T:U", () => first.promise);
  const secondNotes = notes.during("T:U", () => second.promise);
  expect(notes.leave("T:U", done)).toBe(true);
  first.resolve();
  expect(await firstNotes).toEqual([done]);
  expect(notes.leave("T:U", paid)).toBe(true);
  expect(notes.leave("T:V", paid)).toBe(false);
  second.resolve();
  expect(await secondNotes).toEqual([done, paid]);
  expect(notes.leave("T:U", linked)).toBe(false);
});
