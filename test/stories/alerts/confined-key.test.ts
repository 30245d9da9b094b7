import { expect, test } from "vitest";
import { passRound, read, untilReported } from "../polled.ts";
import { connect } from "../reseller/selling.ts";
import { said } from "../story.ts";

test("a monitoring key of one project is set with a warning that others raise no alert, and each list of alerts says so", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { key } = platform.addKey({
    owner: "dave",
    label: "one project",
    scopes: ["read"],
    project: platform.projectId("staging"),
  });
  const warning =
    "The key sees one project alone: `Staging`. Services, orders and images of other projects raise no alert.";
  await connect(story, ana, { "Customer monitoring key": key }, warning);
  await passRound(story);
  await story.ask(ana, "/rackbell alerts", warning);
  await story.ask(ana, "/rackbell connect check", warning);
  await untilReported(story, "The monitoring key sees the project `Staging` alone");
  // Members need not know its name.
  const shown = said(await story.ask(ben, "/rackbell alerts", "The key sees one project alone. Services"));
  expect(shown).not.toContain("Staging");
  await connect(story, ana, { "Customer monitoring key": platform.keys.reader.key }, "in the place of the one before");
  expect(said(await story.ask(ana, "/rackbell alerts", "I poll your own services"))).not.toContain("The key sees");
});

test("a reseller monitoring key of one customer is set with a warning, and each list of alerts says so", async () => {
  const story = await read({ apis: ["reseller"] });
  const { ana, platform } = story;
  const { key } = platform.reseller.addKey({ scopes: ["read"], customer: platform.reseller.customerId("acme-bakery") });
  const warning =
    "The key sees one customer alone: `Acme Bakery`. Rackbell finds no lost webhook about another customer";
  await connect(story, ana, { "Reseller monitoring key": key }, warning);
  await story.ask(ana, "/rackbell alerts", warning);
  await story.ask(ana, "/rackbell connect check", warning);
});
