import { expect, test } from "vitest";
import { withAgent } from "../agents/agent.ts";
import { billOf } from "../ordering.ts";
import {
  type Actor,
  everybody,
  goAhead,
  peer,
  pressInDetails,
  type Story,
  said,
  startStory,
  writes,
} from "../story.ts";

const mention = (actor: Actor) => `<@${actor.user.id}>`;

/** Links another of ben's keys to dave's account: both are one person at the platform. */
async function linkAsBen(story: Story, actor: Actor): Promise<void> {
  const again = story.platform.addKey({ owner: "ben", label: "ben again" });
  story.secrets.add(again.key);
  await story.link(actor, again.key);
}

test("only one member may pay above a sum, and the rule says so in a sentence", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const pay = (amount: string) => `/billing pay ${billOf(story, "Renewal of web-2").number} amount=${amount}`;
  await story.ask(
    ana,
    `/rackbell policy set demand=not-allowed risk=spend over="2 EUR" not-who=${mention(ana)}`,
    `Spending money by anybody but ${mention(ana)} over 2.00 EUR: is not allowed.`,
    "In effect now",
  );
  await story.ask(ben, pay("2.01"), "A rule of this workspace does not allow it", `by anybody but ${mention(ana)}`);
  await story.ask(ben, pay("1.00"), "1.00", "Your balance");
  const own = await story.ask(ana, pay("2.01"), "2.01", "Your balance");
  await story.pressing(ana, own, goAhead, "2.01", "paid");
  expect(writes(story)).toHaveLength(1);
});

test("named people touch no production machine, by their own account or by another of the same platform user", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, dave, caro } = story;
  await story.ask(
    ana,
    `/rackbell policy set demand=not-allowed who=${mention(ben)} project=production`,
    `Everything by ${mention(ben)} in project Production: is not allowed.`,
  );
  await linkAsBen(story, dave);
  await story.link(caro);
  for (const actor of [ben, dave])
    await story.ask(actor, "/vps reboot web-1", "A rule of this workspace does not allow it");
  // Unlinking the key hides nobody: the links of the last 30 days count.
  await story.ask(ben, "/rackbell unlink force=yes", "erased here");
  await story.ask(dave, "/vps reboot web-1", "A rule of this workspace does not allow it");
  await story.ask(caro, "/vps reboot web-1 force=yes", "Reboot", "web-1");
  expect(writes(story)).toHaveLength(1);
});

test("agents never destroy where a rule says so, and their member does", async () => {
  const { story, agent, ana } = await withAgent();
  await story.ask(
    ana,
    "/rackbell policy set demand=not-allowed risk=destroy who=agents",
    "Destroying something by members' agents: is not allowed.",
  );
  const cancel = { command: "vps cancel", target: "web-2", why: "Unused", key: "cancel-web-2" };
  expect(await agent.refused("propose", cancel)).toContain("does not allow it");
  await story.ask(ana, "/vps cancel web-2", "web-2", "ends");
  expect(writes(story)).toEqual([]);
});

test("only the people whom a rule names approve: others are refused at each press, and are not mentioned", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  await story.ask(
    ana,
    `/rackbell policy set demand=one-approval risk=destroy approvers=${mention(caro)}`,
    `needs one approval, which only ${mention(caro)} can give.`,
    "In effect now",
  );
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Somebody other than");
  expect(request.mentions).toContain(mention(caro));
  expect(request.mentions).not.toContain(mention(ben));
  await story.pressing(ben, request, goAhead, "let only these people decide this", mention(caro), "Nothing was done");
  await story.ask(ben, "/rackbell approvals", "web-1");
  expect(writes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, "approved by", mention(caro));
  expect(writes(story)).toHaveLength(1);
});

test("nobody but the named people denies such a request either", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  await story.ask(ana, `/rackbell policy set demand=one-approval risk=destroy approvers=${mention(caro)}`, "In effect");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Somebody other than");
  await story.pressing(ben, request, "Deny…", "let only these people decide this", "Nothing was done");
  await caro.press(request, "Deny…");
  await story.modal(caro, "Deny the request");
  await caro.fill({ "Why?": "Not today" });
  await caro.submit();
  await story.sees(ana, "denied it", "Not today");
});

test("a backup whose rule names its approvers is chosen by one of them, or the request is approved without it", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  const rule = `demand=one-approval command="vps capture" approvers=${mention(caro)}`;
  await story.ask(ana, `/rackbell policy set ${rule}`, "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Back up first");
  await pressInDetails(story, ben, request, { actionId: "request:copy" }, "let only these people decide this");
  expect(writes(story)).toEqual([]);
  await pressInDetails(story, caro, request, { actionId: "request:copy" });
  await story.sees(caro, "Capturing");
});

test("two approvals by named people are two persons, and a second account of one of them is not named", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, dave } = story;
  await linkAsBen(story, dave);
  await story.ask(
    ana,
    `/rackbell policy set demand=two-approvals risk=destroy approvers="${mention(ben)} ${mention(caro)}"`,
    "In effect now",
  );
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(dave, request, goAhead, "let only these people decide this");
  await story.pressing(caro, request, goAhead, "approved by", mention(ben), mention(caro));
  expect(writes(story)).toHaveLength(1);
});

test("an approval of somebody whom a stricter rule no longer names does not count", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy"] });
  const { ana, ben, caro, dave, platform } = story;
  platform.setScopes(platform.keys.dave, ["read", "services", "destructive"]);
  await story.ask(dave, "/rackbell whoami", "destructive");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.ask(
    ana,
    `/rackbell policy set demand=two-approvals risk=destroy approvers="${mention(caro)} ${mention(dave)}"`,
    "In effect now",
  );
  await story.ask(ana, "/rackbell audit web-1", "*tightened*", "Only the people whom the rules name");
  const now = await story.pressing(caro, request, goAhead, "1 of 2");
  expect(said(now)).not.toContain(`Approved by ${mention(ben)}`);
  await story.pressing(ben, request, goAhead, "let only these people decide this");
  await story.pressing(dave, request, goAhead, "approved by", mention(caro), mention(dave));
  expect(writes(story)).toHaveLength(1);
});

test("a scheduled act ends once a rule no longer names the one who approved it", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to");
  await story.pressing(ben, request, goAhead, "It is scheduled for");
  await story.ask(ana, `/rackbell policy set demand=one-approval risk=destroy approvers=${mention(caro)}`, "In effect");
  await story.sees(ana, "A rule names other approvers now.", "Ask again");
  story.clock.skip(2 * 60 * 60_000 + 1_000);
  await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
  expect(writes(story)).toEqual([]);
});

test("other approvers are a looser rule, and fewer of them are not", async () => {
  const story = await startStory({ linked: everybody });
  const { ana, ben, caro, slack } = story;
  slack.setRole("caro", "admin");
  const two = `approvers="${mention(ben)} ${mention(caro)}"`;
  await story.ask(ana, `/rackbell policy set demand=one-approval risk=destroy ${two}`, "In effect now");
  const id = /`([0-9a-f]{8})`/.exec(said(await story.ask(ana, "/rackbell policy", "which only")))?.[1] ?? "";
  const set = (people: string) =>
    `/rackbell policy set demand=one-approval risk=destroy approvers=${people} instead=${id}`;
  await story.ask(ana, set(mention(caro)), "In effect now");
  await story.ask(ana, set(mention(ben)), "That loosens something, so it waits");
  await story.ask(ana, `/rackbell policy set demand=one-approval risk=destroy instead=${id}`, "That loosens something");
});

test("a request waits for as long as its rule says, and the form of a rule has the same values again", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben } = story;
  await story.ask(
    ana,
    `/rackbell policy set demand=one-approval risk=destroy notify=${mention(ben)} then=${mention(ana)} after=20m expires=3d`,
    `It notifies ${mention(ben)}. Without a decision, it notifies ${mention(ana)} after 20 min. It expires after 3 d.`,
  );
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  story.clock.skip(2 * 24 * 60 * 60_000);
  await story.pressing(ben, request, goAhead, "approved by");
  expect([...story.requests.values()].find(({ command }) => command === "vps cancel")?.ruling).toMatchObject({
    expiresAfter: 3 * 24 * 60 * 60_000,
    notify: { users: [ben.user.id] },
    steps: [{ to: { users: [ana.user.id] }, after: 20 * 60_000 }],
  });
});

test.each([
  ["demand=confirm approvers=<@BEN>", "Others decide only what needs approval"],
  ["demand=not-allowed expires=2d", "Only a request expires"],
  ["demand=one-approval expires=31d", "at most 30d"],
  ["demand=one-approval then=<@BEN>", "Say after which time"],
  ["demand=one-approval after=20m", "Say who is notified then"],
  ["demand=one-approval then=<@BEN> after=3h expires=2h", "has expired by then"],
  ["demand=one-approval then=<@BEN> after=20m then2=<@BEN> after2=10m", "The second step comes after the first one"],
  ["demand=one-approval approvers=agents", "there is no person"],
  ['agent=run commands="vps reboot" who=<@BEN>', "takes commands and a project, and nothing else"],
])("a rule with %s is refused with the reason", async (values, words) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  await story.ask(ana, `/rackbell policy set ${values.replaceAll("<@BEN>", mention(ben))} risk=destroy`, words);
  await story.ask(ana, "/rackbell policy", "There are no rules yet");
});
