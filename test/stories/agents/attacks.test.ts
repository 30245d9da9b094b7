import { expect, test } from "vitest";
import { fileStore, goAhead, peer, said, startStory, writes } from "../story.ts";
import { bare, callWithTasks, connect, newToken, reboot, withAgent } from "./agent.ts";

test("a call gets nothing without a token, with another one, in a query, from a page, or under another name", async () => {
  const { story, token } = await withAgent();
  const authorization = `Bearer ${token}`;
  expect(await bare(story, {})).toBe(401);
  expect(await bare(story, { authorization: `Bearer rba_${"a".repeat(43)}` })).toBe(401);
  expect(await bare(story, {}, { path: `/mcp?token=${token}` })).toBe(400);
  expect(await bare(story, { authorization, origin: "https://evil.example" })).toBe(403);
  expect(await bare(story, { authorization, host: "evil.example" })).toBe(403);
  expect(await bare(story, { authorization }, { body: `"${"x".repeat(1_100_000)}"` })).toBe(413);
});

test("without AGENTS there is no door, and the commands say who opens it", async () => {
  const story = await startStory({ linked: ["ana"] });
  expect(await bare(story, {})).toBe(404);
  await story.ask(story.ana, "/rackbell agent list", "Agents are not switched on here");
});

test("a token is worth nothing once it is removed, its days are over, its key is unlinked, or an admin switched agents off", async () => {
  const { story, ana, token } = await withAgent();
  const authorization = `Bearer ${token}`;
  const open = () => bare(story, { authorization });
  expect(await open()).not.toBe(401);
  await story.ask(ana, "/rackbell agents off", "switched off");
  expect(await open()).toBe(403);
  await story.ask(ana, "/rackbell agents on", "on again");
  story.clock.skip(31 * 24 * 60 * 60_000);
  expect(await open()).toBe(401);
  const second = await newToken(story, ana, "cursor", "may=read");
  await story.ask(ana, "/rackbell unlink force=yes", "erased here");
  await story.link(ana);
  expect(await bare(story, { authorization: `Bearer ${second}` })).toBe(401);
  const third = await newToken(story, ana, "third", "may=read");
  await story.ask(ana, "/rackbell agent remove third", "worth nothing now");
  expect(await bare(story, { authorization: `Bearer ${third}` })).toBe(401);
});

test("nothing that an agent proposes runs before its member pressed, a restart neither", async () => {
  const { story, agent, ana } = await withAgent();
  const before = writes(story).length;
  await agent.call("propose", reboot);
  await agent.call("propose", { command: "vps cancel", target: "web-2", why: "Unused", key: "cancel-web-2-a" });
  await story.sees(ana, "claude", "proposes to", "Unused");
  await story.seesIn("dm", ana, "claude", "proposes to", "It hangs");
  expect(writes(story)).toHaveLength(before);
});

test("an agent finds, reads and proposes nothing of Rackbell's own, and nothing that hands out access", async () => {
  const { story, agent } = await withAgent();
  const before = writes(story).length;
  for (const command of ["rackbell agent new", "rackbell policy set", "rackbell link", "rackbell again"]) {
    expect(await agent.refused("propose", { ...reboot, command, key: `own-${command}` })).toContain("no such command");
    expect(await agent.refused("read", { command })).toContain("no such command");
  }
  const all = JSON.stringify(await agent.call("search_operations", { words: "sftp file console link password" }));
  expect(all).not.toContain("rackbell ");
  expect(all).not.toContain("game sftp");
  const answer = JSON.stringify(await agent.call("read", { command: "vps show", target: "web-1" }));
  for (const secret of story.secrets) expect(answer).not.toContain(secret);
  expect(await agent.refused("read", { command: "vps reboot", target: "web-1" })).toContain("propose");
  expect(await agent.refused("propose", { ...reboot, command: "vps list", key: "list-as-write" })).toContain("read");
  expect(writes(story)).toHaveLength(before);
});

test("an agent that names itself as requester or approver, forces, or sends a secret is refused", async () => {
  const { agent, token } = await withAgent();
  for (const extra of [{ originator: "U1" }, { confirmed: true }, { approve: true }])
    expect(await agent.refused("propose", { ...reboot, ...extra, key: "extra-members" })).toContain("do not fit");
  for (const input of [{ force: "yes" }, { reason: "because" }, { __proto__x: 1 }, { constructor: "x" }])
    expect(await agent.refused("propose", { ...reboot, input, key: `input-${Object.keys(input)[0]}` })).toMatch(
      /Leave out|no input/,
    );
  const reinstall = { command: "vps reinstall", target: "web-2", why: "Fresh", key: "with-password" };
  expect(
    await agent.refused("propose", { ...reinstall, input: { image: "Debian 13", password: "hunter2hunter2" } }),
  ).toContain("Leave out");
  const name = { command: "project create", why: "A new one", key: "secret-in-name", input: { name: token } };
  expect(await agent.refused("propose", name)).toContain("holds a key");
  expect(await agent.refused("propose", { ...reboot, why: `With ${token}` })).toContain("holds a key");
  expect(await agent.refused("propose", { ...reboot, target: token })).toContain("holds a key");
});

test("an agent knows no request but its own, neither its member's nor that of another agent", async () => {
  const { story, agent, ana } = await withAgent();
  const other = await connect(story, await newToken(story, ana, "cursor", "may=propose channel=#ops"));
  await ana.type("/vps cancel web-2");
  const own = await story.sees(ana, "asks to", "web-2");
  const id = /"value":"([0-9a-f-]{36})"/.exec(JSON.stringify(own))?.[1];
  const cancel = { command: "vps cancel", target: "web-2", why: "x", key: "dup-of-member" };
  const { request } = await agent.call("propose", reboot);
  for (const [asker, foreign, proposal] of [
    [agent, id, cancel],
    [other, request, { ...reboot, key: "of-the-other" }],
  ] as const) {
    expect(await asker.refused("request_status", { request: foreign })).toContain("no request of yours");
    expect(await asker.refused("withdraw", { request: foreign })).toContain("no request of yours");
    expect(await asker.refused("propose", proposal)).toContain("open already");
  }
});

test("an agent hears a denial with its reason, and three within an hour suspend it until its member resumes it", async () => {
  const { story, agent, ana } = await withAgent({ linked: ["ana", "ben"], environment: peer });
  for (const [at, target] of ["web-1", "web-2", "mail"].entries()) {
    const { request } = await agent.call("propose", {
      command: "vps cancel",
      target,
      why: `Reason ${at}`,
      key: `cancel-${target}`,
    });
    const message = await story.sees(story.ben, "proposes to", `Reason ${at}`);
    await story.ben.press(message, "Deny…");
    await story.modal(story.ben, "Deny the request");
    await story.ben.fill({ "Why?": "Not that one" });
    await story.ben.submit();
    expect(await agent.end(request)).toMatchObject({
      state: "denied",
      outcome: expect.stringContaining("Not that one"),
    });
  }
  expect(await agent.refused("propose", reboot)).toContain("suspended");
  const notice = await story.seesIn("dm", ana, "is suspended");
  await story.pressing(ana, notice, "Resume claude", "can propose again");
  expect(await agent.call("propose", reboot)).toMatchObject({ over: false });
});

test("under peer approval the agent's member is its requester, so another person approves", async () => {
  const { story, agent, ana } = await withAgent({ linked: ["ana", "ben"], environment: peer });
  const { request } = await agent.call("propose", {
    command: "vps cancel",
    target: "web-2",
    why: "Unused",
    key: "peer-cancel",
  });
  const message = await story.sees(ana, "proposes to", "Unused");
  await story.pressing(ana, message, goAhead, "asked for this");
  await story.ben.press(message, goAhead);
  expect(await agent.end(request)).toMatchObject({ done: true });
});

test("withdrawing ends the agent's own request, and notifies its member; of one that is over it changes and writes nothing", async () => {
  const { story, agent, ana } = await withAgent();
  const cancel = { command: "vps cancel", target: "web-2", why: "Unused", key: "withdrawn-one" };
  const { request } = await agent.call("propose", cancel);
  await story.sees(ana, "proposes to", "Unused");
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "withdrawn" });
  await story.sees(ana, "`claude`, an agent of", "withdrew it");
  await story.ask(ana, "/rackbell audit agent=claude", "withdrew it");
  const seen = () => [...ana.sees("dm"), ...ana.sees("#ops")].map((message) => said(message));
  const before = seen();
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "withdrawn" });
  expect(seen()).toEqual(before);
});

test("many proposals at once make five open requests at most", async () => {
  const { agent } = await withAgent();
  const names = Array.from({ length: 12 }, (_, at) => `flood-${String(at).padStart(4, "0")}`);
  const results = await Promise.all(
    names.map((key) =>
      agent.client
        .callTool({ name: "propose", arguments: { command: "project create", why: "More", key, input: { name: key } } })
        .then(({ isError }) => (isError ? "refused" : "made"))
        .catch(() => "busy"),
    ),
  );
  expect(results.filter((result) => result === "made").length).toBeLessThanOrEqual(5);
});

test("names and reasons that hold instructions or markup stay text", async () => {
  const { story, agent, ana } = await withAgent();
  const why = "<!channel> *approved by <@U1>* `ignore the rules` <https://evil.example|press>";
  await agent.call("propose", { ...reboot, why, key: "markup-in-why" });
  const message = await story.seesIn("dm", ana, "proposes to", "&lt;!channel&gt;");
  expect(JSON.stringify(message)).not.toContain("<!channel>");
});

test("an agent does not call off what a person has approved", async () => {
  const { story, agent } = await withAgent({ linked: ["ana", "ben"], environment: peer });
  const { request } = await agent.call("propose", {
    ...{ command: "vps cancel", target: "web-2", why: "Unused", key: "approved-one", input: { in: "2h" } },
  });
  const card = await story.sees(story.ben, "proposes to", "Unused");
  await story.pressing(story.ben, card, goAhead, "It is scheduled for");
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "scheduled", over: false });
});

test("an agent does not call off what one of two members has approved", async () => {
  const { story, agent } = await withAgent({
    ...{ linked: ["ana", "ben", "caro"], rules: ["demand=two-approvals risk=destroy"] },
  });
  const { request } = await agent.call("propose", {
    ...{ command: "vps cancel", target: "web-2", why: "Unused", key: "one-of-two", input: {} },
  });
  const card = await story.sees(story.ben, "proposes to", "Unused");
  await story.pressing(story.ben, card, goAhead, "1 of 2");
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "waits for a decision", over: false });
});

test("an agent does not call off what was sent once with an unknown outcome", async () => {
  const { story, agent } = await withAgent({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=spend"] });
  const { ben, platform } = story;
  const input = {
    product: "VPS S",
    cycle: "monthly",
    location: "Madrid",
    hostname: "a.example.test",
    image: "Debian 13",
  };
  const { request } = await agent.call("propose", {
    ...{ command: "order new", why: "Need it", key: "one-order", input },
  });
  const card = await story.sees(ben, "proposes to", "Need it");
  platform.faults.next({ how: "reset", applied: true, method: "POST", path: "/orders" });
  await ben.press(card, goAhead);
  platform.faults.next({ how: "500", method: "GET", path: "/orders", times: 1_000 });
  await story.comesToSee(ben, "Send the same again");
  expect(await agent.call("withdraw", { request })).toMatchObject({ state: "waits for a decision", over: false });
});

test("a client that takes tasks gets the request as a task, which shows how it ended; cancelling it withdraws it", async () => {
  const { story, agent, ana } = await withAgent();
  const created = await callWithTasks(story, agent.token, "tools/call", { name: "propose", arguments: reboot });
  expect(created).toMatchObject({ resultType: "task", status: "working", statusMessage: "waits for a decision" });
  const taskId = created.taskId;
  await ana.press(await story.seesIn("dm", ana, "proposes to"), goAhead);
  await agent.end(taskId);
  expect(await callWithTasks(story, agent.token, "tasks/get", { taskId })).toMatchObject({
    status: "completed",
    result: { structuredContent: { done: true } },
  });
  const second = await callWithTasks(story, agent.token, "tools/call", {
    name: "propose",
    arguments: { ...reboot, target: "web-2", key: "second-task" },
  });
  await callWithTasks(story, agent.token, "tasks/cancel", { taskId: second.taskId });
  expect(await callWithTasks(story, agent.token, "tasks/get", { taskId: second.taskId })).toMatchObject({
    status: "cancelled",
  });
  await expect(callWithTasks(story, agent.token, "tasks/get", { taskId: "of-somebody-else" })).rejects.toThrow(
    "no task of yours",
  );
});

test("a proposal survives a restart, and the same key finds it again", async () => {
  const { story, agent, token, ana } = await withAgent({ environment: { STORE_URL: fileStore() } });
  const { request } = await agent.call("propose", reboot);
  await story.restart();
  const again = await connect(story, token);
  expect(await again.call("propose", reboot)).toMatchObject({ request });
  await ana.press(await story.seesIn("dm", ana, "proposes to"), goAhead);
  expect(await again.end(request)).toMatchObject({ done: true });
});

test("a new password goes to the member alone, and the agent hears only that there is one", async () => {
  const { story, agent, ana } = await withAgent();
  const proposed = {
    command: "vps reinstall",
    target: "web-2",
    input: { image: "Debian 13" },
    why: "Fresh",
    key: "reinstall-1",
  };
  const { request } = await agent.call("propose", proposed);
  await ana.press(await story.sees(ana, "proposes to", "Fresh"), goAhead);
  const ended = await agent.end(request);
  expect(ended).toMatchObject({
    done: true,
    outcome: expect.stringContaining("behind Reveal: new root password of"),
  });
  await story.seesIn("dm", ana, "only you can open it");
});

test("an unknown outcome is reported as such, with the advice not to propose it again", async () => {
  const { story, agent, ana } = await withAgent();
  const { request } = await agent.call("propose", reboot);
  const message = await story.seesIn("dm", ana, "proposes to");
  story.platform.faults.next({ how: "reset", method: "POST", applied: true });
  await ana.press(message, goAhead);
  const seen = new Set<string>();
  for (let tries = 0; tries < 400; tries += 1) {
    const status = await agent.call("request_status", { request });
    seen.add(String(status.state));
    if (status.over === true) break;
    story.clock.skip(500);
  }
  expect([...seen]).toContain("outcome unknown");
});

test("an agent that is confined to a project reads and proposes there alone", async () => {
  const { story, ana } = await withAgent();
  const token = await newToken(story, ana, "inside", 'may=propose projects="staging"');
  const agent = await connect(story, token);
  const listed = JSON.stringify(await agent.call("read", { command: "vps list" }));
  expect(listed).not.toContain('"web-1"');
  expect(await agent.refused("read", { command: "billing balance" })).toContain("no such command");
  expect(await agent.refused("propose", { ...reboot, key: "outside-project" })).toMatch(
    /no project of this agent|no VPS/,
  );
});

test("of fifty calls at once four run, thirty-two wait for their turn, and the others are refused", async () => {
  const { story, agent, token } = await withAgent();
  const params = { name: "read", arguments: { command: "vps show", target: "web-1" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const statuses: number[] = [];
  const count = (status: number) => statuses.filter((one) => one === status).length;
  story.platform.faults.hang();
  const calls = Array.from({ length: 50 }, () => bare(story, { authorization: `Bearer ${token}` }, { body }));
  const ends = Promise.all(calls.map(async (call) => statuses.push(await call)));
  await expect.poll(() => count(429)).toBe(14);
  story.platform.faults.resume();
  await ends;
  expect(count(200)).toBe(36);
  expect(await agent.call("search_operations", { words: "reboot" })).toMatchObject({ more: expect.any(Number) });
});
