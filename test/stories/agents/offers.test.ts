import { expect, test } from "vitest";
import * as z from "zod";
import { goAhead, writes } from "../story.ts";
import { withAgent } from "./agent.ts";

const Data = z.array(z.object({ route: z.string(), value: z.union([z.looseObject({}), z.array(z.json())]) }));
const Rows = z.object({ rows: z.array(z.looseObject({ name: z.string() })) });

test("of an estate of 250 machines, an agent reads the rows that a filter shows, in their order, and no others", async () => {
  const { story, agent } = await withAgent();
  story.platform.addVps(250, "estate");
  const pages = await agent.call("read", { command: "vps list" });
  expect(Rows.parse(Data.parse(pages.data)[0]?.value).rows).toHaveLength(100);
  const filtered = await agent.call("read", { command: "vps list", input: { text: "web-" } });
  const [{ route = "", value = {} } = {}, ...others] = Data.parse(filtered.data);
  expect([route, others]).toEqual(["/vps", []]);
  expect(Rows.parse(value).rows.map(({ name }) => name)).toEqual(["web-1", "web-2"]);
  const sorted = await agent.call("read", { command: "vps list", input: { sort: "state", page: 3 } });
  const states = Rows.parse(Data.parse(sorted.data)[0]?.value).rows;
  expect(states.length).toBeGreaterThan(50);
  expect(await agent.call("read", { command: "vps list", input: { text: "web-", status: "paused" } })).toMatchObject({
    data: [],
  });
});

test("an agent reads a machine without the catalogue of products and places, which it reads by their own commands", async () => {
  const { agent } = await withAgent();
  const routes = async (command: string, target?: string) =>
    Data.parse((await agent.call("read", { command, ...(target ? { target } : {}) })).data).map(({ route }) => route);
  expect(await routes("vps show", "web-1")).toEqual(["/vps/{id}"]);
  // Its addresses are on the page of its kind, and the currency of its price in the balance.
  expect(await routes("service show", "web-1")).toEqual(["/services/{id}", "/vps/{id}", "/account/balance"]);
  expect(await routes("catalog products")).toEqual(["/products"]);
});

test("an agent proposes an order with its values, and reads which are missing or wrong", async () => {
  const { story, agent, ana } = await withAgent();
  const order = { command: "order new", why: "More room", key: "order-of-a-vps" };
  const values = {
    ...{ product: "VPS M", cycle: "monthly", location: "Madrid" },
    ...{ hostname: "new-1.example.test", image: "Debian 13" },
  };
  expect(await agent.refused("propose", { ...order, input: { product: "VPS S" } })).toMatch(
    /product, cycle, hostname and image.*Nothing was proposed/,
  );
  const wrong = { ...values, image: "BeOS" };
  expect(await agent.refused("propose", { ...order, input: wrong })).toContain("BeOS");
  expect(await agent.refused("propose", { ...order, input: { ...values, more: [] } })).toContain("Leave out");
  const { request } = await agent.call("propose", { ...order, input: values });
  const card = await story.seesIn("dm", ana, "proposes to", "VPS M", "More room", "new-1.example.test");
  expect(writes(story).filter(({ path }) => path === "/orders")).toEqual([]);
  await ana.press(card, goAhead);
  await expect.poll(() => agent.call("request_status", { request })).toMatchObject({ state: "under way" });
  await expect.poll(() => writes(story).filter(({ path }) => path === "/orders")).toHaveLength(1);
});

test("an action of a provider that only reads is read, and one that does more is proposed", async () => {
  const { agent } = await withAgent();
  const run = { command: "service run", target: "plugin-1" };
  const answer = await agent.call("read", { ...run, input: { action: "status" } });
  // The platform answers a write, so that no read has the answer.
  expect(Data.parse(answer.data).at(-1)).toMatchObject({
    route: expect.stringMatching(/^POST .*\/actions/),
    value: { status: "running" },
  });
  expect(await agent.refused("read", { ...run, input: { action: "stop" } })).toContain("propose");
});

test("the pages of a search have every command that the agent has, each once", async () => {
  const { agent } = await withAgent();
  const Page = z.object({ operations: z.array(z.object({ command: z.string() })), more: z.number() });
  const found: string[] = [];
  let more = 1;
  while (more > 0) {
    const page = Page.parse(await agent.call("search_operations", { noun: "vps", from: found.length }));
    found.push(...page.operations.map(({ command }) => command));
    more = page.more;
  }
  expect(found.length).toBeGreaterThan(12);
  expect(new Set(found).size).toBe(found.length);
});

test("an input whose answer only a person in Slack gets, or that is none, is refused before anything is read", async () => {
  const { story, agent } = await withAgent();
  story.platform.clearCalls();
  const reading = (input: object) => agent.refused("read", { command: "vps list", input });
  expect(await reading({ export: "csv" })).toContain("Leave out");
  expect(await reading({ exports: "csv" })).toContain("There is no input");
  expect(story.platform.calls()).toEqual([]);
});

test("a call that waited while its owner unlinked the key is refused in words for the agent", async () => {
  const { story, agent, ana } = await withAgent();
  story.platform.faults.hang();
  const hanging = Array.from({ length: 4 }, () => agent.call("read", { command: "vps show", target: "web-1" }));
  const ended = Promise.allSettled(hanging);
  await expect.poll(() => story.platform.calls().filter(({ status }) => status === null).length).toBeGreaterThan(0);
  const waiting = agent.refused("read", { command: "vps list" });
  await ana.type("/rackbell unlink");
  await story.pressing(ana, await story.sees(ana, "cancels your open requests"), "Unlink a key", "erased here");
  story.platform.faults.resume();
  await ended;
  expect(await waiting).toContain("Ask your owner to link a key");
});

test("a refusal about the key speaks to the agent, and says what its owner can do", async () => {
  const { story, agent, ana } = await withAgent();
  story.platform.setScopes(story.platform.keys.ana, ["read"]);
  await story.ask(ana, "/rackbell whoami", "ana");
  const refused = await agent.refused("propose", {
    command: "vps cancel",
    target: "web-2",
    why: "x",
    key: "no-scope-1",
  });
  expect(refused).toMatch(/your owner|The key of your owner/);
  expect(refused).not.toMatch(/your key|your customer key/);
});
