import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { describe } from "vitest";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { ownFolder } from "../own-folder.ts";
import { type Hands, hands, type Tool, verifiesRecords } from "./verifying.ts";

const log = pino({ level: "silent" });

function inFile(): Hands {
  const path = join(ownFolder(), "rackbell.db");
  const clock = createSandboxClock();

  function hand<T>(work: (db: DatabaseSync) => T): T {
    const db = new DatabaseSync(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }
  const tool: Tool = {
    text: (key) => hand((db) => String(db.prepare("SELECT text FROM text WHERE key = ?").get(key)?.text)),
    put(key, text) {
      hand((db) => {
        if (text === null) return db.prepare("DELETE FROM text WHERE key = ?").run(key);
        const upsert =
          "INSERT INTO text (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text";
        return db.prepare(upsert).run(key, text);
      });
    },
    member: (index, score) =>
      hand((db) => {
        const which = score === "last" ? "ORDER BY score DESC" : `AND score = ${score}`;
        const row = db.prepare(`SELECT member, score FROM appended WHERE name = ? ${which} LIMIT 1`).get(index);
        return { member: String(row?.member), score: Number(row?.score) };
      }),
    score(index, member, score) {
      hand((db) => {
        if (score === null) return db.prepare("DELETE FROM appended WHERE name = ? AND member = ?").run(index, member);
        return db.prepare("INSERT INTO appended (name, score, member) VALUES (?, ?, ?)").run(index, score, member);
      });
    },
    count: (counter, number) =>
      hand((db) => db.prepare("UPDATE counter SET number = ? WHERE name = ?").run(number, counter)),
  };
  return hands(tool, { clock, open: () => openStore({ url: `sqlite:${path}`, clock, log }) });
}

describe("a record in the SQLite file", () => verifiesRecords(inFile));
