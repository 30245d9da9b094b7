import { expect, test } from "vitest";
import { SlackRefused } from "../../../src/messages/chat/errors.ts";
import { createHomeNotes } from "../../../src/messages/home-notes.ts";
import { createHomeDraws } from "../../../src/slack/home/home-draws.ts";

const [done, paid, linked] = ["Done.", "Paid.", "Linked."].map((text) => ({ text, blocks: [] }));
if (!done || !paid || !linked) throw new Error("a message is missing");

test("an older Home that was slow does not replace a newer one, which shows the messages of both", async () => {
  const draws = createHomeDraws();
  const published: string[] = [];
  const older = draws.begin("T:U", [done]);
  const other = draws.begin("T:V", []);
  const newer = draws.begin("T:U", [paid]);
  await newer.publish(async () => void published.push("newer"));
  await older.publish(async () => void published.push("older"));
  await other.publish(async () => void published.push("other"));
  expect(published).toEqual(["newer", "other"]);
  expect(newer.notes).toEqual([done, paid]);
  expect(older.isOvertaken()).toBe(true);
});

test("a message on Home is shown once, and again only if Slack did not take it", async () => {
  const draws = createHomeDraws();
  await draws.begin("T:U", [done]).publish(async () => {});
  const failed = draws.begin("T:U", [paid]);
  await expect(failed.publish(() => Promise.reject(new Error("Slack is silent")))).rejects.toThrow("silent");
  const next = draws.begin("T:U", [paid, linked]);
  expect(next.notes).toEqual([paid, linked]);
});

test("a message on Home that Slack refuses is not shown again: it would keep each later Home from being shown", async () => {
  const draws = createHomeDraws();
  const refused = draws.begin("T:U", [done]);
  const refusal = new SlackRefused("views.publish", "invalid_blocks");
  await expect(refused.publish(() => Promise.reject(refusal))).rejects.toThrow("invalid_blocks");
  expect(draws.begin("T:U", [paid]).notes).toEqual([paid]);
});

test("a Home that a thousand others pushed out of memory is still shown", async () => {
  const draws = createHomeDraws();
  const first = draws.begin("T:0", []);
  for (let at = 1; at <= 2_000; at += 1) draws.begin(`T:${at}`, []);
  let isShown = false;
  await first.publish(async () => {
    isShown = true;
  });
  expect(isShown).toBe(true);
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
