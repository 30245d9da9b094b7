import { expect, test } from "vitest";
import { goAhead, type Story, said } from "../story.ts";
import { reboot, withAgent } from "./agent.ts";

const cancel = { ...reboot, command: "vps cancel", target: "web-2", why: "Unused", key: "cancel-web-2" };

type Setting = Awaited<ReturnType<typeof withAgent>>;

/** Approves the agent's proposal while the platform behaves so, and returns what the agent reads of its end. */
async function endWith(
  { story, agent, ana }: Setting,
  arrange: (story: Story) => void,
): Promise<Record<string, unknown>> {
  const { request } = await agent.call("propose", cancel);
  const message = await story.sees(ana, "proposes to", "Unused");
  arrange(story);
  await ana.press(message, goAhead);
  return agent.end(request);
}

test("an act that the platform refused is called so, to the agent and to people", async () => {
  const setting = await withAgent();
  const how = { status: 400, body: { success: false, code: "BAD_REQUEST", error: "No" } };
  const end = await endWith(setting, ({ platform }) => platform.faults.next({ how, method: "DELETE" }));
  expect(end).toMatchObject({ state: "refused by the platform", done: false });
  await setting.story.ask(setting.ana, "/rackbell audit web-2", "*refused*");
});

test("an act whose lost answer turns out to have done nothing is not called refused by the platform", async () => {
  const setting = await withAgent();
  const end = await endWith(setting, ({ platform }) => platform.faults.next({ how: "reset", method: "DELETE" }));
  expect(end.state).not.toContain("refused");
  expect(end).toMatchObject({ done: false });
  const list = said(await setting.story.ask(setting.ana, "/rackbell audit web-2", "newest first"));
  expect(list).not.toContain("*refused*");
});

test("a target of a bulk request that never reached the platform is not called refused by it", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", {
    ...{ command: "vps reboot", targets: ["web-1", "mail"], why: "Kernel update", key: "bulk-of-two" },
  });
  const message = await story.seesIn("dm", ana, "proposes to", "Kernel update");
  const how = { status: 403, body: { success: false, code: "ACCOUNT_SUSPENDED", error: "No" } };
  story.platform.faults.next({ how, path: "/vps/{id}", times: 50 });
  await ana.press(message, goAhead);
  await agent.end(request);
  const list = said(await story.ask(ana, "/rackbell audit", "newest first"));
  expect(list).toContain("*not sent*");
  expect(list).not.toContain("*refused*");
});

test("an agent is not told that nothing was done where a backup was made before the act was refused", async () => {
  const { story, agent, ana } = await withAgent({ pace: 8 });
  const { request } = await agent.call("propose", {
    ...{ command: "vps cancel", target: "web-1", why: "Unused", key: "cancel-after-backup" },
  });
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  story.platform.faults.next({ how: busy, method: "DELETE", times: 5 });
  const card = await story.sees(ana, "proposes to", "Back up first");
  await story.pressing(ana, card, "request:copy", "Capturing");
  await story.comesToSee(ana, "The machine is busy", "exists, and stays");
  story.clock.skip(2 * 60 * 60_000);
  const end = await agent.end(request);
  expect(end).toMatchObject({ state: "expired", outcome: expect.stringContaining("exists, and stays") });
  expect(JSON.stringify(end)).not.toMatch(/nothing was done|nobody decided/i);
});
