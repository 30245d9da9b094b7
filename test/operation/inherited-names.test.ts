import { expect, test } from "vitest";
import { postProblem } from "../../src/messages/chat/channel-problem.ts";
import { acceptInput } from "../../src/operation/input.ts";
import { actsWith } from "../../src/operation/same-act.ts";
import { registry } from "../../src/operations/index.ts";
import { machineMark, stateMark } from "../../src/operations/kits/service-states.ts";
import { parseCommand } from "../../src/slack/command/parse.ts";
import { labelled } from "../../src/views/labels.ts";
import { stateWords, valueWords } from "../../src/views/values.ts";

/** Names that every object inherits. */
const inherited = ["constructor", "__proto__", "valueOf", "toString", "hasOwnProperty"];

test.each(inherited)("a value called %s is one that no command knows, and the answer says its name", (name) => {
  for (const operation of registry.all) {
    const accepted = acceptInput(operation.input, Object.fromEntries([[name, "x"]]));
    const words = "error" in accepted ? String(accepted.error.message) : "accepted";
    expect.soft(words, operation.command).toContain(`I don't know ${name}= here.`);
  }
});

test.each(["constructor", "__proto__"])("a typed %s= keeps its name, with and without a synonym", (name) => {
  for (const text of ["show web-1", "rebuild web-1", "list", "reboot web-1"]) {
    const parsed = parseCommand(registry, "vps", `${text} ${name}=x`);
    expect.soft(JSON.stringify(parsed), text).toContain(name);
    expect.soft(JSON.stringify(parsed), text).not.toContain("native code");
  }
});

test.each(inherited)("a state, a reason or a field of the platform's called %s is shown as its own word", (name) => {
  expect(stateWords(name)).toBe(name.replaceAll("_", " "));
  for (const shown of [stateMark(name), machineMark(name), postProblem(name), valueWords(name, name)])
    expect.soft(shown).toMatch(/^[:\w `]+$/);
  expect(labelled(`size_${name}`).unit).toBe("");
  for (const operation of registry.all) {
    if (operation.api === "app") continue;
    const { does = [] } = operation;
    if (!("input" in does)) continue;
    const acts = actsWith(operation, { [does.input]: name });
    expect.soft(acts, operation.command).toContain(name.toLowerCase());
  }
});
