import { expect, test } from "vitest";
import { errorText, outcomeUnknown } from "../../../src/access/error-text.ts";
import { customerRoutes } from "../../../src/platform/customer/routes.ts";
import { type ApiName, PlatformRefused } from "../../../src/platform/http/errors.ts";
import { resellerRoutes } from "../../../src/platform/reseller/routes.ts";

/** The routes of each API that change something, as a failed call has them. */
const writes: [api: ApiName, call: string][] = [
  ...Object.keys(customerRoutes).map((route): [ApiName, string] => ["customer", route]),
  ...Object.keys(resellerRoutes).map((route): [ApiName, string] => ["reseller", route.replace(" /", " /reseller/")]),
].filter(([, route]) => !route.startsWith("GET "));

/** The calls of the reseller API that may charge before they fail. Reseller spec sections 4 and 8. */
const charging = [
  "POST /reseller/orders",
  "POST /reseller/orders/{orderId}/retry",
  "PUT /reseller/services/{serviceId}/options",
  "POST /reseller/services/{serviceId}/change-package",
  "POST /reseller/services/{serviceId}/capture",
];

test("of all writes that fail with 500 or above nothing is known, but of a provider's refusal that charges nothing", () => {
  for (const [api, call] of writes)
    for (const status of [500, 502, 503, 504]) {
      const [method = "", path = ""] = call.split(" ");
      const error = new PlatformRefused({ api, method, path }, { status, reason: "No" });
      const refused = api === "reseller" && status === 503 && !charging.includes(call);
      expect(outcomeUnknown(error), `${api} ${call} ${status}`).toBe(!refused);
      const { text } = errorText(error, 0);
      expect(text, `${api} ${call} ${status}`).toContain(refused ? "Nothing changed." : "unknown");
    }
});
