import { createHash } from "node:crypto";
import { ErrorReply } from "@redis/client";
import * as z from "zod";
import type { Client } from "./client.ts";

/** Something that Redis does in one step. In its text `prefix` is what every key begins with, and ARGV what it is given. */
export interface Script<R> {
  lua: string;
  sha: string;
  reply: z.ZodType<R>;
}

export function defineScript<R>(reply: z.ZodType<R>, ...lua: string[]): Script<R> {
  const text = ["local prefix = KEYS[1]", ...lua.map((part) => part.trim())].join("\n");
  return { lua: text, sha: createHash("sha1").update(text).digest("hex"), reply };
}

/** For a script whose answer nobody needs. */
export const nothing = z.unknown().transform(() => undefined);
/** What a script answers with 1 or 0. */
export const truth = z.literal([0, 1]).transform((one) => one === 1);

/** Keys are made from the prefix inside the scripts: one server has them all. */
export async function runScript<R>(
  client: Client,
  { lua, sha, reply }: Script<R>,
  prefix: string,
  args: readonly (string | number)[],
): Promise<R> {
  const given = { keys: [prefix], arguments: args.map(String) };
  try {
    return reply.parse(await client.evalSha(sha, given));
  } catch (error) {
    if (!(error instanceof ErrorReply && error.message.startsWith("NOSCRIPT"))) throw error;
    return reply.parse(await client.eval(lua, given));
  }
}
