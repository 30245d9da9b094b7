import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type AuditKind, auditKinds } from "../../../src/audit/kinds.ts";
import { packInvocation } from "../../../src/messages/answers/buttons.ts";
import { noInteraction } from "../../../src/messages/origin.ts";
import { denyAction, requestActions, takeAction, withdrawAction } from "../../../src/requests/actions.ts";
import { type Actor, type Message, type Story, said, writes } from "../story.ts";
import { confirm, counted, linkOf, pressForLink, protectedStory } from "./passkeys.ts";

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
    type: "block_actions",
    channel: { id: channel },
    container: { type: "message", channel_id: channel },
    actions: [{ type: "button", action_id: action, block_id: "request", value }],
  };
}

/** The presses that end in a form or a list, or take something back: none of them lets an act happen. */
const harmless: string[] = [denyAction, withdrawAction, takeAction];

/** The kinds of entries that contain the facts that a passkey signed, wherever a rule takes one. */
type GuardedKind = {
  [Kind in AuditKind]: (typeof auditKinds)[Kind] extends "guarded" | "guarded or follows" ? Kind : never;
}[AuditKind];

/** Ben is no admin and has no passkey. He may link and erase his own key, and no rule goes by his maintenance windows. */
const bensOwn = ["rackbell unlink", "rackbell link", "rackbell maintenance"];

/** The payloads of one thief: presses on requests, submitted modals, and commands behind buttons. */
interface Attempt {
  presses?: { actions: string[]; request: string }[];
  overrides?: string;
  commands?: (readonly [command: string, input: Record<string, unknown>])[];
}

test("with Slack's sessions alone, every payload made up at will, nothing under such a rule is approved or loosened", async () => {
  const { story, devices } = await protectedStory({ mode: "http", slackRefuses: ["invalid_trigger_id"] });
  const { ana, ben, caro, platform } = story;
  await story.ask(
    ana,
    "/rackbell policy add demand=one-approval risk=change command=vps window=outside passkey=yes",
    "In effect",
  );
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  const later = await story.ask(ana, "/vps cancel db-1 in=2h", "This needs a passkey");
  const rules = said(await story.ask(ana, "/rackbell policy", "with a passkey"));
  const rule = /`([0-9a-f]{8})`/.exec(rules)?.[1] ?? "";
  // A looser rule that Caro proposed with her passkey, and a maintenance window that Ana set with hers: both wait to be abused.
  await confirm(
    story,
    await linkOf(story, caro, `/rackbell policy remove ${rule}`, "asks for your passkey"),
    devices.caro,
  );
  const proposal = await story.seesIn("dm", ana, "proposes a looser rule");
  const change = /\\"change\\":\\"([\w-]{22})/.exec(JSON.stringify(proposal.blocks))?.[1] ?? "";
  await confirm(story, await linkOf(story, ana, "/rackbell maintenance web-1 22:00-22:30"), devices.ana);
  const windows = await story.ask(ana, "/rackbell maintenance list", "Maintenance windows");
  const window = /\\"remove\\":\\"([\w-]+)/.exec(JSON.stringify(windows.blocks))?.[1] ?? "";
  expect([rule, change, window].filter((id) => id === "")).toEqual([]);
  const another = platform.addKey({ owner: "ana", label: "ana-two" }).key;
  story.secrets.add(another);
  const decided = Object.keys(requestActions).filter((action) => !harmless.includes(action));
  const attempts: Record<GuardedKind, Attempt> = {
    approved: { presses: [{ actions: decided, request: requestIn(card) }] },
    confirmed: { presses: [{ actions: decided, request: requestIn(card) }] },
    "approved in part": { presses: [{ actions: decided, request: requestIn(card) }] },
    scheduled: { presses: [{ actions: decided, request: requestIn(later) }] },
    overridden: { overrides: requestIn(card) },
    "policy change proposed": {
      commands: [
        ["rackbell policy remove", { rule }],
        ["rackbell policy set", { demand: "allowed", risk: "destroy", instead: rule }],
        ["rackbell policy set", { agent: "run", commands: "vps reboot" }],
      ],
    },
    "policy changed": { commands: [["rackbell policy", { agree: change }]] },
    "window added": { commands: [["rackbell maintenance", { what: "web-2 22:00-23:30" }]] },
    "window changed": { commands: [["rackbell maintenance", { what: "web-1 00:00-23:30", instead: window }]] },
    "key linked": { commands: [["rackbell link", { key: another }]] },
    unlinked: {
      commands: [
        ["rackbell members unlink", { member: `<@${caro.user.id}>` }],
        ["rackbell unlink", { key: "all" }],
      ],
    },
    "passkey removed": { commands: [["rackbell passkeys", { remove: "phone" }]] },
    "passkey recovery approved": { commands: [["rackbell passkey recover", { member: `<@${ben.user.id}>` }]] },
  };
  const begun = (await exported(story)).length;
  for (const by of [ana, ben, caro]) {
    for (const { presses = [], overrides, commands = [] } of Object.values(attempts)) {
      for (const { actions, request } of presses)
        for (const action of actions) expect(await forge(story, by, press(story, action, request))).toBe(200);
      if (overrides) await forge(story, by, override(story, by, overrides));
      for (const [command, input] of commands.filter(([command]) => by !== ben || !bensOwn.includes(command))) {
        const value = packInvocation({ command, input, confirmed: true });
        await forge(story, by, press(story, `invoke:${command}`, value));
      }
    }
  }
  // Each command came as far as the passkey: none was refused for another reason.
  const guarded = Object.values(attempts).flatMap(({ commands = [] }) => commands.map(([command]) => command));
  for (const command of new Set(guarded)) {
    if (command !== "rackbell passkey recover") await story.sees(ana, `\`/${command}\` asks for your passkey`);
  }
  expect(writes(story)).toEqual([]);
  expect(said(await story.ask(ana, "/rackbell policy", "with a passkey"))).toContain(rule);
  for (const actor of [ana, caro]) {
    await story.ask(actor, "/rackbell passkey list", "1 passkey of yours");
    await story.ask(actor, "/rackbell whoami", "You act as", `\`${actor.user.name}\``);
  }
  const kinds = new Map<string, string>(Object.entries(auditKinds));
  const since = (await exported(story)).slice(begun);
  expect(since.filter(({ what }) => kinds.get(what) !== "free")).toEqual([]);
  // The request still waits, and Caro's own device approves it.
  expect(await confirm(story, await pressForLink(story, caro, card), devices.caro)).toMatchObject({
    title: counted,
  });
  await expectProven(story);
});

function requestIn(card: Message): string {
  return /"value":"([0-9a-f-]{36})"/.exec(JSON.stringify(card.blocks))?.[1] ?? "";
}

/** The submitted form of an emergency override. */
function override(story: Story, by: Actor, request: string) {
  const { user } = by;
  const origin = { ...noInteraction, member: `${story.slack.teamId}:${user.id}`, slackUser: user.id, channel: null };
  const state = { values: { reason: { value: { value: "Now" } } } };
  const metadata = JSON.stringify({ kind: "override", request, origin });
  const view = { type: "modal", id: "V1", callback_id: "reason", state, private_metadata: metadata };
  return { type: "view_submission", view };
}

/** All entries of the audit log as a member exports it, from the oldest entry to the newest. */
async function exported({ ana, slack }: Story): Promise<{ what: string; assertion?: object }[]> {
  const before = slack.state().files.length;
  await ana.type("/rackbell audit everyone=yes export=yes format=json");
  const file = await slack.until(
    () =>
      slack
        .state()
        .files.slice(before)
        .find(({ content }) => content.length > 0),
    "the export",
  );
  const lines = Buffer.from(file.content).toString().trim().split("\n");
  // The checkpoints stand behind the entries.
  return lines.map((line) => JSON.parse(line)).filter((line) => "what" in line);
}

/** Since the first rule was made, no guarded entry is without the facts that a passkey signed. The second rule is stricter. */
async function expectProven(story: Story): Promise<void> {
  const entries = await exported(story);
  const begun = entries.findLastIndex(({ what, assertion }) => what === "policy changed" && !assertion);
  const kinds = new Map<string, string>(Object.entries(auditKinds));
  const since = entries
    .slice(begun + 1)
    .filter(({ what }) => ["guarded", "follows", "guarded or follows"].includes(kinds.get(what) ?? ""));
  expect(new Set(since.map(({ what }) => what))).toEqual(
    new Set(["policy change proposed", "window added", "approved"]),
  );
  expect(since.filter(({ assertion }) => assertion === undefined)).toEqual([]);
}
