import * as z from "zod";
import { defineScript } from "../script.ts";

/** A score of "" removes the member. */
export const placeInIndex = `
local function placeInIndex(name, member, score)
  local key = prefix .. 'index:' .. name
  if score == '' then redis.call('ZREM', key, member) else redis.call('ZADD', key, score, member) end
end`;

/**
 * In: name, from, to, limit, "1" to continue after a place, its score and member. Out: members and scores in turns. The place is searched
 * among equal scores, since its member may be gone. Bytes are compared by hand: Lua would compare by locale, but Redis sorts by bytes.
 */
export const range = defineScript(
  z.array(z.string()),
  `
local key, from, to, limit = prefix .. 'index:' .. ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if ARGV[5] ~= '1' then
  return redis.call('ZRANGE', key, from, to, 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
end
local score, member = ARGV[6], ARGV[7]
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
