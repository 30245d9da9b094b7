import { expect, test } from "vitest";
import { becomesAdmin, passADay } from "../admins.ts";
import { type Actor, type Message, type Story, said, startStory } from "../story.ts";

const mention = (actor: Actor) => `<@${actor.user.id}>`;

/** The text of the file that *Export* gives, as its reader opens it. */
async function exported(story: Story): Promise<string> {
  const { ana, slack } = story;
  const rules = await story.ask(ana, "/rackbell policy", "The rules of this workspace", "Export");
  const before = slack.state().files.length;
  await ana.press(rules, "Export");
  const file = await slack.until(
    () =>
      slack
        .state()
        .files.slice(before)
        .find(({ content }) => content.length > 0),
    "the file",
  );
  return Buffer.from(file.content).toString();
}

/** Opens the form of an import, and fills in the rules: as a text, or as the file of an export. */
async function imports(story: Story, rules: string | { name: string; content: string | Buffer }): Promise<void> {
  const { ana } = story;
  await ana.press(await story.ask(ana, "/rackbell policy", "Import…"), "Import…");
  await story.modal(ana, "All rules, as the export has them");
  expect(JSON.stringify(ana.modal())).not.toContain("For which commands");
  await ana.fill(typeof rules === "string" ? { Text: rules } : { File: rules });
}

async function ruled(): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy project=production", "In effect now");
  await story.ask(ana, `/rackbell policy set demand=not-allowed risk=spend over="2 EUR" not-who=${mention(ben)}`, "In");
  return story;
}

test("the export has each rule with its sentence and a value a line, and its import changes nothing", async () => {
  const story = await ruled();
  const { ana, ben } = story;
  const text = await exported(story);
  expect(text).toMatch(/\nrule [0-9a-f]{8}\n {2}# Destroying something in project Production: needs one approval\./);
  expect(text).toContain("  # Spending money by anybody but ben over 2.00 EUR: is not allowed.");
  expect(text).toContain(`  not-who = @${ben.user.id}`);
  await imports(story, text);
  await ana.submit();
  await story.sees(ana, "These are the rules of now: nothing changes.");
  const others = await story.ask(ben, "/rackbell policy", "The rules of this workspace");
  expect(JSON.stringify(others.blocks)).not.toMatch(/"(Export|Import…)"/);
});

test("an import shows the difference before it is sent: added, removed and changed", async () => {
  const story = await ruled();
  const { ana } = story;
  const text = await exported(story);
  const [first = ""] = /rule [0-9a-f]{8}\n(?: {2}.*\n)+/.exec(text) ?? [];
  const next = `${first.replace("one-approval", "two-approvals")}\nrule\n  demand = confirm\n  command = vps reboot\n`;
  await imports(story, next);
  const form = ana.modal();
  if (form) await ana.press(form, "Show the difference");
  await story.modal(ana, "1 added, 1 removed, 1 changed");
  await ana.submit();
  await story.sees(ana, "Rules of a text: 1 added, 1 removed, 1 changed.", "Removed: Spending money", "In effect now");
  const now = said(await story.ask(ana, "/rackbell policy", "needs two approvals", "`/vps reboot`"));
  expect(now).not.toContain("Spending money by");
});

test("a wrong text names each fault with its line, and changes nothing", async () => {
  const story = await ruled();
  const { ana } = story;
  const text =
    "rule\n  demand = often\n  colour = red\n\nrule\n  demand = one-approval\n  approvers = @nobody-there\nwhatever";
  await imports(story, text);
  await ana.submit();
  const answer = said(
    await story.sees(ana, "Line 2: “demand”", "Line 3: A rule has no value “colour”", "Line 7: “approvers”", "Line 8:"),
  );
  expect(answer).toContain("Nothing changed");
  await story.ask(ana, "/rackbell policy", "needs one approval", "is not allowed");
});

test("an import that loosens a rule waits for a second admin, like a change by form", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, caro } = story;
  await becomesAdmin(story, "caro");
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", "In effect now");
  await passADay(story);
  await imports(story, (await exported(story)).replace("two-approvals", "one-approval"));
  await ana.submit();
  await story.sees(ana, "Rules of a text: 1 changed.", "That loosens something, so it waits");
  const message: Message = await story.seesIn("dm", caro, "proposes a looser rule", "1 changed");
  await story.pressing(caro, message, "Agree", "In effect now");
  await story.ask(ana, "/rackbell policy", "needs one approval");
});

/** More rules than a text of Slack's 3,000 characters holds, each of another command. */
function manyRules(amount: number): string {
  const commands = ["vps cancel", "vps reinstall", "vps revert", "service cancel", "image delete"];
  const rule = (at: number) =>
    `rule\n  demand = two-approvals\n  risk = destroy\n  command = ${commands[at % commands.length]}\n  expires = ${at + 1}h`;
  return Array.from({ length: amount }, (_, at) => rule(at)).join("\n\n");
}

test("rules that are too long for a text come as a file, whose difference is shown first, and their export is imported again", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy", "In effect now");
  const text = manyRules(60);
  expect(text.length).toBeGreaterThan(3_000);
  await imports(story, { name: "rules.txt", content: text });
  const form = ana.modal();
  if (form) await ana.press(form, "Show the difference");
  await story.modal(ana, "60 added, 1 removed");
  await ana.submit();
  await story.sees(ana, "Rules of a text: 60 added, 1 removed.", "In effect now");
  const again = await exported(story);
  expect(again.length).toBeGreaterThan(3_000);
  await imports(story, { name: "approval-rules.txt", content: again });
  await ana.submit();
  await story.sees(ana, "These are the rules of now: nothing changes.");
}, 20_000);

test("an import that would lock everybody out is refused with each line and its reason, and so is a file that is no text", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, caro } = story;
  const named = `rule\n  demand = one-approval\n  risk = destroy\n  approvers = ${mention(caro)}`;
  const unnamed = "rule\n  demand = two-approvals\n  risk = spend";
  const one = `rule\n  demand = one-approval\n  risk = change\n  approvers = ${mention(ana)}`;
  const other = `rule\n  demand = one-approval\n  risk = change\n  approvers = ${mention(ben)}`;
  await imports(story, [named, unnamed, one, other].join("\n"));
  await ana.submit();
  const answer = said(
    await story.sees(
      ana,
      "Line 1: Nobody could ever get this approved: it needs 1 approval",
      "Line 5: Nobody could get this approved: 2 linked members can do it by now, and it needs 3",
      "Line 8: Together with the rule in line 12, nobody could ever get this approved",
    ),
  );
  expect(answer).toContain("Nothing changed");
  await imports(story, { name: "rules.bin", content: Buffer.from([0xff, 0xfe, 0x80]) });
  await ana.submit();
  await story.sees(ana, "rules.bin is not plain text", "Nothing changed");
  await story.ask(ana, "/rackbell policy", "There are no rules yet");
});
