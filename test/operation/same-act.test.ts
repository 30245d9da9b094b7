import { expect, test } from "vitest";
import type { PlatformOperation } from "../../src/operation/operation.ts";
import { actsWith, commandsOfAct, kindsOf, operationsGained } from "../../src/operation/same-act.ts";
import { operations, registry } from "../../src/operations/index.ts";
import { evaluate, isUnder, type RuledAct } from "../../src/policy/evaluate.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import type { ApprovalLevel, Rule } from "../../src/policy/rule.ts";

const platform = operations.filter((one): one is PlatformOperation => one.api !== "app");

function find(command: string): PlatformOperation {
  const operation = platform.find((one) => one.command === command);
  if (!operation) throw new Error(`There is no /${command}`);
  return operation;
}

/** The other commands of the act, with this input, on this kind. */
function sameAs(command: string, { input = {}, kind }: { input?: Record<string, unknown>; kind?: string } = {}) {
  const operation = find(command);
  const kinds = kind ? [kind] : kindsOf(operation);
  return commandsOfAct(registry, { command, acts: actsWith(operation, input), kinds }).toSorted();
}

test("the commands of one act on one kind are one, whatever each is called", () => {
  expect(sameAs("service cancel", { kind: "vps" })).toEqual(["vps cancel"]);
  expect(sameAs("service cancel", { kind: "dedicated" })).toEqual([]);
  expect(sameAs("vps cancel")).toEqual(["service cancel"]);
  expect(sameAs("vps stop")).toEqual(expect.arrayContaining(["vps power", "service stop", "service shutdown"]));
  expect(sameAs("vps power", { input: { action: "start" } })).not.toContain("vps stop");
  expect(sameAs("vps start")).not.toContain("service run");
  expect(sameAs("service power", { input: { action: "poweroff" }, kind: "vps" })).toContain("vps stop");
  expect(sameAs("service stop", { kind: "dedicated" })).toContain("dedicated off");
  expect(sameAs("service stop", { kind: "game" })).toContain("game stop");
  expect(sameAs("service stop", { kind: "game" })).not.toContain("game kill");
  expect(sameAs("game kill")).toContain("game stop");
  expect(sameAs("service run", { input: { action: "reinstall" }, kind: "vps" })).toContain("vps reinstall");
  expect(sameAs("project move")).toContain("vps move");
  expect(sameAs("reseller service options set")).toContain("reseller service option remove");
  expect(sameAs("service options change")).toContain("service option add");
  expect(sameAs("reseller game stop")).toContain("reseller service stop");
  expect(sameAs("vps cancel").filter((command) => command.startsWith("reseller"))).toEqual([]);
});

test("no kind of resource of one API is one of the other, so that no rule about the one holds for the other", () => {
  const [customers, resellers] = (["customer", "reseller"] as const).map(
    (api) => new Set(platform.filter((one) => one.api === api).flatMap(kindsOf)),
  );
  expect(customers?.size).toBeGreaterThan(8);
  expect([...(customers ?? [])].filter((kind) => resellers?.has(kind))).toEqual([]);
  expect([...(resellers ?? [])].filter((kind) => !/^reseller (?!reseller)/.test(kind))).toEqual([]);
});

test("commands that share an endpoint and a kind are one act, unless an input of the endpoint tells them apart", () => {
  const writes = platform.filter(({ risks }) => risks.some((risk) => risk !== "read"));
  const apart = /\{action\}|\{op\}|\/power$|\/mods|console-cast|webhooks/;
  const wrong = writes.flatMap((one) =>
    writes.flatMap((other) => {
      const isOne = one.api === other.api && one.act.route === other.act.route && !apart.test(one.act.route);
      if (!isOne || one.command >= other.command) return [];
      const isShared = kindsOf(one).some((kind) => kindsOf(other).includes(kind));
      return isShared && !sameAs(one.command).includes(other.command) ? [`${one.command} and ${other.command}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

const plain = { risk: null, project: null, channels: null, over: null, overInDay: null };
const defaults = ruleDefaults("peer", "on");

function rule(command: string, demand: ApprovalLevel, more: Partial<Rule> = {}): Rule {
  return { id: "r1", when: { ...plain, command }, demand, overridable: false, ...more };
}

function ruled(command: string, kind: string): RuledAct {
  const operation = find(command);
  const acts = actsWith(operation, {});
  const others = commandsOfAct(registry, { command, acts, kinds: [kind] });
  const act = { risk: operation.risk, command, sameAs: others, project: null, channel: null };
  return { ...act, price: null, spent: { sums: [], unknown: false } };
}

test("a strict rule about any command holds for each other command of the act, and a rule that permits for none", () => {
  let pairs = 0;
  for (const operation of platform)
    for (const kind of kindsOf(operation))
      for (const named of sameAs(operation.command, { kind })) {
        const act = ruled(operation.command, kind);
        const free = evaluate([], act, defaults);
        const never = evaluate([rule(named, "not-allowed")], act, defaults);
        expect.soft(never.demand, `${operation.command} under ${named}`).toBe("not-allowed");
        if (act.risk === "read") continue;
        pairs += 1;
        const proven = evaluate([rule(named, "two-approvals", { passkey: true, overridable: true })], act, defaults);
        expect.soft(proven.demand).toBe("two-approvals");
        expect.soft(proven.passkey, `${operation.command} under ${named}`).not.toBeNull();
        // An override is for the named command alone, and so is less than the default.
        expect.soft(proven.rule?.overridable).toBe(false);
        for (const demand of ["allowed", "confirm"] as const) {
          const { demand: least } = evaluate([rule(named, demand)], act, defaults);
          const isLooser = demand === "allowed" || free.demand !== "allowed";
          if (isLooser) expect.soft(least, `${operation.command} under ${named} ${demand}`).toBe(free.demand);
        }
      }
  expect(pairs).toBeGreaterThan(30);
});

test("an agent runs at once the commands alone that a rule names, and no other name of the act", () => {
  const released = rule("", "allowed", { when: { ...plain, command: null, agent: { commands: ["vps reboot"] } } });
  const named = { ...ruled("vps reboot", "vps"), agent: {} };
  expect(evaluate([released], named, defaults).demand).toBe("allowed");
  for (const command of ["vps power", "service reboot", "service restart"])
    expect(evaluate([released], { ...ruled(command, "vps"), agent: {} }, defaults).demand).toBe("confirm");
});

test("the commands gained are those that the rule then holds for, and each names a command that the rule does not", () => {
  const gained = (prefix: string) => operationsGained(registry, (command) => isUnder(command, prefix));
  expect(gained("vps cancel").map(({ command }) => command)).toEqual(["service cancel"]);
  expect(gained("game kill").map(({ command }) => command)).toEqual(["service run", "service power"]);
  expect(gained("vps").every(({ command }) => !command.startsWith("vps "))).toBe(true);
  expect(gained("vps").map(({ command }) => command)).toContain("service reinstall");
  expect(gained("billing")).toEqual([]);
});

test("a power command does the act of each command of its kind whose verb is a synonym of its own", () => {
  const power = platform.filter(({ group }) => group === "power");
  const wrong = power.flatMap((one) =>
    (one.synonyms ?? []).flatMap((synonym) => {
      const words = typeof synonym === "string" ? synonym : synonym.words;
      const meant = power.filter(
        (other) =>
          other !== one &&
          other.api === one.api &&
          other.command.endsWith(` ${words}`) &&
          kindsOf(other).some((kind) => kindsOf(one).includes(kind)),
      );
      return meant
        .filter(({ command }) => !sameAs(one.command).includes(command))
        .map(({ command }) => `${one.command} and ${command}`);
    }),
  );
  expect(wrong, "declare the same act in `does`").toEqual([]);
});
