// storage/redis/scripts/: the Lua scripts, which Redis runs atomically, by subject.
// May import: storage/redis/.

import { defineScript, truth } from "../script.ts";
import { placeInIndex } from "./index-members.ts";
import { appendToLog } from "./log.ts";
import { setTimer } from "./timers.ts";

/** In: a plan as JSON, with false for absent parts. Out: true if it was written. */
export const transact = defineScript(
  truth,
  appendToLog,
  placeInIndex,
  setTimer,
  `
local plan = cjson.decode(ARGV[1])
for _, each in ipairs(plan.records) do
  if redis.call('GET', prefix .. each.key) ~= each.was then return 0 end
end
for _, each in ipairs(plan.records) do
  if not each.text then redis.call('UNLINK', prefix .. each.key)
  elseif each.ttl then redis.call('SET', prefix .. each.key, each.text, 'PX', each.ttl)
  else redis.call('SET', prefix .. each.key, each.text) end
end
for _, each in ipairs(plan.log) do appendToLog(each.log, each.entry, {}, plan.now) end
for _, each in ipairs(plan.index) do placeInIndex(each.name, each.member, each.score) end
for _, each in ipairs(plan.timers) do setTimer(each.lane, each.id, each.at) end
return 1`,
);
