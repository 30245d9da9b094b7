import { defineScript, nothing, truth } from "../script.ts";
import { giveBack, giveSign } from "./timers.ts";

/** True if an opening is alive: it has not said farewell, and its sign of life is there or need not be there yet. */
export const isPresent = `
local function isPresent(instance, patient)
  if redis.call('SISMEMBER', prefix .. 'instances', instance) == 0 then return false end
  return patient or redis.call('EXISTS', prefix .. 'instance:' .. instance) == 1
end`;

/** Makes the runs of a dead opening due again. */
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

/** In: instance, life of its sign (ms), "1" if the other openings had time to show theirs. Gives up openings without a sign. */
export const beat = defineScript(
  nothing,
  giveUp,
  giveSign,
  `
giveSign(ARGV[1], ARGV[2])
if ARGV[3] == '1' then
  for _, other in ipairs(redis.call('SMEMBERS', prefix .. 'instances')) do
    if redis.call('EXISTS', prefix .. 'instance:' .. other) == 0 then giveUp(other) end
  end
end`,
);

/** In: instance. */
export const leave = defineScript(nothing, giveUp, "giveUp(ARGV[1])");

/** In: instance, "1" if openings may still be reconnecting. */
export const present = defineScript(truth, isPresent, "return isPresent(ARGV[1], ARGV[2] == '1') and 1 or 0");
