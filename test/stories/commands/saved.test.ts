import { expect, test } from "vitest";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import { ordersMade, page } from "../ordering.ts";
import { type Actor, goAhead, type Message, type Story, said, startStory, writes } from "../story.ts";

test("a command is saved with its values, run by its name with the key of whoever runs it, and asks as if it were typed", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana, dave } = story;
  await story.ask(ana, "/rackbell save nightly = /vps cancel web-1", "Saved: `nightly` is now `/vps cancel web-1`");
  await story.ask(dave, "/rackbell run nightly", "There is no saved command `nightly`");
  const shown = await story.ask(
    ana,
    "/rackbell run NIGHTLY",
    "yours alone",
    "/vps cancel web-1",
    "Nothing has run yet",
  );
  expect(writes(story)).toEqual([]);
  const request = await story.pressing(ana, shown, { index: 0 }, "asks to", "Cancel");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, request, goAhead, ":white_check_mark:");
  expect(writes(story)).toMatchObject([{ method: "DELETE", key: "ana" }]);
});

test("a shared command shows its whole line and who changed it last, is for its channel alone, and runs with each one's own key", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"] });
  const { ana, ben, dave } = story;
  await story.ask(ana, "/rackbell save restart = /vps reboot web-1", "Saved");
  await story.ask(ana, "/rackbell saved restart shared=yes", "all there can see, change and run it");
  await story.ask(ben, "/rackbell save restart = /vps reboot web-2 force=yes", "changed for all");
  const shown = await story.ask(ana, "/rackbell run restart", "/vps reboot web-2 force=yes", "last changed by");
  expect(said(shown)).toContain(`last changed by <@${ben.user.id}>`);
  const refused = await story.ask(dave, "/rackbell run restart", "do not allow it");
  expect(JSON.stringify(refused.blocks)).not.toContain("invoke:vps");
  await ana.press(shown, { index: 0 });
  await story.comesToSee(ana, "`web-2`", ":white_check_mark:");
  expect(writes(story)).toMatchObject([{ method: "POST", key: "ana" }]);
  await story.ask(ben, "/rackbell saved restart shared=no", `Only <@${ana.user.id}>`);
  await story.ask(ben, "/rackbell saved restart remove=yes", "Only an admin of this workspace");
  await story.ask(ana, "/rackbell saved restart shared=no", "yours alone");
  await story.ask(ben, "/rackbell run restart", "There is no saved command");
});

test("a command that is shared in a private channel is for its members alone, wherever they ask", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, slack } = story;
  await story.ask(ana, "/rackbell save restart = /vps reboot web-1", "Saved");
  slack.invite("vault", "rackbell");
  await story.askIn("vault", ana, "/rackbell saved restart shared=yes", "all there can see");
  slack.kick("vault", "caro");
  await story.ask(ben, "/rackbell run restart", "/vps reboot web-1");
  await story.ask(caro, "/rackbell run restart", "There is no saved command");
  await story.ask(caro, "/rackbell saved", "There are no saved commands");
});

test("a saved command is listed, renamed, changed and removed, and Home runs it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/rackbell saved", "There are no saved commands");
  await story.ask(ana, "/rackbell save web = /vps list web", "Saved");
  await story.ask(ana, "/rackbell saved web to=shop", "`shop` is yours alone");
  const listed = await story.ask(ana, "/rackbell saved", "1 saved command", "`/vps list web`");
  await ana.press(listed, "Change…");
  await story.modal(ana, "shop = /vps list web");
  await ana.fill({ "Name = command": "shop = /vps list db" });
  await ana.submit();
  await story.sees(ana, "Changed: `shop` is now `/vps list db`");
  await ana.openHome();
  await slack.until(
    () => JSON.stringify(ana.home() ?? "").includes("*Saved commands*"),
    "Home to show the saved commands",
  );
  await ana.press("home", "Run…");
  await story.modal(ana, "/vps list db", "Nothing has run yet");
  await ana.closeModal();
  const question = await story.ask(
    ana,
    "/rackbell saved shop remove=yes",
    "Remove the saved command shop",
    "can run it any more",
  );
  await story.pressing(ana, question, { index: 0 }, "`shop` is removed");
});

test("a page of the guide that a saved command shows opens over Home, which takes no Markdown", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/rackbell save howto = /rackbell help approvals", "Saved");
  await ana.openHome();
  await slack.until(() => JSON.stringify(ana.home() ?? "").includes("howto"), "Home to show the saved command");
  await ana.press("home", "Run…");
  await story.modal(ana, "/rackbell help approvals");
  await ana.press("modal", { index: 0 });
  await story.modal(ana, "never destroys data", "*Decide*", "/rackbell help audit-log");
});

/** Two saved commands of one name: Ana's own, and one that Ben shares. */
async function twoNightly(): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell save nightly = /vps stop web-1", "Saved");
  await story.ask(ben, "/rackbell save nightly = /vps stop project=staging", "Saved");
  await story.ask(ben, "/rackbell saved nightly shared=yes", "is shared");
  return story;
}

/** Presses the button of the row in which the line is. */
async function pressInRow(actor: Actor, list: Message, label: string, line: string): Promise<void> {
  const row = list.blocks.findIndex((block) => JSON.stringify(block).includes(line));
  const [button] = controlsOf(list.blocks.slice(row)).filter(({ element }) => JSON.stringify(element).includes(label));
  if (!button) throw new Error(`No row of ${line} has ${label}`);
  await actor.press(list, { actionId: button.action_id, blockId: button.block_id });
}

test.each(["ana", "ben"] as const)(
  "Run… in the list shows the whole line of its row with its button, and the command stays shared: %s",
  async (who) => {
    const story = await twoNightly();
    const { slack } = story;
    const actor = story[who];
    await pressInRow(actor, await story.ask(actor, "/rackbell saved", "saved command"), "Run…", "project=staging");
    const shown = await story.sees(actor, "Nothing has run yet", "/vps stop project=staging");
    expect(JSON.stringify(shown.blocks)).toContain("invoke:vps stop");
    expect(actor.modal()).toBeUndefined();
    await story.ask(actor, "/rackbell saved", "project=staging", "shared in");
    await actor.openHome();
    const home = () => JSON.stringify(actor.home() ?? "");
    await slack.until(() => home().includes("project=staging"), "Home to show the command of Ben's");
    const run = actor.home()?.blocks.find((block) => JSON.stringify(block).includes("project=staging"));
    await actor.press("home", { actionId: /"action_id":"([^"]+)"/.exec(JSON.stringify(run))?.[1] ?? "" });
    await story.modal(actor, "/vps stop project=staging", "Nothing has run yet");
  },
);

test("Change… on a colleague's row changes that command, and no other of the same name", async () => {
  const story = await twoNightly();
  const { ana, ben } = story;
  await pressInRow(ana, await story.ask(ana, "/rackbell saved", "2 saved commands"), "Change…", "project=staging");
  await story.modal(ana, "nightly = /vps stop project=staging");
  await ana.fill({ "Name = command": "weekly = /vps stop project=staging at=23:00" });
  expect(await ana.submit()).toMatchObject({ errors: { text: expect.stringContaining("he name stays nightly") } });
  await ana.fill({ "Name = command": "nightly = /vps stop project=staging at=23:00" });
  await ana.submit();
  await story.sees(ana, "Changed: `nightly`", `shared by <@${ben.user.id}>`);
  const list = said(await story.ask(ana, "/rackbell saved", "2 saved commands", "at=23:00"));
  expect(list).toContain("`/vps stop web-1`\nyours alone");
  expect(list).toMatch(/`\/vps stop project=staging at=23:00`\nof <@/);
});

test("a typed name that two saved commands have is asked back, with a button for each, and nothing changes before", async () => {
  const story = await twoNightly();
  const { ana, ben } = story;
  const which = "2 saved commands have the name `nightly`. Nothing changed.";
  const run = await story.ask(ana, "/rackbell run nightly", which);
  await ana.press(run, "Run /vps stop project=staging");
  await story.sees(ana, "Nothing has run yet", `of <@${ben.user.id}>`);
  const change = await story.ask(ana, "/rackbell save nightly = /vps list db", which);
  await ana.press(change, "Change /vps stop web-1");
  await story.sees(ana, "Changed: `nightly` is now `/vps list db`");
  const remove = await story.ask(ana, "/rackbell saved nightly remove=yes", which);
  await ana.press(remove, "Remove /vps list db");
  await story.sees(ana, "The saved command `nightly` is removed");
  await story.ask(ana, "/rackbell run nightly", "project=staging", `of <@${ben.user.id}>`);
});

test("a name that a colleague's command has as well is changed by its member alone, who means their own", async () => {
  const story = await twoNightly();
  const { ana } = story;
  await story.ask(ana, "/rackbell saved nightly shared=yes", "The saved command `nightly` is shared");
  await story.ask(ana, "/rackbell saved nightly to=evening", "The saved command `evening` is shared");
});

test.each([
  ["nightly /vps list", "write a name, an equals sign and a command"],
  ["= /vps list", "write a name, an equals sign and a command"],
  ["nightly = /vps fly web-1", "fly"],
  ["nightly = /vps password web-1 password=correct-horse", "secret"],
  ["nightly = /rackbell run other", "cannot save or run another one"],
])("a text that cannot be saved is refused before it is stored: %s", async (text, why) => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, `/rackbell save ${text}`, why);
  await story.ask(story.ana, "/rackbell saved", "There are no saved commands");
});

test("an order is saved with its values and fills its form, and the old names of templates lead to the saved commands", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(
    ana,
    '/rackbell save web = /order new "VPS M" cycle=monthly location=Madrid image="Debian 13"',
    "Saved",
  );
  await ana.press(await story.ask(ana, "/rackbell run web", "VPS M"), { index: 0 });
  await page(story, ana, "Order");
  await story.modal(ana, '"text":"Madrid"', '"text":"Debian 13"');
  await ana.fill({ "Host name": "web-9.example.test" });
  await ana.submit();
  await ana.press(await story.sees(ana, "1 × `VPS M`", "web-9.example.test"), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS M`");
  expect(ordersMade(story)).toHaveLength(1);
  await story.ask(ana, "/order template list", "1 saved command");
  await story.ask(ana, "/order template share web shared=no", "yours alone");
});
