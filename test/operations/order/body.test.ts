import { expect, test } from "vitest";
import { bodyOf, emptyDraft, inputOf, type Line, newLine } from "../../../src/operations/order/draft.ts";

const key = `ssh-ed25519 ${"A".repeat(68)} ana`;
const script = `#!/bin/sh\n${"x".repeat(65_000)}`;

function lineOf(wish: Partial<Line>): Line {
  return { ...newLine({ id: "product-1", name: "VPS S" }), cycle: "monthly", ...wish };
}

test("one product is ordered by itself, with its user data whole", () => {
  const line = lineOf({
    image: "os:image-1",
    keys: ["key-1"],
    pasted: `\n${key}\n\n`,
    file: { name: "init.sh", content: script },
  });
  const order = inputOf({ ...emptyDraft, lines: [line], hostname: "a.example.test", location: "es-mad" });
  expect(bodyOf(order)).toEqual({
    productId: "product-1",
    billingCycle: "monthly",
    configOptions: { os_image_id: "image-1", ssh_key_ids: ["key-1"], ssh_keys: [key], user_data: script },
    hostname: "a.example.test",
    location: "es-mad",
  });
});

test("an own image never goes with a system", () => {
  const order = inputOf({ ...emptyDraft, lines: [lineOf({ image: "own:image-2" })] });
  expect(bodyOf(order)).toMatchObject({ configOptions: { custom_image_id: "image-2" } });
  expect(JSON.stringify(bodyOf(order))).not.toContain("os_image_id");
});

test.each([{ quantity: 2 }, { options: { "option-1": 3 } }])("%o makes items of it", (wish) => {
  const order = inputOf({ ...emptyDraft, lines: [lineOf(wish)], discount: "TEN", project: "production" });
  expect(bodyOf(order)).toMatchObject({
    items: [{ productId: "product-1", billingCycle: "monthly", quantity: wish.quantity ?? 1 }],
    discountCode: "TEN",
    projectId: "production",
  });
});
