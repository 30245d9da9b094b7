import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { command, event, form, jsonType, openSocket, post, press, rawHead, receivers, signed } from "./receiving.ts";

describe.each(receivers)("%s", (_, receive) => {
  test("brings a signed command to its listener, and answers with what it acknowledges", async () => {
    const { url, app } = await receive();
    const typed: string[] = [];
    app.command("/vps", async ({ command, ack }) => {
      typed.push(command.text);
      await ack({ text: "here", response_type: "ephemeral" });
    });
    const body = command({ text: "list ünïted & <@U1>" });
    const answer = await post(url, body, signed(body));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ text: "here", response_type: "ephemeral" });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(typed).toEqual(["list ünïted & <@U1>"]);
  });

  test.each([
    [undefined, ""],
    ["", ""],
    ["here", "here"],
  ])("answers an acknowledgement with %j with 200 and that", async (acknowledgement, shown) => {
    const { url, app } = await receive();
    app.command("/vps", ({ ack }) => ack(acknowledgement));
    expect(await post(url, command(), signed(command()))).toMatchObject({ status: 200, text: shown });
  });

  test("brings a signed press out of its form", async () => {
    const { url, app } = await receive();
    const pressed: string[] = [];
    app.action("go", async ({ body, ack }) => {
      pressed.push(body.user.id);
      await ack();
    });
    expect(await post(url, press(), signed(press()))).toMatchObject({ status: 200, text: "" });
    expect(pressed).toEqual(["U1"]);
  });

  test("brings a signed event, and how often Slack has tried before", async () => {
    const { url, app } = await receive();
    const tries: unknown[] = [];
    app.event("app_home_opened", async ({ context }) => {
      tries.push([context.retryNum, context.retryReason]);
    });
    const retry = { "x-slack-retry-num": "2", "x-slack-retry-reason": "http_timeout" };
    expect((await post(url, event(), signed(event(), { type: jsonType, headers: retry }))).status).toBe(200);
    expect((await post(url, event(), signed(event(), { type: jsonType }))).status).toBe(200);
    expect(tries).toEqual([
      [2, "http_timeout"],
      [undefined, undefined],
    ]);
  });

  test("answers Slack's question whether the address is ours", async () => {
    const { url } = await receive();
    const body = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1a" });
    const answer = await post(url, body, signed(body, { type: jsonType }));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { challenge: "3eZbrw1a" }]);
  });

  test("answers Slack's look at the certificate, which is not signed", async () => {
    const { url } = await receive();
    expect((await post(url, "ssl_check=1&token=abc", { "content-type": form })).status).toBe(200);
  });

  test("lets no payload past the signature because it says ssl_check (bolt-js #2897)", async () => {
    const { url, app } = await receive();
    let deliveries = 0;
    app.action("go", async ({ ack }) => {
      deliveries += 1;
      await ack();
    });
    app.command("/vps", async ({ ack }) => {
      deliveries += 1;
      await ack();
    });
    for (const body of [`ssl_check=1&${press()}`, `${press()}&ssl_check=1`, `ssl_check=1&${command()}`])
      await post(url, body, { "content-type": form });
    expect(deliveries).toBe(0);
  });

  test("is not made with an empty signing secret (bolt-js #2946)", async () => {
    await expect(receive("")).rejects.toThrow(/signing ?secret/i);
  });

  test.each([
    ["a signature of another secret", { "x-slack-signature": `v0=${"0".repeat(64)}` }],
    ["a signature that is too short", { "x-slack-signature": "v0=00" }],
    ["a signature that is no hex", { "x-slack-signature": `v0=${"z".repeat(64)}` }],
    ["another version's signature", { "x-slack-signature": `v1=${"0".repeat(64)}` }],
    ["a time that is none", { "x-slack-request-timestamp": "soon" }],
    ["a time that was not signed", { "x-slack-request-timestamp": String(Math.floor(Date.now() / 1_000) + 60) }],
  ])("answers %s with 401 and gives it to nobody (bolt-js #1509)", async (_what, wrong) => {
    const { url, app } = await receive();
    let deliveries = 0;
    app.command("/vps", async ({ ack }) => {
      deliveries += 1;
      await ack();
    });
    expect((await post(url, command(), { ...signed(command()), ...wrong })).status).toBe(401);
    expect((await post(url, command(), { "content-type": form })).status).toBe(401);
    expect(deliveries).toBe(0);
  });

  test("refuses a body that was changed by one byte", async () => {
    const { url } = await receive();
    expect((await post(url, command().replace("list", "lisp"), signed(command()))).status).toBe(401);
  });

  test("refuses what was signed more than five minutes ago, and takes what was signed four minutes ago", async () => {
    const { url, app } = await receive();
    app.command("/vps", ({ ack }) => ack());
    expect((await post(url, command(), signed(command(), { ahead: -310 }))).status).toBe(401);
    expect((await post(url, command(), signed(command(), { ahead: -240 }))).status).toBe(200);
  });

  test.each([
    ["JSON that breaks off", jsonType, '{"type":'],
    ["JSON that breaks off, in a form", form, new URLSearchParams({ payload: '{"type":' }).toString()],
    ["nothing as JSON", jsonType, ""],
  ])("answers %s with 400", async (_what, type, body) => {
    const { url } = await receive();
    expect((await post(url, body, signed(body, { type }))).status).toBe(400);
  });

  test("answers more than 4 MB with 413", async () => {
    const { url } = await receive();
    const socket = openSocket(url);
    socket.write(rawHead("Content-Length: 4194305"));
    socket.write("x".repeat(4_194_305));
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test("answers a listener's error with a failure, and goes on (bolt-js #1404)", async () => {
    const { url, app } = await receive();
    app.command("/vps", async () => {
      throw new Error("a bug");
    });
    app.command("/order", ({ ack }) => ack());
    expect((await post(url, command(), signed(command()))).status).toBe(500);
    const other = command({ command: "/order" });
    expect((await post(url, other, signed(other))).status).toBe(200);
  });

  test("keeps to the acknowledgement when the listener fails after it", async () => {
    const { url, app } = await receive();
    app.command("/vps", async ({ ack }) => {
      await ack("here");
      throw new Error("a bug");
    });
    expect(await post(url, command(), signed(command()))).toMatchObject({ status: 200, text: "here" });
  });

  test("reports a listener that acknowledges twice, and answers once", async () => {
    const { url, app } = await receive();
    const seconds: unknown[] = [];
    app.command("/vps", async ({ ack }) => {
      await ack("first");
      seconds.push(await ack("second").catch((error: unknown) => error));
    });
    expect(await post(url, command(), signed(command()))).toMatchObject({ status: 200, text: "first" });
    expect(seconds).toMatchObject([{ code: "slack_bolt_receiver_ack_multiple_error" }]);
  });

  test("answers with a failure what is not acknowledged in time", async () => {
    const { url, app, giveUp } = await receive();
    const begun = Promise.withResolvers<void>();
    app.command("/vps", async () => begun.resolve());
    const answer = post(url, command(), signed(command()));
    await begun.promise;
    giveUp();
    expect((await answer).status).toBeGreaterThanOrEqual(400);
  });
});

test("a request whose sender leaves in the middle of it harms nobody", async () => {
  for (const [, receive] of receivers) {
    const { url, app } = await receive();
    app.command("/vps", ({ ack }) => ack());
    const socket = openSocket(url);
    socket.write("POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
    socket.end();
    await text(socket).catch(() => "");
    expect((await post(url, command(), signed(command()))).status).toBe(200);
  }
});
