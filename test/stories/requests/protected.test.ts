import { expect, test } from "vitest";
import { becomesAdmin, passADay, passHours } from "../admins.ts";
import {
  type Actor,
  everybody,
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

test("the requester of an act that destroys a protected machine types its name, and a wrong one changes nothing", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell protect db-1", "`db-1` is protected now", "takes two admins");
  await story.ask(ana, "/rackbell protect db-1", "is protected already", "Nothing changed");
  await story.ask(ana, "/vps show db-1", `Protected by <@${ben.user.id}>`);
  await story.ask(ana, "/vps list", "Protected: `db-1`");
  const card = await story.ask(ana, "/vps cancel db-1 immediate=yes", "Only <@", `Protected by <@${ben.user.id}>`);
  expect(await pressAndType(story, ana, card, "Cancel db-1 now…", "db-2")).toContain("Type `db-1`");
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
  const shown = await story.sees(caro, "asks to", `Protected by <@${dave.user.id}>`);
  await pressAndType(story, caro, shown, "Approve…", "db-1");
  await story.sees(caro, `Approved by <@${caro.user.id}>: 1 of 2`);
  slack.setRole("caro", "admin");
  await pressInDetails(story, ana, card, "Override…");
  await story.modal(ana, "Run without approval", "Type its name: db-1");
  await ana.fill({ "Why?": "It floods the network", "Type its name: db-1": "web-1" });
  expect(JSON.stringify(await ana.submit())).toContain("Type `db-1`");
  await ana.closeModal({ all: true });
  expect(writes(story)).toEqual([]);
  await pressAndType(story, ben, shown, "Approve…", "db-1");
  await slack.until(() => writes(story).length === 1, "the cancellation");
});

test("a request from before the protection asks for the name, and a scheduled one from before it ends", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const later = await story.ask(ana, "/vps cancel db-1 in=2h", "Only <@");
  await story.pressing(ana, later, { actionId: "request:press" }, "It is scheduled for");
  const waiting = await story.ask(ana, "/vps cancel web-2", "Only <@");
  await story.ask(ben, "/rackbell protect web-2", "is protected now");
  await story.ask(ben, "/rackbell protect db-1", "is protected now");
  // The button of the message as it was: the press asks all the same.
  await ana.press(waiting, { actionId: "request:press" });
  await typeName(story, ana, "web-2", "web-2");
  await story.comesToSee(ana, "was protected after this was decided, and nobody typed its name");
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

test("an agent's request for a protected machine asks its member for the name, and an approval in peer mode too", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell protect db-1", "is protected now");
  const card = await story.ask(ana, "/vps cancel db-1", "asks to", "Protected by");
  await pressAndType(story, ben, card, "Approve…", "db-1");
  await story.sees(ana, "ends");
});
