import { once } from "node:events";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Workspace } from "../../../src/messages/chat/people.ts";
import {
  command,
  event,
  form,
  jsonType,
  openSocket,
  post,
  press,
  rawHead,
  receiveOurs,
  signed,
  signingSecret,
  team,
} from "./receiving.ts";

/** Which commands and presses reach a listener. */
async function listening(workspace?: Workspace) {
  const receiving = await receiveOurs(signingSecret, workspace);
  const deliveries: string[] = [];
  receiving.app.command(/.*/, async ({ ack }) => {
    deliveries.push("command");
    await ack();
  });
  receiving.app.action(/.*/, async ({ ack }) => {
    deliveries.push("press");
    await ack();
  });
  receiving.app.view(/.*/, async ({ ack }) => {
    deliveries.push("form");
    await ack();
  });
  receiving.app.event("app_home_opened", async () => {
    deliveries.push("event");
  });
  return { ...receiving, deliveries };
}

describe("a signed body that Slack never sends", () => {
  test.each([
    ["null", jsonType, "null"],
    ["null in a form", form, "payload=null"],
    ["a list", jsonType, "[]"],
    ["a number in a form", form, "payload=1"],
    ["a text", jsonType, '"hello"'],
    ["an event that is none", jsonType, JSON.stringify({ type: "event_callback", team_id: team, event: null })],
    ["no event's type", jsonType, JSON.stringify({ type: "event_callback", team_id: team, event: {} })],
    ["a press of nothing", form, press({ actions: [] })],
    ["a press that is no list", form, press({ actions: "go" })],
    ["a payload that comes twice", form, `${press()}&${press()}`],
    ["a form without fields", form, ""],
    ["a form of other fields", form, "a=1"],
    ["bytes", "application/octet-stream", "\u0000\u0001"],
    ["no content type", null, "hello"],
  ])("%s is refused with 400, and the app goes on", async (_, type, body) => {
    const { url, deliveries, refused } = await listening();
    expect((await post(url, body, signed(body, { type }))).status).toBe(400);
    expect(refused).toEqual(["malformed"]);
    await post(url, command(), signed(command()));
    expect(deliveries).toEqual(["command"]);
  });

  test.each([
    ["an item that is none", event({ event: { type: "reaction_added", item: null } })],
    ["a channel that is none", event({ event: { type: "app_home_opened", channel: null } })],
  ])("%s, over which Bolt fails, is answered with a failure, and the app goes on", async (_, body) => {
    const { url, deliveries, lines } = await listening();
    expect((await post(url, body, signed(body, { type: jsonType }))).status).toBe(500);
    expect(lines.join("")).toContain("could not be handled");
    await post(url, command(), signed(command()));
    expect(deliveries).toEqual(["command"]);
  });
});

describe("content types", () => {
  test.each([
    ["application/x-www-form-urlencoded; charset=utf-8", command(), "command"],
    ["Application/X-WWW-Form-URLEncoded", press(), "press"],
    ["application/json; charset=utf-8", event(), "event"],
  ])("%s is read as what it is", async (type, body, kind) => {
    const { url, deliveries } = await listening();
    expect((await post(url, body, signed(body, { type }))).status).toBe(200);
    expect(deliveries).toEqual([kind]);
  });
});

describe("a signature", () => {
  test("of a time more than five minutes ahead is refused, of four minutes ahead taken", async () => {
    const { url, refused } = await listening();
    expect((await post(url, command(), signed(command(), { ahead: 310 }))).status).toBe(401);
    expect((await post(url, command(), signed(command(), { ahead: 240 }))).status).toBe(200);
    expect(refused).toEqual(["ahead"]);
  });

  test("is over the bytes as they came, whatever they are", async () => {
    const { url, deliveries } = await listening();
    const body = Buffer.concat([Buffer.from(`${command()}&note=`), Buffer.from([0xff, 0xc3, 0x28])]);
    expect((await post(url, new Uint8Array(body), signed(body))).status).toBe(200);
    expect(deliveries).toEqual(["command"]);
  });

  test("of a payload that says ssl_check is looked at as any other (bolt-js #2897)", async () => {
    const { url, refused } = await listening();
    for (const body of [`ssl_check=1&${press()}`, `ssl_check=1&${command()}`, "ssl_check=1&other=1", "ssl_check=2"])
      expect((await post(url, body, { "content-type": form })).status).toBe(401);
    expect(refused).toEqual(Array(4).fill("unsigned"));
  });

  test("that is wrong is refused in the same words, whatever is wrong with it, and is logged without what came", async () => {
    const { url, lines } = await listening();
    const wrong = [
      { "content-type": form },
      signed(command(), { ahead: 400 }),
      signed(command(), { ahead: -400 }),
      { ...signed(command()), "x-slack-signature": `v0=${"a".repeat(64)}` },
    ];
    const answers = [];
    for (const headers of wrong) answers.push(await post(url, command({ text: "s3cret" }), headers));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["401 "]));
    expect(lines.join("")).toContain('"kind":"forged"');
    expect(lines.join("")).not.toContain("s3cret");
  });

  test("that is wrong a thousand times in a minute fills no log, and each is counted", async () => {
    const { url, lines, refused, clock } = await listening();
    for (let count = 0; count < 50; count += 1) await post(url, command(), { "content-type": form });
    expect(refused).toHaveLength(50);
    expect(lines).toHaveLength(1);
    clock.skip(60_000);
    await post(url, command(), { "content-type": form });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ kind: "unsigned", before: 49 });
  });
});

describe("a body", () => {
  test("that says it is more than 1 MB is refused before it has come", async () => {
    const { url, refused } = await listening();
    const socket = openSocket(url);
    socket.write(`${rawHead("Content-Length: 1048577")}start`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(refused).toEqual(["too large"]);
  });

  test.each([
    ["nothing of Slack's", []],
    ["a signature that is none", ["x-slack-request-timestamp: 1", "x-slack-signature: v0=00"]],
    [
      "a signature of an hour ago",
      ["x-slack-request-timestamp: 1700000000", `x-slack-signature: v0=${"0".repeat(64)}`],
    ],
    ["a form that is longer than Slack's look at the certificate", [`content-type: ${form}`]],
  ])("with %s in its headers is refused before it has come", async (_, lines) => {
    const { url, refused } = await listening();
    const socket = openSocket(url);
    socket.write(
      ["POST /slack/events HTTP/1.1", "Host: x", "Content-Length: 5000", ...lines, "", "start"].join("\r\n"),
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
    expect(refused).toHaveLength(1);
  });

  test("that is not whole within 5 seconds is refused", async () => {
    const { url, refused, clock } = await listening();
    const socket = openSocket(url);
    const answer = text(socket);
    socket.write(`${rawHead("Content-Length: 5000")}start`);
    const early = command();
    expect((await post(url, early, signed(early))).status).toBe(200);
    expect(refused).toEqual([]);
    clock.skip(5_000);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(refused).toEqual(["too slow"]);
  });

  test("of more than 1 MB is cut off where it does not say how long it is", async () => {
    const { url, refused } = await listening();
    const socket = openSocket(url);
    socket.write(rawHead("Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    for (let count = 0; count < 17; count += 1) socket.write(chunk);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    await once(socket, "close");
    expect(refused).toEqual(["too large"]);
  });

  test("of just under 1 MB is taken", async () => {
    const { url, deliveries } = await listening();
    const body = command({ text: "x".repeat(1024 * 1024 - 200) });
    expect((await post(url, body, signed(body))).status).toBe(200);
    expect(deliveries).toEqual(["command"]);
  });
});

describe("an acknowledgement", () => {
  test("that is missing is logged after three seconds, and one that comes late goes nowhere", async () => {
    const { url, app, clock, lines } = await receiveOurs();
    const begun = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    app.command("/vps", async ({ ack }) => {
      begun.resolve();
      await late.promise;
      await ack("late").then(
        () => ended.resolve("went on"),
        (error: unknown) => ended.resolve(String(error)),
      );
    });
    const answer = post(url, command(), signed(command()));
    await begun.promise;
    clock.skip(2_000);
    expect(lines).toEqual([]);
    clock.skip(1_001);
    expect(await answer).toMatchObject({ status: 503, text: "" });
    expect(lines.join("")).toContain("not acknowledged");
    late.resolve();
    expect(await ended.promise).toBe("went on");
  });

  test("that cannot be written is the listener's error, and Slack's request is answered", async () => {
    const { url, app } = await receiveOurs();
    const circular: Record<string, unknown> = { text: "around" };
    circular.itself = circular;
    app.options("pick", async ({ ack }) => ack({ options: [], ...circular }));
    const body = new URLSearchParams({
      payload: JSON.stringify({ type: "block_suggestion", team: { id: team }, action_id: "pick", user: { id: "U1" } }),
    }).toString();
    expect((await post(url, body, signed(body))).status).toBe(500);
  });
});

describe("another workspace's", () => {
  const own = { team: { id: "T9" }, view: { app_installed_team_id: team, type: "modal", callback_id: "f" } };
  const authorized = (id: string) => ({ authorizations: [{ team_id: id, enterprise_id: null }] });

  test.each([
    ["command", form, command({ team_id: "T9" })],
    ["command without a team", form, command({ team_id: "" })],
    ["press", form, press({ team: { id: "T9" } })],
    ["press without a team", form, press({ team: null })],
    ["press with a strange team", form, press({ team: { id: [team] } })],
    ["press that names us as its own organisation", form, press({ team: null, enterprise: { id: team } })],
    [
      "form",
      form,
      press({ type: "view_submission", actions: undefined, ...own, view: { app_installed_team_id: "T9" } }),
    ],
  ])("%s is refused and reaches nobody", async (_, type, body) => {
    const { url, deliveries, refused } = await listening();
    const answer = await post(url, body, signed(body, { type }));
    expect([answer.status, answer.headers.get("x-slack-no-retry")]).toEqual([403, "1"]);
    expect([deliveries, refused]).toEqual([[], ["other workspace"]]);
  });

  test.each([
    ["team", event({ team_id: "T9" })],
    ["authorization", event(authorized("T9"))],
  ])("event, by its %s, reaches nobody", async (_, body) => {
    const { url, deliveries, refused } = await listening();
    await post(url, body, signed(body, { type: jsonType }));
    expect([deliveries, refused]).toEqual([[], ["other workspace"]]);
  });

  test("member in a channel that we share with them is let through, to get the reason by name", async () => {
    const { url, deliveries } = await listening();
    const theirPress = press({ user: { id: "U9", team_id: "T9" } });
    const theirForm = press({ type: "view_submission", actions: undefined, ...own });
    const theirEvent = event({ team_id: "T9", ...authorized(team) });
    await post(url, theirPress, signed(theirPress));
    await post(url, theirForm, signed(theirForm));
    await post(url, theirEvent, signed(theirEvent, { type: jsonType }));
    expect(deliveries).toEqual(["press", "form", "event"]);
  });
});

describe("an organisation's", () => {
  const installed = { team, enterprise: "E1" };
  const all = { is_enterprise_install: true, team_id: null, enterprise_id: "E1" };

  test.each([
    ["command", form, command({ team_id: "T2", enterprise_id: "E1" })],
    ["press", form, press({ team: null, enterprise: { id: "E1" } })],
    ["press with the organisation in its team", form, press({ team: { id: "T2", enterprise_id: "E1" } })],
    ["event", jsonType, event({ team_id: "T2", authorizations: [all] })],
  ])("%s is taken, whichever of its workspaces it came from", async (_, type, body) => {
    const { url, deliveries } = await listening(installed);
    expect((await post(url, body, signed(body, { type }))).status).toBe(200);
    expect(deliveries).toHaveLength(1);
  });

  test("name alone opens nothing where the app belongs to none, or to another", async () => {
    const body = press({ team: { id: "T2" }, enterprise: { id: "E1" } });
    for (const workspace of [
      { team, enterprise: null },
      { team, enterprise: "E2" },
    ]) {
      const { url, deliveries } = await listening(workspace);
      expect((await post(url, body, signed(body))).status).toBe(403);
      expect(deliveries).toEqual([]);
    }
  });
});

test("while the app stops, a signed delivery is asked to come again, and an unsigned one is refused as ever", async () => {
  const { url, deliveries, stop, refused } = await listening();
  await stop();
  const answer = await post(url, command(), signed(command()));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await post(url, command(), { "content-type": form })).status).toBe(401);
  expect([deliveries, refused]).toEqual([[], ["stopping", "unsigned"]]);
});

test("every body, signed or not, is answered, and the app goes on", async () => {
  const { url, clock, deliveries, giveUp } = await listening();
  const wildHeaders = fc.dictionary(
    fc.constantFrom("x-slack-signature", "x-slack-request-timestamp", "content-type", "x-slack-retry-num", "x-a"),
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  );
  const wildJson = fc.anything({ withNullPrototype: false }).map((value) => JSON.stringify(value) ?? "");
  const halfRight = fc.record(
    {
      type: fc.constantFrom("event_callback", "block_actions", "view_submission", "view_closed", "shortcut", "odd"),
      team_id: fc.constantFrom(team, "T9", null),
      team: fc.constantFrom({ id: team }, { id: "T9" }, null, []),
      event: fc.oneof(fc.constant({ type: "app_home_opened" }), fc.anything()),
      actions: fc.oneof(fc.constant([{ action_id: "go" }]), fc.anything()),
      view: fc.anything(),
      command: fc.anything(),
      response_url: fc.anything(),
      response_urls: fc.anything(),
      authorizations: fc.anything(),
      channel: fc.anything(),
      name: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    wildJson,
    halfRight.map((value) => JSON.stringify(value)),
    halfRight.map((value) => new URLSearchParams({ payload: JSON.stringify(value) }).toString()),
    fc.webQueryParameters(),
  );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.boolean(),
      fc.constantFrom(form, jsonType, null),
      wildHeaders,
      async (sent, right, type, wild) => {
        const headers = right ? signed(sent, { type }) : wild;
        const answer = post(url, typeof sent === "string" ? sent : new Uint8Array(sent), headers);
        // A payload without a listener is answered when its time limit is over.
        const callOff = setInterval(giveUp, 5);
        const { status } = await answer.finally(() => clearInterval(callOff));
        expect([200, 400, 401, 403, 500, 503]).toContain(status);
      },
    ),
    { numRuns: 300 },
  );
  deliveries.length = 0;
  clock.adjust(Date.now() - clock.now());
  expect((await post(url, command(), signed(command()))).status).toBe(200);
  expect(deliveries).toEqual(["command"]);
});
