import { expect, test } from "vitest";
import { goAhead } from "../story.ts";
import { orderOne, ordersSent, reviewOf } from "./ordering.ts";
import { sell } from "./selling.ts";

test.each([
  [400, "Product is not sold on the 'monthly' billing cycle", "names the cycles that the product is sold on"],
  [400, "A datacentre must be selected", "choose one"],
  [400, "The minimum order amount is 50.00", "the same order is not sent twice"],
  [400, "Insufficient credit balance: 9.00 needed, 1.00 available", "Insufficient credit balance"],
  [400, "These options are not sold with this product: 7b6f0d8e", "7b6f0d8e"],
  [400, "The plan's disk is smaller than the image", "smaller than the image"],
  [404, "Product not found", "not in your catalogue"],
  [409, "Quantity limit reached", "as many of this product as the supplier lets you"],
  [409, "The image is capturing", "still being captured, wait until it is available"],
  [409, "The node node-7 that holds the image has no room", "its node is full"],
])(
  "an order that is refused with %i %s says what to do, and that nothing was charged",
  async (status, error, words) => {
    const story = await sell();
    const { platform } = story;
    const how = { status, body: { success: false, error } };
    platform.faults.next({ how, method: "POST", path: "/reseller/orders" });
    await orderOne(story, words, "Nothing was charged");
    expect(platform.reseller.orders()).toEqual([]);
    expect(ordersSent(story)).toHaveLength(1);
  },
);

test("a validation that fails names each field", async () => {
  const story = await sell();
  const error = {
    message: "Validation failed",
    details: [{ field: "configuration.hostname", message: "must be a full host name" }],
  };
  const how = { status: 400, body: { success: false, error } };
  story.platform.faults.next({ how, method: "POST", path: "/reseller/orders" });
  await orderOne(story, "`configuration.hostname`: must be a full host name", "Nothing was charged");
});

test("an order under the supplier's minimum, or over the cap, is refused by the platform and can be asked again", async () => {
  const story = await sell();
  const { ana, platform } = story;
  platform.reseller.settings.minimumOrder = 5_000;
  await orderOne(story, "minimum order amount is 50.00", "Nothing was charged");
  platform.reseller.settings.minimumOrder = 0;
  platform.reseller.settings.caps.set(platform.product("VPS S").id, 0);
  const open = await orderOne(story, "Quantity limit reached", "Nothing was charged");
  platform.reseller.settings.caps.clear();
  await story.pressing(ana, open, goAhead, "Ordered 1 × `VPS S`");
});

test("a product that left the catalogue between the question and the press voids the question", async () => {
  const story = await sell();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  platform.reseller.settings.notResold.add(platform.product("VPS S").id);
  await story.pressing(ana, review, goAhead, "Something changed since this was asked", "nothing was done");
  expect(ordersSent(story)).toEqual([]);
});
