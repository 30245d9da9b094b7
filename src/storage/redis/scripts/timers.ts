import * as z from "zod";
import { defineScript, nothing, truth } from "../script.ts";

/** Each lane has: due timers by time; running ones by their run; times that came during a run; counts of failures. */
export const setTimer = `
local function setTimer(lane, id, at)
  local key = prefix .. 'wakeup:' .. lane
  redis.call('SADD', prefix .. 'lanes', lane)
  if redis.call('HEXISTS', key .. ':running', id) == 0 then
    redis.call('ZADD', key .. ':due', 'LT', at, id)
    return
  end
  local asked = redis.call('HGET', key .. ':next', id)
  if not asked or tonumber(at) < tonumber(asked) then redis.call('HSET', key .. ':next', id, at) end
end`;

/** Makes an abandoned run due at once. */
export const giveBack = `
local function giveBack(key, id)
  redis.call('HDEL', key .. ':running', id)
  redis.call('ZADD', key .. ':due', 0, id)
end`;

/**
 * Renews an opening's sign of life. A script that gives it a run does this in the same step. Otherwise an opening that stood still, was
 * given up and then died would keep its new runs for ever. PEXPIRE still works when Redis is full; SET does not.
 */
export const giveSign = `
local function giveSign(instance, lasts)
  local sign = prefix .. 'instance:' .. instance
  if redis.call('PEXPIRE', sign, lasts) == 1 and redis.call('SISMEMBER', prefix .. 'instances', instance) == 1 then return end
  redis.call('SET', sign, 1, 'PX', lasts)
  redis.call('SADD', prefix .. 'instances', instance)
end`;

/** In: lane, id, time. */
export const ask = defineScript(nothing, setTimer, "setTimer(ARGV[1], ARGV[2], ARGV[3])");

const Claimed = z.tuple([z.array(z.tuple([z.string(), z.number()])), z.string()]);

/**
 * In: lane, now, most, instance, run, life of a sign of life (ms). Out: the timers that the caller must run now, each with its failures;
 * the next due time, "" for never.
 */
export const claim = defineScript(
  Claimed,
  giveSign,
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
if #claimed > 0 then giveSign(instance, ARGV[6]) end
local soonest = redis.call('ZRANGE', key .. ':due', 0, 0, 'WITHSCORES')
return { claimed, soonest[2] or '' }`,
);

/** Ends a run. False if another opening has it by now. */
const endRun = `
local function endRun(key, runs, id, run)
  if redis.call('HGET', key .. ':running', id) ~= run then return false end
  redis.call('HDEL', key .. ':running', id)
  redis.call('SREM', runs, id)
  return true
end`;

/** True if the opening still has the run. This also renews its sign of life, so that the answer stays true while that lasts. */
export const holdsRun = `${giveSign}
local function holdsRun(lane, id, run, instance, lasts)
  if redis.call('HGET', prefix .. 'wakeup:' .. lane .. ':running', id) ~= run then return false end
  giveSign(instance, lasts)
  return true
end`;

/** In: lane, id, run, instance, life of a sign of life (ms). */
export const prove = defineScript(
  truth,
  holdsRun,
  "return holdsRun(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]) and 1 or 0",
);

/** In: lane, id, instance, run, the next time or "". Out: when it is due again, "" for never, null if another opening has it. */
export const settle = defineScript(
  z.string().nullable(),
  endRun,
  `
local key, runs, id = prefix .. 'wakeup:' .. ARGV[1], prefix .. 'runs:' .. ARGV[3] .. ':' .. ARGV[1], ARGV[2]
if not endRun(key, runs, id, ARGV[4]) then return false end
local again = ARGV[5]
local asked = redis.call('HGET', key .. ':next', id)
redis.call('HDEL', key .. ':next', id)
redis.call('HDEL', key .. ':failures', id)
if asked and (again == '' or tonumber(asked) < tonumber(again)) then again = asked end
if again ~= '' then redis.call('ZADD', key .. ':due', again, id) end
return again`,
);

/** In: lane, id, instance, run, the time of the next try. Out: as `settle`. */
export const putOff = defineScript(
  z.string().nullable(),
  endRun,
  `
local key, runs, id = prefix .. 'wakeup:' .. ARGV[1], prefix .. 'runs:' .. ARGV[3] .. ':' .. ARGV[1], ARGV[2]
if not endRun(key, runs, id, ARGV[4]) then return false end
redis.call('HINCRBY', key .. ':failures', id, 1)
redis.call('ZADD', key .. ':due', ARGV[5], id)
return ARGV[5]`,
);

/** In: lane, instance, the ids that it knows of. Its other runs were lost on the way to it, and become due again. */
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

/** Out: each lane with waiting timers, and the time of its next one. */
export const waitingLanes = defineScript(
  z.array(z.tuple([z.string(), z.string()])),
  `
local waiting = {}
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. 'lanes')) do
  local soonest = redis.call('ZRANGE', prefix .. 'wakeup:' .. lane .. ':due', 0, 0, 'WITHSCORES')
  if soonest[2] then waiting[#waiting + 1] = { lane, soonest[2] } end
end
return waiting`,
);

/** In: now. Out: for each lane with due or failing timers the number of due ones, since when, and the number of failing ones. */
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
