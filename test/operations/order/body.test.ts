import { expect, test } from "vitest";
import { bodyOf, OrderInput, orderOf } from "../../../src/operations/order/input.ts";
import { ProductDetail } from "../../../src/platform/customer/catalog.ts";
import { newPublicKey } from "../../stories/public-keys.ts";

const key = `${newPublicKey()} ana`;
const script = `#!/bin/sh\n${"x".repeat(65_000)}`;

const products = new Map(
  ["product-1", "product-2"].map((id) => [
    id,
    ProductDetail.parse({
      id,
      name: id,
      location_required: false,
      os_images: [{ id: "image-1", name: "Debian 13" }],
      options: [{ id: "option-1", name: "Backup", max_quantity: 3 }],
      locations: [],
    }),
  ]),
);

function bodyFor(wish: object) {
  return bodyOf(
    orderOf(OrderInput.parse({ product: "product-1", cycle: "monthly", image: "image-1", ...wish }), products),
  );
}

test("one product is ordered by itself, with its user data whole", () => {
  const file = { name: "init.sh", content: Buffer.from(script).toString("base64") };
  const wish = { keys: ["key-1"], pasted: `\n${key}\n\n`, file, hostname: "a.example.test", location: "es-mad" };
  expect(bodyFor(wish)).toEqual({
    productId: "product-1",
    billingCycle: "monthly",
    configOptions: { os_image_id: "image-1", ssh_key_ids: ["key-1"], ssh_keys: [key], user_data: script },
    hostname: "a.example.test",
    location: "es-mad",
  });
});

test("an own image never goes with a system", () => {
  const body = bodyFor({ image: "image-2" });
  expect(body).toMatchObject({ configOptions: { custom_image_id: "image-2" } });
  expect(JSON.stringify(body)).not.toContain("os_image_id");
});

test.each([
  { quantity: 2, options: [] },
  { options: [{ optionId: "option-1", quantity: 3 }], chosen: ["1 x option-1", "2 x option-1"] },
])("%o makes items of it", ({ quantity = 1, options, chosen }) => {
  expect(bodyFor({ quantity, options: chosen, discount: "TEN", project: "production" })).toMatchObject({
    items: [{ productId: "product-1", billingCycle: "monthly", quantity, options }],
    discountCode: "TEN",
    projectId: "production",
  });
});

test("several products are one order of items, each with its own system and user data", () => {
  const more = [{ product: "product-2", cycle: "annually", quantity: 2, image: "image-2", userdata: "#!/bin/sh" }];
  expect(bodyFor({ more, hostname: "a.example.test" })).toEqual({
    items: [
      {
        productId: "product-2",
        billingCycle: "annually",
        quantity: 2,
        configuration: { custom_image_id: "image-2", user_data: "#!/bin/sh" },
        options: [],
      },
      {
        productId: "product-1",
        billingCycle: "monthly",
        quantity: 1,
        configuration: { os_image_id: "image-1" },
        options: [],
      },
    ],
    billingCycle: "annually",
    hostname: "a.example.test",
  });
});

test("more of an option than can be ordered is refused, also in two choices", () => {
  expect(() => bodyFor({ options: ["2 x option-1", "2 x option-1"] })).toThrow("at most 3 times");
});
