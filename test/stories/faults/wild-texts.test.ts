import { expect, test } from "vitest";
import { findControl } from "../../../src/sandbox/slack/blocks/controls.ts";
import { isObject } from "../../../src/sandbox/slack/wire/json.ts";
import { commands, preparationOf, sellsOn } from "../../examples.ts";
import { agentsOn, connect, newToken } from "../agents/agent.ts";
import { carry } from "../carry.ts";
import { faultsOfMrkdwn, faultsOfPlain, wild, withWildTexts } from "../markup.ts";
import { passRound, read, untilReported } from "../polled.ts";
import { readEach } from "../reads.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { backOut, goAhead, peer, type Story, type StoryOptions } from "../story.ts";

// Names, labels and reasons mean harm in every answer of the platform, and so do the words that people and agents type. Each story proves
// at its end (always.ts) that nothing that was shown mentions, links, formats or leaves code marks open.

const lists = [
  ...["vps list", "service list", "image list", "sshkey list", "catalog products", "project list"],
  ...["reseller product list", "reseller payment list", "reseller service options ACME-001"],
];

/** A practice estate in which every text is wild from now on, and the ids of its resources by their names before. */
async function startWild(options: StoryOptions = {}) {
  const story = await startResellerStory({
    linked: ["ana", "ben"],
    partners: ["ana", "ben"],
    ...options,
    environment: { ...peer, ...agentsOn },
  });
  const ids = new Map<string, string>();
  story.platform.onAnswer((body) => noteIds(JSON.parse(body), ids));
  for (const list of lists) await story.ask(story.ana, `/${list}`);
  makeWild(story);
  return { story, ids };
}

function makeWild({ platform }: Story): void {
  platform.faults.next({ how: { rewrite: (body) => withWildTexts(body) }, times: Number.POSITIVE_INFINITY });
}

function noteIds(value: unknown, ids: Map<string, string>): void {
  if (Array.isArray(value)) for (const one of value) noteIds(one, ids);
  if (!isObject(value)) return;
  const name = value.name ?? value.label;
  if (typeof name === "string" && typeof value.id === "string") ids.set(name, value.id);
  for (const inner of Object.values(value)) noteIds(inner, ids);
}

/** The command with ids in place of names: a typed name is not the wild one. */
function withIds(command: string, ids: Map<string, string>): string {
  const longestFirst = [...ids].sort(([one], [other]) => other.length - one.length);
  return longestFirst.reduce(
    (line, [name, id]) => line.replace(` ${name}`, ` ${id}`).replace(`=${name}`, `=${id}`).replace(`"${name}"`, id),
    command,
  );
}

test("each read shows wild texts as text", async () => {
  const { story, ids } = await startWild();
  await readEach(
    story,
    () => {},
    (name) => ids.get(name) ?? name,
  );
}, 60_000);

/** Each command that a form can complete without anything before it. */
const askable = commands.filter((command) => {
  const { given, first } = preparationOf(command);
  return !given && !first && !/^\/rackbell|mod upload|RES-1000/.test(command);
});

test.each([
  ["customer", askable.filter((command) => !sellsOn(command))],
  ["reseller", askable.filter(sellsOn)],
])(
  "each request of the %s API shows wild texts as text: its card, dialog, details and forms, lists, Home and the audit log",
  async (_, commands) => {
    const { story, ids } = await startWild({
      rules: ["demand=one-approval risk=change", "demand=one-approval risk=spend"],
    });
    const { ana, ben, slack } = story;
    for (const command of commands) {
      const typed = `${withIds(command, ids)} reason="Old${wild}"`;
      const request = await carry(story, ana, typed, goAhead, preparationOf(command).values?.(story) ?? {});
      if (findControl(request.blocks, "Details…")) {
        await ben.press(request, "Details…");
        await story.modal(ben, "It expires");
        await ben.closeModal({ all: true });
      }
      if (findControl(request.blocks, "Deny…")) {
        await ben.press(request, "Deny…");
        await slack.until(() => ben.modal()?.title?.text === "Deny the request", "the form of a denial");
        await ben.closeModal({ all: true });
      }
      // Two commands may be the same act: the next one's request would be the open one.
      if (command !== commands.at(-1)) await ana.press(request, backOut);
      // Slack's pace would hold up the next request.
      story.clock.skip(5_000);
    }
    for (const actor of [ana, ben]) {
      await story.ask(actor, "/rackbell approvals", "asked by");
      await actor.openHome();
      await slack.until(() => /As of /.test(JSON.stringify(actor.home() ?? "")), "Home to be shown whole");
    }
    await story.ask(ana, "/rackbell audit", "entries");
  },
  300_000,
);

test("the outcome of each decided request shows wild texts as text, in the channel, in threads and to its requester", async () => {
  const { story, ids } = await startWild({ rules: ["demand=one-approval risk=change"], pace: 60 });
  const { ana, ben } = story;
  const decided = [
    "/vps reboot web-1",
    "/vps snapshot web-2 name=made-here",
    "/vps password mail",
    "/vps cancel db-1",
    "/service keep db-2",
    "/dedicated off metal-1 force=yes",
  ];
  for (const command of decided) {
    const request = await carry(story, ana, `${withIds(command, ids)} reason="Old${wild}"`, goAhead, {});
    await ben.press(request, goAhead);
    await story.comesToSee(ana, "Old", /:white_check_mark:|:x:|:warning:/);
    story.clock.skip(5_000);
  }
  const denied = await carry(story, ana, withIds("/vps cancel web-2", ids), goAhead, {});
  await ben.press(denied, "Deny…");
  await story.modal(ben, "Deny the request");
  await ben.fill({ "Why?": `No${wild}` });
  await ben.submit();
  await story.sees(ana, "denied");
  await story.ask(ana, "/rackbell audit", "entries");
}, 120_000);

test("an agent's request shows its words as text, and an agent reads names as they are", async () => {
  const { story, ids } = await startWild();
  const { ana } = story;
  const agent = await connect(story, await newToken(story, ana, "claude", "may=propose channel=#ops"));
  const why = `It hangs${wild}`;
  const told: unknown[] = [];
  for (const [command, name] of [
    ["vps reboot", "web-1"],
    ["vps cancel", "web-2"],
    ["vps password", "db-1"],
  ] as const)
    told.push(await agent.call("propose", { command, target: ids.get(name), why, key: `${command}-${name}` }));
  told.push(await agent.call("read", { command: "vps show", target: ids.get("web-1") }));
  told.push(await agent.refused("propose", { command: "vps reboot", target: "twin", why, key: "reboot-twin" }));
  await story.ask(ana, "/rackbell approvals", "proposed by");
  await ana.openHome();
  await story.slack.until(() => /As of /.test(JSON.stringify(ana.home() ?? "")), "Home to be shown whole");
  await story.ask(ana, "/rackbell audit agent=claude", "claude");
  expect(JSON.stringify(told)).toContain("web-1 <!channel>");
  expect(JSON.stringify(told)).toContain("“twin <!channel>");
  expect(JSON.stringify(told)).not.toMatch(/&(?:lt|gt|amp);/);
}, 60_000);

test("alerts, the weekly report and the list of what needs attention show wild texts as text", async () => {
  const story = await read({ withEvents: true, linked: ["ana"] });
  const { ana, platform } = story;
  makeWild(story);
  platform.change("web-1", { instance: { state: "error" } });
  platform.changeImage("golden-web", { status: "error", error: "It broke" });
  await passRound(story);
  await story.sees(ana, "Approve here");
  await story.ask(ana, "/rackbell attention");
  await untilReported(story, "Approve here");
  for (const command of ["alerts log", "alerts", "find web", "favourites", "watching", "members", "status"])
    await story.ask(ana, `/rackbell ${command}`);
}, 120_000);

test.each([
  ["Stop web-1 <!channel>.", "markup that is not the app's"],
  ["Stop <https://evil.example|Approve here>.", "a link of somebody else"],
  ["Stop `web-1`x `.", "an open code mark"],
  ["Stop web-1 :skull_and_crossbones:.", "an emoji"],
  ["Stop *shout*.", "a format"],
  ["Stop \u202egnp.", "the direction of writing"],
])("“%s” would be found", (text, fault) => {
  expect(faultsOfMrkdwn(text).join()).toContain(fault);
});

test("the app's own dates, mentions, links and quotes are no faults, nor are signs in a button", () => {
  const own = "> <@U1ABC> did it <!date^1^{date}|then> in <#C1ABC>: <https://a.example|open> `a &lt;!channel&gt; *b*`";
  expect(faultsOfMrkdwn(own)).toEqual([]);
  expect(faultsOfPlain("Stop a <!channel> & `b")).toEqual([]);
  expect(faultsOfPlain("Stop a &lt;b&gt;").join()).toContain("an escape in plain text");
});
