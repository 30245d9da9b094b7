// storage/redis/scripts/: what Redis does in one step, in its own language, by what it is about.
// May import: storage/redis/.

import { defineScript, truth } from "../script.ts";
import { placeInIndex } from "./index-members.ts";
import { appendToLog } from "./log.ts";
import { replaceValue } from "./values.ts";
import { askForWakeup } from "./wakeups.ts";

/** A plan as JSON; what is absent in it is false. Whether it was written. */
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
