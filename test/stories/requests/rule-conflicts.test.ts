import { expect, test } from "vitest";
import { type Actor, everybody, startStory } from "../story.ts";

const mention = (actor: Actor) => `<@${actor.user.id}>`;

test("a rule that a stricter one outdoes says so before it is saved, and with its answer", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy"] });
  const { ana } = story;
  await ana.type("/rackbell policy set");
  await story.modal(ana, "By whom", "More conditions");
  await ana.fill({ Needs: "The requester's confirmation", "For what": "Everything", "For which commands": "vps" });
  await story.modal(
    ana,
    "*This means:*",
    "A stricter rule applies as well, so this never loosens it: Destroying something",
  );
  await ana.fill({ "For what": "Destroying something" });
  await story.modal(ana, "It never applies, because a stricter rule applies to all of it: Destroying something");
  await ana.closeModal();
  await story.ask(
    ana,
    "/rackbell policy set demand=two-approvals risk=destroy command=vps",
    "It adds nothing, because another rule asks for as much: Destroying something: needs two approvals.",
  );
  await story.ask(
    ana,
    `/rackbell policy set demand=confirm who=${mention(ana)} not-who=${mention(ana)}`,
    "It never applies: it spares everybody whom it names.",
  );
});

test("a rule that nobody could ever meet is refused with the reason, alone and together with another one", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, dave } = story;
  const set = (demand: string, people: string) =>
    `/rackbell policy set demand=${demand} risk=destroy approvers="${people}"`;
  const words = "Nobody could ever get this approved: it needs";
  await story.ask(ana, set("one-approval", mention(dave)), words, "1 approval", "0 can give one");
  await story.ask(
    ana,
    set("two-approvals", `${mention(ben)} ${mention(dave)}`),
    words,
    "2 approvals",
    "1 can give one",
  );
  await story.ask(ana, "/rackbell policy", "There are no rules yet");
  await story.ask(ana, set("one-approval", mention(ben)), "In effect now");
  await story.ask(ana, set("one-approval", mention(caro)), "Together with the rule", "0 can give one");
  const again = story.platform.addKey({ owner: "ben", label: "ben again" });
  story.secrets.add(again.key);
  await story.link(dave, again.key);
  // Two accounts of one person give one approval.
  await story.ask(ana, set("two-approvals", `${mention(ben)} ${mention(dave)}`), words, "1 can give one");
});

test("a rule whose approvals too few members could give now says who is missing", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana } = story;
  await ana.type("/rackbell policy set");
  await story.modal(ana, "By whom");
  await ana.fill({ Needs: "Two approvals", "For what": "Destroying something" });
  await story.modal(ana, "2 linked members can do it by now, and it needs 3: the requester and 2 approvers.");
  expect(JSON.stringify(ana.modal())).not.toContain("It never applies");
});
