import * as z from "zod";
import { defineScript, nothing } from "../script.ts";

/** Score "" removes. */
export const placeInIndex = `
local function placeInIndex(name, member, score)
  local key = prefix .. 'index:' .. name
  if score == '' then redis.call('ZREM', key, member) else redis.call('ZADD', key, score, member) end
end`;

/** Name, member, score. */
export const place = defineScript(nothing, placeInIndex, "placeInIndex(ARGV[1], ARGV[2], ARGV[3])");

/**
 * Name, from, to, limit; whether to go on after a place, its score and member. Answers with members and scores by turns. A member
 * that has gone since is put in for a moment, since only its place in the order tells what comes after it.
 */
export const range = defineScript(
  z.array(z.string()),
  `
local key, from, to, limit = prefix .. 'index:' .. ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if ARGV[5] ~= '1' then
  return redis.call('ZRANGE', key, from, to, 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
end
local score, member = ARGV[6], ARGV[7]
local before = redis.call('ZSCORE', key, member)
local same = before and tonumber(before) == tonumber(score)
if not same then redis.call('ZADD', key, score, member) end
local passed = redis.call('ZRANK', key, member) + 1
if not same then
  if before then redis.call('ZADD', key, before, member) else redis.call('ZREM', key, member) end
  -- Its own place counts only where it was not there.
  passed = passed - 1
  if before and tonumber(before) < tonumber(score) then passed = passed + 1 end
end
local below = redis.call('ZCOUNT', key, '-inf', '(' .. from)
if passed < below then passed = below end
local last = redis.call('ZCOUNT', key, '-inf', to) - 1
local stop = passed + limit - 1
if stop > last then stop = last end
if stop < passed then return {} end
return redis.call('ZRANGE', key, passed, stop, 'WITHSCORES')`,
);
