import { expect, test } from "vitest";
import { type Story, startStory } from "../story.ts";

/** The values that the open form would send, by input. */
function entered({ ana }: Story): Record<string, unknown> {
  const values = Object.entries(ana.modal()?.state.values ?? {});
  return Object.fromEntries(values.map(([name, elements]) => [name, Object.values(elements)[0]]));
}

async function pressInModal({ ana }: Story, label: string): Promise<void> {
  const view = ana.modal();
  if (!view) throw new Error("No form is open");
  await ana.press(view, label);
}

test("the form of a rule says at each choice what the rule means, keeps what was entered, and adds that rule", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana } = story;
  await ana.type("/rackbell policy add");
  await story.modal(ana, "For which commands");
  expect(JSON.stringify(ana.modal())).not.toContain("This means");
  await ana.fill({ Needs: "One approval" });
  await story.modal(ana, "*This means:* Everything: needs one approval.");
  await ana.fill({ "For what": "Spending money", "By whom": ["Everybody"] });
  expect(JSON.stringify(ana.modal())).not.toContain("Over which price");
  await pressInModal(story, "More conditions");
  await story.modal(ana, "Over which price");
  expect(JSON.stringify(ana.modal())).not.toContain("More conditions");
  await ana.fill({ "Over which price": "50" });
  await story.modal(ana, ":x: Over which price: an amount and its currency, such as 50 EUR.");
  await ana.fill({ "Over which price": "50 EUR", "In which project": "default", "Emergency override": true });
  const sentence =
    "Spending money in project Default over 50.00 EUR: needs one approval. A move to a project that needs less needs the same. An admin may override it in an emergency.";
  await story.modal(ana, `*This means:* ${sentence}`);
  expect(entered(story)).toMatchObject({
    demand: { selected_option: { value: "one-approval" } },
    risk: { selected_option: { value: "spend" } },
    over: { value: "50 EUR" },
    project: { value: "default" },
  });
  await ana.submit();
  await story.sees(ana, `Added: ${sentence}`);
});

test("the form of a stored rule begins with its sentence", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy command=vps", "Added");
  await ana.press(await story.ask(ana, "/rackbell policy", "Change…"), "Change…");
  await story.modal(ana, "*This means:* `/vps` (destroying something): needs two approvals.");
  await ana.fill({ Needs: "It is not allowed", "For which commands": "vpx" });
  await story.modal(ana, "There is no command that begins with “vpx”.");
  await ana.fill({ "For which commands": "vps cancel" });
  await story.modal(ana, "*This means:* `/vps cancel` (destroying something): is not allowed.");
});

test("an alert filter is chosen from the list of events, and the form says which alerts the channel gets", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const ops = `<#${slack.channels.ops?.id}>`;
  await ana.type("/rackbell alerts add");
  await story.modal(ana, "But not these events");
  await ana.fill({ Channel: "ops" });
  await story.modal(ana, `*This means:* ${ops} gets every event. No event has come yet`);
  await ana.fill({ Events: ["service.*", "machine.stopped"], "But not these events": ["service.unsuspended"] });
  const sentence = `${ops} gets \`service.*\` and \`machine.stopped\`, but not \`service.unsuspended\``;
  await story.modal(ana, `*This means:* ${sentence}.`);
  await ana.submit();
  await story.sees(ana, /Saved: /, sentence);
});

test("the form of stored alerts has their events chosen, says what they become, and sends what changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const ops = `<#${slack.channels.ops?.id}>`;
  await story.ask(ana, '/rackbell alerts add #ops events="Service.* order.paid" about=acme-bakery', "Saved");
  await ana.press(await story.ask(ana, "/rackbell alerts", "Change…"), "Change…");
  await story.modal(ana, `*This means:* ${ops} gets \`Service.*\` and \`order.paid\`, about \`acme-bakery\` alone.`);
  expect(entered(story)).toMatchObject({
    events: { selected_options: [{ value: "Service.*" }, { value: "order.paid" }] },
  });
  await ana.fill({ About: "" });
  await story.modal(ana, `*This means:* ${ops} gets \`Service.*\` and \`order.paid\`.`);
  // A colleague changes the events meanwhile: the form was not asked to change them.
  await story.ask(ana, "/rackbell alerts change #ops about=acme-bakery events=invoice.*", "Saved");
  await ana.submit();
  await story.sees(ana, /Saved: (?!.*acme).*`invoice\.\*`/);
  await ana.press(await story.ask(ana, "/rackbell alerts", "Change…"), "Change…");
  await story.modal(ana, "This means");
  await ana.fill({ Events: [] });
  await story.modal(ana, `*This means:* ${ops} gets every event.`);
});

test("of two choices at once the sentence is of the second, in whichever order their updates come to Slack", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, slack } = story;
  const outcomes = () => slack.calls("views.update").map(({ outcome }) => outcome);
  await ana.type("/rackbell policy add");
  await story.modal(ana, "For which commands");
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ]) {
    await ana.fill({ Needs: "It is not allowed" });
    await story.modal(ana, "Everything: is not allowed.");
    const before = outcomes().length;
    const release = [slack.faults.hangApi("views.update", 1), slack.faults.hangApi("views.update", 1)];
    await ana.fill({ Needs: "One approval" });
    await slack.until(() => outcomes().length === before + 1, "the update of the first choice");
    await ana.fill({ Needs: "Two approvals" });
    await slack.until(() => outcomes().length === before + 2, "the update of the second choice");
    for (const each of [first, second]) {
      release[each ?? 0]?.();
      await slack.until(() => /ok|conflict/.test(String(outcomes()[before + (each ?? 0)])), "the end of an update");
    }
    await story.ask(ana, "/rackbell policy", "There are no rules yet");
    await story.modal(ana, "*This means:* Everything: needs two approvals.");
    // The second is sent again where the first came between, and the first never.
    const sent = outcomes().slice(before).sort();
    expect(sent).toEqual(["hash_conflict", "ok", ...(second === 1 ? ["ok"] : [])]);
  }
});

test("a form that is open since before its member became a guest says nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.type("/rackbell policy add");
  await story.modal(ana, "For which commands");
  await ana.fill({ Needs: "One approval" });
  await story.modal(ana, "This means");
  slack.setRole("ana", "guest");
  const before = slack.calls("views.update").length;
  await ana.fill({ Needs: "Two approvals" });
  await story.ask(ana, "/rackbell policy", "Guests of this workspace");
  expect(slack.calls("views.update")).toHaveLength(before);
  expect(JSON.stringify(ana.modal())).not.toContain("two approvals.");
});
