import type { Socket } from "node:net";
import { apply, beat, namedIndexes, rangeAfter, takeTurnScript } from "../../../src/storage/redis/scripts.ts";
import type { Dump } from "./keyspace.ts";
import { printNumber } from "./lua.ts";
import type { RedisModel } from "./model.ts";
import { createReplyReader, encodeRequest, isError, type Reply } from "./resp.ts";

/** A real Redis beside the model: both carry out each command, and must answer alike. */
export interface Lockstep {
  execute(words: readonly string[]): Promise<Reply>;
  /** The answers that were not alike, as sentences. */
  readonly found: readonly string[];
  /** Commands that both have carried out. */
  readonly commands: number;
  /** Compares all keys and what is in them, as sentences. */
  compareKeys(): Promise<string[]>;
  close(): void;
}

/** Scripts are sent as texts with this before: they get the time of the world, and leave all times of expiry out. */
const prelude = `
local micros, seconds = table.remove(ARGV), table.remove(ARGV)
local server = redis
local redis = { error_reply = server.error_reply, call = function(name, ...)
  if name == 'TIME' then return { seconds, micros } end
  if name == 'PEXPIRE' then return server.call('EXISTS', (...)) end
  if name == 'SET' then
    local key, text = ...
    return server.call('SET', key, text)
  end
  return server.call(name, ...)
end }
`;

const scripts = new Map([apply, beat, namedIndexes, rangeAfter, takeTurnScript].map(({ sha, lua }) => [sha, lua]));

/** Compared by tests of the model alone: a scan goes in an order of its own, and others speak of the server. */
const elsewhere = new Set(["CLIENT", "INFO", "CONFIG", "SCAN"]);

/** `busy` says that something real is waited for, and returns how to take it back. */
export function createLockstep(socket: Socket, model: RedisModel, now: () => number, busy: () => () => void): Lockstep {
  const read = createReplyReader();
  const waiting: ((reply: Reply) => void)[] = [];
  const found: string[] = [];
  let commands = 0;
  socket.on("data", (bytes) => {
    for (const reply of read(bytes.toString("latin1"))) waiting.shift()?.(reply);
  });

  function send(words: readonly string[]): Promise<Reply> {
    const over = busy();
    return new Promise<Reply>((resolve) => {
      waiting.push((reply) => {
        over();
        resolve(reply);
      });
      socket.write(Buffer.from(encodeRequest(words), "latin1"));
    });
  }

  /** The same command without a time of the server's own. */
  function timeless(words: readonly string[]): readonly string[] {
    const [name = "", source = "", count = "", ...rest] = words;
    const how = name.toUpperCase();
    if (!how.startsWith("EVAL")) return words;
    const lua = how.startsWith("EVALSHA") ? (scripts.get(source) ?? "") : source;
    const time = [Math.floor(now() / 1_000), Math.floor((now() % 1_000) * 1_000)].map(String);
    return [how.replace("SHA", ""), prelude + lua, count, ...rest, ...time];
  }

  // It begins as the model does. Replies come in order, so nobody waits for these.
  for (const words of [["FLUSHALL"], ...model.keys.dump().flatMap(writesOf)]) void send(words);

  return {
    found,
    get commands() {
      return commands;
    },
    async execute(words) {
      const own = model.execute(words);
      const name = words[0]?.toUpperCase() ?? "";
      if ((isError(own) && own.error.startsWith("NOSCRIPT")) || elsewhere.has(name)) return own;
      const [expected, given] = [await send(timeless(words)), own].map((reply) => print(reply, isOfSet(words)));
      commands += 1;
      if (expected !== given)
        found.push(`${words.join(" ").slice(0, 300)}: Redis says ${expected}, the model ${given}`);
      return own;
    },
    async compareKeys() {
      const real = await send(["KEYS", "*"]);
      const own = model.keys.dump();
      const isEqual =
        print(real, true) ===
        print(
          own.map(({ key }) => key),
          true,
        );
      const differing: string[] = isEqual ? [] : ["the keys differ"];
      for (const { key } of own) {
        const [content, expected] = [model.execute(readOf(model, key)), await send(readOf(model, key))];
        if (print(content, true) !== print(expected, true)) differing.push(`${key} differs`);
      }
      return differing;
    },
    close: () => void socket.destroy(),
  };
}

/** The command that reads all of a key. */
function readOf({ keys }: RedisModel, key: string): string[] {
  const content = keys.get(key)?.content;
  if (typeof content === "string") return ["GET", key];
  return content instanceof Set ? ["SMEMBERS", key] : ["ZRANGE", key, "0", "-1", "WITHSCORES"];
}

/** The commands that write all of a key. */
function writesOf({ key, content }: Dump[number]): string[][] {
  if (typeof content === "string") return [["SET", key, content]];
  if (content instanceof Set) return [...content].map((member) => ["SADD", key, member]);
  return content.all().map(({ member, score }) => ["ZADD", key, printNumber(score), member]);
}

/** Redis keeps its sets in an order of its own. */
function isOfSet([name = "", source]: readonly string[]): boolean {
  return name.startsWith("EVAL") && (source === namedIndexes.sha || source === namedIndexes.lua);
}

/** To an error Redis adds where in the script it was raised. */
function print(reply: Reply, unordered = false): string {
  if (isError(reply)) return reply.error.replace(/ script: .*/s, "");
  if (!Array.isArray(reply)) return JSON.stringify(reply);
  const all = reply.map((one) => print(one));
  return `[${(unordered ? all.toSorted() : all).join(" ")}]`;
}
