import { outOfMemory, runCommand, type Server } from "./commands.ts";
import { type Callable, compileLua, LuaError, lengthOf, printNumber, type Table, tableOf, type Value } from "./lua.ts";
import { errorReply, isError, type Reply } from "./resp.ts";

type Script = ReturnType<typeof compileLua>;

/** Compiled once for all worlds: the texts are the product's own. */
const compiled = new Map<string, Script>();

interface Call {
  text: string;
  keys: string[];
  args: string[];
  /** It may only read. */
  reads: boolean;
}

/** Runs a script as Redis does: its commands are carried out one after the other, and nothing else meanwhile. */
export function runScript(server: Server, { text, keys, args, reads }: Call): Reply {
  const script = compiled.get(text) ?? compileLua(text);
  compiled.set(text, script);
  // To a script no time passes.
  const now = server.now();
  const still: Server = { ...server, now: () => now };
  let hasWritten = false;

  const call: Callable = (...words) => {
    const reply = runCommand(still, words.map(wordOf), ({ writes, grows }) => {
      if (reads && writes) return errorReply("ERR Write commands are not allowed from read-only scripts.");
      // A script that has begun to change something is not stopped half-way.
      if (grows && still.full && !hasWritten) return outOfMemory;
      hasWritten ||= writes;
      return undefined;
    });
    if (isError(reply)) throw new LuaError(new Map([["err", reply.error]]));
    return [luaOf(reply)];
  };

  const redis: Table = new Map<Value, Value>([
    ["call", call],
    ["error_reply", (words) => [new Map<Value, Value>([["err", errorWords(String(words))]])]],
  ]);
  const cjson: Table = new Map<Value, Value>([["decode", (json) => [decodeJson(json)]]]);
  try {
    return replyOf(script({ KEYS: tableOf(keys), ARGV: tableOf(args), redis, cjson })[0]);
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    const words = error.value instanceof Map ? String(error.value.get("err")) : `ERR ${String(error.value)}`;
    return errorReply(`${words} script: `);
  }
}

/** The first word is the code of an error. */
function errorWords(words: string): string {
  const [code = "", ...rest] = words.replace(/^-/, "").split(" ");
  return rest.length === 0 ? `ERR ${code}` : words.startsWith("-") ? words.slice(1) : words;
}

function wordOf(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return printNumber(value);
  throw new LuaError(new Map([["err", "ERR Lua redis lib command arguments must be strings or integers"]]));
}

function luaOf(reply: Reply): Value {
  if (reply === null) return false;
  if (Array.isArray(reply)) return tableOf(reply.map(luaOf));
  if (typeof reply === "object") return new Map<Value, Value>(Object.entries(reply).map(([, words]) => ["ok", words]));
  return reply;
}

/** A number loses its fraction, and a list ends before its first nil. */
function replyOf(value: Value): Reply {
  if (value === undefined || value === null || value === false || typeof value === "function") return null;
  if (value === true) return 1;
  // Redis converts to 64 bits: a number that they do not hold, also an infinite one, becomes the least one.
  if (typeof value === "number") return Math.abs(value) < 2 ** 63 ? Math.trunc(value) + 0 : -(2 ** 63);
  if (typeof value === "string") return value;
  const [error, status] = [value.get("err"), value.get("ok")];
  if (typeof error === "string") return { error };
  if (typeof status === "string") return { status };
  return Array.from({ length: lengthOf(value) }, (_, at) => replyOf(value.get(at + 1)));
}

/** The JSON is bytes, as all texts here are, and so are those in it. */
function decodeJson(json: Value): Value {
  const text = String(json);
  try {
    return fromJson(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LuaError("Expected value but found invalid token");
  }
}

function fromJson(value: unknown): Value {
  if (typeof value === "string") return utf8(value);
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (Array.isArray(value)) return tableOf(value.map(fromJson));
  return new Map<Value, Value>(Object.entries(Object(value)).map(([name, one]) => [utf8(name), fromJson(one)]));
}

/** A character beyond a byte was written as an escape. */
function utf8(text: string): string {
  for (let at = 0; at < text.length; at += 1)
    if (text.charCodeAt(at) > 0xff) throw new Error("JSON with escapes beyond a byte is not known here");
  return text;
}
