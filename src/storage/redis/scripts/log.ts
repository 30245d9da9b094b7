import * as z from "zod";
import { defineScript, truth } from "../script.ts";

/**
 * Entries are a stream, uniques of all logs a sorted set by expiry, and each subject a sorted set of ids. `entry`: its time, its expiry,
 * its subjects as a list and as text, and its data.
 */
export const appendToLog = `
local function appendToLog(name, entry, uniques, now)
  local log = prefix .. 'log:' .. name
  for _, unique in ipairs(uniques) do
    local ends = redis.call('ZSCORE', prefix .. 'uniques', unique)
    if ends and tonumber(ends) > tonumber(now) then return false end
  end
  local id = redis.call('INCR', log .. ':last')
  redis.call('XADD', log, id .. '-0', 'at', entry.at, 'ends', entry.ends, 'subjects', entry.subjectsText, 'data', entry.data)
  for _, unique in ipairs(uniques) do redis.call('ZADD', prefix .. 'uniques', entry.ends, unique) end
  for _, subject in ipairs(entry.subjects) do redis.call('ZADD', log .. ':of:' .. subject, id, id) end
  redis.call('SADD', prefix .. 'logs', name)
  return id
end`;

/** In: a plan as JSON with name, entry, uniques, now. Out: the id, or null if a unique is known. */
export const append = defineScript(
  z.number().nullable(),
  appendToLog,
  "local plan = cjson.decode(ARGV[1])",
  "return appendToLog(plan.name, plan.entry, plan.uniques, plan.now)",
);

const entryIn = `
local function entryIn(item, now)
  local fields = {}
  for at = 1, #item[2], 2 do fields[item[2][at]] = item[2][at + 1] end
  if tonumber(fields.ends) <= tonumber(now) then return nil end
  return { string.match(item[1], '%d+'), fields.at, fields.subjects, fields.data }
end`;

const Rows = z.array(z.tuple([z.string(), z.string(), z.string(), z.string()]));

/**
 * In: name, after, before, "1" for forward, limit, now, how many to visit, subjects. Out: the matches among those visited, and the id to
 * continue from, "" at the end.
 */
export const readLog = defineScript(
  z.tuple([Rows, z.string()]),
  entryIn,
  `
local log = prefix .. 'log:' .. ARGV[1]
local after, before, forward = ARGV[2], ARGV[3], ARGV[4] == '1'
local limit, now, most = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local rows, seen, last = {}, 0, ''

local rarest, others = nil, {}
for at = 8, #ARGV do
  local key = log .. ':of:' .. ARGV[at]
  local size = redis.call('ZCARD', key)
  if size == 0 then return { rows, '' } end
  if not rarest or size < rarest.size then
    if rarest then others[#others + 1] = rarest.key end
    rarest = { key = key, size = size }
  else
    others[#others + 1] = key
  end
end

local function bearsOthers(id)
  for _, key in ipairs(others) do
    if not redis.call('ZSCORE', key, id) then return false end
  end
  return true
end

local function chunk(count)
  if forward then
    if rarest then return redis.call('ZRANGE', rarest.key, '(' .. after, '(' .. before, 'BYSCORE', 'LIMIT', 0, count) end
    return redis.call('XRANGE', log, '(' .. after .. '-0', '(' .. before .. '-0', 'COUNT', count)
  end
  if rarest then
    return redis.call('ZRANGE', rarest.key, '(' .. before, '(' .. after, 'BYSCORE', 'REV', 'LIMIT', 0, count)
  end
  return redis.call('XREVRANGE', log, '(' .. before .. '-0', '(' .. after .. '-0', 'COUNT', count)
end

while seen < most do
  local found = chunk(limit)
  for _, item in ipairs(found) do
    local id = rarest and item or string.match(item[1], '%d+')
    if forward then after = id else before = id end
    seen = seen + 1
    if rarest then item = bearsOthers(id) and redis.call('XRANGE', log, id .. '-0', id .. '-0')[1] end
    local entry = item and entryIn(item, now)
    if entry then rows[#rows + 1] = entry end
    if #rows == limit then return { rows, '' } end
    last = id
  end
  if #found < limit then return { rows, '' } end
end
return { rows, last }`,
);

/** In: name, id, now. */
export const readEntry = defineScript(
  Rows,
  entryIn,
  `
local item = redis.call('XRANGE', prefix .. 'log:' .. ARGV[1], ARGV[2] .. '-0', ARGV[2] .. '-0')[1]
local entry = item and entryIn(item, ARGV[3])
return entry and { entry } or {}`,
);

const removeEntry = `
local function removeEntry(log, item)
  local id, fields = string.match(item[1], '%d+'), {}
  for at = 1, #item[2], 2 do fields[item[2][at]] = item[2][at + 1] end
  redis.call('XDEL', log, item[1])
  for _, subject in ipairs(cjson.decode(fields.subjects)) do redis.call('ZREM', log .. ':of:' .. subject, id) end
end`;

/** In: name, through, portion. Deletes one portion of the entries up to `through`. Out: true if there may be more. */
export const cutLog = defineScript(
  truth,
  removeEntry,
  `
local log = prefix .. 'log:' .. ARGV[1]
local found = redis.call('XRANGE', log, '-', ARGV[2] .. '-0', 'COUNT', ARGV[3])
for _, item in ipairs(found) do removeEntry(log, item) end
return #found == tonumber(ARGV[3]) and 1 or 0`,
);

export const logNames = defineScript(z.array(z.string()), "return redis.call('SMEMBERS', prefix .. 'logs')");

/**
 * In: name, after, now, portion. Deletes expired entries among one portion of the oldest. Out: the id to continue from, "" if none had
 * expired.
 */
export const sweepLog = defineScript(
  z.string(),
  removeEntry,
  `
local log = prefix .. 'log:' .. ARGV[1]
local gone, last = false, ''
for _, item in ipairs(redis.call('XRANGE', log, '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[4])) do
  local id = string.match(item[1], '%d+')
  local fields = {}
  for at = 1, #item[2], 2 do fields[item[2][at]] = item[2][at + 1] end
  last = id
  if tonumber(fields.ends) <= tonumber(ARGV[3]) then
    gone = true
    removeEntry(log, item)
  end
end
local uniques = redis.call('ZRANGE', prefix .. 'uniques', '-inf', ARGV[3], 'BYSCORE', 'LIMIT', 0, ARGV[4])
if #uniques > 0 then
  gone = true
  redis.call('ZREM', prefix .. 'uniques', unpack(uniques))
end
if not gone then return '' end
return last ~= '' and last or ARGV[2]`,
);
