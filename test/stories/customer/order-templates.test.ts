import { expect, test } from "vitest";
import { readProduct } from "../../../src/platform/customer/catalog.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { orderCalls, page } from "../ordering.ts";
import { elsewhere } from "../polled.ts";
import { fileStore, goAhead, type Story, type StoryOptions, startStory } from "../story.ts";

/** An order filled in, saved as a template, and left at its review. */
async function saved(options: StoryOptions = {}): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben"], ...options });
  const { ana } = story;
  await ana.type("/order new vps m");
  await page(story, ana, "Order: the plan");
  await ana.fill({
    Billed: "monthly",
    Location: "Frankfurt",
    "Host name": "web-4.example.test",
    "How many": "2",
    "Daily backup": 1,
  });
  await ana.submit();
  await page(story, ana, "Order: the system");
  await ana.fill({ System: "Ubuntu 26.04 LTS", "User data": "#!/bin/sh\necho hidden-in-user-data" });
  await ana.submit();
  await page(story, ana, "The whole order");
  await ana.fill({ "Save as a template": "Web server" });
  await ana.submit();
  await story.sees(ana, "Saved as the template `Web server`");
  await story.sees(ana, "2 × `VPS M`, monthly");
  return story;
}

test("an order is saved as a template as it is filled in, and the next one begins with it, asked as ever", async () => {
  const story = await saved();
  const { ana } = story;
  await ana.type('/order new template="web server"');
  await page(story, ana, "Order: the plan");
  await story.modal(ana, "enter them again", '"initial_value":"2"', "Frankfurt");
  expect(JSON.stringify(ana.modal())).not.toContain("web-4.example.test");
  await ana.submit();
  await page(story, ana, "Order: the system");
  await story.modal(ana, "Ubuntu 26.04 LTS");
  expect(JSON.stringify(ana.modal())).not.toContain("hidden-in-user-data");
  await ana.submit();
  await page(story, ana, "The whole order");
  expect(JSON.stringify(ana.modal())).not.toContain("Web server");
  expect(orderCalls(story)).toEqual([]);
  await ana.submit();
  await ana.press(await story.sees(ana, "2 × `VPS M`, monthly", "Ubuntu 26.04 LTS"), goAhead);
  await story.sees(ana, "Ordered 2 ×");
  expect(orderCalls(story)).toHaveLength(1);
});

test("the form of a template has the typed values, and names those that it cannot have", async () => {
  const story = await saved();
  const { ana } = story;
  const typed = "hostname=b.example.test quantity=5 location=Madrid discount=PRACTICE10 project=staging";
  await ana.type(`/order new "VPS S" template="web server" cycle=weekly image=BeOS ${typed}`);
  await page(story, ana, "Order: the plan");
  await story.modal(ana, '"initial_value":"5"', '"initial_value":"b.example.test"', '"value":"es-mad"');
  await story.modal(ana, "“weekly”", "“BeOS”", "“VPS S” is left out");
  await ana.submit();
  await page(story, ana, "Order: the system");
  await ana.submit();
  await page(story, ana, "The whole order");
  await story.modal(ana, '"initial_value":"PRACTICE10"', "Staging");
});

test("a template is its saver's alone until it is shared, and theirs to rename, share and remove", async () => {
  const story = await saved({ environment: { STORE_URL: fileStore() } });
  const { ana, ben } = story;
  await story.restart();
  await story.ask(ben, "/order template list", "There are no order templates");
  await story.ask(ana, "/order template share Web server", "is shared");
  const shared = await story.ask(ben, "/order template list", "`Web server`", `shared by <@${ana.user.id}>`);
  await story.ask(ben, "/order template rename Web server to=Mine", "only they can change it");
  await story.ask(ben, "/order template share Web server shared=no", "only they can change it");
  await story.ask(ben, "/order template remove Web server force=yes", "Only an admin");
  await ben.press(shared, "Order…");
  await page(story, ben, "Order: the plan");
  expect(JSON.stringify(shared)).not.toContain("Change…");
  await story.ask(ana, "/order template rename Web server to=Shop", "is now called `Shop`");
  const own = await story.ask(ana, "/order template list", "`Shop`", "Change…");
  await story.pressing(ana, own, "Stop sharing", "is yours alone again");
  expect((await ana.press(own, "Remove…", { confirm: false })).confirm?.text).toContain("The template is removed");
  await story.ask(ben, "/order template list", "There are no order templates");
  await story.ask(ana, "/order template remove Shop force=yes", "is removed");
  await story.ask(ana, "/order template list", "There are no order templates");
});

test("a template that does not exist, or is another's, is said, with those that there are", async () => {
  const story = await saved();
  const { ana, ben } = story;
  await ana.type("/order new template=nothing");
  await story.modal(ana, "There is no template `nothing`", "Web server");
  await ben.type('/order new template="Web server"');
  await story.modal(ben, "There is no template `Web server` that you can see", "none yet");
});

test("the form of a template names its plan when that is no longer available", async () => {
  const story = await saved();
  const { ana, platform } = story;
  platform.faults.next({
    how: { status: 404, body: { success: false, code: "NOT_FOUND", error: "No such product" } },
    path: "/products/{id}",
  });
  await ana.type('/order new template="Web server"');
  await story.modal(ana, "No longer available", "plan `VPS M`");
});

test("an option, a system and a location that are gone are each named, and the form opens with the rest", async () => {
  const story = await saved();
  const { ana, platform } = story;
  const { customer } = elsewhere(story);
  const product = await readProduct(customer, productId("VPS M"));
  const data = {
    ...product,
    options: product.options?.filter(({ name }) => name !== "Daily backup"),
    os_images: product.os_images.filter(({ name }) => name !== "Ubuntu 26.04 LTS"),
    locations: product.locations.filter(({ name }) => name !== "Frankfurt"),
  };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: "/products/{id}" });
  await ana.type('/order new template="Web server"');
  await page(story, ana, "Order: the plan");
  await story.modal(ana, "location Frankfurt", "option `Daily backup` of `VPS M`", "system `Ubuntu 26.04 LTS`");
  await story.modal(ana, '"initial_value":"2"', /"initial_option":\{[^{]*\{[^}]*\},"value":"monthly"/);
});

test("a billing cycle that is gone is named, and none is chosen in its place", async () => {
  const story = await saved();
  const { ana, platform } = story;
  const product = await readProduct(elsewhere(story).customer, productId("VPS M"));
  const data = { ...product, billing_cycles: ["annually"] };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: "/products/{id}" });
  await ana.type('/order new template="Web server"');
  await page(story, ana, "Order: the plan");
  await story.modal(ana, "No longer available", "“Monthly” for `VPS M`", '"initial_value":"2"');
  expect(JSON.stringify(ana.modal()?.blocks)).not.toMatch(
    /"initial_option":\{[^{]*\{[^}]*\},"value":"(monthly|annually)"/,
  );
});
