import { describe, expect, test } from "vitest";
import { goAhead, type Story, said, writes } from "../story.ts";
import { reboot, withAgent } from "./agent.ts";

const snapshot = {
  command: "vps snapshot",
  target: "web-1",
  why: "Before the update",
  key: "snapshot-web-1",
  input: { name: "before" },
};
const hour = 60 * 60_000;

/** Ana's agent, and a rule that lets agents take snapshots and reboot. */
async function withRule() {
  const made = await withAgent();
  const { story, ana } = made;
  await story.ask(ana, '/rackbell policy add agent=run commands="vps snapshot, vps reboot"', "Agents run");
  return made;
}

/** Every way in which the right of Ana's agent ends. */
const endings: [string, (story: Story) => unknown][] = [
  ["its member removes it", (story) => story.ask(story.ana, "/rackbell agent remove claude", "worth nothing now")],
  ["an admin switches all agents off", (story) => story.ask(story.ana, "/rackbell agents off", "switched off")],
  ["its member unlinks the key", (story) => story.ask(story.ana, "/rackbell unlink force=yes", "erased here")],
  ["its member is deactivated", (story) => story.slack.deactivate("ana")],
  ["its member becomes a guest", (story) => story.slack.setRole("ana", "guest")],
  ["the rule ends", endRule],
];

async function endRule(story: Story): Promise<void> {
  const rules = said(await story.ask(story.ana, "/rackbell policy", "Agents run"));
  const [, id] = /`(\w+)`[^`]*Agents run/.exec(rules) ?? [];
  await story.ask(story.ana, `/rackbell policy remove ${id}`, "In effect now");
}

/** Ends the agent's right, or nothing, while its proposal waits for the answer to a read. Returns the sentence of the refusal, if any. */
async function proposeWhile(
  { story, agent }: Awaited<ReturnType<typeof withAgent>>,
  proposal: typeof reboot,
  path: string,
  ends: (story: Story) => unknown,
): Promise<string | null> {
  const before = story.platform.calls().length;
  story.platform.faults.hang(path);
  const proposed = agent.client.callTool({ name: "propose", arguments: proposal });
  const pattern = new RegExp(`^${path.replace("{id}", "[^/]+")}$`);
  const calls = () => story.platform.calls().slice(before);
  await expect.poll(() => calls().some((call) => pattern.test(call.path))).toBe(true);
  await ends(story);
  story.platform.faults.resume();
  const { isError, content } = await proposed;
  return isError ? JSON.stringify(content) : null;
}

describe("while its proposal still reads facts", () => {
  test("a rule lets an agent run it where nothing ends its right", async () => {
    const made = await withRule();
    const before = writes(made.story).length;
    expect(await proposeWhile(made, snapshot, "/vps/{id}/snapshots", () => {})).toBeNull();
    expect(writes(made.story)).toHaveLength(before + 1);
  });

  test.each(endings)("nothing that a rule would let an agent run is written once %s", async (_, ends) => {
    const made = await withRule();
    const before = writes(made.story).length;
    expect(await proposeWhile(made, snapshot, "/vps/{id}/snapshots", ends)).toContain("Nothing was done");
    expect(writes(made.story)).toHaveLength(before);
  });

  test.each(endings.filter(([, ends]) => ends !== endRule))("nothing is asked of anybody once %s", async (_, ends) => {
    const made = await withAgent({ linked: ["ana", "ben"] });
    const { story } = made;
    const revert = {
      ...reboot,
      command: "vps revert",
      input: { snapshot: "weekly-1" },
      why: "Unused",
      key: "revert-web-1",
    };
    expect(await proposeWhile(made, revert, "/vps/{id}/snapshots", ends)).not.toBeNull();
    await story.ask(story.ben, "/rackbell approvals", "There are no open requests that you can see");
  });

  test("a schedule that a rule would let an agent make is not made once its member removes it", async () => {
    const made = await withRule();
    const { story, ana } = made;
    const later = { ...snapshot, input: { ...snapshot.input, in: "2h" } };
    const [, remove] = endings[0] ?? [];
    expect(await proposeWhile(made, later, "/vps/{id}", (all) => remove?.(all))).toContain("Nothing was done");
    await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
  });
});

describe("an act that a rule let an agent schedule, decided by nobody,", () => {
  const later = { ...reboot, input: { in: "2h" } };
  const reboots = (story: Story) => story.platform.calls().filter(({ path }) => path.endsWith("/reboot"));

  test("runs at its time while the agent has its right", async () => {
    const { story, agent } = await withRule();
    const { request } = await agent.call("propose", later);
    story.clock.skip(2 * hour + 1_000);
    expect(await agent.end(request)).toMatchObject({ done: true });
    expect(reboots(story)).toHaveLength(1);
  });

  test.each(endings.slice(0, 2))("asks its owner at its time once %s, and runs when they decide", async (_, ends) => {
    const { story, agent, ana } = await withRule();
    await agent.call("propose", later);
    await story.sees(ana, "scheduled", "Reboot");
    await ends(story);
    story.clock.skip(2 * hour + 1_000);
    const question = await story.seesIn("dm", ana, "proposes to", "It hangs", "Nobody had decided this");
    expect(reboots(story)).toEqual([]);
    await ana.press(question, goAhead);
    await story.sees(ana, "`web-1` is running again");
    expect(reboots(story)).toHaveLength(1);
  });

  test("asks its owner at once when the rule ends, and keeps its time", async () => {
    const { story, agent, ana } = await withRule();
    const { request } = await agent.call("propose", later);
    await story.sees(ana, "scheduled", "Reboot");
    await endRule(story);
    await ana.press(await story.seesIn("dm", ana, "proposes to schedule", "Nobody had decided this"), goAhead);
    await expect.poll(() => agent.call("request_status", { request })).toMatchObject({ state: "scheduled" });
    expect(reboots(story)).toEqual([]);
    story.clock.skip(2 * hour + 1_000);
    expect(await agent.end(request)).toMatchObject({ done: true });
  });

  test("never runs for a member who became a guest", async () => {
    const { story, agent, ana } = await withRule();
    await agent.call("propose", later);
    await story.sees(ana, "scheduled", "Reboot");
    story.slack.setRole("ana", "guest");
    story.clock.skip(2 * hour + 1_000);
    await story.sees(ana, "it did not start", "guest");
    expect(reboots(story)).toEqual([]);
  });
});

test("a bulk request that a rule lets an agent run goes on to no further machine once its member removes it, and offers them the rest", async () => {
  const { story, agent, ana } = await withRule();
  const targets = ["web-1", "web-2", "mail", "db-1", "cache-1", "cache-2", "worker-1"];
  story.platform.faults.hang(/\/reboot$/);
  await agent.call("propose", { command: "vps reboot", targets, why: "Kernel update", key: "bulk-reboot" });
  const sent = () => writes(story).length;
  await expect.poll(sent).toBe(5);
  await story.ask(ana, "/rackbell agent remove claude", "worth nothing now");
  story.platform.faults.resume();
  await story.comesToSee(ana, "The agent `claude` was removed", "2 were not begun");
  expect(sent()).toBe(5);
});
