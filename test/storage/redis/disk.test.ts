import { ClientOfflineError, ErrorReply } from "@redis/client";
import { expect, test } from "vitest";
import { createDisk, type ServerSettings } from "../../../src/storage/redis/connect.ts";
import type { RedisConnection } from "../../../src/storage/redis/connection.ts";
import { explain } from "../../../src/storage/redis/failures.ts";

const kept: ServerSettings = {
  cluster: false,
  appendOnly: true,
  appendfsync: "everysec",
  eviction: "noeviction",
  hasWait: true,
};

/** A disk of a Redis that fails as given when it is asked to wait, with the settings that a second reading finds. */
function diskOf(error: Error, changed: ServerSettings = kept) {
  let settings = kept;
  async function fail(): Promise<never> {
    throw explain(error, "redis:6379", true);
  }
  const nothing = async (): Promise<void> => {};
  const connection: RedisConnection = {
    read: fail,
    write: fail,
    verify: nothing,
    upForMs: () => 0,
    close: nothing,
    destroy: () => {},
  };
  const disk = createDisk(
    () => settings,
    async () => {
      settings = changed;
    },
  );
  return { disk, settle: () => disk.settle(connection) };
}

test.each([
  ["is offline by then", new ClientOfflineError()],
  ["ends the connection", new Error("Socket closed unexpectedly")],
  ["refuses to wait", new ErrorReply("ERR WAITAOF cannot be used with replica instances.")],
])("a write is not said to be undone when Redis, after it was answered, %s", async (_, error) => {
  const failure: unknown = await diskOf(error)
    .settle()
    .catch((thrown: unknown) => thrown);
  expect(String(failure)).toMatch(/It is not known whether this was kept/);
  expect(String(failure)).not.toMatch(/Nothing was changed/);
});

test("a Redis whose append-only file was switched off stalls no write, and is reported", async () => {
  const refusal = new ErrorReply("ERR WAITAOF cannot be used when appendonly is disabled.");
  const { disk, settle } = diskOf(refusal, { ...kept, appendOnly: false });
  expect(disk.weaknesses()).toEqual([]);
  await settle();
  expect(disk.weaknesses()).toEqual([expect.stringMatching(/writes no append-only file/)]);
});
