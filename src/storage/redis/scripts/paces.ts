import * as z from "zod";
import { defineScript } from "../script.ts";

/**
 * Name, burst, interval (ms). One number tells how far the turns that were taken reach: 0 where one more was, else how long until
 * the next. By Redis's own time, which all instances share.
 */
export const takeTurn = defineScript(
  z.number(),
  `
local key, burst, every = prefix .. 'pace:' .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reach = math.max(tonumber(redis.call('GET', key) or 0), now)
local wait = reach - now - (burst - 1) * every
if wait > 0 then return wait end
redis.call('SET', key, string.format('%.0f', reach + every), 'PX', string.format('%.0f', reach + every - now))
return 0`,
);
