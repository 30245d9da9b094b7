// storage/redis/scripts/: the Lua scripts, which Redis runs atomically, by subject.
// May import: storage/redis/.

import { defineScript, truth } from "../script.ts";
import { placeInIndex } from "./index-members.ts";
import { appendToLog } from "./log.ts";
import { askForWakeup } from "./timers.ts";
import { replaceValue } from "./values.ts";

/** In: a plan as JSON, with false for absent parts. Out: true if it was written. */
export const commitBatch = defineScript(
  truth,
  replaceValue,
  appendToLog,
  placeInIndex,
  askForWakeup,
  `
local plan = cjson.decode(ARGV[1])
local record = plan.record
if not replaceValue(prefix .. record.key, record.expected, record.value, record.ttl) then return 0 end
for _, each in ipairs(plan.append) do appendToLog(each.log, each.entry, {}, plan.now) end
for _, each in ipairs(plan.index) do placeInIndex(each.name, each.member, each.score) end
for _, each in ipairs(plan.wake) do askForWakeup(each.lane, each.id, each.at) end
return 1`,
);
