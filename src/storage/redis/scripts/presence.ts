import { defineScript, nothing, truth } from "../script.ts";
import { giveBack } from "./wakeups.ts";

/** Whether an opening is at work: it has not said farewell, and its sign of life is there or is not to be expected yet. */
export const isPresent = `
local function isPresent(instance, patient)
  if redis.call('SISMEMBER', prefix .. 'instances', instance) == 0 then return false end
  return patient or redis.call('EXISTS', prefix .. 'instance:' .. instance) == 1
end`;

/** What a gone opening had under way is given back. */
const giveUp = `${giveBack}
local function giveUp(instance)
  for _, lane in ipairs(redis.call('SMEMBERS', prefix .. 'lanes')) do
    local runs = prefix .. 'runs:' .. instance .. ':' .. lane
    for _, id in ipairs(redis.call('SMEMBERS', runs)) do giveBack(prefix .. 'wakeup:' .. lane, id) end
    redis.call('DEL', runs)
  end
  redis.call('SREM', prefix .. 'instances', instance)
  redis.call('DEL', prefix .. 'instance:' .. instance)
end`;

/**
 * Instance, how long the sign of life lasts (ms), whether the others had time enough for theirs. PEXPIRE is let through when Redis
 * is full, and SET is not.
 */
export const beat = defineScript(
  nothing,
  giveUp,
  `
local me = ARGV[1]
if redis.call('PEXPIRE', prefix .. 'instance:' .. me, ARGV[2]) == 0 or redis.call('SISMEMBER', prefix .. 'instances', me) == 0 then
  redis.call('SET', prefix .. 'instance:' .. me, 1, 'PX', ARGV[2])
  redis.call('SADD', prefix .. 'instances', me)
end
if ARGV[3] == '1' then
  for _, other in ipairs(redis.call('SMEMBERS', prefix .. 'instances')) do
    if redis.call('EXISTS', prefix .. 'instance:' .. other) == 0 then giveUp(other) end
  end
end`,
);

/** Instance. */
export const leave = defineScript(nothing, giveUp, "giveUp(ARGV[1])");

/** Instance, whether the others may still be on their way back. */
export const present = defineScript(truth, isPresent, "return isPresent(ARGV[1], ARGV[2] == '1') and 1 or 0");
