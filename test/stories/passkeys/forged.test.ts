import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { packInvocation } from "../../../src/notifications/answers/buttons.ts";
import * as actions from "../../../src/requests/actions.ts";
import { type Actor, type Story, said } from "../story.ts";
import { confirm, pressForLink, protectedStory } from "./passkeys.ts";

/** Sends a payload as Slack signs it: the thief has the sessions of all members, and makes up what they like. */
async function forge(story: Story, by: Actor, payload: object): Promise<number> {
  const { slack, clock, app } = story;
  const team = { id: slack.teamId, domain: "practice" };
  const whole = { team, user: { id: by.user.id, team_id: slack.teamId }, trigger_id: "1.2.forged", ...payload };
  const body = new URLSearchParams({ payload: JSON.stringify(whole) }).toString();
  const timestamp = String(Math.floor(clock.now() / 1_000));
  const mac = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${mac}`,
  };
  return (await fetch(`${app.url}/slack/events`, { method: "POST", body, headers })).status;
}

function press(story: Story, action: string, value: string) {
  const channel = story.slack.channels.ops?.id ?? "";
  return {
    ...{ type: "block_actions", channel: { id: channel }, container: { type: "message", channel_id: channel } },
    actions: [{ type: "button", action_id: action, block_id: "request", value }],
  };
}

/** The presses that end in a form or a list, or take something back: none of them lets an act happen. */
const harmless = [actions.denyAction, actions.withdrawAction, actions.takeAction];

test("with Slack's sessions alone, every payload made up at will, nothing under such a rule is approved or loosened", async () => {
  const { story, devices } = await protectedStory({ mode: "http" });
  const { ana, ben, caro, platform } = story;
  const card = await story.ask(ana, "/vps cancel web-2", "This takes a passkey");
  const id = /"value":"([0-9a-f-]{36})"/.exec(JSON.stringify(card.blocks))?.[1] ?? "";
  const rules = said(await story.ask(ana, "/rackbell policy", "with a passkey"));
  const rule = /`([0-9a-f]{8})`/.exec(rules)?.[1] ?? "";
  const decided = Object.values(actions)
    .flatMap((action) => (typeof action === "string" ? [action] : Object.values(action)))
    .filter((action) => !harmless.includes(action));
  const commands = [
    ["rackbell policy remove", { rule }],
    ["rackbell policy add", { demand: "allowed", risk: "destroy", instead: rule }],
    ["rackbell policy add", { agent: "run", commands: "vps reboot" }],
    ["rackbell passkey remove", { name: "phone" }],
    ["rackbell passkey recover", { member: `<@${ben.user.id}>` }],
    ["rackbell members unlink", { member: `<@${caro.user.id}>` }],
    ["rackbell unlink", { key: "all" }],
  ] as const;
  for (const by of [ana, ben, caro]) {
    for (const action of decided) expect(await forge(story, by, press(story, action, id))).toBe(200);
    const view = {
      type: "modal",
      id: "V1",
      callback_id: "reason",
      state: { values: { reason: { value: { value: "Now" } } } },
    };
    const origin = {
      member: `${story.slack.teamId}:${by.user.id}`,
      slackUser: by.user.id,
      channel: null,
      responseUrl: null,
      until: 0,
    };
    const metadata = JSON.stringify({ kind: "glass", request: id, origin });
    await forge(story, by, { type: "view_submission", view: { ...view, private_metadata: metadata } });
    // Ben is no admin, and may erase his own key.
    for (const [command, input] of commands.filter(([command]) => by !== ben || command !== "rackbell unlink")) {
      const value = packInvocation({ command, input, confirmed: true });
      await forge(story, by, press(story, `invoke:${command}`, value));
    }
  }
  await story.passes(() => caro.sees("dm").length > 0 || caro.sees("#ops").length > 3, "the answers");
  expect(platform.calls().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(said(await story.ask(ana, "/rackbell policy", "with a passkey"))).toContain(rule);
  for (const actor of [ana, caro]) {
    await story.ask(actor, "/rackbell passkey list", "1 passkey of yours");
    await story.ask(actor, "/rackbell whoami", "You act as");
  }
  // The request still waits, and Caro's own device approves it.
  expect(await confirm(story, await pressForLink(story, caro, card), devices.caro)).toMatchObject({
    title: "Your passkey counted",
  });
  await expectProven(story);
});

/** The kinds of entries that say who may do what under such a rule, or that something was decided under it. */
const governed =
  /^(approved|planned|glass broken|policy changed|policy change proposed|window (added|changed)|unlinked|key linked|passkey (removed|recovered|recovery approved))$/;

/** Reads the exported audit log: since the rule was made, no governed entry is without what a passkey signed. */
async function expectProven(story: Story): Promise<void> {
  const { ana, slack } = story;
  await ana.type("/rackbell audit everyone=yes export=yes format=json");
  const file = await slack.until(() => slack.state().files.find(({ content }) => content.length > 0), "the export");
  const entries = Buffer.from(file.content)
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const begun = entries.findIndex(({ what }) => what === "policy changed");
  const since = entries.slice(begun + 1).filter(({ what }) => governed.test(what));
  expect(since.length).toBeGreaterThan(0);
  expect(since.filter(({ assertion }) => assertion === undefined)).toEqual([]);
}
