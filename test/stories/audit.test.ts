import { expect, test } from "vitest";
import { backOut, goAhead, said, tell } from "./story.ts";

test("every decision and run is recorded: who asked, who approved, with which key, and what came of it", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: { APPROVALS: "peer" } });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
  await story.ask(ana, "/vps start suspended-1", "said no");
  const list = said(await story.ask(ana, "/rackbell audit", "Audit entries of you"));
  expect(list).toContain(
    `*done* · \`vps cancel\` \`web-1\`\n<@${ana.user.id}>, approved by <@${ben.user.id}> · key \`ana\``,
  );
  expect(list).toContain("*asked* · `vps cancel`");
  expect(list).toContain("*approved* · `vps cancel`");
  expect(list).toContain("*refused* · `vps start` `suspended-1`");
  const theirs = said(await story.ask(ben, "/rackbell audit", "Audit entries of you"));
  expect(theirs).toContain("approved by");
  expect(theirs).not.toContain("vps start");
});

test("members see their own, admins everybody's, and filters find a machine or a command", async () => {
  const story = await tell({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/vps move mail project=Staging", "moved from");
  await story.ask(ana, "/rackbell audit", "Nothing is recorded of you");
  await story.ask(ana, "/rackbell audit everyone=yes", "Audit entries of everybody", "vps move");
  await story.ask(ben, "/rackbell audit everyone=yes", "Only admins see everybody's");
  await story.ask(ben, "/rackbell audit MAIL", "vps move");
  await story.ask(ben, "/rackbell audit vps move", "vps move");
  await story.ask(ben, "/rackbell audit web-1", "Nothing is recorded of you about `web-1`");
});

test("a request that was withdrawn is not called approved", async () => {
  const story = await tell({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, backOut, "It was withdrawn by");
  const list = said(await story.ask(ben, "/rackbell audit", "*withdrawn*"));
  expect(list).toContain(`withdrawn by <@${ana.user.id}>`);
  expect(list).not.toContain("approved by");
});

test("the export is a file of plain words that no spreadsheet runs", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  platform.change(platform.findVps("mail").id, { name: '=HYPERLINK("http://x")' });
  await story.ask(ana, '/vps move "=HYPERLINK(\\"http://x\\")" project=Staging', "moved from");
  await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/rackbell audit export=yes", "in your direct messages");
  const file = await slack.until(() => slack.state().files[0], "the export");
  const text = Buffer.from(file.content).toString();
  expect(text.split("\n")[0]).toContain('"asked by","decided by","key"');
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(text).not.toContain("<!date");
});

test("older entries are a press away", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, clock } = story;
  for (let round = 0; round < 12; round += 1) {
    await story.ask(ana, `/vps move mail project=${round % 2 === 0 ? "Staging" : "Default"}`, "moved from");
    clock.skip(4_000);
  }
  const first = await story.ask(ana, "/rackbell audit", "Audit entries of you");
  const older = await story.pressing(ana, first, "Older ▶", "Audit entries of you");
  expect(said(older).match(/vps move/g)).toHaveLength(2);
});
