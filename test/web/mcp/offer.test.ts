import { expect, test } from "vitest";
import * as z from "zod";
import { fieldsOf, isSecret } from "../../../src/operation/fields.ts";
import { riskGroup } from "../../../src/operation/risk.ts";
import { operations } from "../../../src/operations/index.ts";
import { agentUse, inputSchemaOf } from "../../../src/web/mcp/offer.ts";
import { tools } from "../../../src/web/mcp/tools.ts";

const offered = operations.flatMap((operation) => agentUse(operation) ?? []);

test("no command of Rackbell's own is for agents, and a command that reads is never proposed", () => {
  expect(offered.length).toBeGreaterThan(150);
  expect(operations.filter(({ api }) => api === "app").filter((operation) => agentUse(operation) !== null)).toEqual([]);
  for (const { operation, use } of offered) expect(use === "read").toBe(operation.risk === "read");
});

test("a rule can let agents run only what neither destroys nor spends, gives no access and moves nothing", () => {
  const released = offered.filter(({ operation }) => operation.agents === "by rule").map(({ operation }) => operation);
  expect(released.map(({ command }) => command)).toContain("vps reboot");
  for (const { command, risks } of released) expect([command, risks]).toEqual([command, ["change"]]);
  expect(
    released.map(riskGroup).filter((group) => group !== "power" && group !== "data" && group !== "settings"),
  ).toEqual([]);
  expect(
    released.filter(({ command }) => /password|key|rescue|console|network|dns|move|project|customer/.test(command)),
  ).toEqual([]);
});

test("the input of a command, as an agent finds it, asks for no secret", () => {
  const Properties = z.object({ properties: z.record(z.string(), z.unknown()) });
  for (const { operation } of offered) {
    const { properties } = Properties.parse(inputSchemaOf(operation));
    const secrets = fieldsOf(operation.input).filter(isSecret);
    expect(secrets.filter(({ name }) => name in properties)).toEqual([]);
  }
});

test("no offered input makes an answer that only a person in Slack can get", () => {
  const Properties = z.object({ properties: z.record(z.string(), z.unknown()) });
  const names = offered.flatMap(({ operation }) =>
    Object.keys(Properties.parse(inputSchemaOf(operation)).properties).map((name) => [operation.command, name]),
  );
  expect(names.filter(([, name]) => ["export", "follow", "order"].includes(name ?? ""))).toEqual([]);
  // Every read whose input can make a change of it hides that input: a list would be refused with it.
  const changing = offered.filter(({ operation, use }) => use === "read" && operation.risks.length > 1);
  for (const { operation } of changing)
    expect([operation.command, fieldsOf(operation.input).some(({ people }) => people)]).toEqual([
      operation.command,
      true,
    ]);
});

test("the tools are five, short, and always the same", () => {
  expect(tools.map(({ name }) => name)).toEqual(["search_operations", "read", "propose", "request_status", "withdraw"]);
  expect(JSON.stringify(tools).length).toBeLessThan(8 * 1024);
  for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBeTypeOf("boolean");
});
