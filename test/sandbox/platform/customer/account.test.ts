import { expect, test } from "vitest";
import { practice } from "../client.ts";

test("the account shows its profile, the caller's own credit, and a member's permissions", async () => {
  const { ask, platform } = await practice();
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  expect(await ask("GET /account", { as: "ben" })).toMatchObject({
    status: 200,
    body: { data: { credit_balance: 40, currency: "EUR", account: { owner: false }, permissions: ["services.view"] } },
  });
  expect(await ask("GET /account", { as: "zoe" })).toMatchObject({ body: { data: { account: null } } });
});

test("the balance is the caller's own, also in a team", async () => {
  const { ask } = await practice();
  expect(await ask("GET /account/balance")).toMatchObject({ body: { data: { balance: 250, currency: "EUR" } } });
  expect(await ask("GET /account/balance", { as: "ben" })).toMatchObject({ body: { data: { balance: 40 } } });
});
