import { indexIn, type Keyspace, setIn, textIn, WrongType } from "./keyspace.ts";
import { doubleReply, errorReply, okReply, type Reply } from "./resp.ts";
import { createSortedSet, type Scored } from "./sorted-set.ts";

/** The data that commands work on. */
export interface Server {
  keys: Keyspace;
  now(): number;
  /** Its memory is full: it refuses what needs more. */
  full: boolean;
  settings: ServerSettings;
}

export interface ServerSettings {
  version: string;
  appendOnly: boolean;
  appendfsync: string;
  eviction: string;
}

interface Command {
  /** It changes data. */
  writes?: boolean;
  /** It needs memory: a full server refuses it. */
  grows?: boolean;
  run(server: Server, args: string[]): Reply;
}

const notInteger = errorReply("ERR value is not an integer or out of range");
const notFloat = errorReply("ERR value is not a valid float");
const syntaxError = errorReply("ERR syntax error");
const outOfMemory = errorReply("OOM command not allowed when used memory > 'maxmemory'.");

/**
 * The commands that the product and its clients send, alone and from a script. A command, or an option of one, that is not here ends the
 * simulation: the product has come to use it, and the model must learn it.
 */
const commands: Readonly<Record<string, Command>> = {
  /** Came with 7.2; the client ignores the refusal. */
  CLIENT: {
    run: ({ settings }, [what = ""]) => {
      if (what.toUpperCase() !== "SETINFO") throw new Error(`CLIENT ${what} is not known here`);
      return isAtLeast(settings.version, 7, 2)
        ? okReply
        : errorReply("ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.");
    },
  },
  INFO: {
    run: ({ settings }) =>
      [
        "# Server",
        `redis_version:${settings.version}`,
        "redis_mode:standalone",
        "# Memory",
        `maxmemory_policy:${settings.eviction}`,
        "# Persistence",
        `aof_enabled:${settings.appendOnly ? 1 : 0}`,
        "",
      ].join("\r\n"),
  },
  CONFIG: {
    run({ settings }, [what = "", name = ""]) {
      if (what.toUpperCase() !== "GET" || name !== "appendfsync")
        throw new Error(`CONFIG ${what} ${name} is not known`);
      return ["appendfsync", settings.appendfsync];
    },
  },
  TIME: {
    run: ({ now }) => [String(Math.floor(now() / 1_000)), String(Math.floor((now() % 1_000) * 1_000))],
  },
  GET: { run: ({ keys }, [key = ""]) => textIn(keys.get(key)) ?? null },
  MGET: {
    run: ({ keys }, all) =>
      all.map((key) => {
        const content = keys.get(key)?.content;
        return typeof content === "string" ? content : null;
      }),
  },
  SET: {
    writes: true,
    grows: true,
    run: ({ keys, now }, [key = "", text = "", ...options]) => {
      let endsAt: number | null = null;
      for (let at = 0; at < options.length; at += 1) {
        const option = options[at]?.toUpperCase();
        if (option === "NX") {
          if (keys.get(key)) return null;
        } else if (option === "PX" || option === "PXAT") {
          at += 1;
          const ms = integerIn(options[at]);
          if (ms === undefined) return notInteger;
          if (ms <= 0) return errorReply("ERR invalid expire time in 'set' command");
          endsAt = option === "PX" ? now() + ms : ms;
        } else return syntaxError;
      }
      // One that has expired already is no key.
      keys.put(key, text, { endsAt });
      return okReply;
    },
  },
  INCR: {
    writes: true,
    grows: true,
    run({ keys }, [key = ""]) {
      const before = bitsIn(textIn(keys.get(key)) ?? "0");
      if (before === undefined) return notInteger;
      const next = before + 1n;
      if (BigInt.asIntN(64, next) !== next) return errorReply("ERR increment or decrement would overflow");
      keys.put(key, String(next), { keepsEnd: true });
      return Number(next);
    },
  },
  EXISTS: { run: ({ keys }, all) => all.filter((key) => keys.get(key)).length },
  UNLINK: { writes: true, run: ({ keys }, all) => all.filter((key) => keys.delete(key)).length },
  PEXPIRE: {
    writes: true,
    run({ keys, now }, [key = "", ms]) {
      const lasts = integerIn(ms);
      if (lasts === undefined) return notInteger;
      if (!keys.get(key)) return 0;
      if (lasts <= 0) keys.delete(key);
      else keys.expireAt(key, now() + lasts);
      return 1;
    },
  },
  PEXPIRETIME: {
    run({ keys }, [key = ""]) {
      const entry = keys.get(key);
      return entry ? (entry.endsAt ?? -1) : -2;
    },
  },
  SADD: {
    writes: true,
    grows: true,
    run({ keys }, [key = "", ...members]) {
      const set = setIn(keys.get(key));
      if (set) keys.touch(key);
      else keys.put(key, new Set<string>());
      const all = set ?? setIn(keys.get(key)) ?? new Set<string>();
      const before = all.size;
      for (const member of members) all.add(member);
      return all.size - before;
    },
  },
  SREM: {
    writes: true,
    run({ keys }, [key = "", ...members]) {
      const set = setIn(keys.get(key));
      if (!set) return 0;
      keys.touch(key);
      const removed = members.filter((member) => set.delete(member)).length;
      keys.changed(key);
      return removed;
    },
  },
  SISMEMBER: { run: ({ keys }, [key = "", member = ""]) => (setIn(keys.get(key))?.has(member) ? 1 : 0) },
  SMEMBERS: { run: ({ keys }, [key = ""]) => [...(setIn(keys.get(key)) ?? [])] },
  ZADD: {
    writes: true,
    grows: true,
    run({ keys }, [key = "", ...rest]) {
      const isLeast = rest[0]?.toUpperCase() === "LT";
      const [text = "", member, more] = isLeast ? rest.slice(1) : rest;
      if (member === undefined || more !== undefined) throw new Error("ZADD of one member is known here");
      const score = floatIn(text);
      if (score === undefined) return notFloat;
      const index = indexIn(keys.get(key)) ?? createSortedSet();
      const former = index.score(member);
      if (former === undefined || !isLeast || score < former) {
        if (keys.get(key)) keys.touch(key);
        else keys.put(key, index);
        index.put(member, score);
      }
      return former === undefined ? 1 : 0;
    },
  },
  ZREM: {
    writes: true,
    run({ keys }, [key = "", ...members]) {
      const index = indexIn(keys.get(key));
      if (!index) return 0;
      keys.touch(key);
      const removed = members.filter((member) => index.remove(member)).length;
      keys.changed(key);
      return removed;
    },
  },
  ZSCORE: {
    run({ keys }, [key = "", member = ""]) {
      const score = indexIn(keys.get(key))?.score(member);
      return score === undefined ? null : doubleReply(score);
    },
  },
  ZCARD: { run: ({ keys }, [key = ""]) => indexIn(keys.get(key))?.size ?? 0 },
  ZCOUNT: {
    run({ keys }, [key = "", from = "", to = ""]) {
      const isWithin = rangeIn(from, to);
      if (!isWithin) return errorReply("ERR min or max is not a float");
      return (indexIn(keys.get(key))?.all() ?? []).filter(isWithin).length;
    },
  },
  ZRANGE: { run: ({ keys }, [key = "", ...rest]) => rangeReply(() => indexIn(keys.get(key))?.all() ?? [], rest) },
  SCAN: { run: scan },
};

/** Its begin and its end, by score or by place, from the lowest or from the highest. */
function rangeReply(all: () => readonly Scored[], [from = "", to = "", ...options]: string[]): Reply {
  const chosen = new Set<string>();
  let limit: [offset: number, count: number] | undefined;
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at]?.toUpperCase() ?? "";
    if (option === "LIMIT") limit = [Number(options[at + 1]), Number(options[at + 2])];
    if (option === "LIMIT") at += 2;
    else if (["BYSCORE", "REV", "WITHSCORES"].includes(option)) chosen.add(option);
    else throw new Error(`ZRANGE ${option} is not known here`);
  }
  if (chosen.has("REV") && !chosen.has("BYSCORE")) throw new Error("ZRANGE REV by place is not known here");
  const found = chosen.has("BYSCORE")
    ? byScore(all, chosen.has("REV") ? [to, from] : [from, to])
    : byPlace(all, integerIn(from), integerIn(to));
  if (!found) return errorReply(chosen.has("BYSCORE") ? "ERR min or max is not a float" : notInteger.error);
  const ordered = chosen.has("REV") ? found.toReversed() : found;
  const [offset, count] = limit ?? [0, -1];
  const part = count < 0 ? ordered.slice(offset) : ordered.slice(offset, offset + count);
  return chosen.has("WITHSCORES")
    ? part.flatMap(({ member, score }) => [member, doubleReply(score)])
    : part.map(({ member }) => member);
}

function byScore(all: () => readonly Scored[], [from, to]: [string, string]): Scored[] | undefined {
  const isWithin = rangeIn(from, to);
  return isWithin && all().filter(isWithin);
}

function byPlace(all: () => readonly Scored[], from?: number, to?: number): Scored[] | undefined {
  if (from === undefined || to === undefined) return undefined;
  const whole = all();
  const place = (at: number) => (at < 0 ? Math.max(whole.length + at, 0) : at);
  return whole.slice(place(from), to < 0 && whole.length + to < 0 ? 0 : place(to) + 1);
}

/** True for what lies between two bounds, each with a bracket if it is not among them. */
function rangeIn(from: string, to: string): ((one: Scored) => boolean) | undefined {
  const [low, high] = [from, to].map((text) => floatIn(text.replace(/^\(/, "")));
  if (low === undefined || high === undefined) return undefined;
  return ({ score }) =>
    (from.startsWith("(") ? score > low : score >= low) && (to.startsWith("(") ? score < high : score <= high);
}

function scan({ keys }: Server, [cursor = "", ...options]: string[]): Reply {
  const [match, pattern = "", count, most = "", ...others] = options;
  if (match !== "MATCH" || count !== "COUNT" || others.length > 0)
    throw new Error("SCAN is known with MATCH and COUNT");
  const begins = beginningIn(pattern);
  const found: string[] = [];
  let visited = 0;
  let last = 0;
  for (const [key, born] of keys.after(Number(cursor))) {
    if (visited >= Number(most)) return [String(last), found];
    visited += 1;
    last = born;
    if (key.startsWith(begins)) found.push(key);
  }
  return ["0", found];
}

/** The text with which keys of a pattern begin: others are not known here. */
function beginningIn(pattern: string): string {
  const [, escaped] = /^((?:[^\\*?[\]]|\\.)*)\*$/s.exec(pattern) ?? [];
  if (escaped === undefined) throw new Error(`This pattern is not known here: ${pattern}`);
  return escaped.replace(/\\(.)/gs, "$1");
}

function integerIn(text: string | undefined): number | undefined {
  const number = Number(bitsIn(text) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** An integer of 64 bits, as Redis reads one: a number of JavaScript would lose its last digits. */
function bitsIn(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const number = BigInt(text);
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

function floatIn(text: string): number | undefined {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  // Redis keeps the sign of a zero in a large index alone, so nobody may rely on it.
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) + 0 : undefined;
}

export function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Carries out one command. `guard`: refuses it first, as a script does. */
export function runCommand(
  server: Server,
  [name = "", ...args]: readonly string[],
  guard: (command: { writes: boolean; grows: boolean }) => { error: string } | undefined = (command) =>
    command.grows && server.full ? outOfMemory : undefined,
): Reply {
  const command = commands[name.toUpperCase()];
  if (!command) throw new Error(`The model of Redis does not know ${name}`);
  const { writes = false, grows = false, run } = command;
  const refused = guard({ writes, grows });
  if (refused) return refused;
  try {
    return run(server, args);
  } catch (error) {
    if (error instanceof WrongType)
      return errorReply("WRONGTYPE Operation against a key holding the wrong kind of value");
    throw error;
  }
}

export { outOfMemory };
