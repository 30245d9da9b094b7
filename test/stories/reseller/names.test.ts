import { expect, test } from "vitest";
import { goAhead, said } from "../story.ts";
import { startResellerStory } from "./selling.ts";

test("the words after /reseller are listed, with what each goes on with, and a slip is answered at its level", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const help = said(await story.ask(ana, "/reseller", "takes one of these words"));
  for (const topic of ["product", "order", "service", "customer", "payment", "webhook"])
    expect(help).toContain(`/reseller ${topic}`);
  await story.ask(ana, "/reseller customer help", "reseller customer", "create");
  await story.ask(ana, "/reseller costumer list", "/reseller customer");
  await story.ask(ana, "/reseller customer lst", "/reseller customer list");
  await story.ask(ana, "/rackbell reseller customer list", "customers");
});

test("a member without a reseller key reads that one is needed, and the help offers none of its commands", async () => {
  const story = await startResellerStory({ linked: ["ben"], partners: ["ana"] });
  const help = said(await story.ask(story.ben, "/reseller service help", "of a reseller key"));
  expect(help).not.toContain("/reseller service suspend");
});

test("one's own service and a resold one read apart, in the form and on the card", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/reseller service suspend");
  await story.modal(ana, '"Suspend resold service"');
  const request = await story.ask(ana, "/reseller service terminate ACME-002", "asks to");
  expect(said(request)).toContain("Terminate `mail.example.test` (resold)");
  await story.pressing(ana, request, goAhead, "(resold)", "is terminated");
  const own = await story.ask(ana, "/service cancel worker-1", "asks to");
  expect(said(own)).not.toContain("(resold)");
});

test("a host name is enough as far as its first dot where it means one service", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service show mail.example.test", "is running");
  await story.ask(story.ana, "/reseller service show mail", "is running");
});
