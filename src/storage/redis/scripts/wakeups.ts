import * as z from "zod";
import { defineScript, nothing } from "../script.ts";

/**
 * Each lane has what is due by its time, what is running by the run that has it, what was asked for during a run, what was called
 * off during one, and how often the last tries have failed.
 */
export const askForWakeup = `
local function askForWakeup(lane, id, at)
  local key = prefix .. 'wakeup:' .. lane
  redis.call('SADD', prefix .. 'lanes', lane)
  if redis.call('HEXISTS', key .. ':running', id) == 0 then
    redis.call('ZADD', key .. ':due', 'LT', at, id)
    return
  end
  local asked = redis.call('HGET', key .. ':next', id)
  if not asked or tonumber(at) < tonumber(asked) then redis.call('HSET', key .. ':next', id, at) end
end`;

/** A run that nobody has any more is due at once; if it was called off, only if it was asked for since. */
export const giveBack = `
local function giveBack(key, id)
  redis.call('HDEL', key .. ':running', id)
  if redis.call('HDEL', key .. ':cancelled', id) == 0 then
    redis.call('ZADD', key .. ':due', 0, id)
    return
  end
  local asked = redis.call('HGET', key .. ':next', id)
  if asked then redis.call('ZADD', key .. ':due', asked, id) end
  redis.call('HDEL', key .. ':next', id)
end`;

/** Lane, id, time. */
export const ask = defineScript(nothing, askForWakeup, "askForWakeup(ARGV[1], ARGV[2], ARGV[3])");

/** Lane, id. */
export const cancel = defineScript(
  nothing,
  `
local key, id = prefix .. 'wakeup:' .. ARGV[1], ARGV[2]
redis.call('ZREM', key .. ':due', id)
redis.call('HDEL', key .. ':next', id)
redis.call('HDEL', key .. ':failures', id)
if redis.call('HEXISTS', key .. ':running', id) == 1 then redis.call('HSET', key .. ':cancelled', id, 1) end`,
);

const Claimed = z.tuple([z.array(z.tuple([z.string(), z.number()])), z.string(), z.number()]);

/**
 * Lane, now, most, instance, run. Those that are the caller's to run from here on, each with its failures; when the next is due, ""
 * for never; and how many of this lane the instance has under way by now.
 */
export const claim = defineScript(
  Claimed,
  `
local lane, instance, run = ARGV[1], ARGV[4], ARGV[5]
local key, runs = prefix .. 'wakeup:' .. lane, prefix .. 'runs:' .. instance .. ':' .. lane
local claimed = {}
for _, id in ipairs(redis.call('ZRANGE', key .. ':due', '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3])) do
  redis.call('ZREM', key .. ':due', id)
  redis.call('HSET', key .. ':running', id, run)
  redis.call('SADD', runs, id)
  claimed[#claimed + 1] = { id, tonumber(redis.call('HGET', key .. ':failures', id) or 0) }
end
local soonest = redis.call('ZRANGE', key .. ':due', 0, 0, 'WITHSCORES')
return { claimed, soonest[2] or '', redis.call('SCARD', runs) }`,
);

/** Ends a run: false where it is no longer this one's. What was asked for meanwhile is due at its time. */
const endRun = `
local function endRun(key, runs, id, run)
  if redis.call('HGET', key .. ':running', id) ~= run then return false end
  redis.call('HDEL', key .. ':running', id)
  redis.call('SREM', runs, id)
  return true
end`;

/** Lane, id, instance, run, the time that it asks for or "". When it is due again, or "" for never, or null where another has it. */
export const settle = defineScript(
  z.string().nullable(),
  endRun,
  `
local key, runs, id = prefix .. 'wakeup:' .. ARGV[1], prefix .. 'runs:' .. ARGV[3] .. ':' .. ARGV[1], ARGV[2]
if not endRun(key, runs, id, ARGV[4]) then return false end
local again = ARGV[5]
if redis.call('HDEL', key .. ':cancelled', id) == 1 then again = '' end
local asked = redis.call('HGET', key .. ':next', id)
redis.call('HDEL', key .. ':next', id)
redis.call('HDEL', key .. ':failures', id)
if asked and (again == '' or tonumber(asked) < tonumber(again)) then again = asked end
if again ~= '' then redis.call('ZADD', key .. ':due', again, id) end
return again`,
);

/** Lane, id, instance, run, the time of the next try. As `settle`. */
export const putOff = defineScript(
  z.string().nullable(),
  endRun,
  `
local key, runs, id = prefix .. 'wakeup:' .. ARGV[1], prefix .. 'runs:' .. ARGV[3] .. ':' .. ARGV[1], ARGV[2]
if not endRun(key, runs, id, ARGV[4]) then return false end
local at = ARGV[5]
if redis.call('HDEL', key .. ':cancelled', id) == 1 then
  at = redis.call('HGET', key .. ':next', id)
  redis.call('HDEL', key .. ':next', id)
else
  redis.call('HINCRBY', key .. ':failures', id, 1)
end
if not at then return '' end
redis.call('ZADD', key .. ':due', at, id)
return at`,
);

/** Lane, instance, the ids that it knows of. Every other one that it has under way was lost on the way to it, and is due again. */
export const recover = defineScript(
  nothing,
  giveBack,
  `
local runs, known = prefix .. 'runs:' .. ARGV[2] .. ':' .. ARGV[1], {}
for at = 3, #ARGV do known[ARGV[at]] = true end
for _, id in ipairs(redis.call('SMEMBERS', runs)) do
  if not known[id] then
    redis.call('SREM', runs, id)
    giveBack(prefix .. 'wakeup:' .. ARGV[1], id)
  end
end`,
);

/** The lanes in which something waits. */
export const waitingLanes = defineScript(
  z.array(z.string()),
  `
local waiting = {}
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. 'lanes')) do
  if redis.call('ZCARD', prefix .. 'wakeup:' .. lane .. ':due') > 0 then waiting[#waiting + 1] = lane end
end
return waiting`,
);

/** Now. Each lane in which something is due or has failed: how many are due, since when, how many failed last. */
export const backlog = defineScript(
  z.array(z.tuple([z.string(), z.number(), z.string(), z.number()])),
  `
local found = {}
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. 'lanes')) do
  local key = prefix .. 'wakeup:' .. lane
  local due, failing = redis.call('ZCOUNT', key .. ':due', '-inf', ARGV[1]), redis.call('HLEN', key .. ':failures')
  -- What was given back is due at 0: since when, nobody knows any more.
  local oldest = redis.call('ZRANGE', key .. ':due', '(0', ARGV[1], 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
  if due + failing > 0 then found[#found + 1] = { lane, due, oldest[2] or '', failing } end
end
return found`,
);
