import type { DatabaseSync } from "node:sqlite";
import type { Item } from "../engine.ts";

/** Every text, member and counter of the file that has not expired. */
export function* storedItems(db: DatabaseSync, now: number): Generator<Item> {
  for (const row of db
    .prepare("SELECT key, text, ends FROM text WHERE key <> 'value:~ready' AND (ends IS NULL OR ends > ?)")
    .iterate(now))
    yield {
      kind: "text",
      key: String(row.key),
      text: String(row.text),
      endsAt: row.ends === null ? null : Number(row.ends),
    };
  for (const row of db
    .prepare("SELECT name, member, score FROM member UNION ALL SELECT name, member, score FROM appended")
    .iterate())
    yield { kind: "member", index: String(row.name), member: String(row.member), score: Number(row.score) };
  for (const row of db.prepare("SELECT name, number FROM counter").iterate())
    yield { kind: "counter", counter: String(row.name), number: Number(row.number) };
}

/** Puts the items into an empty file, in one transaction. */
export async function putItems(db: DatabaseSync, items: AsyncIterable<Item>): Promise<void> {
  const text = db.prepare("INSERT INTO text (key, text, ends) VALUES (?, ?, ?)");
  const member = db.prepare("INSERT INTO member (name, member, score) VALUES (?, ?, ?)");
  const appended = db.prepare("INSERT INTO appended (name, member, score) VALUES (?, ?, ?)");
  const counter = db.prepare("INSERT INTO counter (name, number) VALUES (?, ?)");
  db.exec("BEGIN");
  for await (const item of items) {
    if (item.kind === "text") text.run(item.key, item.text, item.endsAt);
    else if (item.kind === "member")
      (/^~(log|of) /.test(item.index) ? appended : member).run(item.index, item.member, item.score);
    else counter.run(item.counter, item.number);
  }
  db.exec("COMMIT");
}
