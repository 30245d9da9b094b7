import { expect, test } from "vitest";
import { happenings } from "../../src/sandbox/happenings.ts";
import { productId } from "../../src/sandbox/platform/world/catalogue.ts";
import { createPracticeWithEvents, success, wholesaleOrder } from "./platform/client.ts";

/** A practice platform with an address for its events, and what can be made to happen on it. */
async function stage() {
  const practice = await createPracticeWithEvents();
  const all = happenings(practice.platform);
  const press = async (id: string) => {
    const happening = all.find((one) => one.id === id);
    if (happening === undefined) throw new Error(`Nothing is called ${id}`);
    return happening.press();
  };
  const order = (externalOrderId: string) => {
    const body = wholesaleOrder({ externalOrderId }, { hostname: `${externalOrderId}.example.com` });
    return practice.resell("POST /orders", { body });
  };
  return { ...practice, press, order, all };
}

test("each has a name of its own, and says in a sentence what came of it", async () => {
  const { all } = await stage();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { press } of all) expect(await press()).toMatch(/^[A-Z\w].*\.$/);
});

test("the next build fails, and the one after it does not", async () => {
  const { press, order, events, built, clock, platform } = await stage();
  await press("fail-build");
  await order("one");
  clock.skip(60_000);
  await order("two");
  built();
  expect(events()).toEqual(["order.paid", "service.provisioning_failed", "order.paid", "service.provisioned"]);
  expect(platform.reseller.deliveries()[1]?.data).toMatchObject({
    provisioningError: "No host in this location could take the server.",
    services: [{ status: "provisioning_failed" }],
  });
});

test("the next reboot is refused as the spec has it, and the one after it is not", async () => {
  const { press, ask } = await stage();
  await press("refuse-reboot");
  const reboot = () => ask("POST /vps/{web-1}/reboot");
  expect(await reboot()).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  expect(await reboot()).toMatchObject({ status: 200 });
});

test("the supplier suspends the newest resold service, and lifts that again", async () => {
  const { press, order, built, platform } = await stage();
  await order("shop");
  built();
  expect(await press("suspend")).toBe("shop.example.com is suspended.");
  expect(await press("unsuspend")).toBe("shop.example.com is active again.");
  expect(platform.reseller.deliveries().slice(2)).toMatchObject([
    { event: "service.suspended", data: { reason: "Unpaid wholesale renewal" } },
    { event: "service.unsuspended", data: { reason: "Suspension lifted by the supplier" } },
  ]);
  expect(() => platform.reseller.supplier.suspend("none")).toThrow("There is no service none");
  expect(platform.find("shop").status).toBe("active");
});

test("orders are paid as is chosen, a document falls due and is paid", async () => {
  const { ask, press, order, events, platform, clock } = await stage();
  await press("invoice");
  await order("one");
  expect(events()).toEqual(["order.invoiced"]);
  expect(await press("pay")).toMatch(/^INV-\d+ is paid\.$/);
  expect(events()).toEqual(["order.invoiced", "order.paid"]);
  const before = platform.documents().length;
  expect(await press("bill")).toContain("due for its renewal");
  expect(platform.documents()).toHaveLength(before + 1);
  const renewal = platform.documents().at(-1);
  expect(await ask(`GET /invoices/${renewal?.id}`)).toMatchObject(success({ settled: false }));
  const due = platform.find(renewal?.service_ids[0] ?? "").billing.next_due_date ?? "";
  expect(Date.parse(due)).toBeLessThanOrEqual(clock.now());
  await press("saved_method");
  await press("decline");
  expect(await order("two")).toMatchObject({ status: 402 });
  await press("decline");
  expect(await order("three")).toMatchObject({ status: 201 });
});

test.each(["agree", "deny"])("the supplier can be made to %s to a change of package", async (decision) => {
  const { press, resell, clock, platform } = await stage();
  expect(await press(decision)).toBe("No change of package waits for the supplier.");
  await press("ask-supplier");
  await resell("POST /services/{web-2}/change-package", { body: { productId: productId("VPS L") } });
  await press(decision);
  clock.skip(30_000);
  expect(platform.find("web-2").product.name).toBe(decision === "agree" ? "VPS L" : "VPS M");
});

test("events can be made to come twice, out of order and late, and to come now", async () => {
  const { press, platform, resell } = await stage();
  const { faults } = platform.reseller.webhooks;
  await press("twice");
  await press("reversed");
  await press("late");
  expect(faults).toMatchObject({ twice: true, reversed: true, lateMs: 60_000 });
  await press("twice");
  await press("reversed");
  await press("late");
  expect(faults).toMatchObject({ twice: false, reversed: false, lateMs: 0 });
  await resell("POST /webhooks/test");
  expect(await press("post-due")).toBe("Events that wait for another attempt: 1.");
});

test("the signing secret is rotated, and the new one is shown", async () => {
  const { press, platform } = await stage();
  const old = platform.reseller.signingSecret() ?? "";
  const said = await press("rotate");
  expect(said).toContain(`\`${platform.reseller.signingSecret()}\``);
  expect(said).not.toContain(old);
});
