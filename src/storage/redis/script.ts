import { hash } from "node:crypto";
import { ErrorReply } from "@redis/client";
import * as z from "zod";
import type { Client } from "./client.ts";

/** A Lua script, which Redis runs atomically. In it `prefix` starts every key, and ARGV holds the arguments. */
export interface Script<R> {
  lua: string;
  sha: string;
  reply: z.ZodType<R>;
}

export function defineScript<R>(reply: z.ZodType<R>, ...lua: string[]): Script<R> {
  const text = ["local prefix = KEYS[1]", ...lua.map((part) => part.trim())].join("\n");
  return { lua: text, sha: hash("sha1", text), reply };
}

/** The reply type of a script without an answer. */
export const nothing = z.unknown().transform(() => undefined);
/** Runs a script, by its hash if the server knows it. Scripts build their keys from the prefix: one server has them all. */
export async function runScript<R>(
  client: Client,
  { lua, sha, reply }: Script<R>,
  prefix: string,
  args: readonly (string | number)[],
): Promise<R> {
  const given = { keys: [prefix], arguments: args.map(String) };
  const answer = await client.evalSha(sha, given).catch((error: unknown) => {
    if (isUnknown(error)) return client.eval(lua, given);
    throw error;
  });
  return reply.parse(answer);
}

/** As `runScript`, for scripts that only read: Redis refuses a write in them. */
export async function runReading<R>(
  client: Client,
  { lua, sha, reply }: Script<R>,
  prefix: string,
  args: readonly (string | number)[],
): Promise<R> {
  const given = { keys: [prefix], arguments: args.map(String) };
  const answer = await client.evalShaRo(sha, given).catch((error: unknown) => {
    if (isUnknown(error)) return client.evalRo(lua, given);
    throw error;
  });
  return reply.parse(answer);
}

function isUnknown(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith("NOSCRIPT");
}

/** Escapes the text as a pattern that matches only itself. */
export function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}
