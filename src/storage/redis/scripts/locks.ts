import * as z from "zod";
import { defineScript, truth } from "../script.ts";
import { isPresent } from "./presence.ts";

/** In: name, holder, instance, time to live, "1" if openings may still be reconnecting. Out: the fence, or the present holder's value. */
export const lock = defineScript(
  z.union([z.number(), z.string()]),
  isPresent,
  `
local key = prefix .. 'lock:' .. ARGV[1]
local held = redis.call('HMGET', key, 'holder', 'instance')
if held[1] and isPresent(held[2], ARGV[5] == '1') then return held[1] end
local fence = redis.call('INCR', prefix .. 'fence')
redis.call('DEL', key)
redis.call('HSET', key, 'fence', fence, 'holder', ARGV[2], 'instance', ARGV[3])
redis.call('PEXPIRE', key, ARGV[4])
return fence`,
);

const ownLock = `
local function ownLock(key, fence)
  return redis.call('HGET', key, 'fence') == fence
end`;

/** In: name, fence, time to live. */
export const renew = defineScript(
  truth,
  ownLock,
  `
local key = prefix .. 'lock:' .. ARGV[1]
return ownLock(key, ARGV[2]) and redis.call('PEXPIRE', key, ARGV[3]) or 0`,
);

/** In: name, fence. */
export const unlock = defineScript(
  truth,
  ownLock,
  `
local key = prefix .. 'lock:' .. ARGV[1]
return ownLock(key, ARGV[2]) and redis.call('DEL', key) or 0`,
);
