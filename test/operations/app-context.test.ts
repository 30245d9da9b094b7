import { expect, test } from "vitest";
import { type Note, runNoted } from "../../src/operations/app-context.ts";
import { StorageError } from "../../src/storage/errors.ts";

const away = "They are away.";
const silent = new StorageError("Redis does not answer.");
const write: Note = async () => {};
const refuse: Note = async () => {
  throw silent;
};
const warn = () => {};

test("a change whose audit entry the store refuses is shown as done, with a warning that the entry may be missing", async () => {
  const warned: unknown[] = [];
  const run = async (note: Note) => {
    await note("away set", away);
    return { text: "You are away." };
  };
  const answer = await runNoted(run, { write: refuse, warn: (error) => warned.push(error) });
  expect(answer.text).toMatch(/^You are away\. :warning: .*its audit entry may be missing\.$/);
  expect(JSON.stringify(answer.blocks)).toContain("its audit entry may be missing");
  expect(warned).toEqual([silent]);
  expect(await runNoted(run, { write, warn })).toEqual({ text: "You are away." });
});

test("a change is shown as done if the store fails while the answer is made", async () => {
  const answer = await runNoted(
    async (note) => {
      await note("away set", away);
      throw silent;
    },
    { write, warn },
  );
  expect(answer.text).toMatch(
    /^:white_check_mark: This was done: They are away\. .*the rest of the answer is missing\.$/,
  );
});

test("a store that fails before the change, and any other error, is the error of the command", async () => {
  const failing = async () => {
    throw silent;
  };
  await expect(runNoted(failing, { write, warn })).rejects.toBe(silent);
  const broken = new TypeError("x is undefined");
  const breaks = async (note: Note) => {
    await note("away set", away);
    throw broken;
  };
  await expect(runNoted(breaks, { write, warn })).rejects.toBe(broken);
});
