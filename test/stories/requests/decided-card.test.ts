import { expect, test } from "vitest";
import { backOut, goAhead, peer, said, startStory } from "../story.ts";

test("the card of an approved request keeps its facts, and says who approved with which key, when, and under which audit entry", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const done = said(await story.pressing(ben, request, goAhead, "approved by"));
  for (const fact of ["Reason: `Cancelled from Slack`", "State: running", "192.0.2.2", "its disk (100 GB)"])
    expect(done).toContain(fact);
  expect(done).toMatch(new RegExp(`Approved by <@${ben.user.id}> <!date.*with the key \`ben\``));
  const [, entry = ""] = /Audit entry (\d+)/.exec(done) ?? [];
  const list = said(await story.ask(ana, `/rackbell audit before=${Number(entry) + 1}`, "approved"));
  expect(list.indexOf("*approved*")).toBeLessThan(list.indexOf("*asked*"));
});

test("a request that its requester confirmed, or that ended undecided, keeps them too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const confirmed = await story.ask(ana, "/vps cancel web-1", "asks to");
  const done = said(await story.pressing(ana, confirmed, goAhead, "As it was requested"));
  expect(done).toMatch(new RegExp(`Confirmed by <@${ana.user.id}> <!date.*with the key \`ana\``));
  const other = await story.ask(ana, "/vps cancel web-2", "asks to");
  const ended = said(await story.pressing(ana, other, backOut, "As it was requested"));
  expect(ended).toContain("its disk (50 GB)");
  expect(ended).toContain(`Withdrawn by <@${ana.user.id}>`);
});

test("the price of a payment stays with its payer: Details… shows it to nobody else", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const question = await story.ask(ana, "/service renew db-1", "the next renewal of", "It expires");
  await ana.press(question, goAhead);
  const shown = await story.sees(ben, "was issued");
  expect(said(shown)).not.toMatch(/balance|As it was requested|20\.00 EUR/);
  await ana.press(await story.sees(ana, "was issued"), { actionId: "request:details" });
  await story.modal(ana, "balance", "EUR");
  await ben.press(shown, { actionId: "request:details" });
  await story.modal(ben, "and it was done");
  expect(JSON.stringify(ben.modal() ?? {})).not.toContain("balance");
});

test("a request of an act that loses nothing has no warning, and no sentence that repeats its title", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=change"] });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps start worker-2", "asks to *Start `worker-2`*");
  expect(said(request)).not.toMatch(/:warning:|\*Start `worker-2`\.\*|Start `worker-2`\. Start/);
  expect(request.text).not.toMatch(/Start `worker-2`\. Start| {2}/);
  await ana.press(request, { actionId: "request:details" });
  await story.modal(ana, "Start");
  expect(JSON.stringify(ana.modal() ?? {})).not.toMatch(/Start `worker-2`\./);
  await ana.closeModal();
  const done = said(await story.pressing(ben, request, goAhead, "`worker-2` is running"));
  expect(done).not.toContain("Requested:");
});
