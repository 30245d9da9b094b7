import { expect, test } from "vitest";
import { readPlainText } from "../../../src/slack/command/language.ts";
import { fileStore, type Message, said, startStory, writes } from "../story.ts";

test("the last command is shown with changed values, and runs at a press alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps list status=stopped", "stopped VPSes");
  const shown = await story.ask(
    ana,
    "/rackbell again status=running",
    "/vps list status=running",
    "Nothing has run yet",
  );
  await story.pressing(ana, shown, { actionId: "invoke:vps list:0" }, "running VPSes");
  await story.ask(ana, "/vps show web-1", "is running");
  await story.ask(ana, "/rackbell again web-2", "/vps show web-2");
});

test("a reboot and an order that “again” repeats ask first, and nothing is sent before the answer", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps reboot web-1", "Reboot `web-1`?");
  const reboot = await story.ask(ana, "/rackbell again web-2", "/vps reboot web-2");
  const pressed = await ana.press(reboot, { actionId: "invoke:vps reboot:0" }, { confirm: false });
  expect(pressed.confirm).toMatchObject({ title: "Reboot web-2?", text: expect.stringContaining("is interrupted") });
  await story.ask(
    ana,
    "/order new VPS M cycle=monthly location=Madrid hostname=a.example.test image=Debian",
    "Not now",
  );
  const order = await story.ask(ana, "/rackbell again hostname=b.example.test", "hostname=b.example.test");
  await story.pressing(ana, order, { actionId: "invoke:order new:0" }, "b.example.test", "Not now");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, reboot, { actionId: "invoke:vps reboot:0" }, "Rebooting");
  expect(writes(story)).toHaveLength(1);
});

test("a command that a form gave ids is shown with names, and one that erases or spends with a red button", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const shownOf = (message: Message) => JSON.stringify(message.blocks);
  await ana.type("/vps reinstall");
  await story.modal(ana, '"action_id":"target"');
  await ana.choose("modal", "target", "web-2");
  await story.modal(ana, "Operating system");
  await ana.fill({ "Operating system": "Debian 13" });
  await ana.submit();
  await story.sees(ana, "asks to", "Reinstall `web-2`");
  const erases = await story.ask(ana, "/rackbell again", '/vps reinstall web-2 image="Debian 13"', "Reinstall web-2");
  expect(said(erases)).not.toContain(platform.findVps("web-2").id);
  expect(shownOf(erases)).toContain('"style":"danger"');
  await story.ask(
    ana,
    "/order new VPS M cycle=monthly location=Madrid hostname=a.example.test image=Debian",
    "Not now",
  );
  const spends = await story.ask(
    ana,
    "/rackbell again hostname=b.example.test",
    "hostname=b.example.test",
    "cycle=monthly",
  );
  expect(shownOf(spends)).toContain('"style":"danger"');
  await story.pressing(ana, spends, { actionId: "invoke:order new:0" }, "b.example.test", "Not now");
  await story.ask(ana, "/vps show web-1", "is running");
  expect(shownOf(await story.ask(ana, "/rackbell again", "/vps show web-1"))).toContain('"style":"primary"');
});

test("several are meant again, and a filter with another value", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps reboot web-1 web-2", "web-2");
  const two = await story.ask(ana, "/rackbell again", "/vps reboot web-1 web-2", "Nothing has run yet");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, two, { actionId: "invoke:vps reboot:0" }, "web-1", "web-2");
  await story.ask(ana, "/vps stop project=staging status=running", "Staging");
  await story.ask(
    ana,
    "/rackbell again status=stopped project=production",
    "/vps stop status=stopped project=production",
  );
});

test("a password is not kept: the form asks for it anew", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps password web-1");
  await story.modal(ana, "New root password");
  const password = "Abcdef-123456-xyz";
  story.secrets.add(password);
  await ana.fill({ "New root password": password });
  await ana.submit();
  await story.sees(ana, "web-1");
  const shown = await story.ask(ana, "/rackbell again", "/vps password");
  expect(said(shown)).not.toContain("Abcdef");
  await ana.press(shown, { actionId: "invoke:vps password:0" });
  await story.modal(ana, "New root password");
});

test("a repeated command keeps quotation and code marks, and its shown line does the same when it is typed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps snapshot web-1 name=before", "before");
  await story.ask(ana, "/rackbell again delete web-2", "reads as another command");
  const changes = `description="'a 5\\" disk & \`x\` <y>'"`;
  const shown = await story.ask(ana, `/rackbell again web-2 ${changes}`, "Nothing has run yet");
  const [, line = ""] = /```(.*?)```/.exec(said(shown)) ?? [];
  await story.ask(ana, readPlainText(line), "web-2", "snapshot");
  expect(writes(story).map(({ body }) => body)).toEqual([
    { name: "before" },
    { name: "before", description: `'a 5" disk & \`x\` <y>'` },
  ]);
  // A value that is emptied stays empty.
  await story.ask(ana, '/rackbell again description=""', 'description=""', "Nothing has run yet");
  await ana.type("/rackbell again password=hunter22");
  await story.sees(ana, /looks like a secret/);
});

test("each member has their own last command, for a day, across a restart", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: { STORE_URL: fileStore() } });
  const { ana, ben, clock } = story;
  await story.ask(ana, "/vps show web-1", "is running");
  await story.ask(ben, "/vps show web-2", "is running");
  await story.restart();
  await story.ask(ana, "/rackbell again", "/vps show web-1");
  await story.ask(ben, "/rackbell again", "/vps show web-2");
  clock.skip(25 * 60 * 60_000);
  await story.ask(ana, "/rackbell again", "I know no command of yours");
});

test("another of a plan is ordered from its card, in a form that is filled in as it is, if it is still sold and the key may order", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, caro, platform } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running", "Order another…");
  await ana.press(card, "Order another…");
  // Only the host name is left to ask.
  await story.modal(ana, "Order", platform.find("web-1").product.name);
  expect(writes(story)).toEqual([]);
  await story.ask(ana, "/service show web-1", "Order another…");
  await story.ask(ana, "/dedicated show metal-1", "Order another…");
  platform.setScopes(platform.keys.caro, ["read"]);
  await story.link(caro);
  expect(said(await story.ask(caro, "/vps show web-2", "is running"))).not.toContain("Order another…");
  platform.change("web-1", { product: { id: "9a3e1f9c-1111-4222-8333-444455556666", name: "Gone for good" } });
  expect(said(await story.ask(ana, "/vps show web-1", "is running"))).not.toContain("Order another…");
});
