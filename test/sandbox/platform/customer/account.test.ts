import { expect, test } from "vitest";
import { createPractice, success } from "../client.ts";

test("the account shows its profile, the caller's own credit, and a member's permissions", async () => {
  const { ask, platform } = await createPractice();
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  expect(await ask("GET /account", { as: "ben" })).toMatchObject(
    success({ credit_balance: 40, currency: "EUR", account: { owner: false }, permissions: ["services.view"] }),
  );
  expect(await ask("GET /account", { as: "zoe" })).toMatchObject(success({ account: null }));
});

test("the balance is the caller's own, also in a team", async () => {
  const { ask } = await createPractice();
  expect(await ask("GET /account/balance")).toMatchObject(success({ balance: 250, currency: "EUR" }));
  expect(await ask("GET /account/balance", { as: "ben" })).toMatchObject(success({ balance: 40 }));
});
