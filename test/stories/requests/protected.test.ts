import { expect, test } from "vitest";
import { becomesAdmin, passADay, passHours } from "../admins.ts";
import { passNameOn } from "../renamed.ts";
import { startAlertStory } from "../reseller/alerting.ts";
import { startResellerStory } from "../reseller/selling.ts";
import {
  type Actor,
  everybody,
  goAhead,
  type Member,
  type Message,
  peer,
  pressInDetails,
  type Story,
  said,
  startStory,
  writes,
} from "../story.ts";

// A protected resource: whoever lets an act destroy it types its name, whichever the act is and whenever it runs.

async function typeName(story: Story, actor: Actor, typed: string, name = "db-1"): Promise<string> {
  await story.modal(actor, `Type its name: ${name}`);
  await actor.fill({ [`Type its name: ${name}`]: typed });
  return JSON.stringify(await actor.submit());
}

/** The deciding button of a request, which asks by a modal and has no dialog. */
async function pressAndType(story: Story, actor: Actor, card: Message, label: string, typed: string): Promise<string> {
  const pressed = await actor.press(card, label);
  expect(pressed.confirm).toBeUndefined();
  return typeName(story, actor, typed);
}

/** A change of `web-2` to a smaller disk that waits for its payment. */
async function withSmallerDisk(linked: Member[] = ["ana"]) {
  const story = await startStory({ linked });
  const { ana, platform } = story;
  platform.changeProduct("VPS L", { specs: { cpu: 4, ram: 8192, storage: 25 } });
  const change = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "VPS L");
  await story.pressing(ana, change, goAhead, "is requested");
  platform.clearCalls();
  return { story, ana };
}

test.each(["db  1", "db\u00a01", "db\u200b 1\u2800", "db ˋ1"])(
  "a protected machine called %j is let go by the name that the modal shows",
  async (name) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const { id } = platform.findVps("db-1");
    platform.change(id, { name });
    await story.ask(ana, `/rackbell protect ${id}`, "is protected now");
    const card = await story.ask(ana, `/vps cancel ${id} immediate=yes`, "Protected by");
    await ana.press(card, goAhead);
    const shown = name === "db ˋ1" ? name : "db 1";
    expect(await typeName(story, ana, "db 2", shown)).toContain(`Type “${shown}”`);
    expect(await typeName(story, ana, shown, shown)).not.toContain("That is not its name");
    await story.sees(ana, "has ended");
  },
);

test("the requester of an act that destroys a protected machine types its name, and a wrong one changes nothing", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell protect db-1", "`db-1` is protected now", "takes two admins");
  await story.ask(ana, "/rackbell protect db-1", "is protected already", "Nothing changed");
  await story.ask(ana, "/vps show db-1", `Protected by <@${ben.user.id}>`);
  await story.ask(ana, "/vps list", "Protected: `db-1`");
  const card = await story.ask(ana, "/vps cancel db-1 immediate=yes", "Only <@", "Protected by `@ben`");
  expect(await pressAndType(story, ana, card, "Cancel db-1 now…", "db-2")).toContain("Type “db-1”");
  expect(writes(story)).toEqual([]);
  await ana.fill({ "Type its name: db-1": " DB-1 " });
  await ana.submit();
  await story.sees(ana, "db-1", "has ended");
  expect(writes(story)).toHaveLength(1);
  // It ended with the machine.
  let left = "db-1";
  while (left.includes("db-1")) left = said(await story.ask(ana, "/rackbell protect", "protect"));
});

test("each approver types the name, the override asks for it too, and who approved before it was protected approves again", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy glass=yes"] });
  const { ana, ben, caro, dave, slack } = story;
  const card = await story.ask(ana, "/vps cancel db-1", "asks to");
  await story.pressing(ben, card, "Approve…", "1 of 2");
  await story.ask(dave, "/rackbell protect db-1", "is protected now");
  const shown = await story.sees(caro, "asks to", "Protected by `@dave`");
  await pressAndType(story, caro, shown, "Approve…", "db-1");
  await story.sees(caro, `Approved by <@${caro.user.id}>: 1 of 2`);
  slack.setRole("caro", "admin");
  await pressInDetails(story, ana, card, "Override…");
  await story.modal(ana, "Run without approval", "Type its name: db-1");
  await ana.fill({ "Why?": "It floods the network", "Type its name: db-1": "web-1" });
  expect(JSON.stringify(await ana.submit())).toContain("Type “db-1”");
  await ana.closeModal({ all: true });
  expect(writes(story)).toEqual([]);
  await pressAndType(story, ben, shown, "Approve…", "db-1");
  await slack.until(() => writes(story).length === 1, "the cancellation");
});

test("a request from before the protection asks for the name, and a scheduled one from before it ends", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const later = await story.ask(ana, "/vps cancel db-1 in=2h", "Only <@");
  await story.pressing(ana, later, goAhead, "It is scheduled for");
  const waiting = await story.ask(ana, "/vps cancel web-2", "Only <@");
  await story.ask(ben, "/rackbell protect web-2", "is protected now");
  await story.ask(ben, "/rackbell protect db-1", "is protected now");
  // The button of the message as it was: the press asks all the same.
  await ana.press(waiting, goAhead);
  await typeName(story, ana, "web-2", "web-2");
  await story.comesToSee(ana, "was protected after this was decided, and nobody typed its name");
});

test("a press during which the machine is protected runs nothing, since nobody typed the name", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy"] });
  const { ana, ben, caro, slack, platform } = story;
  const card = await story.ask(ana, "/vps cancel db-1", "asks to");
  await story.pressing(ben, card, goAhead, "1 of 2");
  platform.clearCalls();
  // Caro's own account is read before the name is asked for, and Ben's after that.
  platform.faults.next({ how: { rewrite: (body) => body }, path: "/account" });
  platform.faults.next({ how: "hang", path: "/account" });
  await caro.press(card, goAhead);
  await slack.until(() => platform.calls().some(({ key }) => key === "ben"), "the check of the first approval");
  await story.ask(ana, "/rackbell protect db-1", "is protected now");
  platform.faults.resume();
  await story.sees(caro, "`db-1` is protected, so you type its name first", "Nothing was done");
  expect(writes(story)).toEqual([]);
});

test("a request for several machines holds no protected one: a filter leaves it out and says so, a name is refused", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell protect db-1", "is protected now");
  await story.ask(ana, "/vps cancel web-1 db-1", "`db-1` is protected", "Nothing was requested");
  await story.ask(ana, "/vps cancel all=yes", "Left out: `db-1` is protected", "Ask for it alone");
  await story.ask(ana, "/vps reboot web-1 db-1", "For each of 2 VPSes");
  expect(writes(story)).toEqual([]);
});

test("a machine of several that was protected while they waited is left as it is", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/vps cancel web-1 web-2", "For each of 2 VPSes");
  await story.ask(ana, "/rackbell protect web-2", "is protected now");
  await ana.press(card, goAhead);
  await story.comesToSee(ana, "1 of 2 was done", "`web-2` is protected", "So it was left as it is");
  expect(writes(story)).toHaveLength(1);
});

test("a payment that waited while the machine was protected asks for the machine's name from its next press on", async () => {
  const { story, ana } = await withSmallerDisk();
  const card = await story.ask(
    ana,
    `/billing pay ${story.platform.documents().at(-1)?.number}`,
    "The disk will shrink",
  );
  await story.ask(ana, "/rackbell protect web-2", "is protected now");
  await ana.press(card, goAhead);
  const asked = await story.sees(ana, "`web-2` is protected, so you type its name first", "Nothing was done");
  expect(said(asked)).not.toContain("begins now");
  expect(writes(story)).toEqual([]);
  await story.sees(ana, "The disk will shrink", "Protected by `@ana`");
  await ana.press(card, goAhead);
  await typeName(story, ana, "web-2", "web-2");
  await story.sees(ana, "begins now");
});

test("a form that was opened before a machine was protected under another name does not take its old one", async () => {
  const { story, ana } = await withSmallerDisk(["ana", "caro"]);
  const { caro, platform } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  await story.ask(ana, "/rackbell protect web-2", "is protected now");
  const bill = `/billing pay ${platform.documents().at(-1)?.number}`;
  const card = await story.ask(ana, bill, "The disk will shrink", "Protected by");
  await ana.press(card, goAhead);
  await story.modal(ana, "Type its name: web-2");
  await story.ask(caro, "/rackbell protect web-2 lift=yes", "another one must agree");
  await story.pressing(
    ana,
    await story.seesIn("dm", ana, "proposes the end of a protection"),
    "Agree",
    "In effect now",
  );
  platform.change("web-2", { name: "web-two" });
  await story.ask(caro, "/rackbell protect web-two", "`web-two` is protected now");
  await ana.fill({ "Type its name: web-2": "web-2" });
  await ana.submit();
  await story.sees(ana, "That is not its name. Type `web-two`", "Nothing was done");
  expect(writes(story)).toEqual([]);
});

test("a protection ends when the supplier says that the service was terminated, and no other ends with it", async () => {
  const story = await startAlertStory("none");
  const { ana, platform } = story;
  for (const name of ["mail.example.test", "plugin-1.example.test"])
    await story.ask(ana, `/rackbell protect ${name}`, "is protected now");
  const service = platform.reseller.sold().find(({ hostname }) => hostname === "mail.example.test");
  platform.change(service?.id ?? "", { status: "terminated" });
  await platform.reseller.webhooks.postDue();
  let left = "mail.example.test";
  while (left.includes("mail.example.test")) {
    left = said(await story.ask(ana, "/rackbell protect", "protected resource"));
    story.clock.skip(1_000);
  }
  expect(left).toContain("plugin-1.example.test");
  await story.ask(ana, "/rackbell audit plugin-1.example.test everyone=yes", "protected");
  await story.ask(
    ana,
    "/rackbell audit everyone=yes",
    "is gone, and its protection with it",
    "The platform terminated it",
  );
});

test("two admins lift a protection together, and nobody's silence does", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro } = story;
  await becomesAdmin(story, "caro");
  await story.ask(ben, "/rackbell protect db-1", "is protected now");
  await story.ask(ben, "/rackbell protect db-1 lift=yes", "Only an admin");
  await passADay(story);
  const list = await story.ask(ana, "/rackbell protect", "1 protected resource", "`db-1`", `<@${ben.user.id}>`);
  await story.pressing(ana, list, "Lift…", "another one must agree within 24 hours", "Nothing changed yet");
  await story.seesIn("dm", caro, "proposes the end of a protection", "`db-1`");
  await passADay(story);
  await passHours(story, 2, 0.25);
  await story.seesIn("dm", ana, "Nobody agreed within a day", "The protection stays");
  await story.ask(ana, "/rackbell protect db-1 lift=yes", "another one must agree");
  const asked = await story.seesIn("dm", caro, "proposes the end of a protection", "If nobody agrees");
  await story.pressing(caro, asked, "Agree", "In effect now");
  await story.ask(ana, "/vps show db-1", "db-1");
  await story.ask(ana, "/rackbell protect", "Nothing that your keys list is protected");
  const audit = said(await story.ask(ana, "/rackbell audit db-1 everyone=yes", "protected"));
  expect(audit).toContain("policy changed");
});

test("an approver of another's request types the name where teammates approve", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell protect db-1", "is protected now");
  const card = await story.ask(ana, "/vps cancel db-1", "asks to", "Protected by");
  await pressAndType(story, ben, card, "Approve…", "db-1");
  await story.sees(ana, ":white_check_mark:", `approved by <@${ben.user.id}>`);
  expect(writes(story)).toMatchObject([{ method: "DELETE" }]);
});

test("a payment that starts a change which shrinks a protected machine's disk asks for the machine's name", async () => {
  const { story, ana } = await withSmallerDisk();
  await story.ask(ana, "/rackbell protect web-2", "is protected now");
  const bill = `/billing pay ${story.platform.documents().at(-1)?.number}`;
  const card = await story.ask(ana, bill, "The disk will shrink", "Protected by `@ana`");
  await ana.press(card, goAhead);
  expect(await typeName(story, ana, "web-1", "web-2")).toContain("Type “web-2”");
  expect(writes(story)).toEqual([]);
  await ana.fill({ "Type its name: web-2": "web-2" });
  await ana.submit();
  await story.sees(ana, "begins now");
});

test("another charge of an order that may take add-ons from a protected service asks for the service's name", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const first = await story.ask(ana, '/reseller service options set ACME-002 options="Daily backup"', "will change");
  await story.pressing(ana, first, goAhead, "are set");
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const second = await story.ask(
    ana,
    "/reseller service options set ACME-002 options=Monitoring",
    "Removed",
    "Monitoring",
  );
  await story.pressing(ana, second, goAhead, "The charge failed");
  await story.ask(ana, "/rackbell protect mail.example.test", "is protected now");
  platform.clearCalls();
  const order = platform.reseller.orders().at(-1)?.number;
  const card = await story.ask(ana, `/reseller order retry ${order} method=Wallet`, "may end", "Protected by");
  await ana.press(card, goAhead);
  const name = "mail.example.test";
  expect(await typeName(story, ana, "web-1", name)).toContain(`Type “${name}”`);
  expect(writes(story)).toEqual([]);
  await ana.fill({ [`Type its name: ${name}`]: name });
  await ana.submit();
  await story.slack.until(() => writes(story).length === 1, "the charge");
});

test("a protection follows its machine when that is renamed and another one gets its name", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana } = story;
  await becomesAdmin(story, "ben");
  await story.ask(ana, "/rackbell protect web-1", "`web-1` is protected now");
  passNameOn(story, "web-1", "web-2");
  await story.ask(ana, "/rackbell unprotect web-1", "Nothing of that name is protected");
  const list = said(await story.ask(ana, "/vps list", "Protected: `db-9`"));
  expect(list).not.toContain("Protected: `web-1`");
  const listed = await story.ask(ana, "/rackbell protect", "`db-9`");
  await story.pressing(ana, listed, "Lift…", "You proposed to lift the protection of `db-9`");
  await story.ask(ana, "/rackbell protect vps web-1", "`web-1` is protected now");
});
