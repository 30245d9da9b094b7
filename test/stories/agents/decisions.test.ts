import { expect, test } from "vitest";
import { type Actor, fileStore, goAhead, peer, type Story, writes } from "../story.ts";
import { connect, newToken, reboot, withAgent } from "./agent.ts";

const hour = 60 * 60_000;
const cancel = { command: "vps cancel", target: "web-2", why: "Unused", key: "cancel-web-2" };

test("requests that waited for hours suspend an agent, too, when they are denied", async () => {
  const { story, agent, ana } = await withAgent({ environment: { APPROVAL_TTL: "8h" } });
  for (const target of ["web-1", "web-2", "mail"])
    await agent.call("propose", { ...reboot, target, why: `Reason ${target}`, key: `reboot-${target}` });
  story.clock.skip(3 * 60 * 60_000);
  // Another proposal makes the agent forget what no longer counts.
  await agent.call("propose", cancel);
  for (const target of ["web-1", "web-2", "mail"]) {
    await ana.press(await story.seesIn("dm", ana, "proposes to", `Reason ${target}`), "Deny…");
    await story.modal(ana, "Deny the request");
    await ana.fill({ "Why?": "No" });
    await ana.submit();
    await story.seesIn("dm", ana, `Reason ${target}`, "denied it");
  }
  expect(await agent.refused("propose", { ...reboot, key: "after-denials" })).toContain("suspended");
});

test("the lists of requests, Home and the reminder say which agent of whom proposed it, and why", async () => {
  const { story, agent, ana } = await withAgent({ linked: ["ana", "ben"], environment: peer });
  await agent.call("propose", cancel);
  const words = [`proposed by \`claude\`, an agent of <@${ana.user.id}>`, "because “Unused”"];
  await story.sees(story.ben, "proposes to", "Unused");
  await story.ask(story.ben, "/rackbell approvals", ...words);
  await story.ben.openHome();
  const home = () => JSON.stringify(story.ben.home() ?? {});
  await story.slack.until(() => words.every((text) => home().includes(text)), "the request on Home");
  story.clock.skip(25 * 60_000);
  await story.sees(story.ben, "still awaits a decision", ...words);
});

test("the notification of a proposal that its owner alone confirms names the agent, the act and the machine", async () => {
  const { story, agent, ana } = await withAgent();
  await agent.call("propose", reboot);
  const { text } = await story.seesIn("dm", ana, "proposes to", "It hangs");
  expect(text).toMatch(/^`claude`, an agent of <@\w+>, proposes: Reboot `web-1`\. .* is interrupted/);
});

test("after the decision the message still names the agent and its reason", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", cancel);
  const proposal = await story.sees(ana, "proposes to", "Unused");
  expect(proposal.text).toContain("claude");
  await ana.press(proposal, goAhead);
  expect(await agent.end(request)).toMatchObject({ done: true });
  await story.sees(ana, "`claude`, an agent of", "in the words of the agent", "Unused");
});

test("a rule lets agents run a command at once: the channel sees which agent of whom did it, and why", async () => {
  const { story, agent, ana } = await withAgent();
  await story.ask(ana, '/rackbell policy add agent=run commands="vps cancel"', "always wait");
  await story.ask(ana, '/rackbell policy add agent=run commands="vps reboot, vps start"', "Agents run");
  const { request } = await agent.call("propose", reboot);
  expect(await agent.end(request)).toMatchObject({ done: true });
  await story.sees(ana, "Reboot", "web-1", "`claude`, an agent of", "It hangs");
  await story.ask(ana, "/rackbell policy", "Agents run `/vps reboot` and `/vps start` at once");
  await story.ask(ana, "/rackbell audit agent=claude", "claude");
});

test("an act that a rule lets agents run waits for their member on a machine in a state that no spec lists", async () => {
  const { story, agent, ana } = await withAgent();
  await story.ask(ana, '/rackbell policy add agent=run commands="vps reboot"', "Agents run");
  story.platform.change("web-1", { status: "locked" });
  const before = writes(story).length;
  await agent.call("propose", reboot);
  await story.seesIn("dm", ana, "proposes to", "Rackbell does not know the state “locked” of `web-1`");
  expect(writes(story)).toHaveLength(before);
});

test("a member who asks again for their agent's denied proposal makes a request of their own", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", cancel);
  const proposal = await story.sees(ana, "proposes to", "Unused");
  await ana.press(proposal, "Deny…");
  await story.modal(ana, "Deny the request");
  await ana.fill({ "Why?": "Not now" });
  await ana.submit();
  await agent.end(request);
  await ana.press(await story.sees(ana, "denied it"), "Ask again…");
  await story.modal(ana, "web-2");
  await ana.submit();
  const own = await story.sees(ana, "asks to", "web-2");
  expect(JSON.stringify(own)).not.toContain("claude");
});

test("each machine of an agent's bulk is in the audit log with the agent", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", {
    command: "vps reboot",
    targets: ["web-1", "mail", "web-1"],
    why: "Kernel update",
    key: "bulk-reboot-1",
  });
  await ana.press(await story.seesIn("dm", ana, "proposes to", "Kernel update", "web-1", "mail"), goAhead);
  expect(await agent.end(request)).toMatchObject({ done: true });
  expect(story.platform.calls().filter(({ path }) => path.endsWith("/reboot"))).toHaveLength(2);
  await story.ask(ana, "/rackbell audit web-1 agent=claude", "proposed by `claude`, an agent of");
});

/** The cells of the last CSV file of the audit log: by the kind of its entry, who decided, the agent, its program and its reason. */
async function exportedDecisions(story: Story, actor: Actor): Promise<Map<string, string[]>> {
  const before = story.slack.state().files.length;
  await story.ask(actor, "/rackbell audit export=yes agent=claude", "in your direct messages");
  const file = await story.slack.until(() => story.slack.state().files[before], "the export");
  const [head = [], ...rows] = parseCsv(Buffer.from(file.content).toString());
  const columns = ["asked by", "decided by", "agent", "agent's program", "agent's reason"].map((name) =>
    head.indexOf(name),
  );
  return new Map(rows.map((row) => [row[head.indexOf("what")] ?? "", columns.map((at) => row[at] ?? "")]));
}

/** Our own CSV files: every cell with a comma or a quote is quoted. */
function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        (quoted ?? plain ?? "").replaceAll('""', '"'),
      ),
    );
}

test("the audit log says that a person decided, and apart from them which agent of whom proposed it, and why; in the list and in the file", async () => {
  const { story, agent, ana } = await withAgent({ linked: ["ana", "ben"] });
  const approved = await agent.call("propose", cancel);
  await ana.press(await story.sees(ana, "proposes to", "Unused"), goAhead);
  await agent.end(approved.request);
  await story.ask(
    ana,
    "/rackbell audit web-2",
    `proposed by \`claude\`, an agent of <@${ana.user.id}> (program \`test-client\`), confirmed by <@${ana.user.id}>`,
    "Why, in the words of the agent: Unused",
  );
  const [own, proposer] = [ana.user.id, ["claude", "test-client", "Unused"]];
  const first = await exportedDecisions(story, ana);
  expect(first.get("asked")).toEqual([own, "", ...proposer]);
  expect(first.get("confirmed")).toEqual([own, own, ...proposer]);
  expect(first.get("done")).toEqual([own, own, ...proposer]);

  const denied = await agent.call("propose", { ...cancel, target: "web-1", key: "cancel-web-1" });
  await ana.press(await story.sees(ana, "proposes to", "web-1"), "Deny…");
  await story.modal(ana, "Deny the request");
  await ana.fill({ "Why?": "Not now" });
  await ana.submit();
  await agent.end(denied.request);
  const { request } = await agent.call("propose", { ...reboot, key: "withdrawn-one" });
  await agent.call("withdraw", { request });
  const second = await exportedDecisions(story, ana);
  expect(second.get("denied")).toEqual([own, own, ...proposer]);
  // The agent withdrew it, and no person did.
  expect(second.get("withdrawn")).toEqual([own, "", "claude", "test-client", "It hangs"]);

  await story.ask(ana, '/rackbell policy add agent=run commands="vps reboot"', "Agents run");
  const ran = await agent.call("propose", { ...reboot, key: "by-a-rule" });
  await agent.end(ran.request);
  const third = await exportedDecisions(story, ana);
  expect(third.get("begun")).toEqual([own, "", "claude", "test-client", "It hangs"]);
});

test("a scheduled proposal of an agent waits for its member's approval, and runs at its time", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", { ...reboot, input: { in: "2h" } });
  await ana.press(await story.seesIn("dm", ana, "proposes to schedule"), goAhead);
  expect(await agent.call("request_status", { request })).toMatchObject({ over: false });
  await story.seesIn("dm", ana, "Reboot `web-1`", "scheduled");
  story.clock.skip(2 * 60 * 60_000 + 1_000);
  expect(await agent.end(request)).toMatchObject({ state: "done" });
});

test("a removed agent's open request stays with its member, who decides it", async () => {
  const { story, agent, ana } = await withAgent({ environment: { STORE_URL: fileStore() } });
  await agent.call("propose", cancel);
  await story.ask(ana, "/rackbell agent remove claude", "open requests stay");
  await ana.press(await story.sees(ana, "proposes to", "Unused"), goAhead);
  await story.sees(ana, ":white_check_mark:", "web-2", "`claude`, an agent of");
  expect(story.platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

test("the same key is the same request, also after its end and of one that was answered with an open request", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", reboot);
  expect(await agent.call("propose", reboot)).toMatchObject({ request });
  expect(await agent.refused("propose", { ...reboot, target: "web-2" })).toContain("another proposal");
  // The same act under another key is the request that is open.
  const second = { ...reboot, key: "reboot-web-1-b" };
  expect(await agent.call("propose", second)).toMatchObject({ request });
  await ana.press(await story.seesIn("dm", ana, "proposes to"), goAhead);
  expect(await agent.end(request)).toMatchObject({ done: true });
  expect(await agent.call("propose", second)).toMatchObject({ request, done: true });
  expect(await agent.refused("propose", { ...second, target: "web-2" })).toContain("another proposal");
});

test("proposals that make no request count once, however often they are repeated", async () => {
  const { story, agent } = await withAgent();
  for (let tries = 0; tries < 35; tries += 1) {
    expect(await agent.refused("propose", { ...reboot, target: "nothing-like-it" })).not.toContain("within an hour");
    story.clock.skip(60_000);
  }
  expect(await agent.call("propose", { ...reboot, key: "another-key" })).toMatchObject({ over: false });
});

test("an agent reads why its member denied a request, and after three denials proposes nothing until its member resumes it", async () => {
  const { story, ana } = await withAgent();
  const agent = await connect(story, await newToken(story, ana, "patient", "may=propose days=90"));
  for (const target of ["web-1", "web-2", "mail"]) {
    const { request } = await agent.call("propose", { ...reboot, target, why: target, key: `reboot-${target}` });
    await ana.press(await story.seesIn("dm", ana, "proposes to", target), "Deny…");
    await story.modal(ana, "Deny the request");
    await ana.fill({ "Why?": "Customers use it" });
    await ana.submit();
    const outcome = expect.stringContaining("Customers use it");
    expect(await agent.end(request)).toMatchObject({ state: "denied", outcome });
  }
  story.clock.skip(2 * hour);
  expect(await agent.refused("propose", { ...reboot, key: "after-hours" })).toContain("suspended");
  // The denied requests themselves are no longer stored then.
  story.clock.skip(40 * 24 * hour);
  expect(await agent.refused("propose", { ...reboot, key: "after-weeks" })).toContain("suspended");
  await story.ask(ana, "/rackbell agent list", "*suspended after denials*");
  await ana.press(await story.seesIn("dm", ana, "is suspended", "Resume patient"), "Resume patient");
  await story.seesIn("dm", ana, "can propose again");
  expect(await agent.call("propose", { ...reboot, key: "after-resume" })).toMatchObject({
    state: "waits for a decision",
  });
});
