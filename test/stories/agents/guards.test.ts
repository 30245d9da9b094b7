import { expect, test } from "vitest";
import { said } from "../story.ts";
import { connect, newToken, reboot, withAgent } from "./agent.ts";

/** The platform's answer with another text in the place of the first that fits. */
function replacing(text: string, by: string): (body: unknown) => unknown {
  return (body) => JSON.parse(JSON.stringify(body).replace(text, by));
}

/** The agent of `withAgent`, and one that is confined to a project. */
async function withConfined(project = "staging") {
  const made = await withAgent();
  const token = await newToken(made.story, made.ana, "inside", `may=propose projects="${project}"`);
  return { ...made, inside: await connect(made.story, token) };
}

test("a confined agent gets no row of another project, though the platform sends one", async () => {
  const { story, inside } = await withConfined();
  const { platform } = story;
  const [own, foreign] = [platform.projectId("staging"), platform.projectId("production")];
  platform.faults.next({ how: { rewrite: replacing(own, foreign) }, path: "/vps", times: 5 });
  const { data } = await inside.call("read", { command: "vps list" });
  expect(JSON.stringify(data)).toContain('"/vps"');
  expect(JSON.stringify(data)).not.toContain(foreign);
});

test("an agent reads nothing that a rule forbids its member", async () => {
  const { story, agent } = await withAgent();
  await agent.call("read", { command: "vps show", target: "web-1" });
  await story.ask(story.ana, '/rackbell policy add demand=never command="vps show"', "In effect now");
  expect(await agent.refused("read", { command: "vps show", target: "web-1" })).toContain("rule");
});

test("an answer that would fill an agent's context is refused, with the advice to narrow it", async () => {
  const { story, agent } = await withAgent();
  story.platform.faults.next({
    how: { rewrite: replacing("web-1.example.test", "x".repeat(250_000)) },
    path: "/vps/{id}",
    times: 9,
  });
  expect(await agent.refused("read", { command: "vps show", target: "web-1" })).toContain("too long for one read");
});

test("several machines are proposed only if each is in a project of the agent, though the platform finds the others", async () => {
  const { story, inside } = await withConfined();
  const { platform } = story;
  const listed = JSON.stringify(await inside.call("read", { command: "vps list" }));
  const targets = [...listed.matchAll(/"id":"([0-9a-f-]{36})","name"/g)].map(([, id]) => id).slice(0, 2);
  const [own, foreign] = [platform.projectId("staging"), platform.projectId("production")];
  platform.faults.next({ how: { rewrite: replacing(own, foreign) }, path: "/vps/{id}", times: 9 });
  const several = { command: "vps reboot", targets, why: "They hang", key: "bulk-outside" };
  expect(await inside.refused("propose", several)).toContain("in no project of this agent");
});

test("a machine that was renamed since the list was read is not proposed under its old name", async () => {
  const { story, agent } = await withAgent();
  await agent.call("read", { command: "vps show", target: "web-1" });
  story.platform.change("web-1", { name: "old-web-1" });
  expect(await agent.refused("propose", reboot)).toContain("was renamed to old-web-1");
});

test("an agent proposes nothing that the state of the machine forbids", async () => {
  const { story, agent } = await withAgent();
  story.platform.change("web-1", { status: "suspended" });
  const snapshot = {
    command: "vps snapshot",
    target: "web-1",
    why: "Before",
    key: "snapshot-a",
    input: { name: "before" },
  };
  expect(await agent.refused("propose", snapshot)).toContain("suspended");
});

test("a command that only reads with its input is read, and not proposed", async () => {
  const { agent } = await withAgent();
  const status = {
    command: "service run",
    target: "web-1",
    why: "Is it up?",
    key: "status-a",
    input: { action: "status" },
  };
  expect(await agent.refused("propose", status)).toContain('use \\"read\\"');
});

test("withdrawing a request that is over changes nothing and writes nothing to its member", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", reboot);
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "withdrawn" });
  await story.seesIn("dm", ana, "withdrew");
  const before = [...ana.sees("dm"), ...ana.sees("#ops")].map((message) => said(message));
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "withdrawn" });
  expect([...ana.sees("dm"), ...ana.sees("#ops")].map((message) => said(message))).toEqual(before);
});
