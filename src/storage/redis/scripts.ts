import { hash } from "node:crypto";
import { ErrorReply } from "@redis/client";
import * as z from "#zod";
import type { Client } from "./client.ts";

/** A Lua script, which Redis runs atomically. In it `prefix` starts every key, and ARGV holds the arguments. */
export interface Script<R> {
  lua: string;
  sha: string;
  reply: z.ZodType<R>;
}

function defineScript<R>(reply: z.ZodType<R>, ...lua: string[]): Script<R> {
  const text = ["local prefix = KEYS[1]", ...lua.map((part) => part.trim())].join("\n");
  return { lua: text, sha: hash("sha1", text), reply };
}

/** The reply type of a script without an answer. */
const nothing = z.unknown().transform(() => undefined);

/**
 * Runs a script, by its hash if the server knows it; one that only `reads` is refused a write by Redis. Scripts build their keys from the
 * prefix: one server has them all.
 */
export async function runScript<R>(
  client: Client,
  { lua, sha, reply }: Script<R>,
  prefix: string,
  args: readonly (string | number)[],
  { reads = false } = {},
): Promise<R> {
  const given = { keys: [prefix], arguments: args.map(String) };
  const known = reads ? client.evalShaRo(sha, given) : client.evalSha(sha, given);
  const answer = await known.catch((error: unknown) => {
    if (isUnknown(error)) return reads ? client.evalRo(lua, given) : client.eval(lua, given);
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

/** Renews an instance's sign of life. PEXPIRE still works when Redis is full; SET does not. */
const sign = `
local function sign(instance, lasts)
  local key = prefix .. 'instance:' .. instance
  if redis.call('PEXPIRE', key, lasts) == 1 and redis.call('SISMEMBER', prefix .. 'instances', instance) == 1 then return end
  redis.call('SET', key, 1, 'PX', lasts)
  redis.call('SADD', prefix .. 'instances', instance)
end`;

/** The reply of one change: its numbers, null if a condition was not met, or its error, by which nothing was changed. */
const Applied = z.union([z.array(z.number().nullable()).nullable(), z.instanceof(ErrorReply)]);

/**
 * In: changes as JSON, each a step of its own; of a condition false stands for none, and an absent one for any. Out: of each the numbers of
 * its appends, then the scores of members that take. What needs room comes first in a step, so that a full Redis refuses it as a whole.
 */
export const apply = defineScript(
  z.array(Applied),
  sign,
  `
local function isMet(plan)
  if plan.gone and redis.call('EXISTS', prefix .. 'instance:' .. plan.gone) == 1 then return false end
  for _, each in ipairs(plan.texts) do
    if each.was ~= nil and redis.call('GET', prefix .. each.key) ~= each.was then return false end
  end
  for _, each in ipairs(plan.members) do
    local score = each.was ~= nil and redis.call('ZSCORE', prefix .. 'index:' .. each.index, each.member)
    if each.was ~= nil and (score and tonumber(score)) ~= (each.was and tonumber(each.was)) then return false end
  end
  return true
end
local function place(index, member, score, least)
  if string.match(index, '^~due ') or string.match(index, '^~log ') then redis.call('SADD', prefix .. 'named', index) end
  if least then redis.call('ZADD', prefix .. 'index:' .. index, 'LT', score, member)
  else redis.call('ZADD', prefix .. 'index:' .. index, score, member) end
end
local function step(plan)
  if not isMet(plan) then return false end
  local numbers, taken = {}, {}
  for _, each in ipairs(plan.members) do
    if each.unless and redis.call('EXISTS', prefix .. each.unless.key) == 1 then each.index = each.unless.index end
    if each.takes then
      local other = redis.call('ZSCORE', prefix .. 'index:' .. each.takes, each.member)
      if other and (not each.score or tonumber(other) < tonumber(each.score)) then each.score = other end
      taken[#taken + 1] = each.score and tonumber(each.score) or false
    end
  end
  for _, each in ipairs(plan.texts) do
    if each.text and each.ttl then redis.call('SET', prefix .. each.key, each.text, 'PX', each.ttl)
    elseif each.text then redis.call('SET', prefix .. each.key, each.text) end
  end
  for _, each in ipairs(plan.members) do
    if each.score then place(each.index, each.member, each.score, each.least) end
  end
  for _, each in ipairs(plan.appends) do
    local number = redis.call('INCR', prefix .. 'counter:' .. each.counter)
    for _, index in ipairs(each.indexes) do place(index, each.member, number) end
    numbers[#numbers + 1] = number
  end
  if plan.signs then sign(plan.signs, plan.signsFor) end
  for _, each in ipairs(plan.texts) do
    if not each.text then redis.call('UNLINK', prefix .. each.key) end
  end
  for _, each in ipairs(plan.members) do
    if not each.score then redis.call('ZREM', prefix .. 'index:' .. each.index, each.member) end
    if each.takes then redis.call('ZREM', prefix .. 'index:' .. each.takes, each.member) end
  end
  for _, score in ipairs(taken) do numbers[#numbers + 1] = score end
  return numbers
end
local replies = {}
for at, plan in ipairs(ARGV) do
  local isDone, reply = pcall(step, cjson.decode(plan))
  if isDone then replies[at] = reply
  else replies[at] = type(reply) == 'table' and reply or redis.error_reply(reply) end
end
return replies`,
);

/**
 * In: index, from, to, limit, score and member after which to go on. Out: members and scores in turns. The place is searched among equal
 * scores, since its member may be gone. Bytes are compared by hand: Lua would compare by locale, but Redis sorts by bytes.
 */
export const rangeAfter = defineScript(
  z.array(z.string()),
  `
local key, from, to, limit = prefix .. 'index:' .. ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local score, member = ARGV[5], ARGV[6]
local function isAfter(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a > b end
  end
  return #one > #other
end
local passed, high = redis.call('ZCOUNT', key, '-inf', '(' .. score), redis.call('ZCOUNT', key, '-inf', score)
while passed < high do
  local middle = math.floor((passed + high) / 2)
  if isAfter(redis.call('ZRANGE', key, middle, middle)[1], member) then high = middle else passed = middle + 1 end
end
local below = redis.call('ZCOUNT', key, '-inf', '(' .. from)
if passed < below then passed = below end
local last = redis.call('ZCOUNT', key, '-inf', to) - 1
local stop = passed + limit - 1
if stop > last then stop = last end
if stop < passed then return {} end
return redis.call('ZRANGE', key, passed, stop, 'WITHSCORES')`,
);

/** In: the beginning of the names. Out: the indexes that have members, each with its lowest score. */
export const namedIndexes = defineScript(
  z.array(z.tuple([z.string(), z.string()])),
  `
local found = {}
for _, index in ipairs(redis.call('SMEMBERS', prefix .. 'named')) do
  local first = string.sub(index, 1, #ARGV[1]) == ARGV[1] and redis.call('ZRANGE', prefix .. 'index:' .. index, 0, 0, 'WITHSCORES')
  if first and first[2] then found[#found + 1] = { index, first[2] } end
end
return found`,
);

/**
 * In: name, burst, interval (ms). Out: 0 if the turn was taken, else the milliseconds until the next. One number stores how far taken turns
 * reach, by Redis's clock, which all instances share. If that clock is set back, a reach of more than one burst is outdated: it is stored
 * anew, or each try would wait once more until the clock is where it was.
 */
export const takeTurnScript = defineScript(
  z.number(),
  `
local key, burst, every = prefix .. 'pace:' .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keep(reach) redis.call('SET', key, string.format('%.0f', reach), 'PX', string.format('%.0f', reach - now)) end
local stored, most = tonumber(redis.call('GET', key) or 0), now + burst * every
if stored > most then keep(most) end
local reach = math.max(math.min(stored, most), now)
local wait = reach - now - (burst - 1) * every
if wait > 0 then return wait end
keep(reach + every)
return 0`,
);

/** In: instance, life of its sign (ms), "1" if the others had time to show theirs: then those without one are forgotten. */
export const beat = defineScript(
  nothing,
  sign,
  `
sign(ARGV[1], ARGV[2])
if ARGV[3] ~= '1' then return end
for _, other in ipairs(redis.call('SMEMBERS', prefix .. 'instances')) do
  if redis.call('EXISTS', prefix .. 'instance:' .. other) == 0 then redis.call('SREM', prefix .. 'instances', other) end
end`,
);
