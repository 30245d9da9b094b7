import { expect, test } from "vitest";
import * as z from "zod";
import { fileStore, type Story, startStory } from "../story.ts";
import { agentsOn, bare, connect, newToken, reboot, withAgent } from "./agent.ts";

/** A raw message, as no client of the protocol writes it, and the answer to it. */
async function posted(story: Story, token: string, body: string, type = "application/json") {
  const answer = await fetch(`${story.app.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `bearer ${token}`,
      "content-type": type,
      accept: "application/json, text/event-stream",
    },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

function calling(args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"propose","arguments":${args}}}`;
}

const said = `"command":"vps reboot","target":"web-1","why":"It hangs","key":"odd-arguments"`;

test("prototype names count for nothing, and deep or long arguments are refused in words", async () => {
  const { story, agent, token } = await withAgent();
  const nested = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  for (const input of [`{"x":${nested}}`, nested, `{"x":"${"y".repeat(200_000)}"}`])
    expect((await posted(story, token, calling(`{${said},"input":${input}}`))).text).toContain("too deeply nested");
  const odd = await posted(story, token, calling(`{${said},"input":{"constructor":{"prototype":{"force":1}}}}`));
  expect(odd.text).toContain("There is no input");
  await posted(story, token, calling(`{${said},"__proto__":{"force":true},"input":{"__proto__":{"force":"yes"}}}`));
  expect(await agent.call("propose", { ...reboot, key: "odd-arguments" })).toMatchObject({
    state: "waits for a decision",
  });
  expect(Object.hasOwn(Object.prototype, "force")).toBe(false);
});

test("a batch, another content type or method, and another name of this host are refused", async () => {
  const { story, token } = await withAgent();
  for (const before of ["", " ", "\n".repeat(300), "\ufeff", `\ufeff${" \r\n\t".repeat(50_000)}`]) {
    const batch = `${before}[${calling(`{${said}}`)},${calling(`{${said}}`)}]`;
    expect(await posted(story, token, batch)).toMatchObject({
      status: 400,
      text: expect.stringContaining("one message a call"),
    });
  }
  expect(await posted(story, token, "[{")).toMatchObject({ status: 400 });
  expect(await posted(story, token, calling(`{${said}}`), "text/plain")).toMatchObject({ status: 415 });
  const authorization = `Bearer ${token}`;
  for (const method of ["GET", "DELETE", "PUT"]) {
    const { status } = await fetch(`${story.app.url}/mcp`, { method, headers: { authorization } });
    expect(status).toBe(405);
  }
  for (const host of ["localhost.", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"])
    expect([host, await bare(story, { authorization, host })]).toEqual([host, 403]);
  for (const origin of ["null", "file://", "http://localhost@evil.example", "http://127.0.0.1.evil.example"])
    expect([origin, await bare(story, { authorization, origin })]).toEqual([origin, 403]);
});

test("a token dies with a link that is overdue, and its member reads that in the list", async () => {
  const { story, ana, token } = await withAgent({ environment: { LINK_MAX_AGE: "7d" } });
  const authorization = `Bearer ${token}`;
  expect(await bare(story, { authorization })).not.toBe(401);
  story.clock.skip(8 * 24 * 60 * 60_000);
  expect((await posted(story, token, "{}")).text).toContain("still linked");
  expect(await bare(story, { authorization })).toBe(401);
  await story.ask(ana, "/rackbell agent list", "*dead*");
});

test("an agent that may read proposes nothing, and a member who pastes its token into a command is asked to revoke it", async () => {
  const { story, ana, token } = await withAgent();
  const reading = await connect(story, await newToken(story, ana, "reader", "may=read"));
  expect(await reading.refused("propose", { ...reboot, key: "of-a-reader" })).toContain("lets you read");
  story.secrets.delete(token);
  await story.ask(ana, `/vps show ${token}`, "a Rackbell token");
});

const Rows = z.object({ rows: z.array(z.object({ project: z.object({ name: z.string() }).nullable() })) });

test("a list has its data at each read, and for a confined agent the rows and names of its projects alone", async () => {
  const { story, ana, agent } = await withAgent();
  for (let times = 0; times < 2; times += 1) {
    const { data } = await agent.call("read", { command: "vps list", input: { project: "Staging" } });
    expect(data).toEqual(expect.arrayContaining([expect.objectContaining({ route: "/vps" })]));
  }
  const token = await newToken(story, ana, "inside", 'may=propose projects="staging"');
  const inside = await connect(story, token);
  for (const input of [{}, { project: "Production" }, { project: "all" }, { text: "cache" }]) {
    const answer = await inside.call("read", { command: "vps list", input });
    expect(JSON.stringify(answer)).not.toContain("Production");
    const routes = z.array(z.object({ route: z.string(), value: z.unknown() })).parse(answer.data);
    const vps = routes.find(({ route }) => route === "/vps");
    const rows = Rows.parse(vps?.value).rows;
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ project }) => project?.name))).toEqual(new Set(["Staging"]));
  }
  const all = await agent.call("read", { command: "vps show", target: "web-1" });
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(JSON.stringify(all.data))?.[0];
  for (const command of ["vps show", "vps stats", "vps snapshots"])
    await inside.refused("read", { command, target: id });
  await inside.refused("propose", { ...reboot, target: id, key: "by-an-id" });
  await inside.refused("propose", { command: "vps reboot", targets: [id], why: "It hangs", key: "bulk-by-id" });
  for (const command of ["vps move", "order new"])
    expect(await inside.refused("propose", { command, why: "Out", key: "out-of-it" })).toContain("no such command");
  expect(await agent.refused("read", { command: "vps list", project: "Staging" })).toContain("confined to none");
});

test("an agent of a guest or of a deactivated member gets nothing", async () => {
  const { story, token } = await withAgent();
  story.slack.setRole("ana", "guest");
  await expect.poll(() => posted(story, token, "{}")).toMatchObject({ status: 403 });
  expect((await posted(story, token, "{}")).text).toContain("Guests");
  story.slack.deactivate("ana");
  await expect.poll(async () => [401, 403].includes((await posted(story, token, "{}")).status)).toBe(true);
});

test("an agent that hangs up loses nothing: the same key finds its request, and the log has no failure", async () => {
  const { story, agent, token, ana } = await withAgent();
  story.platform.faults.hang("/vps/{id}");
  const leaving = new AbortController();
  const lost = fetch(`${story.app.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: calling(`{${said}}`),
    signal: leaving.signal,
  }).then((answer) => answer.text());
  await expect.poll(() => story.platform.calls().some(({ path }) => path.startsWith("/vps/"))).toBe(true);
  leaving.abort();
  await expect(lost).rejects.toThrow();
  story.platform.faults.resume();
  await story.seesIn("dm", ana, "proposes to");
  const again = { ...reboot, key: "odd-arguments" };
  await expect.poll(() => agent.call("propose", again).catch(() => null)).toMatchObject({ over: false });
  expect(story.log.join("")).not.toContain("a request failed");
});

test("an agent writes only to a channel that its member is in, when it is made and at each proposal", async () => {
  const story = await startStory({ linked: ["ana", "dave"], environment: agentsOn });
  const { ana, dave, slack, platform } = story;
  platform.setScopes(platform.keys.dave, ["read", "services"]);
  slack.invite("vault", "rackbell");
  const vault = slack.channels.vault?.id ?? "";
  await story.ask(dave, `/rackbell agent new spy may=propose channel=${vault}`, "You are not in that channel");
  const agent = await connect(story, await newToken(story, ana, "claude", `may=propose channel=${vault}`));
  await agent.call("propose", reboot);
  slack.kick("vault", "ana");
  story.clock.skip(61_000);
  expect(await agent.refused("propose", { ...reboot, target: "web-2", key: "after-leaving" })).toContain(
    "not in the channel",
  );
});

test("the list says that an agent is dead whose address is no longer this app's", async () => {
  const { story, ana } = await withAgent({ environment: { STORE_URL: fileStore() } });
  await story.restart({ PUBLIC_URL: "https://other.example" });
  await story.ask(ana, "/rackbell agent list", "`claude` *dead*");
});

test("the agents of a key end with it, and those of a member who left are in no list", async () => {
  const { story, ana } = await withAgent();
  const { ben, slack } = story;
  await story.link(ben);
  await newToken(story, ben, "bens", "may=read");
  const all = await story.ask(ana, "/rackbell agents", "`claude` *works*", "`bens` *works*", "Switch all off");
  await story.pressing(ana, all, "Switch all off", "All agents are switched off");
  const off = await story.ask(ana, "/rackbell agents", "An admin switched all agents off", "Switch all on");
  await story.pressing(ana, off, "Switch all on", "switched on again");
  const own = await story.ask(ben, "/rackbell agents", "`bens`", "Remove…");
  expect(JSON.stringify(own)).not.toMatch(/Switch all|claude/);
  slack.deactivate("ben");
  await story.passes(() => story.log.some((line) => line.includes("A deactivated member's key was erased")), "the end");
  await story.ask(ana, "/rackbell agent list", "1 agent of yours", "0 of others");
  await story.ask(ana, "/rackbell unlink force=yes", "erased here");
  await story.ask(ana, "/rackbell agent list", "There are no agents yet");
});
