import { expect, test } from "vitest";
import { protectedRows, protectionLine, protectionNote } from "../../../src/policy/protection/protection.ts";
import { moment } from "../../../src/views/format.ts";

const web = { id: "vps-1", card: "vps show", name: "web-1", by: "T1:U1", at: Date.parse("2026-11-28T10:00:00Z") };
const mail = { ...web, id: "vps-2", name: "mail", by: "T1:U2" };

test("a protection says who made it, since when, and what it asks of people", () => {
  expect(protectionLine(web)).toBe(
    `:lock: Protected by <@U1> since ${moment(web.at)}. Each person who decides an act that destroys it types its name.`,
  );
  // On a posted card without a mention.
  expect(protectionNote({ byName: "ana", at: web.at })).toBe(protectionLine(web).replace("<@U1>", "`@ana`"));
});

test("a list names its protected rows with those who protected them, and nothing without any", () => {
  expect(protectedRows([web, mail])).toBe(":lock: Protected: `web-1` by <@U1>, `mail` by <@U2>.");
  expect(protectedRows([mail])).toBe(":lock: Protected: `mail` by <@U2>.");
  expect(protectedRows([])).toBe(null);
});
