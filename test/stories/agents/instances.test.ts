import { describe, expect, onTestFinished, test } from "vitest";
import { practiceAgent } from "../../../src/sandbox/agent.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { createPair, eventually, link } from "../../torture/pair.ts";
import { goAhead, said } from "../story.ts";

const proposal = { command: "vps reboot", target: "web-1", why: "It hangs", key: "one-key-for-both" };

async function pairWithAgent() {
  const story = await createPair({ AGENTS: "on" });
  onTestFinished(() => story.end());
  const first = await story.start();
  story.toward(first);
  await link(story);
  const token = await practiceAgent(story.slack, () => first.url).token("ana");
  const at = ({ url }: { url: string }) => {
    const agent = practiceAgent(story.slack, () => url);
    return (tool: string, input: Record<string, string>) => agent.call(token, tool, input);
  };
  return { story, first, at };
}

describe.runIf(hasRedis)("of two instances on one Redis", () => {
  test("both know the token, and the same key at both at once is one request", async () => {
    const { story, first, at } = await pairWithAgent();
    const second = await story.start();
    const answers = await Promise.all([at(first)("propose", proposal), at(second)("propose", proposal)]);
    const again = await at(second)("propose", proposal);
    const ids = [...answers, again].flatMap(({ result }) => (result ? [result.request] : []));
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
    await story.ana.press(await eventually(() => requestsIn(story)[0], "the request"), goAhead);
    await eventually(
      async () => (await at(first)("request_status", { request: String(ids[0]) })).result?.done,
      "its end",
    );
    expect(story.platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
  }, 90_000);

  test("one that is killed while it makes the request: the same key at the other is that request, or makes it once", async () => {
    const { story, first, at } = await pairWithAgent();
    story.platform.faults.hang("/vps/{id}");
    const lost = at(first)("propose", proposal);
    await eventually(() => story.platform.calls().some(({ path }) => path.includes("/vps/")), "the reading");
    await first.kill();
    expect((await lost).error).toBeDefined();
    story.platform.faults.resume();
    const second = await story.start({ ahead: 70_000 });
    story.toward(second);
    const made = await eventually(async () => (await at(second)("propose", proposal)).result, "the request");
    expect((await at(second)("propose", proposal)).result?.request).toBe(made.request);
    await eventually(() => requestsIn(story).length === 1, "one request");
  }, 90_000);
});

/** The agent's requests in Ana's direct messages: an act that runs at once needs its member alone. */
function requestsIn({ ana }: Awaited<ReturnType<typeof createPair>>) {
  return ana.sees("dm").filter((message) => said(message).includes("proposes to"));
}
