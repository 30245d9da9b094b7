import { expect, test } from "vitest";
import { goAhead, startStory } from "../story.ts";
import { agentsOn, connect, newToken } from "./agent.ts";

for (const era of ["2026", "2025"] as const)
  test(`an agent of the ${era} protocol finds, reads and proposes; its member decides, and it hears what became of it`, async () => {
    const story = await startStory({ environment: agentsOn, linked: ["ana"], pace: 60 });
    const { ana } = story;
    const token = await newToken(story, ana, "claude", "may=propose");
    const agent = await connect(story, token, era);
    const listed = await agent.client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual([
      "search_operations",
      "read",
      "propose",
      "request_status",
      "withdraw",
    ]);
    expect(JSON.stringify(listed.tools).length).toBeLessThan(8_192);
    const found = await agent.call("search_operations", { words: "reinstall", noun: "vps" });
    expect(JSON.stringify(found)).toContain("vps reinstall");
    const machines = await agent.call("read", { command: "vps list" });
    expect(JSON.stringify(machines.data)).toContain("web-2");
    const proposed = await agent.call("propose", {
      command: "vps reboot",
      target: "web-1",
      why: "It hangs since *02:10*",
      key: "first-proposal",
    });
    expect(proposed).toMatchObject({
      state: "waits for a decision",
      over: false,
      command: "vps reboot",
      target: "web-1",
    });
    const request = await story.seesIn("dm", ana, "claude", "proposes to", "It hangs since");
    await ana.press(request, goAhead);
    expect(await agent.end(proposed.request)).toMatchObject({ state: "done", done: true });
    await ana.openHome();
    await story.slack.until(() => JSON.stringify(ana.home() ?? {}).includes("`claude` last used"), "the agent on Home");
  });

test("the token of a new agent is revealed behind its own button alone: the answer has none that makes another agent", async () => {
  const story = await startStory({ environment: agentsOn, linked: ["ana"] });
  const answer = await story.ask(story.ana, "/rackbell agent new claude may=read", "The agent `claude` is ready");
  await story.seesIn("dm", story.ana, "Token of claude", "Reveal");
  expect(JSON.stringify(answer.blocks)).not.toContain('"text":"Reveal"');
});
