import * as z from "zod";
import { defineScript, nothing } from "../script.ts";

/**
 * Runs under the old prefix. In: a fresh store id, the first format with new names. Writes that format to the old identity, so that an
 * older version refuses to start and stops serving; not while an older instance is alive. Out: the state that was found, and the store's
 * id.
 */
export const closeFormer = defineScript(
  z.tuple([z.enum(["nothing", "older", "closed", "newer", "in use"]), z.string()]),
  `
local fresh, format = ARGV[1], tonumber(ARGV[2])
local kept = redis.call('GET', prefix .. 'identity')
local known = kept and cjson.decode(kept)
if known and known.format > format then return { 'newer', tostring(known.format) } end
if known and known.format == format then return { 'closed', known.store } end
for _, instance in ipairs(known and redis.call('SMEMBERS', prefix .. 'instances') or {}) do
  if redis.call('EXISTS', prefix .. 'instance:' .. instance) == 1 then return { 'in use', '' } end
end
local store = known and known.store or fresh
redis.call('SET', prefix .. 'identity', cjson.encode({ store = store, format = format }))
return { known and 'older' or 'nothing', store }`,
);

/** In: own id, life of the lock (ms). Out: 1 if the caller has it. */
export const keepTakeover = defineScript(
  z.number(),
  `
local key = prefix .. 'takeover'
local holder = redis.call('GET', key)
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
return 1`,
);

/** In: own id. */
export const endTakeover = defineScript(
  nothing,
  "if redis.call('GET', prefix .. 'takeover') == ARGV[1] then redis.call('DEL', prefix .. 'takeover') end",
);
