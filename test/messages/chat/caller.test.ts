import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createCaller } from "../../../src/messages/chat/calling.ts";
import { freePort } from "../../../src/sandbox/bench/ports.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { turnEventLoop } from "../../platform/server.ts";
import {
  breakOff,
  callers,
  failure,
  json,
  page,
  reset,
  silence,
  startSlack,
  token,
  trickle,
  wireFor,
} from "./callers.ts";

const message = { channel: "C0123", text: "web-1 was started" };

describe.each(callers)("a message posted by %s", (_, make) => {
  function poster(apiUrl: string, clock = createSandboxClock()) {
    return make({ apiUrl, clock, token });
  }

  test("stands in the channel as it was given, with its blocks", async () => {
    const clock = createSandboxClock();
    const slack = await createPracticeSlack({ clock });
    const post = make({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*web-1* & “friends” — 100 %" } }];
    const channel = slack.channels.ops?.id ?? "";
    const posted = await post({ channel, text: "web-1 & friends", blocks });
    const seen = slack.as("ana").lastSeen();
    expect(posted).toMatchObject({ ok: true, channel, ts: seen.ts });
    expect(seen).toMatchObject({ text: "web-1 & friends", blocks });
    expect(slack.state().violations).toEqual([]);
    await slack.close();
  });

  test("goes with the token, over a connection that is used again", async () => {
    const ports = new Set<number | undefined>();
    const slack = await startSlack((response) => {
      ports.add(response.socket?.remotePort);
      json(200, { ok: true, channel: "C0123", ts: "1.2" })(response);
    });
    const post = poster(slack.apiUrl);
    for (let count = 0; count < 3; count += 1) {
      await post(message);
      await turnEventLoop();
    }
    expect(slack.got.map(({ url }) => url)).toEqual(Array(3).fill("/api/chat.postMessage"));
    expect(slack.got.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${token}`));
    expect(ports.size).toBe(1);
  });

  test.each([
    [json(200, { ok: false, error: "not_in_channel" }), "not_in_channel"],
    [json(200, { ok: false, error: "token_revoked" }), "token_revoked"],
  ])("that Slack refuses is refused with its reason (%#)", async (answer, reason) => {
    const slack = await startSlack(answer);
    expect(await failure(poster(slack.apiUrl)(message))).toMatchObject({ name: "SlackRefused", reason });
    expect(slack.got).toHaveLength(1);
  });

  test("that is refused for its blocks brings what Slack says of them", async () => {
    const messages = ["[ERROR] must be less than 76 characters [json-pointer:/blocks/0/text/text]"];
    const slack = await startSlack(
      json(200, { ok: false, error: "invalid_blocks", response_metadata: { messages, other: 1 } }),
    );
    expect(await failure(poster(slack.apiUrl)(message))).toMatchObject({ reason: "invalid_blocks", details: messages });
  });

  test.each([
    ["429 with Retry-After", json(429, { ok: false, error: "ratelimited" }, { "retry-after": "7" }), 7_000],
    ["429 without", page(429, ""), 30_000],
    ["429 with no time at all", page(429, "", { "retry-after": "0" }), 1_000],
    ["429 with one that is no number", page(429, "", { "retry-after": "soon" }), 30_000],
    ["the code alone", json(200, { ok: false, error: "ratelimited" }), 30_000],
    ["the chat methods' code", json(200, { ok: false, error: "rate_limited" }), 30_000],
  ])("that Slack puts off by %s says when to come again", async (_what, answer, retryAfterMs) => {
    const slack = await startSlack(answer);
    const error = await failure(poster(slack.apiUrl)(message));
    expect(error).toMatchObject({ name: "SlackRateLimited", retryAfterMs });
  });

  test.each([
    ["500", json(500, { ok: false, error: "internal_error" })],
    ["502 and a proxy's page", page(502, "<html>Bad gateway</html>")],
    ["200 and a proxy's page", page(200, "<html>Sign in to the hotel</html>")],
    ["a proxy's redirect", page(302, "", { location: "https://elsewhere.example/" })],
    ["a proxy's 403", page(403, "<h1>Forbidden</h1>")],
    ["a proxy's 404", page(404, "<h1>Not found</h1>")],
    ["a proxy's 407", page(407, "<h1>Sign in</h1>")],
    ["an empty 200", page(200, "")],
    ["null", json(200, null)],
    ["a list", json(200, [])],
    ["a refusal without a code", json(200, { ok: false })],
    ["a refusal with a code of another type", json(200, { ok: false, error: { code: 1 } })],
    ["internal_error", json(200, { ok: false, error: "internal_error" })],
    ["fatal_error", json(200, { ok: false, error: "fatal_error" })],
    ["service_unavailable", json(200, { ok: false, error: "service_unavailable" })],
  ])("that is answered with %s may have been posted, and is sent once", async (_what, answer) => {
    const slack = await startSlack(answer);
    const error = await failure(poster(slack.apiUrl)(message));
    expect(error).toMatchObject({ name: "SlackUnanswered", method: "chat.postMessage", maybeApplied: true });
    expect(slack.got).toHaveLength(1);
  });

  test.each([
    ["reset", reset],
    ["broken off in the middle", breakOff],
  ])("whose answer is %s may have been posted", async (_what, answer) => {
    const slack = await startSlack(answer);
    expect(await failure(poster(slack.apiUrl)(message))).toMatchObject({ name: "SlackUnanswered", maybeApplied: true });
  });

  test("that nobody listens for was never posted", async () => {
    const error = await failure(poster(`http://127.0.0.1:${await freePort()}/api/`)(message));
    expect(error).toMatchObject({ name: "SlackUnanswered", maybeApplied: false });
  });

  test("that was answered while the process stood still has been answered", async () => {
    const clock = createSandboxClock();
    const slack = await startSlack((response) => {
      json(200, { ok: true, channel: "C0123", ts: "1.2" })(response);
      clock.skip(60_000);
    });
    expect(await poster(slack.apiUrl, clock)(message)).toMatchObject({ ts: "1.2" });
  });

  test.each([
    ["never answered", silence],
    ["answered drop by drop", trickle],
  ])("that is %s ends after 10 seconds, and may have been posted", async (_what, answer) => {
    const clock = createSandboxClock();
    const arrived = Promise.withResolvers<void>();
    const slack = await startSlack((response) => {
      answer(response);
      arrived.resolve();
    });
    const error = failure(poster(slack.apiUrl, clock)(message));
    await arrived.promise;
    clock.skip(10_000);
    expect(await error).toMatchObject({ name: "SlackUnanswered", maybeApplied: true });
  });

  test.each([
    ["a refusal", json(200, { ok: false, error: "not_in_channel" })],
    ["a fault", page(500, "oops")],
    ["a reset", reset],
  ])("leaves no token and no text in the error of %s", async (_what, answer) => {
    const slack = await startSlack(answer);
    const error = await failure(poster(slack.apiUrl)(message));
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(token.slice(5));
    expect(shown).not.toContain(message.text);
  });
});

describe("an answer to a response URL", () => {
  function responder() {
    return createCaller({ wire: wireFor(createSandboxClock()), apiUrl: "http://127.0.0.1:9/", token });
  }

  test("goes without the token", async () => {
    const slack = await startSlack(page(200, "ok"));
    await responder().respond(`${slack.url}/actions/T1/2/abc`, { text: "done" });
    expect(slack.got[0]).toMatchObject({ url: "/actions/T1/2/abc", body: '{"text":"done"}' });
    expect(slack.got[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    [page(404, "used_url"), { name: "SlackRefused", reason: "used_url" }],
    [json(404, { ok: false, error: "expired_url" }), { name: "SlackRefused", reason: "expired_url" }],
    [page(410, "<h1>Gone</h1>"), { name: "SlackRefused", reason: "status_410" }],
    [page(500, "no_service"), { name: "SlackUnanswered", maybeApplied: true }],
    [page(429, "", { "retry-after": "3" }), { name: "SlackRateLimited", retryAfterMs: 3_000 }],
  ])("that is not taken says why (%#)", async (answer, expected) => {
    const slack = await startSlack(answer);
    const error = await failure(responder().respond(`${slack.url}/actions/T1/2/abc`, { text: "done" }));
    expect(error).toMatchObject(expected);
    expect(inspect(error, { depth: 20 })).not.toContain("/actions/T1");
  });
});
