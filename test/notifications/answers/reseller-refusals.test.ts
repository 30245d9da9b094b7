import { describe, expect, test } from "vitest";
import { errorText } from "../../../src/access/error-text.ts";
import { PlatformRefused } from "../../../src/platform/http/errors.ts";

const now = Date.parse("2026-11-22T00:00:00Z");
const id = "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11";

function refusal(act: string, status: number, more: object = {}) {
  const [method = "", path = ""] = act.split(" ");
  return new PlatformRefused(
    { api: "reseller", method, path: `/reseller${path}` },
    { status, reason: "It said no", ...more },
  );
}

/** Every refusal that the spec names in its sections 4.1 to 4.3 and 7, by the call. */
const rows: [act: string, status: number, words: RegExp][] = [
  ["POST /orders", 404, /not in your catalogue/],
  ["POST /orders", 409, /image is still being captured/],
  ["POST /orders", 400, /Correct the order/],
  [`POST /orders/${id}/retry`, 409, /Another attempt is under way/],
  [`POST /orders/${id}/retry`, 400, /check the payment method/],
  [`POST /services/${id}/suspend`, 409, /Only an active service/],
  [`POST /services/${id}/unsuspend`, 409, /Only a suspended service/],
  [`POST /services/${id}/power`, 403, /suspended service cannot be started/],
  [`POST /services/${id}/power`, 400, /without a management controller/],
  [`POST /services/${id}/power`, 424, /management controller did not do it/],
  [`POST /services/${id}/change-package`, 404, /not in your catalogue/],
  [`POST /services/${id}/change-package`, 409, /must be active/],
  [`POST /services/${id}/reinstall`, 404, /no such system/],
  [`POST /services/${id}/reinstall`, 409, /not offered/],
  [`POST /services/${id}/password`, 400, /8 characters/],
  [`POST /services/${id}/password`, 409, /the machine must run/],
  [`POST /services/${id}/password`, 403, /suspended service/],
  [`GET /services/${id}/console`, 409, /machine that runs/],
  [`GET /services/${id}/console`, 400, /without a management controller/],
  [`GET /services/${id}/console`, 403, /suspended service/],
  [`POST /services/${id}/console-cast`, 400, /Only a VPS and a dedicated server/],
  [`GET /services/${id}/backups`, 403, /no snapshots/],
  [`POST /services/${id}/backups`, 400, /dedicated server takes no backups/],
  [`POST /services/${id}/backups/1/restore`, 409, /using the machine's disk/],
  [`POST /services/${id}/rescue`, 403, /does not allow the rescue system/],
  [`POST /services/${id}/rescue`, 409, /No other job may run/],
  [`PUT /services/${id}/transit-config`, 403, /can change this setting/],
  [`DELETE /images/${id}`, 409, /still being captured/],
  [`DELETE /customers/${id}`, 400, /Terminate this customer's remaining services/],
  [`GET /services/${id}`, 404, /belongs to somebody else/],
];

describe("a refusal of the reseller API", () => {
  test.each(rows)("%s with %i says what it means, what the platform said, and what it left", (act, status, words) => {
    const { text } = errorText(refusal(act, status), now);
    expect(text).toMatch(words);
    expect(text).toContain("The platform said no: It said no.");
    expect(/Nothing (changed|was charged)\./.test(text)).toBe(!act.startsWith("GET "));
  });

  /** Sentences of the practice platform and of the spec, each with its own reason and with one of the others of its status. */
  test.each([
    [`POST /services/${id}/power`, 403, "The service is suspended", /suspended service/, /terminated/],
    [`POST /services/${id}/power`, 403, "The service is terminated", /terminated service/, /suspended/],
    [
      `POST /services/${id}/power`,
      400,
      "This server has no management controller",
      /management controller/,
      /Rackbell can reach/,
    ],
    ["POST /orders", 409, "The image is capturing", /still being captured/, /on one node/],
    ["POST /orders", 409, "The node node-7 that holds the image has no room", /on one node/, /being captured/],
    [`POST /orders/${id}/retry`, 409, "Another attempt is in flight", /under way/, /in the panel/],
    [`POST /orders/${id}/retry`, 400, "The card was declined", /payment method/, /awaits its invoice/],
    [`POST /services/${id}/change-package`, 409, "The service is not active", /must be active/, /under way/],
    [
      `POST /services/${id}/reinstall`,
      409,
      "Debian 13 is not offered for this product",
      /cannot be installed/,
      /must run/,
    ],
    [`POST /services/${id}/password`, 409, "The machine is not running", /must run/, /under way/],
    [`POST /services/${id}/reinstall`, 400, "A password is required", /8 characters/, /by its name/],
    [`GET /services/${id}/console`, 409, "The machine has no display yet", /display/, /machine that runs/],
    [`GET /services/${id}/backups`, 403, "This product has no snapshots", /no snapshots/, /suspended/],
    [`POST /services/${id}/backups/1/restore`, 400, "confirm must be the snapshot's name", /exact name/, /dedicated/],
    [`DELETE /images/${id}`, 409, "The image is in use", /in use/, /captured/],
    [`POST /services/${id}/capture`, 409, "Another capture is running", /Another capture/, /busy/],
  ])("%s with %i and “%s” names that reason alone", (act, status, reason, own, other) => {
    const { text } = errorText(refusal(act, status, { reason }), now);
    const meaning = text.slice(text.indexOf(reason) + reason.length);
    expect(meaning).toMatch(own);
    expect(meaning).not.toMatch(other);
  });

  test.each([
    ["cycle not sold", 400, /names the cycles/],
    ["location missing", 400, /needs a datacentre/],
    ["quantity cap", 409, /limit for this product/],
    ["no upgrade path", 409, /offers no change/],
    ["no webhook address", 400, /no webhook address/],
    ["peer connections off", 403, /only the operator can switch it on/],
  ] as const)("%s has its own words, whatever it was asked for", (known, status, words) => {
    expect(errorText(refusal("POST /orders", status, { known }), now).text).toMatch(words);
  });

  test("orders, add-ons and package changes end with what was charged, everything else with what changed", () => {
    for (const act of [
      "POST /orders",
      `POST /orders/${id}/retry`,
      `PUT /services/${id}/options`,
      `POST /services/${id}/change-package`,
    ])
      expect(errorText(refusal(act, 400), now).text).toContain("Nothing was charged.");
    expect(errorText(refusal(`POST /services/${id}/suspend`, 409), now).text).toContain("Nothing changed.");
  });

  test("a provider that refuses or is switched off is reported as that, and not as a fault of the platform", () => {
    const { text } = errorText(refusal(`POST /services/${id}/ui-action/x`, 503), now);
    expect(text).toContain("A provider behind the platform refused, or is switched off");
    expect(text).toContain("Nothing changed.");
  });

  test("only a rejected key is offered to be linked anew: a signature is nobody's own", () => {
    expect(errorText(refusal("POST /orders", 401, { auth: "signature wrong" }), now).next).toEqual([]);
    expect(errorText(refusal("POST /orders", 401, { auth: "key rejected" }), now).next).toHaveLength(1);
  });
});
