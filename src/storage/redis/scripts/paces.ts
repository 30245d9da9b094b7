import * as z from "zod";
import { defineScript } from "../script.ts";
import { holdsRun } from "./timers.ts";

/**
 * In: name, burst, interval (ms); for a run: lane, id, run, instance, life of a sign of life (ms). Out: 0 if the turn was taken, else the
 * milliseconds until the next; -1 if another instance has the run. One number stores how far taken turns reach, by Redis's clock, which
 * all instances share. If that clock is set back, a reach of more than one burst is outdated and cut.
 */
export const takeTurn = defineScript(
  z.number(),
  holdsRun,
  `
if ARGV[4] and not holdsRun(ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]) then return -1 end
local key, burst, every = prefix .. 'pace:' .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reach = math.max(math.min(tonumber(redis.call('GET', key) or 0), now + burst * every), now)
local wait = reach - now - (burst - 1) * every
if wait > 0 then return wait end
redis.call('SET', key, string.format('%.0f', reach + every), 'PX', string.format('%.0f', reach + every - now))
return 0`,
);
