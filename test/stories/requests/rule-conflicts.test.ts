import { expect, test } from "vitest";
import { type Actor, everybody, said, startStory } from "../story.ts";

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

test("a rule whose approvals too few members could give is refused with the number that is missing, in form and command", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, caro } = story;
  const words = "2 linked members can do it by now, and it needs 3: the requester and 2 approvers.";
  await ana.type("/rackbell policy set");
  await story.modal(ana, "By whom");
  await ana.fill({ Needs: "Two approvals", "For what": "Destroying something", "By whom": "Everybody" });
  await story.modal(ana, ":x:", words);
  await ana.submit();
  await story.sees(ana, words);
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", words);
  // Of two who may, each is the requester of the other's approval.
  const both = `approvers="${mention(ana)} ${mention(ben)}"`;
  await story.ask(
    ana,
    `/rackbell policy set demand=two-approvals risk=destroy ${both}`,
    "2 can give one",
    "a requester approves nothing",
  );
  await story.ask(ana, "/rackbell policy", "There are no rules yet");
  await story.link(caro, story.platform.keys.caro.key);
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", "In effect now");
  await story.ask(ana, `/rackbell policy set demand=two-approvals risk=destroy ${both}`, "In effect now");
  expect(said(await story.ask(ana, "/rackbell policy", "needs two approvals"))).not.toContain("Nobody could");
  await story.ask(caro, "/rackbell unlink force=yes", "erased here");
  await story.ask(ana, "/rackbell policy", "needs two approvals", words, "a requester approves nothing");
});

test("a rule for one person's acts counts their approvers without them", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const rule = `/rackbell policy set demand=one-approval risk=destroy who=${mention(ana)}`;
  await story.ask(ana, `${rule} approvers=${mention(ana)}`, "1 can give one", "a requester approves nothing");
  await story.ask(ana, `${rule} approvers=${mention(ben)}`, "In effect now");
});

test("the form asks for how much is needed, for which acts and for whom, and a rule for agents says that it needs nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/rackbell policy set");
  await story.modal(ana, "By whom");
  const required = ["demand", "risk", "who"].map((id) => ana.modal()?.blocks.find((block) => block.block_id === id));
  for (const block of required) expect(block).toMatchObject({ optional: false });
  await ana.submit();
  await story.modal(ana, "Needs");
  await ana.closeModal();
  await story.ask(ana, '/rackbell policy set agent=run commands="vps start"', "Agents run `/vps start` at once");
  const rules = await story.ask(ana, "/rackbell policy", "Agents run `/vps start` at once");
  await ana.press(rules, "Change…");
  await story.modal(ana, "Nothing: it runs at once", '"value":"everybody"');
  await ana.fill({ "Commands that agents run": "vps start, vps reboot" });
  await ana.submit();
  await story.sees(ana, "Agents run `/vps start` and `/vps reboot` at once");
});
