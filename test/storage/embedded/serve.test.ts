import { join } from "node:path";
import { constants, type DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromFailure } from "../../../src/storage/embedded/protocol.ts";
import { openFile } from "../../../src/storage/embedded/worker/file.ts";
import { createService, type FileRequest, type FileService } from "../../../src/storage/embedded/worker/serve.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { ownFolder } from "../../own-folder.ts";

let db: DatabaseSync;
let service: FileService;

beforeEach(() => {
  db = openFile(join(ownFolder(), "store.db"));
  service = createService(db);
});
afterEach(() => db.close());

function setting(...values: [key: string, value: string][]): FileRequest["writes"] {
  return values.map(([key, value]) => ["setValue", ["test", key, value, null]]);
}

function getting(...keys: string[]): FileRequest["reads"] {
  return keys.map((key) => ["getValue", ["test", key, 0]]);
}

test("the writes of a batch share one transaction, and each gets its own answer", () => {
  let begun = 0;
  db.setAuthorizer((action, operation) => {
    if (action === constants.SQLITE_TRANSACTION && operation === "BEGIN") begun += 1;
    return constants.SQLITE_OK;
  });
  const taking: FileRequest["writes"] = [
    ["deleteValue", ["test", "a"]],
    ["deleteValue", ["test", "a"]],
  ];
  expect(service.write([...setting(["a", "1"], ["b", "2"]), ...taking])).toEqual({
    of: "writes",
    results: [undefined, undefined, true, false],
    failures: [],
  });
  expect(begun).toBe(1);
  expect(service.read(getting("a", "b")).results).toEqual([null, { text: "2", expiresAt: null }]);
});

test("an error crosses to the other thread with its name, its sentence and its cause, and fails its own caller alone", () => {
  const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const reply = service.write(setting(["small", "1"], ["big", "x".repeat(1_000_000)], ["smaller", "2"]));
  const { failures } = structuredClone(reply);
  expect(failures).toHaveLength(1);
  const [[at, failure] = [-1, undefined]] = failures;
  expect(at).toBe(1);
  const error = failure && fromFailure(failure);
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({
    name: "StorageError",
    message: expect.stringMatching(/disk is full.*Nothing was changed/),
  });
  const full = 13;
  expect(error?.cause).toMatchObject({
    code: "ERR_SQLITE_ERROR",
    errcode: full,
    message: expect.stringMatching(/full/),
  });
  expect(error?.cause).toBeInstanceOf(Error);
  const values = [{ text: "1", expiresAt: null }, null, { text: "2", expiresAt: null }];
  expect(service.read(getting("small", "big", "smaller")).results).toEqual(values);
});

test("a read that fails fails alone, in words", () => {
  db.exec("DROP TABLE index_member");
  const { results, failures } = service.read([
    ["sizeOfIndex", ["open"]],
    ["getValue", ["test", "a", 0]],
  ]);
  expect(results).toEqual([undefined, null]);
  expect(failures).toMatchObject([[0, { message: expect.stringMatching(/could not do what it was asked/) }]]);
});
