import { beforeEach, describe, expect, it } from "vitest";
import { buttons, postInOps, type Stage, section, setStage, textsSeenBy } from "../app.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});

async function post(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

async function refusalOf(url: string, body: unknown): Promise<unknown> {
  return JSON.parse((await post(url, body)).text);
}

/** The response URL of a command that Ana types in a channel. */
async function commandUrl(channel = "#ops"): Promise<string> {
  const { app, slack } = stage;
  let url = "";
  app.command("/vps", async ({ ack, command }) => {
    url = command.response_url;
    await ack();
  });
  await slack.as("ana").type("/vps list", channel);
  return url;
}

/** The response URL of Ana's press of the button in the last message that she sees. */
async function pressUrl(): Promise<string> {
  const { app, slack } = stage;
  let url = "";
  app.action("go", async ({ ack, body }) => {
    url = "response_url" in body ? body.response_url : "";
    await ack();
  });
  const ana = slack.as("ana");
  await ana.press(ana.lastSeen(), "go");
  return url;
}

describe("a response URL", () => {
  it("takes five answers, which only the caller sees unless they are for the channel", async () => {
    const { slack } = stage;
    const url = await commandUrl();
    expect(await post(url, { text: "for you" })).toEqual({ status: 200, text: "ok" });
    await post(url, { text: "for all", response_type: "in_channel" });
    expect(textsSeenBy("ana", stage)).toEqual(["for you", "for all"]);
    expect(textsSeenBy("ben", stage)).toEqual(["for all"]);
    for (const _ of [3, 4, 5]) await post(url, { text: "more" });
    expect((await post(url, { text: "too much" })).status).toBe(404);
    expect(await refusalOf(url, { text: "too much" })).toEqual({ ok: false, error: "used_url" });
    expect(slack.as("ana").sees()).toHaveLength(5);
  });

  it("ends after 30 minutes", async () => {
    const { clock } = stage;
    const url = await commandUrl();
    clock.skip(30 * 60_000 - 5_000);
    expect((await post(url, { text: "in time" })).status).toBe(200);
    clock.skip(6_000);
    expect(await refusalOf(url, { text: "late" })).toEqual({ ok: false, error: "expired_url" });
    expect(textsSeenBy("ana", stage)).toEqual(["in time"]);
  });

  it("works where the app is no member", async () => {
    const url = await commandUrl("#vault");
    expect((await post(url, { text: "here too" })).status).toBe(200);
    expect(stage.slack.as("ana").lastSeen("#vault").text).toBe("here too");
  });

  it("of a command has no original: replacing posts anew", async () => {
    const url = await commandUrl();
    await post(url, { text: "one" });
    await post(url, { text: "two", replace_original: true });
    expect(textsSeenBy("ana", stage)).toEqual(["one", "two"]);
  });

  it("refuses what a message may not hold, and is not used up by that", async () => {
    const { slack } = stage;
    const url = await commandUrl();
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      const refused = await refusalOf(url, { text: "x", blocks: [section("x".repeat(3_001))] });
      expect(refused).toEqual({ ok: false, error: "invalid_blocks" });
    }
    expect(await refusalOf(url, {})).toEqual({ ok: false, error: "no_text" });
    expect((await post(url, { text: "fine" })).status).toBe(200);
    expect(slack.state().violations).toHaveLength(7);
  });

  it("that Slack never gave is refused", async () => {
    const { slack } = stage;
    expect((await post(`${slack.url}/commands/T1/2/3`, { text: "x" })).status).toBe(404);
  });

  it("can be made to fail", async () => {
    const { slack } = stage;
    const url = await commandUrl();
    slack.faults.failResponseUrls(500);
    expect((await post(url, { text: "x" })).status).toBe(500);
    expect((await post(url, { text: "x" })).status).toBe(200);
  });
});

describe("the response URL of a press", () => {
  const blocks = [buttons({ action_id: "go" })];

  it("replaces an ephemeral message in its place, deletes it, and adds to it only when not asked to replace", async () => {
    const { app, slack } = stage;
    const ana = slack.as("ana");
    const channel = slack.channels.ops?.id ?? "";
    await app.client.chat.postEphemeral({ channel, user: ana.user.id, text: "ask", blocks });
    const { ts } = ana.lastSeen();
    const url = await pressUrl();
    await post(url, { text: "beside it" });
    expect(textsSeenBy("ana", stage)).toEqual(["ask", "beside it"]);
    await post(url, { text: "done", replace_original: true });
    expect(ana.sees()).toMatchObject([
      { ts, text: "done", blocks: [], ephemeralTo: ana.user.id },
      { text: "beside it" },
    ]);
    await post(url, { delete_original: true });
    expect(textsSeenBy("ana", stage)).toEqual(["beside it"]);
    expect(slack.as("ben").sees()).toEqual([]);
  });

  it("replaces a message of the channel for everybody", async () => {
    const { ts } = await postInOps(stage, ...blocks);
    const url = await pressUrl();
    await post(url, { text: "decided", blocks: [section("decided by Ana")], replace_original: true });
    expect(stage.slack.as("ben").sees()).toMatchObject([
      { ts, text: "decided", blocks: [{ text: { text: "decided by Ana" } }] },
    ]);
  });

  it("says so when its message has gone", async () => {
    const posted = await postInOps(stage, ...blocks);
    const url = await pressUrl();
    await stage.app.client.chat.delete(posted);
    expect((await post(url, { text: "x", replace_original: true })).status).toBe(404);
    expect(stage.slack.as("ana").sees()).toEqual([]);
  });
});

describe("an ephemeral message", () => {
  it("cannot be changed or deleted through the Web API, and is in nobody's history", async () => {
    const { app, slack } = stage;
    const channel = slack.channels.ops?.id ?? "";
    const user = slack.user("ana").id;
    const { message_ts: ts = "" } = await app.client.chat.postEphemeral({ channel, user, text: "x" });
    await expect(app.client.chat.update({ channel, ts, text: "y" })).rejects.toThrow("message_not_found");
    await expect(app.client.chat.delete({ channel, ts })).rejects.toThrow("message_not_found");
    expect(slack.state().channels.ops).toEqual([]);
    expect(slack.state().ephemerals.ana).toHaveLength(1);
  });
});
