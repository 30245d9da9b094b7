import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createOrder } from "../../src/platform/customer/orders.ts";
import { fileOperations } from "../../src/platform/reseller/game/files.ts";
import { contract, openBoth, replyOf, replyWith } from "./contract.ts";
import { orderBody } from "./customer/calls.ts";
import { endpoints } from "./endpoints.ts";
import { isSigned } from "./reseller/call.ts";
import { ok } from "./server.ts";

const bases = { customer: "/api/v1", reseller: "/api/v1/reseller" };

test.each(contract)(
  "$api $sends is called as the spec writes it, signed where that API wants it, and gives the answer (%#)",
  async (row) => {
    const { answer, clients, seen } = await openBoth();
    answer(replyOf(row));
    const { body, passes, gives } = row.facts;

    expect(await row.call(clients)).toEqual(gives === undefined ? passes : gives);

    expect(seen.map(({ method, url }) => `${method} ${url.replace(bases[row.api], "")}`)).toEqual([row.sends]);
    const [request] = seen;
    expect(request?.body).toEqual(body);
    expect(request?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
    const signed = row.api === "reseller" && request?.method !== "GET";
    expect(request && isSigned(request)).toBe(signed);
    if (!signed) expect(request?.headers).not.toHaveProperty("x-reseller-signature");
  },
);

/** The days of a service's traffic are shown with all their fields. */
const shownAsTheyAre = ["rx_bytes", "tx_bytes"];

/** The names of the fields in the schemas of a file: those of each object that its code gives to zod. */
function fieldNames(code: string): string[] {
  return [...code.matchAll(/\b(?:o|looseO)bject\(\{|\bextend\(\{/g)].flatMap(({ index, 0: begin }) => {
    let depth = 0;
    let body = "";
    for (const letter of code.slice(index + begin.length)) {
      depth += "{([".includes(letter) ? 1 : "})]".includes(letter) ? -1 : 0;
      if (depth < 0) break;
      if (depth === 0) body += letter;
    }
    return [...body.matchAll(/(?:^|,)\s*(?:\/[*/][^\n]*\n\s*)*(\w+):/g)].flatMap(([, name]) => name ?? []);
  });
}

test("each field that a schema of the platform names is used: one that is not could make a whole answer unreadable", () => {
  const codes = new Map(
    globSync("src/**/*.ts", { exclude: ["src/sandbox/**"] }).map((name) => [name, readFileSync(name, "utf8")]),
  );
  const words = Map.groupBy(
    [...codes.values()].flatMap((code) => code.match(/\w+/g) ?? []),
    (word) => word,
  );
  const fields = [...codes].flatMap(([name, code]) =>
    name.startsWith("src/platform/") ? fieldNames(code).map((field) => [name, field] as const) : [],
  );
  expect(fields.length).toBeGreaterThan(300);
  const unused = fields.filter(([, field]) => words.get(field)?.length === 1 && !shownAsTheyAre.includes(field));
  expect(unused).toEqual([]);
});

test("an order is sent under its key", async () => {
  const { answer, clients, seen } = await openBoth();
  answer(ok({ settled: true }));
  await createOrder(clients.customer, "r1", orderBody);
  expect(seen[0]?.headers).toMatchObject({ "idempotency-key": "r1" });
});

/** The fields without which the outcome of a write is unknown, or its result is lost. */
const least: Record<string, object> = {
  "customer POST /services/s1/cancel": { immediate: true },
  "customer DELETE /vps/v1": { immediate: true },
  "customer POST /vps/v1/capture": { id: "i1" },
  "customer POST /vps/v1/snapshots": { snapshot: { id: "s1" } },
  "customer POST /services/s1/options": { settled: true },
  "customer POST /services/s1/upgrades": { upgrade: { id: "u1", status: "completed" } },
  "customer POST /services/s1/upgrades/options": { upgrade: { id: "u1", status: "completed" } },
  "customer POST /orders": { settled: true },
  "customer POST /invoices/i1/pay": { invoicePaid: true },
  "customer POST /proformas/p1/pay": { proformaPaid: true },
  "customer POST /ssh-keys": { id: "k1" },
  "customer POST /custom-images": { id: "i1" },
  "customer POST /projects": { id: "p1" },
  "reseller POST /orders": { orderId: "or1", status: "paid" },
  "reseller POST /orders/or1/retry": { status: "paid" },
  "reseller POST /services/s1/change-package": { status: "pending" },
  "reseller POST /services/s1/capture": { id: "im1" },
  "reseller POST /services/s1/console-session": { token: "tok-2" },
  "reseller POST /services/s1/console-cast": { id: "c1", url: "https://supplier.example/cast/abc" },
  "reseller POST /customers": { id: "cu1", external_customer_id: "acme" },
  "reseller POST /services/s1/game/console": { wsOrigin: "wss://g.example", ws_path: "/ws", token: "tok-4" },
};

test.each(contract.filter(({ sends }) => !sends.startsWith("GET ")))(
  "an answer to $api $sends counts without the fields that only inform (%#)",
  async (row) => {
    const { answer, clients } = await openBoth();
    answer(replyWith(row, least[`${row.api} ${row.sends}`] ?? {}));
    await row.call(clients);
  },
);

test("every endpoint has its row, and no row is of another route", async () => {
  const { answer, clients, seen, lastRoute } = await openBoth();
  const called = new Set<string>();
  for (const row of contract) {
    answer(replyOf(row));
    await row.call(clients);
    called.add(`${row.api} ${lastRoute()}`);
  }

  const known = [...endpoints.customer, ...endpoints.reseller].map(({ api, route }) => `${api} ${route}`);
  const documents = ["customer GET /openapi.json", "reseller GET /openapi.json"];
  expect([...called].sort()).toEqual([...new Set([...known, ...documents])].sort());
  const operations = seen.flatMap(({ url }) => /\/game\/files\/([\w-]+)$/.exec(url)?.[1] ?? []);
  expect([...new Set(operations)].sort()).toEqual([...fileOperations].sort());
});
