import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrate } from "../../../src/storage/embedded/worker/schema.ts";

test("each step is taken once and whole, and an older app refuses what a newer one wrote", () => {
  const db = new DatabaseSync(":memory:");
  const first = "CREATE TABLE a (x)";
  migrate(db, [first]);
  db.exec("INSERT INTO a VALUES (1)");
  migrate(db, [first, "ALTER TABLE a ADD COLUMN y DEFAULT 2"]);
  migrate(db, [first, "ALTER TABLE a ADD COLUMN y DEFAULT 2"]);
  expect(db.prepare("SELECT x, y FROM a").all()).toMatchObject([{ x: 1, y: 2 }]);
  expect(() => migrate(db, [first])).toThrow(/newer version/);
  db.close();
});
