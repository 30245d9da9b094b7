import { createHmac } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { noInteraction } from "../../../src/messages/origin.ts";
import { refusedView } from "../../../src/sandbox/slack/blocks/views.ts";
import { billOf, paidOn } from "../ordering.ts";
import { startAlertStory, supplierSuspends } from "../reseller/alerting.ts";
import {
  type Actor,
  fileStore,
  goAhead,
  type Message,
  peer,
  pressInDetails,
  type Story,
  said,
  startStory,
  writes,
} from "../story.ts";

/** The id in a button: what a press sends, and what a deciding one of an older version sent. */
function idOf(message: Message): string {
  const found =
    /"action_id":"request:withdraw"[^}]*?"value":"([^"]+)"|"value":"([^"]+)"[^}]*?"action_id":"request:withdraw"/.exec(
      JSON.stringify(message.blocks),
    );
  return found?.[1] ?? found?.[2] ?? "";
}

interface Forged {
  action: string;
  value: string;
  by: Actor;
  channel: string;
}

/** A press as somebody could make it up who has the signing secret's say: its parts need not belong together. */
function forge(story: Story, { action, value, by, channel }: Forged) {
  const { slack } = story;
  const payload = {
    type: "block_actions",
    team: { id: slack.teamId },
    user: { id: by.user.id, team_id: slack.teamId },
    channel: { id: channel },
    container: { type: "message", channel_id: channel },
    trigger_id: "1.2.forged",
    actions: [{ type: "button", action_id: action, block_id: "request", value }],
  };
  return signed(story, payload);
}

function signed({ slack, clock }: Story, payload: object) {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(clock.now() / 1_000));
  const signature = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${signature}`,
  };
  return { body, headers };
}

/** A modal as it is open, submitted by another user than the one it was opened for. */
function forgeSubmission(story: Story, { by, values = {} }: { by: Actor; values?: Record<string, unknown> }) {
  const { slack } = story;
  const views = Object.values(slack.state().modals).flat();
  const view = JSON.parse(JSON.stringify(views.findLast(({ submit }) => submit) ?? null));
  if (!view) throw new Error("No modal is open");
  Object.assign(view.state.values, values);
  const team = { id: slack.teamId, domain: "practice" };
  return signed(story, { type: "view_submission", team, user: { id: by.user.id, team_id: slack.teamId }, view });
}

async function send(story: Story, forged: ReturnType<typeof forge>): Promise<number> {
  return (await answerTo(story, forged)).status;
}

function answerTo({ app }: Story, { body, headers }: ReturnType<typeof forge>): Promise<Response> {
  return fetch(`${app.url}/slack/events`, { method: "POST", body, headers });
}

function channelId({ slack }: Story, name: string): string {
  const channel = slack.channels[name];
  if (!channel) throw new Error(`There is no #${name}`);
  return channel.id;
}

test("a signed press with another's request, of another user or in another channel does what its request allows, and no more", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], mode: "http" });
  const { ana, ben } = story;
  const own = await story.ask(ana, "/vps cancel web-1", "asks to", "Only <@");
  const bill = billOf(story, "Renewal of web-2").number;
  const priced = await story.ask(ana, `/billing pay ${bill} amount=1.00`, "Your balance");
  const ops = channelId(story, "ops");
  const general = channelId(story, "general");
  // Ben presses Ana's: in place of hers, of the one that she alone was shown, without and with a copy, from another channel.
  for (const value of [idOf(own), idOf(priced)])
    for (const [action, channel] of [
      ["request:press", ops],
      ["request:copy", general],
      ["request:override", ops],
    ] as const)
      expect(await send(story, forge(story, { action, value, by: ben, channel }))).toBe(200);
  await story.sees(ben, `Only <@${ana.user.id}> can press this`);
  await story.seesIn("#general", ben, `Only <@${ana.user.id}> can press this`);
  await send(story, forge(story, { action: "request:withdraw", value: idOf(own), by: ben, channel: ops }));
  await story.sees(ben, "or an admin can withdraw this");
  await send(story, forge(story, { action: "request:review", value: idOf(own), by: ben, channel: ops }));
  await send(story, forge(story, { action: "request:press", value: "no-such-request", by: ana, channel: ops }));
  await story.sees(ana, "no longer known, so this changed nothing");
  // The copy of what has none is not left out: nothing is done.
  await send(story, forge(story, { action: "request:copy", value: idOf(priced), by: ana, channel: ops }));
  await story.sees(ana, "No backup is possible before this act. Nothing was done.");
  expect(writes(story)).toEqual([]);
  // From another channel her own press counts, and the answer stays in the channel of the request.
  await send(story, forge(story, { action: goAhead, value: idOf(own), by: ana, channel: general }));
  await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation");
  expect(writes(story)).toMatchObject([{ method: "DELETE", key: "ana" }]);
}, 20_000);

test("a signed press on an alert of a private channel, by somebody outside of it, takes nothing and shows nothing", async () => {
  const story = await startAlertStory("none", { linked: ["ana", "ben"], partners: ["ana", "ben"], mode: "http" });
  const { ana, ben, slack } = story;
  slack.invite("vault", "rackbell");
  slack.kick("vault", "ben");
  await story.ask(ana, "/rackbell alerts add #vault", "Saved");
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.seesIn("#vault", ana, "`mail.example.test` is suspended", "by webhook,");
  const [, value = ""] = /"action_id":"alert:take","value":"([^"]+)"/.exec(JSON.stringify(alert.blocks)) ?? [];
  for (const action of ["alert:take", "alert:brief", "alert:brief-share", "alert:open"]) {
    const before = ben.sees("#ops").length;
    await send(story, forge(story, { action, value, by: ben, channel: channelId(story, "ops") }));
    await slack.until(() => ben.sees("#ops").length > before, `an answer to ${action}`);
    expect(ben.sees("#ops").slice(before).map(said).join()).toContain("you are not in its channel");
  }
  expect(said(await story.seesIn("#vault", ana, "is suspended"))).not.toContain("took this");
});

test("a signed modal that was opened for another user acts for the user who submits it, whatever it remembers", async () => {
  const story = await startStory({ linked: ["ana", "ben"], mode: "http", environment: peer });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await ben.press(request, "Deny…");
  await story.modal(ben, "Deny the request");
  const reason = { reason: { value: { type: "plain_text_input", value: "Not now please" } } };
  expect(await send(story, forgeSubmission(story, { by: ana, values: reason }))).toBe(200);
  await story.sees(ana, "you cannot deny it: withdraw it");
  await ben.closeModal();
  // The requester alone moves a schedule.
  const later = await story.ask(ben, "/vps cancel web-2 in=2h", "asks to");
  await pressInDetails(story, ben, later, "request:move");
  await story.modal(ben, "When?");
  const soon = Math.floor(story.clock.now() / 1_000) + 600;
  const time = { when: { value: { type: "datetimepicker", selected_date_time: soon } } };
  expect(await send(story, forgeSubmission(story, { by: ana, values: time }))).toBe(200);
  await story.sees(ana, `Only <@${ben.user.id}>`);
  await ben.closeModal();
  // A form of an admin's is no admin's act when somebody else sends it.
  await ana.type("/rackbell policy add");
  await story.modal(ana, "Needs");
  await ana.fill({ Needs: "It is not allowed", "For which commands": "vps" });
  expect(await send(story, forgeSubmission(story, { by: ben }))).toBe(200);
  await story.sees(ben, "Only an admin");
  await story.ask(ben, "/rackbell policy", "There are no rules yet");
  expect(writes(story)).toEqual([]);
}, 20_000);

/** The ids of all modals that a member can submit, and one that this version has no more. */
const callbacks = globSync("src/slack/**/*.ts").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/^export const \w+Callback = "([^"]+)"/gm)].map(([, id = ""]) => id),
);

test("a modal that this version cannot read says so while it is open, whatever it asks for, and does nothing", async () => {
  const story = await startStory({ linked: ["ana", "ben"], mode: "http", environment: peer });
  const { ana, slack } = story;
  const { alert: _, ...origin } = { ...noInteraction, member: "T:U", slackUser: ana.user.id, channel: null };
  const older = { command: "vps list", kind: "deny", request: "r1", name: "web-1", manner: {}, count: 2, target: null };
  const gone = { command: "vps gone", target: null, origin: { ...origin, alert: null } };
  const metadata = ["", "no JSON", "{}", JSON.stringify({ ...older, origin }), JSON.stringify(gone)];
  expect(callbacks).toEqual(expect.arrayContaining(["form", "reason", "reveal"]));
  const before = ana.sees("dm").length;
  for (const callback_id of [...callbacks, "of an older version"]) {
    for (const private_metadata of metadata) {
      for (const inputs of [["first", "second"], []]) {
        const blocks = [
          { type: "section", block_id: "facts" },
          ...inputs.map((block_id) => ({ type: "input", block_id })),
        ];
        const values = Object.fromEntries(
          inputs.map((id) => [id, { value: { type: "plain_text_input", value: "2" } }]),
        );
        const title = { type: "plain_text", text: "Deny the request" };
        const view = { id: "V1", type: "modal", callback_id, title, private_metadata, blocks, state: { values } };
        const user = { id: ana.user.id, team_id: slack.teamId };
        const forged = signed(story, { type: "view_submission", team: { id: slack.teamId }, user, view });
        const answer = await (await answerTo(story, forged)).json();
        if (inputs.length > 0 && callback_id !== "reveal")
          expect(answer).toEqual({
            response_action: "errors",
            errors: { first: expect.stringContaining("from an older version of Rackbell, so nothing was done") },
          });
        else {
          expect(answer).toMatchObject({ response_action: "update" });
          expect(refusedView(answer.view, "modal")).toEqual([]);
          expect(JSON.stringify(answer.view)).toMatch(/from an older version of Rackbell|no longer knows this secret/);
        }
      }
    }
  }
  expect(ana.sees("dm")).toHaveLength(before);
  expect(writes(story)).toEqual([]);
});

test("a choice in a form that this version cannot read is answered in the form", async () => {
  const story = await startStory({ linked: ["ana"], mode: "http" });
  const { ana, slack } = story;
  await ana.type("/vps reinstall");
  await story.modal(ana, "Find a VPS");
  const user = { id: ana.user.id, team_id: slack.teamId };
  const view = { ...ana.modal(), private_metadata: "of an older version" };
  const chosen = { value: "web-1", text: { type: "plain_text", text: "web-1" } };
  const action = { type: "external_select", action_id: "target", block_id: "target", selected_option: chosen };
  const container = { type: "view", view_id: view.id };
  const press = { type: "block_actions", team: { id: slack.teamId }, user, view, container, actions: [action] };
  expect(await send(story, signed(story, { ...press, trigger_id: "1.2.forged" }))).toBe(200);
  await story.modal(ana, "This form is from an older version of Rackbell, so nothing was done");
});

test("a press that is replayed runs nothing twice, and is turned away once it is old", async () => {
  const story = await startStory({ linked: ["ana"], mode: "http" });
  const { ana, clock } = story;
  const own = await story.ask(ana, "/vps cancel web-1", "asks to");
  const press = forge(story, { action: goAhead, value: idOf(own), by: ana, channel: channelId(story, "ops") });
  expect(await Promise.all([send(story, press), send(story, press), send(story, press)])).toEqual([200, 200, 200]);
  await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation");
  expect(await send(story, press)).toBe(200);
  await story.sees(ana, "confirmed it, and it was done");
  clock.skip(6 * 60_000);
  expect(await send(story, press)).toBe(401);
  expect(writes(story)).toHaveLength(1);
});

test("the buttons of messages that are over do nothing, whatever their end was, before and after a restart", async () => {
  const story = await startStory({
    linked: ["ana", "ben"],
    environment: { APPROVALS: "peer", STORE_URL: fileStore() },
  });
  const { ana, ben, clock } = story;
  const withdrawn = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, withdrawn, "request:withdraw", "was withdrawn");
  const denied = await story.ask(ana, "/vps cancel web-2", "asks to");
  await ben.press(denied, "Deny…");
  await story.modal(ben, "Why");
  await ben.fill({ "Why?": "Not tonight" });
  await ben.submit();
  await story.sees(ana, "denied it", "Not tonight");
  const exchanged = await story.ask(ana, "/vps cancel worker-3", "asks to");
  const fresh = story.platform.addKey({ owner: "ana", label: "fresh" });
  story.secrets.add(fresh.key);
  await story.link(ana, fresh.key);
  const expired = await story.ask(ana, "/vps cancel db-1", "asks to");
  clock.skip(61 * 60_000);
  for (const restart of [false, true]) {
    if (restart) await story.restart();
    await story.pressing(ben, withdrawn, goAhead, "was withdrawn");
    await story.pressing(ben, denied, goAhead, "Not tonight");
    await story.pressing(ben, exchanged, goAhead, /`worker-3`: .*(key|linked)/);
    await story.pressing(ben, expired, goAhead, "It expired before it");
    await ben.press(denied, "Details…");
    await story.modal(ben, "Not tonight");
    expect(JSON.stringify(ben.modal())).not.toContain(goAhead);
    await ben.closeModal();
  }
  expect(writes(story)).toEqual([]);
}, 30_000);

test("an approval no longer counts once its approver links a key of the requester's platform user", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=two-approvals risk=destroy"] });
  const { ana, ben, caro, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  const hers = platform.addKey({ owner: "ana", label: "of ana" });
  story.secrets.add(hers.key);
  await story.link(ben, hers.key);
  const still = await story.pressing(caro, request, goAhead, "1 of 2", `<@${caro.user.id}>`);
  expect(said(still)).not.toContain(`Approved by <@${ben.user.id}>`);
  await story.pressing(ben, request, goAhead, "same platform user");
  expect(writes(story)).toEqual([]);
});

test("a clock that jumps back runs nothing early or twice, and one that jumps ahead only expires what waits", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  const first = await story.ask(ana, "/vps cancel web-1", "asks to");
  const second = await story.ask(ana, "/vps cancel web-2", "asks to");
  clock.adjust(-24 * 60 * 60_000);
  await story.pressing(ana, first, goAhead, "You can withdraw the cancellation");
  await story.pressing(ana, first, goAhead, "confirmed it");
  clock.adjust(26 * 60 * 60_000);
  await story.pressing(ana, second, goAhead, "It expired before it");
  await story.pressing(ana, first, goAhead, "confirmed it");
  expect(writes(story)).toHaveLength(1);
});

test("of ten requests pressed at once only as many are paid as the sum of a day allows", async () => {
  const story = await startStory({ linked: ["ana"], rules: ['demand=not-allowed risk=spend day="2.10 EUR"'] });
  const { ana } = story;
  const bills = ["Renewal of web-2", "Colocation for a quarter", "Consulting"].map((title) => billOf(story, title));
  const requests: Message[] = [];
  for (let at = 0; at < 10; at += 1) {
    const amount = `1.0${at}`;
    requests.push(
      await story.ask(ana, `/billing pay ${bills[at % 3]?.number} amount=${amount}`, amount, "Your balance"),
    );
  }
  await Promise.all(requests.map((request) => ana.press(request, goAhead)));
  await expect.poll(() => writes(story).length).toBe(2);
  // A press that waited for another press on the same bill finds the sum spent, too.
  const waiting = () => ana.sees().filter((message) => JSON.stringify(message.blocks).includes(goAhead));
  for (let next = waiting()[0]; next; next = waiting()[0]) {
    const { ts } = next;
    await ana.press(next, goAhead);
    await expect.poll(() => waiting().some((message) => message.ts === ts)).toBe(false);
  }
  expect(writes(story)).toHaveLength(2);
  const cents = bills.reduce((sum, { id }) => sum + paidOn(story, id), 0) - 4000;
  expect(cents).toBeGreaterThanOrEqual(200);
  expect(cents).toBeLessThanOrEqual(210);
}, 20_000);
