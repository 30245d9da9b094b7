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

/** In: name, fence. */
export const unlock = defineScript(
  truth,
  `
local key = prefix .. 'lock:' .. ARGV[1]
return redis.call('HGET', key, 'fence') == ARGV[2] and redis.call('DEL', key) or 0`,
);
