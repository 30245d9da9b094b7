import { expect, test } from "vitest";
import { becomesAdmin, passADay } from "../admins.ts";
import { rest } from "../rest.ts";
import { type Actor, goAhead, peer, type Story, said, startStory } from "../story.ts";

const mention = (actor: Actor) => `<@${actor.user.id}>`;

/** Two admins, ana and caro, and a rule by which only the people of the rotation `night` approve. */
async function ruledByNight(people: string): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], environment: peer });
  const { ana } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  await story.ask(ana, `/rackbell oncall night people=${people} zone=UTC`, "Saved");
  const rule = "/rackbell policy set demand=one-approval risk=destroy approvers=night";
  await story.ask(ana, rule, "the rotation `night`", "In effect now");
  return story;
}

test("somebody who comes to a rotation approves nothing by it before another admin has agreed", async () => {
  const story = await ruledByNight("@caro");
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const until = `until=${new Date(story.clock.now() + 48 * 60 * 60_000).toISOString()}`;
  const set = `/rackbell oncall night who=@ben of=@caro ${until}`;
  await story.ask(caro, set, `${mention(ben)} is on call instead of ${mention(caro)}`);
  const proposal = await story.seesIn("dm", ana, "proposes a looser rule", `${mention(ben)} came`);
  await story.pressing(ben, request, goAhead, "let only these people decide this", "Nothing was done");
  await story.pressing(ana, proposal, "Agree", "In effect now");
  const later = await story.ask(ana, "/vps cancel web-2", "asks to", mention(ben));
  await story.pressing(ben, later, goAhead, "approved by", mention(ben));
});

test("somebody who goes from a rotation approves nothing by it any more, and nobody has to agree with that", async () => {
  const story = await ruledByNight("@ben,@dave");
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/rackbell oncall night people=@dave", "Saved");
  await story.askUntil(story.ana, "/rackbell audit", "Audit entries", `${mention(ben)} went`);
  await story.pressing(ben, request, goAhead, "let only these people decide this", "Nothing was done");
});

test("a user group of Slack with other people loosens no rule by itself, and a stopped change is not proposed again", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], environment: peer });
  const { ana, caro, dave, slack } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  const group = slack.addUsergroup("ops-leads", ["ben"]);
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy approvers=@ops-leads", "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.changeUsergroup(group, ["ben", "dave"]);
  const proposal = await story.seesIn("dm", caro, "proposes a looser rule", `${mention(dave)} came`);
  await story.pressing(dave, request, goAhead, "let only these people decide this", "Nothing was done");
  await story.pressing(caro, proposal, "Stop the change", "The rules are as they were");
  const timesRead = () => slack.calls("usergroups.list").length;
  const before = timesRead();
  story.clock.skip(3 * 60 * 60_000);
  await slack.until(() => timesRead() > before, "the app to look at the group again");
  // The look is over once its change, if any, is there: the next one is an hour away.
  await rest(1_000);
  await story.ask(ana, "/rackbell policy", "needs one approval");
  expect(caro.sees("dm").filter((message) => said(message).includes("proposes a looser rule"))).toEqual([]);
});

test("somebody who leaves a user group loses their right at once, while another looser rule still waits for an admin", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], environment: peer });
  const { ana, ben, caro, slack } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  const group = slack.addUsergroup("ops-leads", ["ben", "dave"]);
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy approvers=@ops-leads", "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, '/rackbell policy add demand=confirm risk=destroy command="image delete"', "another admin");
  const proposal = await story.seesIn("dm", caro, "proposes a looser rule");
  slack.changeUsergroup(group, ["dave"]);
  await story.askUntil(story.ana, "/rackbell audit", "Audit entries", `${mention(ben)} went`);
  await story.pressing(ben, request, goAhead, "let only these people decide this", "Nothing was done");
  await story.pressing(caro, proposal, "Agree", "In effect now");
  await story.pressing(ben, request, goAhead, "let only these people decide this", "Nothing was done");
});

test("of two people who change places in a user group, the one who left loses their right before an admin agrees with the other", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], environment: peer });
  const { ana, ben, caro, dave, slack } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  const group = slack.addUsergroup("ops-leads", ["ben", "caro"]);
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy approvers=@ops-leads", "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.changeUsergroup(group, ["caro", "dave"]);
  await story.seesIn("dm", caro, "proposes a looser rule", `${mention(dave)} came`);
  await story.pressing(ben, request, goAhead, "let only these people decide this", "Nothing was done");
});
