import { expect, test } from "vitest";
import { errorText, isPartlyPersonal, outcomeUnknown, whoseKey } from "../../src/messages/answers/error-text.ts";
import { createOrder } from "../../src/platform/customer/orders.ts";
import {
  type ApiName,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
  PlatformUnanswered,
} from "../../src/platform/http/errors.ts";
import { creditTooLow, openChargeFailure } from "../../src/platform/reseller/refusals.ts";
import { orderBody } from "./customer/calls.ts";
import { endpoints } from "./endpoints.ts";
import { type FailedCall, failedCalls } from "./failed-calls.ts";
import { connect, json, startServer } from "./server.ts";

/** The answers with which any route of the customer API refuses, from the table of its spec's section 7. */
const anyCustomerRoute = [
  ...["400 BAD_REQUEST", "400 INVALID_JSON", "400 UNKNOWN_PROJECT", "401 UNAUTHORIZED"],
  ...["403 SCOPE_REQUIRED", "403 FORBIDDEN", "403 ACCOUNT_SUSPENDED", "403 FEATURE_DISABLED"],
  ...["403 PROJECT_SCOPE_MISMATCH", "404 NOT_FOUND", "409 CONFLICT", "409 RENEWAL_PENDING"],
  ...["429 RATE_LIMITED", "429 ACTION_RATE_LIMITED"],
];
const orderRefusals = ["LOCATION_SOLD_OUT", "SOLD_OUT", "NO_CAPACITY", "PRODUCT_UNAVAILABLE"];

/** Each route that charges, with the answers that prove that it charged nothing: written here from the specs, and not from the app. */
const charging: Record<ApiName, Record<string, string[]>> = {
  // Sections 4.2, 4.3, 4.5 to 4.7, 7, and 8 (the storage of an image).
  customer: {
    "POST /orders": [...anyCustomerRoute, "400 LOCATION_UNAVAILABLE", ...orderRefusals.map((code) => `409 ${code}`)],
    "POST /invoices/{id}/pay": anyCustomerRoute,
    "POST /proformas/{id}/pay": anyCustomerRoute,
    "POST /services/{id}/renew": anyCustomerRoute,
    "POST /services/{id}/options": anyCustomerRoute,
    "POST /services/{id}/upgrades": anyCustomerRoute,
    "POST /services/{id}/upgrades/options": anyCustomerRoute,
    "POST /vps/{id}/capture": anyCustomerRoute,
    "POST /custom-images": anyCustomerRoute,
  },
  // Sections 1.2, 4.1 to 4.3, 7 and 8. A refusal of this API has no code.
  reseller: {
    "POST /orders": ["400", "401", "403", "404", "409", "429"],
    "POST /orders/{orderId}/retry": ["400", "401", "403", "404", "409", "429"],
    "POST /services/{serviceId}/change-package": ["400", "401", "403", "404", "409", "429"],
    "POST /services/{serviceId}/capture": ["400", "401", "403", "404", "409", "429"],
    "PUT /services/{serviceId}/options": ["400", "401", "402", "403", "404", "409", "429"],
  },
};

/** Those that take the sum from a credit, or need one: customer sections 1 and 7, reseller section 1.2. The others raise a document. */
const fromCredit: Record<ApiName, string[]> = {
  customer: ["POST /orders", "POST /invoices/{id}/pay", "POST /proformas/{id}/pay"],
  reseller: [
    ...["POST /orders", "POST /orders/{orderId}/retry"],
    ...["POST /services/{serviceId}/change-package", "PUT /services/{serviceId}/options"],
  ],
};

const withBalance = [
  ...["Insufficient credit balance: 12.90 needed, 7.31 available", "Your credit is 7.31", "The balance is -7,31 EUR"],
  ...["EUR12.90 is above EUR7.31", "12,90 needed, 7,31 there", "€12.90 exceeds €7.31.", "You need 13 and have 7"],
];

const statuses = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 423, 424, 425, 429, 451];
const faults = [500, 501, 502, 503, 504, 520];
const codes = [
  ...new Set([...anyCustomerRoute, "400 LOCATION_UNAVAILABLE"].map((answer) => answer.slice(4))),
  ...[...orderRefusals, "PROVIDER_ERROR", "INTERNAL_ERROR", "UPSTREAM_ERROR", "ERROR", "SOMETHING_NEW"],
];

async function writes(): Promise<FailedCall[]> {
  return (await failedCalls()).filter(({ method }) => method !== "GET");
}

const charges = (["customer", "reseller"] as const).flatMap((api) =>
  Object.entries(charging[api]).map(([route, proofs]) => ({ api, route, proofs })),
);

async function callOf({ api, route }: { api: ApiName; route: string }): Promise<FailedCall> {
  const call = (await writes()).find((one) => one.api === api && one.route === route);
  if (!call) throw new Error(`No call of ${route}`);
  return call;
}

function refused(call: FailedCall, status: number, code?: string): PlatformRefused {
  return new PlatformRefused(call, { status, code, reason: "It said no", retryAfterSeconds: 60 });
}

/** Each answer that the API could give, beside those that its spec names. */
function answersOf({ api }: FailedCall): [status: number, code?: string][] {
  const known = [...statuses, ...faults];
  if (api === "reseller") return known.map((status) => [status]);
  return known.flatMap((status) => codes.map((code): [number, string] => [status, code]));
}

test("every route that writes has a refused call here, and 14 of them charge", async () => {
  const routes = [...endpoints.customer, ...endpoints.reseller].flatMap(({ api, route }) =>
    route.startsWith("GET ") ? [] : [`${api} ${route}`],
  );
  expect((await writes()).map(({ api, route }) => `${api} ${route}`).sort()).toEqual([...new Set(routes)].sort());
  expect(charges).toHaveLength(14);
});

test.each(charges)(
  "a refused $api $route says that nothing was charged where the spec names that refusal, and nowhere else",
  async ({ proofs, ...one }) => {
    const call = await callOf(one);
    for (const [status, code] of answersOf(call)) {
      const error = refused(call, status, code);
      const { text } = errorText(error, 0);
      // The customer API has one 401, whatever its code.
      const answer = code === undefined || status === 401 ? String(status) : `${status} ${code}`;
      const proven = proofs.some((proof) => proof === answer || proof.startsWith(`${answer} `));
      const named = `${call.api} ${call.route} ${status} ${code ?? ""}`;
      expect(outcomeUnknown(error), named).toBe(!proven);
      if (proven) {
        expect(text, named).toContain("Nothing was charged.");
        continue;
      }
      expect(text, named).toContain("The outcome is unknown.");
      expect(text, named).not.toMatch(/nothing (was |is )?(charged|changed|sent)|try again|tried again/i);
    }
  },
);

test.each(charges)(
  "the balance that a refused $api $route names is in no text but the one for the key's owner, who reads all of it",
  async ({ api, route, ...one }) => {
    const call = await callOf({ api, route, ...one });
    const states = call.facts?.refusals.some(({ states }) => states === "balance") ?? false;
    expect(states).toBe(fromCredit[api].includes(route));
    if (!states) return;
    for (const reason of withBalance)
      for (const status of [400, 402, 418, 422, 500, 502]) {
        const code = api === "customer" ? "BAD_REQUEST" : undefined;
        const details = [{ field: "amount", message: reason }];
        const inField = new PlatformRefused(call, { status, code, reason: "Not enough", details });
        for (const error of [new PlatformRefused(call, { status, code, reason }), inField]) {
          const named = `${status} ${error.reason}`;
          expect(errorText(error, 0, whoseKey("U1")).text, named).not.toMatch(/7([.,]31)?\b/);
          expect(isPartlyPersonal(error), named).toBe(true);
        }
        expect(errorText(new PlatformRefused(call, { status, code, reason }), 0).text).toContain(reason.slice(0, 11));
      }
  },
);

test.each(charges)("a $api $route without a whole answer never says that nothing was charged", async (one) => {
  const call = await callOf(one);
  for (const error of [
    new PlatformTooLate(call, true, 30_000),
    new PlatformUnanswered(call, true),
    new PlatformOffContract(call, { status: 200, problem: "not JSON" }),
    new PlatformOffContract(call, { status: 409, problem: "The refusal is malformed" }),
  ]) {
    expect(outcomeUnknown(error)).toBe(true);
    expect(errorText(error, 0).text).not.toMatch(/nothing was charged/i);
  }
});

test("a refused write of another route says that nothing changed, and never speaks of a charge", async () => {
  for (const call of (await writes()).filter(({ api, route }) => !charging[api][route]))
    for (const [status, code] of answersOf(call)) {
      const error = refused(call, status, code);
      const isProviders = call.api === "reseller" && status === 503;
      expect(outcomeUnknown(error), `${call.route} ${status}`).toBe(status >= 500 && !isProviders);
      const { text } = errorText(error, 0);
      expect(text, `${call.route} ${status}`).not.toMatch(/nothing was charged/i);
      // After a failed power action the platform says only that the attempt counts. Customer spec section 7.
      if (call.api === "customer" && status === 424) continue;
      expect(text, `${call.route} ${status}`).toContain(outcomeUnknown(error) ? "is unknown." : "Nothing changed.");
    }
});

test("an order that the platform refuses in words of tomorrow, over real HTTP, is of unknown outcome", async () => {
  const answers = [
    [409, "SOLD_OUT", false],
    [409, "PAYMENT_TAKEN", true],
    [502, "UPSTREAM_ERROR", true],
  ] as const;
  for (const [status, code, unknown] of answers) {
    const { url } = await startServer((response) => json(response, status, { success: false, error: "No", code }));
    const error: unknown = await createOrder(connect(url).client, "r1", orderBody).catch((thrown: unknown) => thrown);
    expect(outcomeUnknown(error), code).toBe(unknown);
  }
});

test("a credit card that is declined is no short credit: its reason stays for everybody", () => {
  for (const sentence of ["Your credit card was declined.", "Credit-card ending in 4242 was declined (code 05)"]) {
    expect(openChargeFailure(sentence)).toBe(sentence);
    expect(creditTooLow.says.test(sentence)).toBe(false);
  }
  expect(openChargeFailure("Your credit is 7.31")).not.toContain("7.31");
});
