import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { loosens } from "../../src/policy/loosens.ts";
import { lostByMove } from "../../src/policy/moves.ts";
import { demandSentence } from "../../src/policy/words.ts";
import { production, rule, staging } from "./rules.ts";

const defaults = { read: "allowed", change: "allowed", spend: "confirm", destroy: "confirm", passkeys: "off" } as const;

function actOf(change: Partial<RuledAct> = {}): RuledAct {
  return {
    risk: "change",
    command: "vps reboot",
    project: staging,
    channel: null,
    price: null,
    agent: {},
    spent: { sums: [], unknown: false },
    ...change,
  };
}

const released = rule({ agent: { commands: ["vps reboot"] }, project: staging });

test("an agent's restart needs its member's confirmation, and the member's own restart does not", () => {
  expect(evaluate([], actOf(), defaults).demand).toBe("confirm");
  expect(evaluate([], actOf({ agent: null }), defaults).demand).toBe("allowed");
});

test("a rule releases its commands in its project alone, and never against a stricter rule", () => {
  expect(evaluate([released], actOf(), defaults).demand).toBe("allowed");
  expect(evaluate([released], actOf({ command: "vps stop" }), defaults).demand).toBe("confirm");
  expect(evaluate([released], actOf({ project: production }), defaults).demand).toBe("confirm");
  expect(evaluate([released], actOf({ project: null }), defaults).demand).toBe("confirm");
  expect(evaluate([released, rule({ command: "vps" }, "one-approval")], actOf(), defaults).demand).toBe("one-approval");
});

test("no rule releases an agent's act that destroys or spends", () => {
  const both = rule({ agent: { commands: ["vps cancel", "order new"] } });
  expect(evaluate([both], actOf({ risk: "destroy", command: "vps cancel" }), defaults).demand).toBe("confirm");
  expect(evaluate([both], actOf({ risk: "spend", command: "order new" }), defaults).demand).toBe("confirm");
});

test("a new rule for agents loosens, and so does another command in it; taking it away does not", () => {
  const wider = rule({ agent: { commands: ["vps reboot", "vps stop"] }, project: staging });
  expect(loosens([], [released], defaults)).toBe(true);
  expect(loosens([], [released], { ...defaults, spend: "allowed", destroy: "allowed" })).toBe(true);
  expect(loosens([released], [wider], defaults)).toBe(true);
  expect(loosens([released], [released], defaults)).toBe(false);
  expect(loosens([released], [], defaults)).toBe(false);
  const overridable = rule({ risk: "destroy" }, "one-approval", true);
  expect(loosens([released, overridable], [overridable], defaults)).toBe(false);
  expect(loosens([rule({ risk: "destroy" }, "one-approval")], [released], defaults)).toBe(true);
});

test("a move into a project in which agents run a command at once needs what agents would no longer need", () => {
  const acts = [{ command: "vps reboot", risks: ["change"] as const }];
  expect(lostByMove([released], defaults, { from: production, to: staging, acts })).toMatchObject({
    demand: "confirm",
  });
  expect(lostByMove([released], defaults, { from: staging, to: production, acts })).toBeNull();
});

test("the rule says what it is", () => {
  expect(demandSentence(released)).toBe("Agents run `/vps reboot` in project staging at once, without their member.");
});
