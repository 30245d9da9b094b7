import { expect, test } from "vitest";
import * as z from "zod";
import { goAhead, said, writes } from "../story.ts";
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

test("a confined agent gets no row of another project, though the platform sends one, and proposes nothing to its machines", async () => {
  const { story, inside } = await withConfined();
  const { platform } = story;
  const listed = JSON.stringify(await inside.call("read", { command: "vps list" }));
  const targets = [...listed.matchAll(/"id":"([0-9a-f-]{36})","name"/g)].map(([, id]) => id).slice(0, 2);
  const [own, foreign] = [platform.projectId("staging"), platform.projectId("production")];
  platform.faults.next({ how: { rewrite: replacing(own, foreign) }, path: "/vps/{id}", times: 9 });
  const several = { command: "vps reboot", targets, why: "They hang", key: "bulk-outside" };
  expect(await inside.refused("propose", several)).toContain("in no project of this agent");
  platform.faults.resume();
  platform.faults.next({ how: { rewrite: replacing(own, foreign) }, path: "/vps", times: 5 });
  const { data } = await inside.call("read", { command: "vps list" });
  expect(JSON.stringify(data)).toContain('"/vps"');
  expect(JSON.stringify(data)).not.toContain(foreign);
});

test("a confined agent reads what is its machines' own alone, in each state of theirs: no document, price list or name of the account's", async () => {
  const { story, inside } = await withConfined();
  const { platform, clock } = story;

  platform.change("metal-1", { project_id: platform.projectId("staging") });
  const Found = z.object({ operations: z.array(z.object({ command: z.string(), use: z.string() })), more: z.number() });
  const commands: string[] = [];
  for (let more = 1; more > 0; ) {
    const page = Found.parse(await inside.call("search_operations", { from: commands.length }));
    commands.push(...page.operations.map(({ command, use }) => (use === "read" ? command : "")));
    more = page.more;
  }
  const reads = commands.filter((command) => command !== "");
  expect(reads).toEqual(expect.arrayContaining(["vps show", "dedicated show"]));
  const machines = { vps: "worker-1", dedicated: "metal-1" };
  const foreign = [
    ...platform.documents().flatMap(({ id, number }) => [id, number]),
    ...["Production", platform.projectId("production"), "balance"],
  ];
  const answers: [string, string][] = [];
  for (const status of ["active", "pending_payment", "suspended", "provisioning_failed", "cancelled"] as const) {
    for (const machine of Object.values(machines)) platform.change(machine, { status });
    for (const command of reads) {
      clock.skip(60_000);
      const noun = command.startsWith("vps") ? "vps" : "dedicated";
      const target = / list$/.test(command) ? {} : { target: machines[noun] };
      const called = await inside.client.callTool({ name: "read", arguments: { command, ...target } });
      const said = JSON.stringify(called);
      answers.push([command, status]);
      expect([command, status, foreign.filter((text) => said.includes(text))]).toEqual([command, status, []]);
      const routes = [...said.matchAll(/"route":"([^"]+)"/g)].map(([, route = ""]) => route);
      expect(routes.filter((route) => !route.startsWith(`/${noun}`))).toEqual([]);
      if (called.isError !== true) expect([command, status, routes.length]).not.toEqual([command, status, 0]);
    }
  }
  expect(answers.length).toBeGreaterThan(60);
});

test("an agent is confined to the projects that its answer names, and a list without a name makes no agent", async () => {
  const { story, ana } = await withAgent();
  await story.ask(ana, '/rackbell agent new wide may=read projects=" , "', "Write the name of a project");
  await story.ask(ana, '/rackbell agent new narrow may=read projects="staging,"', "It may read in `Staging` until");
  expect(said(await story.ask(ana, "/rackbell agents", "narrow"))).not.toContain("wide");
});

test("an answer that would fill an agent's context is refused, with the advice to narrow it, and so is one that a rule forbids", async () => {
  const { story, agent } = await withAgent();
  const show = { command: "vps show", target: "web-1" };
  const rewrite = replacing("web-1.example.test", "x".repeat(250_000));
  story.platform.faults.next({ how: { rewrite }, path: "/vps/{id}", times: 9 });
  expect(await agent.refused("read", show)).toContain("too long for one read");
  story.platform.faults.resume();
  await agent.call("read", show);
  await story.ask(story.ana, '/rackbell policy add demand=not-allowed command="vps show"', "In effect now");
  expect(await agent.refused("read", show)).toContain("rule");
});

test("an agent proposes nothing under a machine's old name, that its state forbids, or that only reads with its input", async () => {
  const { story, agent } = await withAgent();
  const status = { ...reboot, command: "service run", key: "status-a", input: { action: "status" } };
  expect(await agent.refused("propose", status)).toContain('use \\"read\\"');
  await agent.call("read", { command: "vps show", target: "web-1" });
  story.platform.change("web-1", { name: "old-web-1" });
  expect(await agent.refused("propose", reboot)).toContain("as old-web-1 now");
  story.platform.change("web-2", { status: "suspended" });
  const snapshot = {
    ...reboot,
    command: "vps snapshot",
    target: "web-2",
    key: "snapshot-a",
    input: { name: "before" },
  };
  expect(await agent.refused("propose", snapshot)).toContain("suspended");
});

test("the member types the name of a protected machine that their agent wants to cancel, and the agent cannot", async () => {
  const { story, agent, ana } = await withAgent();
  const cancel = { command: "vps cancel", target: "web-2", why: "Unused", key: "cancel-web-2" };
  await story.ask(ana, "/rackbell protect web-2", "is protected now");
  for (const extra of [{ named: "web-2" }, { input: { named: "web-2" } }])
    await agent.refused("propose", { ...cancel, key: "cancel-typed", ...extra });
  const { request } = await agent.call("propose", cancel);
  await ana.press(await story.sees(ana, "proposes to", "Unused", "Protected by"), goAhead);
  await story.modal(ana, "Type its name: web-2");
  await ana.fill({ "Type its name: web-2": "web-1" });
  expect(JSON.stringify(await ana.submit())).toContain("Type “web-2”");
  expect(writes(story)).toEqual([]);
  await ana.fill({ "Type its name: web-2": "web-2" });
  await ana.submit();
  expect(await agent.end(request)).toMatchObject({ done: true });
  expect(writes(story)).toHaveLength(1);
});
