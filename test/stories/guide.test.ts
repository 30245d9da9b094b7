import { expect, test } from "vitest";
import { guidePages, guideText } from "../../src/guide.ts";
import { sell } from "./reseller/selling.ts";
import { type Story, said } from "./story.ts";

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
  const story = await sell({ linked: ["ana"] });
  const answers: string[] = [];
  for (const command of commands) answers.push(`${command}: ${await reactionTo(story, command)}`);
  expect(answers.filter((answer) => notTaken.test(answer))).toEqual([]);
});

test("a member reads a page of the guide in Slack, by its name or another word, and is told which pages there are", async () => {
  const story = await sell({ linked: ["ana"] });
  await story.ask(story.ana, "/rackbell help approvals", "Approvals", "Approval rules", "/rackbell help audit-log");
  await story.ask(story.ana, "/rackbell help rules", "Approvals");
  await story.ask(story.ana, "/rackbell help instances", "One process on one SQLite file", "src/guide/instances.md");
  await story.ask(story.ana, "/rackbell help nonsense", "no help about", "scheduling");
});
