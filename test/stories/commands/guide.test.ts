import { expect, test } from "vitest";
import { guidePages, guideText } from "../../../src/guide/guide.ts";
import { registry } from "../../../src/operations/index.ts";
import { parseCommand } from "../../../src/slack/command/parse.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Story, said, startStory } from "../story.ts";

/** The commands of a page that a member can copy: the lines of its code blocks without a language. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, block = ""]) =>
    language === "" ? block.split("\n").filter((line) => line !== "") : [],
  );
}

const pages = guidePages
  .map((page) => ({ page, commands: commandsOf(guideText(page)) }))
  .filter(({ commands }) => commands.length > 0);

/** An answer that says that the command was not understood, or that something in it does not exist. */
const notTaken =
  /fits that|Something went wrong|There is no |I do not |is not a |has no value|does not take|No such|not found/;

/** Types the command, and waits for the message or the form that answers it. */
async function reactionTo(story: Story, command: string): Promise<string> {
  const { ana } = story;
  const before = new Set(ana.sees("#ops").map((message) => `${message.ts} ${said(message)}`));
  if (command.startsWith("@")) await ana.say(command, "#ops");
  else await ana.type(command, "#ops");
  const reaction = await story.passes(() => {
    const modal = ana.modal();
    const message = ana.sees("#ops").find((one) => !before.has(`${one.ts} ${said(one)}`) && one.user !== ana.user.id);
    return modal ? JSON.stringify(modal) : message && said(message);
  }, `an answer to ${command}`);
  if (ana.modal()) await ana.closeModal();
  return reaction;
}

test.each(pages)("every command of the guide's page $page.name works as it stands there", async ({ commands }) => {
  const story = await startResellerStory({ linked: ["ana"] });
  const answers: string[] = [];
  for (const command of commands) answers.push(`${command}: ${await reactionTo(story, command)}`);
  expect(answers.filter((answer) => notTaken.test(answer))).toEqual([]);
});

test("the help fits on a phone, and leads to every noun by words that work, and to the guide's pages by theirs", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  const help = said(await story.ask(ana, "/rackbell help", "Your keys allow"));
  expect(help.split("\n").length).toBeLessThan(30);
  for (const noun of registry.nouns) {
    const [, title = "", verbs = ""] = new RegExp(`^\`/${noun}\` ([^:]+): (.+)$`, "m").exec(help) ?? [];
    expect(title, noun).not.toBe("");
    for (const verb of verbs.replace(" …", "").split(", "))
      expect("error" in parseCommand(registry, noun, verb), `${noun} ${verb}`).toBe(false);
  }
  const approvals = said(
    await story.ask(ana, "/rackbell help approvals", "Approvals", "Approval rules", "/rackbell help audit-log"),
  );
  // Two screens of a phone.
  expect(approvals.length).toBeLessThan(2_000);
  await story.ask(ana, "/rackbell help rules", "Approval rules");
  await story.ask(ana, "/rackbell help instances", "One process on one SQLite file", "src/guide/instances.md");
  await story.ask(ana, "/rackbell help nonsense", "no help about", "scheduling");
});

test("help shows what the keys and the role allow, a page a noun, and how to type it on request", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana, dave } = story;
  const readable = registry.all.filter(
    ({ api, risk, scope }) => api === "customer" && risk === "read" && scope === "read",
  );
  const own = await story.ask(dave, "/rackbell help", `Your key is read-only: ${readable.length} commands.`);
  expect(said(own)).toMatch(/To restart or order, link a key with `services`, .*`orders`/);
  const vps = await story.ask(ana, "/vps help", "*Power:* start, stop", "reinstall :warning:", "capture :moneybag:");
  await story.pressing(ana, vps, "How to type them", /\/vps snapshot .*VPS/);
  expect(said(await story.ask(dave, "/vps help", "more with the scope"))).not.toContain("reinstall");
  await story.ask(ana, "/rackbell help rackbell", "*Admins:*", "policy set");
  expect(said(await story.ask(dave, "/rackbell help rackbell", "*Everybody:*"))).not.toContain("policy set");
  await story.ask(ana, "/reseller", "It needs a reseller key");
});

test("help about a command shows how to type it, and unknown words after a known one are passed over", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana, dave } = story;
  const reboot = await story.ask(ana, "/rackbell help vps reboot", "For example: `/vps reboot web-1`", "All of /vps");
  await story.pressing(ana, reboot, "All of /vps", "*Power:*");
  await story.ask(ana, "/rackbell help vps restart", "/vps reboot");
  await story.ask(ana, "/rackbell help rackbell alerts", "/rackbell alerts set", "/rackbell alerts mute");
  const mute = said(await story.ask(ana, "/rackbell help alerts mute", "/rackbell alerts mute"));
  expect(mute).not.toContain("alerts set");
  await story.ask(ana, "/rackbell help alerts", "An admin subscribes a channel");
  await story.ask(ana, "/rackbell help vps toaster", "*Power:*");
  await story.ask(dave, "/rackbell help vps reboot", "/vps reboot", "1 more with the scope `services`");
  for (const text of ["hello", "help me", "how do I restart a server?"])
    await story.ask(ana, `/rackbell ${text}`, "Your keys allow", "In a thread");
  await story.ask(ana, "/rackbell help nonsense of all sorts", "There is no help about");
});

test("a member whom the account does not permit something is told so, and not to make another key", async () => {
  const story = await startStory();
  const { ben, platform } = story;
  platform.changeUser("ben", { permissions: new Set(["services.view", "invoices.view"]) });
  await story.link(ben);
  const lead = said(await story.ask(ben, "/rackbell help", "Your keys allow"));
  expect(lead).toMatch(/The account does not permit you \d+: its owner can grant `.*` or `.*` in the panel\./);
  expect(lead).not.toContain("link a key with");
  const vps = said(await story.ask(ben, "/rackbell help vps", "more that the account does not permit you: its owner"));
  expect(vps).not.toContain("more with the scope");
});
