import { expect, test } from "vitest";
import {
  agentOfToken,
  createAgent,
  mostAgents,
  type NewAgent,
  readAgents,
  removeAgent,
} from "../../../src/members/identities/agents.ts";
import { openMemory } from "../../storage/memory.ts";
import { customerLink } from "./links.ts";

const endpoint = "https://rackbell.example/mcp";
const links = { member: "T1:U1", customer: customerLink({ member: "T1:U1" }), reseller: null };
const day = 24 * 60 * 60_000;

async function opened() {
  const { store, clock } = await openMemory({});
  const wanted = (name: string): NewAgent => ({
    name,
    member: "T1:U1",
    slackUser: "U1",
    may: "propose",
    projects: null,
    channel: null,
    endpoint,
    expiresAt: clock.now() + day,
  });
  return { app: { store, clock }, clock, wanted };
}

test("of two agents of one name that are made at once one is made, and its removal ends the only token", async () => {
  const { app, wanted } = await opened();
  const made = await Promise.all([1, 2].map(() => createAgent(app, wanted("claude"), links)));
  const [only, ...others] = made.filter((each) => typeof each !== "string");
  expect([others, made.filter((each) => each === "name taken")]).toEqual([[], ["name taken"]]);
  expect(await agentOfToken(app, only?.token ?? "", endpoint)).toMatchObject({ name: "claude" });
  await removeAgent(app, only?.agent ?? { id: "" });
  expect(await agentOfToken(app, only?.token ?? "", endpoint)).toBeNull();
  expect(await readAgents(app, "T1:U1")).toEqual([]);
});

test("of many agents that are made at once no more are made than a member may have", async () => {
  const { app, wanted } = await opened();
  const names = Array.from({ length: mostAgents + 5 }, (_, at) => `agent-${at}`);
  const made = await Promise.all(names.map((name) => createAgent(app, wanted(name), links)));
  expect(made.filter((each) => each === "too many")).toHaveLength(5);
  expect(await readAgents(app, "T1:U1")).toHaveLength(mostAgents);
});

test("an agent that has expired is gone with its token, and its name is free", async () => {
  const { app, clock, wanted } = await opened();
  const made = await createAgent(app, wanted("claude"), links);
  clock.skip(day + 1);
  expect(await readAgents(app, "T1:U1")).toEqual([]);
  expect(await agentOfToken(app, typeof made === "string" ? "" : made.token, endpoint)).toBeNull();
  expect(await createAgent(app, wanted("claude"), links)).toMatchObject({ agent: { name: "claude" } });
});

test("a token is worth nothing at another address than the one that it was made for", async () => {
  const { app, wanted } = await opened();
  const made = await createAgent(app, wanted("claude"), links);
  const token = typeof made === "string" ? "" : made.token;
  expect(await agentOfToken(app, token, endpoint)).not.toBeNull();
  expect(await agentOfToken(app, token, "https://other.example/mcp")).toBeNull();
});
