import { expect, test } from "vitest";
import { productId } from "../../../../src/sandbox/platform/world/catalogue.ts";
import { at, createPractice, listAt, type Practice, textAt } from "../client.ts";

/** Every VPS and dedicated server that these users see, as the API shows it. */
async function machines({ ask }: Practice): Promise<object[]> {
  const rows: object[] = [];
  for (const as of ["ana", "zoe"] as const) {
    for (const path of ["/vps", "/dedicated"]) {
      const pages = Number(at(await ask(`GET ${path}?limit=200`, { as }), "pagination.pages"));
      for (let page = 1; page <= pages; page += 1) {
        rows.push(...listAt(await ask(`GET ${path}?limit=200&page=${page}`, { as }), "data").map(Object));
      }
    }
  }
  return rows;
}

async function order(platform: Practice, product: string, more: object): Promise<void> {
  const items = [{ productId: productId(product), billingCycle: "monthly", quantity: 3, ...more }];
  const answer = await platform.ask("POST /orders", { body: { items } });
  await platform.ask(`POST /invoices/${textAt(answer, "data.document.id")}/pay`);
  platform.clock.skip(60_001);
  platform.clock.skip(180_001);
}

test("no two machines have an address in common, whether they were there, were added, or came with one order", async () => {
  const platform = await createPractice({ bulk: 900 });
  platform.platform.changeUser("ana", { balance: 1_000_000 });
  await order(platform, "VPS M", { configuration: { location: "es-mad" } });
  await order(platform, "Metal 1", {});
  const rows = await machines(platform);
  expect(rows.filter((row) => "name" in row && /^(vps-m|metal-1)-[123]$/.test(String(row.name)))).toHaveLength(6);
  const addresses = rows.flatMap((row) => ("primary_ip" in row && row.primary_ip !== null ? [row.primary_ip] : []));
  expect(addresses.length).toBeGreaterThan(900);
  expect(new Set(addresses).size).toBe(addresses.length);
  const racks = rows.flatMap((row) => ("hardware" in row ? [JSON.stringify(Object(row.hardware).name)] : []));
  expect(racks.length).toBeGreaterThan(3);
  expect(new Set(racks).size).toBe(racks.length);
});

test("an address that a machine gave up is not given to the next one", async () => {
  const platform = await createPractice();
  const before = (await machines(platform)).map((row) => Object(row).primary_ip);
  await platform.ask("DELETE /vps/{web-1}", { body: { immediate: true } });
  await order(platform, "VPS M", { quantity: 1, configuration: { location: "es-mad" } });
  expect(before).not.toContain(platform.platform.findVps("vps-m").ip_addresses[0]?.address);
});

test("an option that was ordered with a server is its add-on once the order is paid", async () => {
  const platform = await createPractice();
  const { ask, clock } = platform;
  const optionId = textAt(await ask(`GET /products/${productId("VPS M")}`), "data.options.0.id");
  const body = {
    location: "es-mad",
    items: [{ productId: productId("VPS M"), billingCycle: "monthly", options: [{ optionId, quantity: 2 }] }],
  };
  const made = await ask("POST /orders", { body });
  const options = async () =>
    listAt(await ask(`GET /services/${textAt(made, "data.services.0.id")}/options`), "data.options");
  expect(await options()).toEqual([]);
  await ask(`POST /invoices/${textAt(made, "data.document.id")}/pay`);
  clock.skip(60_001);
  expect(await options()).toMatchObject([{ option_id: optionId, quantity: 2, status: "active" }]);
});
