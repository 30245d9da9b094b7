import * as z from "zod";
import { defineScript, truth } from "../script.ts";

/**
 * A Lua function, for scripts that change a value together with other data. Each argument but the key is a text, or false for none. A
 * false `text` deletes.
 */
const replaceValue = `
local function replaceValue(key, expected, text, ttl)
  if redis.call('GET', key) ~= expected then return false end
  if not text then redis.call('UNLINK', key)
  elseif ttl then redis.call('SET', key, text, 'PX', ttl)
  else redis.call('SET', key, text) end
  return true
end`;

/** In: key, "1" if a value is expected, that value; "1" if a value is set, that value; time to live or "". */
export const replace = defineScript(
  truth,
  replaceValue,
  `
local key, ttl = prefix .. ARGV[1], ARGV[6]
local expected = ARGV[2] == '1' and ARGV[3] or false
local text = ARGV[4] == '1' and ARGV[5] or false
return replaceValue(key, expected, text, ttl ~= '' and ttl or false) and 1 or 0`,
);

export const take = defineScript(z.string().nullable(), "return redis.call('GETDEL', prefix .. ARGV[1])");
