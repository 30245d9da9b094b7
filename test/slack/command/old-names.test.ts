import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { parseCommand } from "../../../src/slack/command/parse.ts";

// The names of commands that others do now, each with all values that people typed after it.

const oldNames: [typed: string, command: string, input: Record<string, string>][] = [
  ["favourites", "star", {}],
  ["favourite web-1", "star", { thing: "web-1" }],
  ["favourite thing=web-1", "star", { thing: "web-1" }],
  ["favourite remove web-1", "star", { thing: "web-1", remove: "yes" }],
  ["unstar vps web-1", "star", { thing: "vps web-1", remove: "yes" }],
  ["watches", "watch", {}],
  ["watch usage mail figure=disk above=80 days=3", "watch", { thing: "mail", figure: "disk", above: "80", days: "3" }],
  ["watch stop web-1", "watch", { thing: "web-1", stop: "yes" }],
  ["agent list", "agents", {}],
  ["agent resume claude", "agents", { resume: "claude" }],
  ["agent resume name=claude", "agents", { resume: "claude" }],
  ["agents turn=on", "agents", { turn: "on" }],
  ["passkey", "passkeys", { do: "make" }],
  ["passkey list", "passkeys", {}],
  ["passkey lost", "passkeys", { do: "replace" }],
  ["passkey remove my phone", "passkeys", { remove: "my phone" }],
  ["passkey remove name=phone", "passkeys", { remove: "phone" }],
  ["maintenance list", "maintenance", {}],
  ["maintenance remove 1a2b3c4d", "maintenance", { remove: "1a2b3c4d" }],
  ["maintenance remove window=1a2b3c4d", "maintenance", { remove: "1a2b3c4d" }],
  ['window "web 1" 22:00-23:00 every=day', "maintenance", { what: '"web 1" 22:00-23:00', every: "day" }],
  ["report preview", "report", { do: "preview" }],
  ["report post", "report", { do: "post" }],
  ["report off", "report", { do: "off" }],
  ["approvals channel #C0123456789", "settings", { approvals: "#C0123456789" }],
  ["approvals channel channel=none", "settings", { approvals: "none" }],
  ["approvals group @S0123456789", "settings", { group: "@S0123456789" }],
  ["approvals group group=none", "settings", { group: "none" }],
  ["alerts limits due=3 renewal=7 balance=50", "settings", { due: "3", renewal: "7", balance: "50" }],
  ["alerts add #C0123456789 events=order.*", "alerts set", { channel: "#C0123456789", events: "order.*" }],
  ["alerts change #C0123456789 not=none", "alerts set", { channel: "#C0123456789", not: "none" }],
  ["alerts mode #C0123456789 how=digest hours=8", "alerts set", { channel: "#C0123456789", how: "digest", hours: "8" }],
  ["alerts try events=order.* about=acme", "alerts set", { try: "yes", events: "order.*", about: "acme" }],
  ["alerts remove #C0123456789", "alerts stop", { channel: "#C0123456789" }],
  ["alerts test #C0123456789", "alerts", { do: "test", channel: "#C0123456789" }],
  ["alerts look", "alerts", { do: "look" }],
  ["alerts replay", "alerts", { do: "replay" }],
  ["alerts replay 1a2b", "alerts", { do: "replay", alert: "1a2b" }],
  ["alerts replay card=1a2b", "alerts", { do: "replay", alert: "1a2b" }],
  ["mute mail hours=2", "alerts mute", { about: "mail", hours: "2" }],
  ["alerts unmute mail", "alerts mute", { about: "mail", hours: "0", channel: "any" }],
  ["unmute mail channel=#C0123456789", "alerts mute", { about: "mail", hours: "0", channel: "#C0123456789" }],
  ["policy add demand=confirm risk=spend", "policy set", { demand: "confirm", risk: "spend" }],
  ["policy try vps cancel web-1 in=2h", "policy", { what: "vps cancel web-1 in=2h" }],
  ["policy agree", "policy", {}],
  ["policy agree change=1a2b", "policy", { agree: "1a2b" }],
];

test.each(oldNames)("/rackbell %s is read as /rackbell %s", (typed, command, input) => {
  expect(parseCommand(registry, "rackbell", typed)).toEqual({ invocation: { command: `rackbell ${command}`, input } });
});

test("a resource that is called like the second word of an old name is meant where its name is quoted", () => {
  expect(parseCommand(registry, "rackbell", 'watch "stop me"')).toEqual({
    invocation: { command: "rackbell watch", input: { thing: "stop me" } },
  });
});

test("Rackbell itself has at most 46 commands", () => {
  expect(registry.under("rackbell").length).toBeLessThanOrEqual(46);
});
